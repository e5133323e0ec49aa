/** Whether a pack is about what it states: as the event that records it, and as its other events. */
import { demand } from '../refusal.ts'
import { linkedRecords } from './completeness.ts'
import type { Content, ContentEvent } from './pack.ts'
import { isAddedKind, isBatchKind, isRecordKind, plainOf, sealedOf } from './reading.ts'

/** Checks that each record has one beginning, at most one end and one resolution, and one person; returns the beginnings. */
function begunOf(events: readonly ContentEvent[]): ContentEvent[] {
  const begun = new Map<number | null, ContentEvent>()
  const seen = new Set<string>()
  for (const event of events.filter(({ kind }) => isRecordKind(kind))) {
    const { kind, record, seq, subject } = event
    const part = `${record} ${kind}`
    demand(record !== null && !seen.has(part), 'record-parts', { event: seq })
    seen.add(part)
    if (kind === 'record.begun') begun.set(record, event)
    demand(begun.has(record) && begun.get(record)?.subject === subject, 'record-parts', { event: seq })
  }
  return [...begun.values()]
}

function checkApplicant({ about: { id }, events, profile }: Content, made: ContentEvent): void {
  demand((id === null) === (profile === 'no-personal-data'), 'subject-withheld')
  const linked = linkedRecords(events)
  const isOfLinked = ({ kind, record }: ContentEvent): boolean =>
    isRecordKind(kind) && record !== null && linked.has(record)
  let isNamed = false
  for (const event of events) {
    if (isAddedKind(event.kind) || isOfLinked(event)) continue
    demand(made.subject !== null && event.subject === made.subject, 'person-other', { event: event.seq })
    const name = sealedOf(event, 'applicantId')
    if (name === undefined) continue
    demand(id !== null, 'subject-withheld')
    demand(name === id, 'subject-other', { event: event.seq })
    isNamed = true
  }
  demand(profile !== 'full' || isNamed, 'subject-unnamed')
}

/** The event that records the pack says everything about it, and in a redacted pack not who made it. */
function checkNames({ about, profile }: Content, { plain, seq }: ContentEvent): void {
  const names = [
    'about',
    ...(about.kind === 'applicant' ? [] : ['id']),
    ...(profile === 'full' ? ['operator'] : []),
    'profile',
    'series'
  ]
  demand(plain.shown.map(([, name]) => name).join() === names.join(), 'made-otherwise', { event: seq })
}

/** Checks the subject and the profile that a pack states. @param made The event that records the pack. */
export function checkSubject(content: Content, made: ContentEvent): void {
  const {
    about: { kind, id },
    events,
    profile
  } = content
  // A link says which record: one that names none would link nothing that could be looked for.
  for (const event of events)
    demand(!['link.made', 'link.removed'].includes(event.kind) || event.record !== null, 'record-unnamed', {
      event: event.seq
    })
  demand(plainOf(made, 'about') === kind, 'subject-other', { event: made.seq })
  demand(plainOf(made, 'profile') === profile, 'profile-other', { event: made.seq })
  checkNames(content, made)
  const begun = begunOf(events)
  if (kind === 'applicant') return checkApplicant(content, made)
  demand(id !== null, 'subject-withheld')
  demand(plainOf(made, 'id') === id, 'subject-other', { event: made.seq })
  if (kind === 'record') {
    for (const event of events)
      demand(event.record === null || event.record === made.record, 'record-other', { event: event.seq })
    const [only] = begun
    demand(only !== undefined && plainOf(only, 'id') === id, 'subject-other', { event: only?.seq ?? made.seq })
    return
  }
  for (const event of events)
    if (isBatchKind(event.kind)) demand(plainOf(event, 'id') === id, 'subject-other', { event: event.seq })
  for (const event of begun) demand(plainOf(event, 'batchId') === id, 'subject-other', { event: event.seq })
}
