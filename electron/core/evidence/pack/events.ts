/** Checks of single events and responses: hashes, values, links, what is always shown, and erasure. */
import {
  digestOfPart,
  isErased,
  type Content,
  type ContentBody,
  type ContentEvent,
  type DisclosedPart,
  type SealedPart
} from './pack.ts'
import { valueDigest, hashOfEvent, type EventLink } from '#kit/hashing/values.ts'
import { packKinds, type PackKind } from '../kinds.ts'
import { demand } from '../refusal.ts'
import { disclosedOf, isBatchKind, isCountedKind, isLinkedKind, isRecordKind, plainOf } from './reading.ts'

/** Sorted, and each once. */
const rises = (names: readonly string[]): boolean =>
  names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name)

/** No name occurs twice, neither shown nor withheld, and each part has only one spelling. */
function checkPart(part: SealedPart | null, place: string): void {
  if (part === null || isErased(part)) return
  const names = part.shown.map(([, name]) => name)
  demand(new Set(names).size === names.length, 'name-twice', { place })
  demand(rises(names) && rises(part.withheld), 'values-unsorted', { place })
  const withheld = new Set(part.withheld)
  demand(!part.shown.some((each) => withheld.has(valueDigest(each))), 'name-twice', { place })
}

const fits = ([n, before]: EventLink, seq: number): boolean => before < seq && (n === 1) === (before === 0)

/** Whether an event has the links of its kind. @param inBatch Whether its record is of a batch; undefined if unknown. */
function hasItsLinks(event: ContentEvent, inBatch: boolean | undefined): boolean {
  const { kind, links, record, seq, subject } = event
  const { all: ofKind, subject: ofSubject, record: ofRecord, batch: ofBatch } = links
  if (![ofKind, ofSubject, ofRecord, ofBatch].every((link) => link === undefined || fits(link, seq))) return false
  if (!isLinkedKind(kind)) return Object.keys(links).length === 0
  if ((ofKind !== undefined) !== isCountedKind(kind)) return false
  if ((ofSubject !== undefined) !== (subject !== null)) return false
  if ((ofRecord !== undefined) !== (isRecordKind(kind) && record !== null)) return false
  if (isRecordKind(kind)) return inBatch === undefined || (ofBatch !== undefined) === inBatch
  return (
    (ofBatch !== undefined) === (isBatchKind(kind) || (kind === 'pack.made' && plainOf(event, 'about') === 'batch'))
  )
}

/** What events of a kind show whatever is withheld, so that the checks can read it. */
function alwaysShown(kind: string): readonly string[] {
  if (kind === 'record.begun' || isBatchKind(kind)) return ['id']
  if (kind === 'record.ended') return ['outcome', 'reply']
  if (kind === 'subject.erased') return ['subjects']
  return kind === 'pack.made' ? ['about', 'profile', 'series'] : []
}

/** By number of a record, whether it is of a batch, as far as its beginning shows it. */
function recordsInBatches(events: readonly ContentEvent[]): Map<number | null, boolean> {
  const known = events.flatMap((event): [number | null, boolean][] => {
    if (event.kind !== 'record.begun') return []
    if (plainOf(event, 'batchId') !== undefined) return [[event.record, true]]
    return event.plain.withheld.length === 0 ? [[event.record, false]] : []
  })
  return new Map(known)
}

const kindsByName: Readonly<Record<string, PackKind | null>> = packKinds

/** No value is in the part in which the tables have it not. */
function checkColumns({ kind, plain, sealed, seq }: ContentEvent): void {
  const known = Object.hasOwn(kindsByName, kind) ? kindsByName[kind] : undefined
  if (!known) return
  const misplaced = (part: SealedPart | null, others: PackKind['plain']): string | undefined =>
    part === null || isErased(part)
      ? undefined
      : part.shown
          .map(([, name]) => name)
          .find((name) => Object.hasOwn(others, name.startsWith('input.') ? 'input' : name))
  const name = misplaced(plain, known.sealed) ?? misplaced(sealed, known.plain)
  demand(name === undefined, 'value-misplaced', { event: seq, name: name ?? '' })
}

const isErasure = (entry: ContentEvent | ContentBody): entry is ContentEvent =>
  'seq' in entry && entry.kind === 'subject.erased'

/** No pack shows why somebody was erased. */
function checkReason(event: ContentEvent): void {
  const { seq, sealed } = event
  const shows = isErasure(event) && sealed !== null && !isErased(sealed) && sealed.shown.length > 0
  demand(!shows, 'reason-shown', { event: seq })
}

const placeOf = (entry: ContentEvent | ContentBody): string =>
  'seq' in entry ? `event ${entry.seq}` : `the response of record ${entry.record}`

/** Checks each event by itself and with the one before it; returns the number of withheld values. */
export function checkEvents(content: Content): number {
  const { events, bodies, profile } = content
  const inBatch = recordsInBatches(events)
  for (const [index, event] of events.entries()) {
    const { seq, previous } = event
    const before = events[index - 1]
    demand(!before || before.seq < seq, 'event-order', { event: seq })
    demand(before?.seq !== seq - 1 || before.hash === previous, 'event-not-next', { event: seq })
    demand(seq !== 1 || /^0+$/.test(previous), 'event-first')
    demand(isHashed(event), 'event-changed', { event: seq })
    if (profile !== 'full') demand(plainOf(event, 'operator') === undefined, 'operator-shown', { event: seq })
    checkColumns(event)
    checkReason(event)
    checkPart(event.plain, `event ${seq}`)
    checkPart(event.sealed, `event ${seq}`)
    demand(hasItsLinks(event, inBatch.get(event.record)), 'event-links', { event: seq })
    for (const name of alwaysShown(event.kind))
      demand(plainOf(event, name) !== undefined, 'value-missing', { event: seq, name })
  }
  for (const body of bodies) checkPart(body, `the response of record ${body.record}`)
  const entries = [...events, ...bodies]
  if (profile === 'full')
    for (const entry of entries)
      demand(
        disclosedOf(isErasure(entry) ? { ...entry, sealed: null } : entry).every(
          ({ withheld }) => withheld.length === 0
        ),
        'full-withholds',
        { place: placeOf(entry) }
      )
  return entries.flatMap(disclosedOf).reduce((sum, { withheld }) => sum + withheld.length, 0)
}

/** Whether an event's hash is right, as far as it is shown. */
function isHashed(event: ContentEvent): boolean {
  const { plain, sealed } = event
  return hashOfEvent({ ...event, plain: digestOfPart(plain), sealed: sealed && digestOfPart(sealed) }) === event.hash
}

/** Checks that each end of a record has the response that it names, and that each response belongs to one. */
export function checkResponses({ events, bodies }: Content): void {
  for (const [index, { record }] of bodies.entries()) {
    const before = bodies[index - 1]?.record ?? 0
    demand(before !== record, 'response-twice', { record })
    demand(before < record, 'response-order', { record })
  }
  const ends = events.filter(({ kind }) => kind === 'record.ended')
  const held = new Map(bodies.map((body) => [body.record, body]))
  const ended = new Set(ends.map(({ record }) => record))
  for (const { record } of bodies) demand(ended.has(record), 'response-stray', { record })
  for (const end of ends) {
    const record = end.record ?? 0
    const body = held.get(record)
    const reply = plainOf(end, 'reply') as { readonly values?: unknown } | null
    demand(reply === null || body !== undefined, 'response-missing', { record })
    demand(reply !== null || body === undefined, 'response-stray', { record })
    if (reply !== null && body) demand(reply.values === digestOfPart(body), 'response-changed', { record })
  }
}

/** Whether sealed data is present; undefined if an event has none. */
function isPresent(entry: ContentEvent | ContentBody): boolean | undefined {
  const part: SealedPart | null = 'plain' in entry ? entry.sealed : entry
  return part === null ? undefined : !isErased(part)
}

/** By number of a person, the last event shown that records that the key was destroyed. */
function erasuresOf(events: readonly ContentEvent[]): Map<unknown, number> {
  return new Map(
    events.filter(isErasure).flatMap((event): [unknown, number][] => {
      const subjects = plainOf(event, 'subjects')
      return Array.isArray(subjects) ? subjects.map((subject) => [subject, event.seq]) : []
    })
  )
}

/**
 * Erasing a person destroys one key, and with it everything sealed for that person: either all is erased, or nothing. The audit
 * trail records it after everything that was sealed.
 */
export function checkErasure({ events, bodies }: Content): void {
  const ends = new Map(events.filter(({ kind }) => kind === 'record.ended').map((event) => [event.record, event]))
  const entries = [...events, ...bodies].map((entry) => ({
    event: 'seq' in entry ? entry : ends.get(entry.record),
    present: isPresent(entry),
    place: placeOf(entry)
  }))
  const known = new Set(entries.flatMap(({ event, present }) => (present === true ? [event?.subject] : [])))
  const erasures = erasuresOf(events)
  for (const { event, present, place } of entries) {
    if (present !== false) continue
    const subject = event?.subject ?? null
    demand(subject === null || !known.has(subject), 'partly-erased', { place })
    demand(subject !== null && (erasures.get(subject) ?? 0) > (event?.seq ?? 0), 'erasure-missing', { place })
  }
}

/** Events of which everything is withheld, by kind. */
export function withheldEvents({ events }: Content): { readonly kind: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  const isWithheld = (parts: readonly DisclosedPart[]): boolean =>
    parts.every(({ shown }) => shown.length === 0) && parts.some(({ withheld }) => withheld.length > 0)
  for (const event of events)
    if (isWithheld(disclosedOf(event))) counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => ({ kind, count }))
}

/** Names of sealed parts that were erased. */
export function erasedParts({ events, bodies }: Content): string[] {
  return [...events, ...bodies].filter((entry) => isPresent(entry) === false).map(placeOf)
}
