/** Labels for the audit trail's event groups and breaks, and the columns of its table. */
import type { RouteLocationRaw } from 'vue-router'
import type { AuditEvent, AuditGroup, BreakKind } from '#contract/evidence/audit.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { TableColumn } from '../../kit/table-columns.ts'
import { settingTable } from '../settings/setting-places.ts'
import { words } from './words.ts'

export const groupLabels: Readonly<Record<AuditGroup, string>> = {
  verifications: words.verifications,
  views: words.viewsOfPersonalData,
  decisions: words.decisions,
  applicants: words.notesTagsLinks,
  catalogue: words.interpretations,
  exports: words.exportsAndEvidence,
  settings: words.settings,
  connections: words.connections,
  batches: words.batches,
  erasure: words.holdsAndErasure,
  program: words.application
}

export const eventColumns: readonly TableColumn[] = [
  {
    name: 'time',
    label: words.time,
    width: 178,
    narrow: 176,
    dated: { content: 'time', mono: true },
    sort: 'descending'
  },
  { name: 'words', label: words.what, width: 150, text: 'message' },
  { name: 'about', label: words.about, width: 120, text: 'id' },
  { name: 'operator', label: words.who, width: 72, text: 'name' },
  // For those who compare an event with a proof.
  { name: 'seq', label: words.event, width: 64, narrow: 56, right: true, from: Infinity },
  { name: 'kind', label: words.kind, width: 130, from: Infinity },
  { name: 'hash', label: words.hash, width: 72, narrow: 64, from: Infinity }
]

/** The label of a setting, if it has a row in the settings. */
const settingLabel = (name: string): string => {
  const place = (settingTable as Partial<typeof settingTable>)[name as keyof Settings]
  return place === undefined || typeof place === 'string' ? name : place[0]
}
/** What an event is about that is no applicant: its name, where it is, and how a button says that. */
export function thingOf({
  recordId,
  batch,
  setting,
  connection
}: AuditEvent): { readonly text: string; readonly to: RouteLocationRaw; readonly open: string } | undefined {
  if (batch)
    return {
      text: batch.name || words.batch,
      to: { name: 'batch', params: { id: batch.id } },
      open: words.openBatch
    }
  if (setting !== undefined) return { text: settingLabel(setting), to: { name: 'settings' }, open: words.openSettings }
  if (connection !== undefined) return { text: connection, to: { name: 'connections' }, open: words.openConnections }
  return recordId === undefined
    ? undefined
    : { text: words.record, to: { name: 'history', params: { id: recordId } }, open: words.openRecord }
}

/** The kind of damage; core's sentence describes what was found. */
export const breakLabels: Readonly<Record<BreakKind, string>> = {
  gap: words.anEventIsMissing,
  hash: words.anEventOrItsPosition,
  tail: words.eventsAtTheEndAre,
  anchor: words.fileDoesNotMatchThe,
  payload: words.encryptedDataWasReplaced,
  body: words.aResponseBodyWasReplaced,
  projection: words.aListDoesNotMatch
}
