/** Whether a pack is about what it states. */
import { must } from './canonical.mjs'
import { linkedRecords } from './completeness.mjs'
import { addedKinds, isBatchKind, ofEvent, plainValue, recordKinds, sealedValue } from './events.mjs'

/** The event that records the pack says everything about it but who made it. */
export function checkMade(made, { about, profile }) {
  const names = [
    'about',
    ...(about.kind === 'applicant' ? [] : ['id']),
    ...(profile === 'full' ? ['operator'] : []),
    'profile',
    'series'
  ]
  must(
    made.plain.shown.map(([, name]) => name).join() === names.join(),
    `${ofEvent(made)} does not state what an event of its kind must.`
  )
  must(
    plainValue(made, 'about') === about.kind && plainValue(made, 'profile') === profile,
    `${ofEvent(made)} is about another pack.`
  )
  must(
    about.kind === 'applicant' || plainValue(made, 'id') === about.id,
    `It claims to be about ${about.kind} ${about.id}, but ${ofEvent(made)} names another.`
  )
}

/** Each record shown has one beginning, at most one end and one resolution, and one person; returns the beginnings. */
function checkRecords(events) {
  const begun = new Map()
  const seen = new Set()
  for (const event of events.filter(({ kind }) => recordKinds.includes(kind))) {
    const { kind, record, subject } = event
    must(
      record !== null && !seen.has(`${kind} ${record}`),
      `${ofEvent(event)} is the second of its kind for one record.`
    )
    seen.add(`${kind} ${record}`)
    if (kind === 'record.begun') begun.set(record, event)
    must(
      begun.has(record) && begun.get(record).subject === subject,
      `${ofEvent(event)} belongs to no record that is shown.`
    )
  }
  return [...begun.values()]
}

function checkApplicant({ about: { id }, events, profile }, made) {
  must(
    (id === null) === (profile === 'no-personal-data'),
    'It withholds what it is about, or shows what its profile withholds.'
  )
  const linked = linkedRecords(events)
  let isNamed = false
  for (const event of events) {
    if (addedKinds.includes(event.kind)) continue
    if (recordKinds.includes(event.kind) && linked.has(event.record)) continue
    must(made.subject !== null && event.subject === made.subject, 'Its events are about more than one applicant.')
    const name = sealedValue(event, 'applicantId')
    if (name === undefined) continue
    must(id !== null, 'It withholds what it is about, or shows what its profile withholds.')
    must(name === id, `It claims to be about applicant ${id}, but shows another.`)
    isNamed = true
  }
  must(
    profile !== 'full' || isNamed,
    `It claims to be about applicant ${id}, but none of its events names that applicant.`
  )
  return id === null || isNamed
}

/** Checks what the pack states that it is about; returns whether an event shown names it. */
export function checkSubject(content, made) {
  const {
    about: { kind, id },
    events
  } = content
  for (const event of events)
    must(
      !['link.made', 'link.removed'].includes(event.kind) || event.record !== null,
      `${ofEvent(event)} names no record.`
    )
  const begun = checkRecords(events)
  if (kind === 'applicant') return checkApplicant(content, made)
  if (kind === 'record') {
    must(
      begun.length === 1 && begun[0].record === made.record && plainValue(begun[0], 'id') === id,
      `It claims to be about record ${id}, but shows another.`
    )
    must(
      events.every(({ record }) => record === null || record === made.record),
      'It shows events of another record.'
    )
    return true
  }
  must(
    events.every((event) => !isBatchKind(event.kind) || plainValue(event, 'id') === id),
    `It claims to be about batch ${id}, but shows another.`
  )
  must(
    begun.every((event) => plainValue(event, 'batchId') === id),
    'It shows records of another batch.'
  )
  return true
}
