/** Reads what events say, whichever version recorded them. */
import { plainValue, sealedValue } from '../format-1/meaning.ts'
import type { PackBodyText, PackEvent } from '../format-1/pack.ts'
import {
  isErased,
  isValues,
  shownValue,
  type ContentBody,
  type ContentEvent,
  type DisclosedPart,
  type SealedPart,
  type ValuesBody,
  type ValuesEvent
} from './pack.ts'

/** A value of the plain part; undefined if it is withheld or absent. */
export const plainOf = (event: ContentEvent, name: string): unknown =>
  isValues<PackEvent, ValuesEvent>(event) ? shownValue(event.plain, name) : (plainValue(event, name) ?? undefined)

/** A value of the sealed part; undefined if it is withheld, erased or absent. */
export const sealedOf = (event: ContentEvent, name: string): unknown =>
  isValues<PackEvent, ValuesEvent>(event) ? shownValue(event.sealed, name) : (sealedValue(event, name) ?? undefined)

export const isNewEvent = (event: ContentEvent): event is ValuesEvent => isValues<PackEvent, ValuesEvent>(event)
export const isOldEvent = (event: ContentEvent): event is PackEvent => !isNewEvent(event)
export const isNewBody = (body: ContentBody): body is ValuesBody => isValues<PackBodyText, ValuesBody>(body)
export const isOldBody = (body: ContentBody): body is PackBodyText => !isNewBody(body)

/** The parts of an event or a response of version 2, with its plain part first. */
export const partsOf = (entry: ValuesEvent | ValuesBody): SealedPart[] =>
  'plain' in entry ? [entry.plain, ...(entry.sealed === null ? [] : [entry.sealed])] : [entry]

/** Parts that are not erased. */
export const disclosedOf = (entry: ValuesEvent | ValuesBody): DisclosedPart[] =>
  partsOf(entry).flatMap((part) => (isErased(part) ? [] : [part]))

export const isRecordKind = (kind: string): boolean =>
  kind === 'record.begun' || kind === 'record.ended' || kind === 'record.settled'
export const isBatchKind = (kind: string): boolean => kind.startsWith('batch.')

/** Kinds of events that are counted, so that a pack can prove that none is left out. */
const linked: ReadonlySet<string> = new Set([
  'record.begun',
  'record.ended',
  'record.settled',
  'batch.made',
  'batch.changed',
  'batch.resolved',
  'decision.made',
  'note.made',
  'tags.changed',
  'due.changed',
  'link.made',
  'link.removed',
  'approval.asked',
  'approval.answered',
  'approval.received',
  'pack.made'
])
export const isLinkedKind = (kind: string): boolean => linked.has(kind)
