/** The sign of each place, in the side bar and in the palette. */
import {
  BookOpenText,
  ChartColumn,
  FileCheck2,
  History,
  Inbox,
  Rows3,
  ScanSearch,
  ScrollText,
  Settings,
  Users
} from '@lucide/vue'
import type { Component } from 'vue'
import type { PlaceName } from '#contract/app/places.ts'

export const placeIcons: Readonly<Record<PlaceName, Component>> = {
  'queue': Inbox,
  'applicants': Users,
  'batches': Rows3,
  'history': History,
  'new-verification': ScanSearch,
  'overview': ChartColumn,
  'catalogue': BookOpenText,
  'evidence': FileCheck2,
  'audit': ScrollText,
  'administration': Settings
}
