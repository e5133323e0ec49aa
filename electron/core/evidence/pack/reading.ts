/** Reads what events say. */
import { linkedKinds } from '#contract/evidence/event-kinds.ts'
import {
  isErased,
  shownValue,
  type ContentBody,
  type ContentEvent,
  type DisclosedPart,
  type SealedPart
} from './pack.ts'

/** A value of the plain part; undefined if it is withheld or absent. */
export const plainOf = (event: ContentEvent, name: string): unknown => shownValue(event.plain, name)

/** A value of the sealed part; undefined if it is withheld, erased or absent. */
export const sealedOf = (event: ContentEvent, name: string): unknown => shownValue(event.sealed, name)

/** The parts of an event or a response, with its plain part first. */
export const partsOf = (entry: ContentEvent | ContentBody): SealedPart[] =>
  'plain' in entry ? [entry.plain, ...(entry.sealed === null ? [] : [entry.sealed])] : [entry]

/** Parts that are not erased. */
export const disclosedOf = (entry: ContentEvent | ContentBody): DisclosedPart[] =>
  partsOf(entry).flatMap((part) => (isErased(part) ? [] : [part]))

export const isRecordKind = (kind: string): boolean =>
  kind === 'record.begun' || kind === 'record.ended' || kind === 'record.resolved'
export const isBatchKind = (kind: string): boolean => kind.startsWith('batch.')

/** Kinds that a pack shows beside its series, whomever they belong to: others refer to them. */
export const isAddedKind = (kind: string): boolean =>
  ['connection.noted', 'checklist.noted', 'subject.erased'].includes(kind)
export const isLinkedKind = (kind: string): boolean => linkedKinds.has(kind)
/** Whether all events of a kind are one series of the audit trail. */
export const isCountedKind = (kind: string): boolean => kind === 'decision.made' || kind === 'record.begun'
