/**
 * Checks that the parts of a pack are consistent: a signature covers them whatever they state. Each function throws a
 * `Refusal`. `verifier/verify.mjs` does the same independently; docs/evidence-format-1.md has the rules.
 */
import type { Pack, PackBodyText, PackEvent } from './pack.ts'
import { must, refusal } from '../refusal.ts'

type Content = Pack['content']

/**
 * Maximum nesting of objects and lists in a recorded text; docs/evidence-format-1.md. Beyond some depth, programs
 * differ in what they can read.
 */
const deepest = 64

/** Whether a JSON text is nested deeper. Scans only its characters, so it works for any depth. */
export function isTooDeep(text: string): boolean {
  let level = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (inString) {
      if (sign === '\\') at += 1
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{' || sign === '[') level += 1
    else if (sign === '}' || sign === ']') level -= 1
    if (level > deepest) return true
  }
  return false
}

/**
 * Parses a recorded text; refused if it is not written as the console writes it. Readers of a text with a duplicate
 * name would not agree on its meaning.
 */
function said(text: string, where: string): Readonly<Record<string, unknown>> {
  must('payloads', !isTooDeep(text), `The content of ${where} is nested more than ${deepest} levels deep.`)
  const refused = refusal('payloads', `The content of ${where} is not in canonical form.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || JSON.stringify(value) !== text)
    throw refused
  return value as Readonly<Record<string, unknown>>
}

/** For an event without a commitment, the hash covers zeros. */
const isZero = (commitment: string | null): boolean => commitment !== null && /^0+$/.test(commitment)
const ofEvent = ({ seq }: PackEvent): string => `event ${seq}`
const ofBody = ({ record }: PackBodyText): string => `the response of record ${record}`
export const isPlainName = ({ name }: { readonly name: string }): boolean => name.startsWith('plain.')

/** What a profile shows and withholds, and that no value is given in two places where it could differ. */
export function checkDisclosure(content: Content): void {
  const { about, profile } = content
  must(
    'fields',
    about.id !== null || (about.kind === 'applicant' && profile === 'no-personal-data'),
    'It withholds what it is about.'
  )
  checkEntries(content)
}

/** The same for events and responses alone. */
export function checkEntries({ bodies, events, profile }: Pick<Content, 'bodies' | 'events' | 'profile'>): void {
  const full = profile === 'full'
  const placed = [
    ...events.map((entry) => [entry, ofEvent(entry)] as const),
    ...bodies.map((entry) => [entry, ofBody(entry)] as const)
  ]
  for (const [{ commitment, fields, payload }, where] of placed) {
    must(
      'fields',
      !isZero(commitment),
      `The commitment of ${where} is all zeros, which has the same hash as no commitment.`
    )
    must('fields', !full || fields.length === 0, `It is a full pack, but contains values of ${where} twice.`)
    must('fields', full || payload === null, `It is a redacted pack, but shows the sealed part of ${where}.`)
    if (payload) said(payload.text, where)
  }
  for (const event of events) {
    const { plain, commitment, fields } = event
    must('fields', !full || plain !== null, `It is a full pack, but withholds the content of ${ofEvent(event)}.`)
    must('fields', plain === null || !fields.some(isPlainName), `It contains values of ${ofEvent(event)} twice.`)
    must(
      'fields',
      plain === null || commitment !== null || fields.length === 0,
      `It contains sealed values of ${ofEvent(event)}, which has none.`
    )
    if (plain !== null) said(plain, ofEvent(event))
  }
  for (const body of bodies)
    must('fields', !body.fields.some(isPlainName), `It contains values of ${ofBody(body)} that no response has.`)
}

/** A value given in the text or in a field; undefined or null if it is not given. */
const given = (text: string | undefined | null, event: PackEvent, name: string, field: string): unknown =>
  text ? said(text, ofEvent(event))[name] : event.fields.find((each) => each.name === field)?.value
export const plainValue = (event: PackEvent, name: string): unknown => given(event.plain, event, name, `plain.${name}`)
export const sealedValue = (event: PackEvent, name: string): unknown => given(event.payload?.text, event, name, name)

/** The commitment of the reply that a result event names; undefined if it names none or withholds it. */
function replyOf(ended: PackEvent): unknown {
  const reply = plainValue(ended, 'reply')
  const shown = ended.plain === null && typeof reply === 'string' ? said(reply, ofEvent(ended)) : reply
  return (shown as { readonly body?: unknown } | null | undefined)?.body
}

/** Checks that each result has the reply that it names, and that each reply belongs to a result. */
export function checkReplies({ bodies, events }: Pick<Content, 'bodies' | 'events'>): void {
  must(
    'payloads',
    new Set(bodies.map(({ record }) => record)).size === bodies.length,
    'It contains two responses for one record.'
  )
  const held = new Map<number | null, PackBodyText>(bodies.map((body) => [body.record, body]))
  const ends = events.filter(({ kind }) => kind === 'record.ended')
  const ended = new Set(ends.map(({ record }) => record))
  for (const { record } of bodies)
    must('payloads', ended.has(record), `The response of record ${record} belongs to no event.`)
  for (const end of ends) {
    const [named, body] = [replyOf(end), held.get(end.record)]
    must(
      'payloads',
      named === undefined || body !== undefined,
      `The response of record ${end.record} is missing, which its end names.`
    )
    if (body && (named !== undefined || end.plain !== null))
      must(
        'payloads',
        named === body.commitment,
        `The response of record ${body.record} is not the one that was recorded.`
      )
  }
}

/**
 * Erasing an applicant destroys one key, and with it everything sealed for that applicant. If some of it is given,
 * the rest was left out. For an event without fields, a redacted pack does not show whether its sealed part had any.
 */
export function checkErased({ bodies, events, profile }: Content): void {
  const full = profile === 'full'
  const subjects = new Map(
    events.filter(({ kind }) => kind === 'record.ended').map(({ record, subject }) => [record, subject])
  )
  const isGiven = ({ payload, fields }: PackEvent | PackBodyText): boolean =>
    payload !== null || fields.some((each) => !isPlainName(each))
  const replies = bodies.map((body) => ({
    subject: subjects.get(body.record),
    given: isGiven(body),
    where: `The response of record ${body.record}`
  }))
  const sealed = events
    .filter((event) => event.commitment !== null || isGiven(event))
    .map((event) => ({ subject: event.subject, given: isGiven(event), where: `Sealed data of ${ofEvent(event)}` }))
  const present = new Set(
    [...replies, ...sealed].flatMap(({ subject, given }) => (given && subject !== null ? [subject] : []))
  )
  for (const { subject, given, where } of [...replies, ...(full ? sealed : [])])
    must(
      'payloads',
      given || subject === null || !present.has(subject),
      `${where} is missing, but other data of the same person is present.`
    )
}

/** Names of sealed parts that a pack does not contain, for example after an erasure. */
export function erasedOf({ content: { bodies, events, profile } }: Pack): string[] {
  const gone =
    profile === 'full' ? events.filter(({ commitment, payload }) => commitment !== null && payload === null) : []
  return [
    ...gone.map(ofEvent),
    ...bodies.filter(({ payload, fields }) => payload === null && fields.length === 0).map(ofBody)
  ]
}

/** The start events of the verifications shown: each has one, at most one result, and one subject. */
function begunOf({ events, records }: Content): PackEvent[] {
  const begun = new Map<number | null, PackEvent>()
  const ended = new Set<number | null>()
  for (const event of events.filter(({ kind }) => kind.startsWith('record.'))) {
    const { kind, record, subject } = event
    if (kind === 'record.begun') {
      must('events', record !== null && !begun.has(record), `Event ${event.seq} begins a record a second time.`)
      begun.set(record, event)
    } else
      must('events', begun.get(record)?.subject === subject, `Event ${event.seq} belongs to no record that is shown.`)
    must('events', kind !== 'record.ended' || !ended.has(record), `Event ${event.seq} ends a record a second time.`)
    if (kind === 'record.ended') ended.add(record)
  }
  must('events', begun.size === records, `It claims to be about ${records} records, but shows ${begun.size}.`)
  return [...begun.values()]
}

function checkApplicant({ about: { id }, events, profile }: Content, begun: readonly PackEvent[]): void {
  const links = events.filter(({ kind }) => kind === 'link.made')
  const own = begun.filter(({ record }) => !links.some((link) => link.record === record))
  const others = events.filter(({ kind, subject }) => subject !== null && !kind.startsWith('record.'))
  must(
    'events',
    new Set([...own, ...others].map(({ subject }) => subject)).size <= 1,
    'Its events are about more than one applicant.'
  )
  const named = [...own, ...links]
    .map((event) => sealedValue(event, 'applicantId'))
    .filter((name) => name !== undefined && name !== null)
  // Lists store an unpaired surrogate as U+FFFD.
  must(
    'events',
    id === null || named.every((name) => typeof name === 'string' && name.toWellFormed() === id.toWellFormed()),
    `It claims to be about applicant ${id}, but shows another.`
  )
  must(
    'events',
    profile !== 'full' || named.length > 0,
    `It claims to be about applicant ${id}, but none of its events names that applicant.`
  )
}

/** Checks that the stated subject is that of the events, as far as they are shown. */
export function checkAbout(content: Content): void {
  const {
    about: { kind, id },
    events
  } = content
  const begun = begunOf(content)
  if (kind === 'applicant') return checkApplicant(content, begun)
  if (kind === 'record') {
    const [only] = begun
    must(
      'events',
      only !== undefined && begun.length === 1 && plainValue(only, 'id') === id,
      `It claims to be about record ${id}, but shows another.`
    )
    must(
      'events',
      events.every(({ record }) => record === null || record === only?.record),
      'It shows events of another record.'
    )
    return
  }
  const made = events.filter((event) => event.kind.startsWith('batch.'))
  must(
    'events',
    made.length > 0 && made.every((event) => plainValue(event, 'id') === id),
    `It claims to be about batch ${id}, but shows another.`
  )
  must(
    'events',
    begun.every((event) => plainValue(event, 'batchId') === id),
    'It shows records of another batch.'
  )
}

/** Whether an event names the subject of a pack; false if the event withholds it. */
export function isNamedBy({ kind, id }: Content['about'], event: PackEvent): boolean {
  if (kind === 'applicant') {
    const name =
      event.kind === 'record.begun' || event.kind === 'link.made' ? sealedValue(event, 'applicantId') : undefined
    return typeof name === 'string' && name.toWellFormed() === id?.toWellFormed()
  }
  if (kind === 'record') return event.kind === 'record.begun' && plainValue(event, 'id') === id
  return (
    (event.kind.startsWith('batch.') && plainValue(event, 'id') === id) ||
    (event.kind === 'record.begun' && plainValue(event, 'batchId') === id)
  )
}
