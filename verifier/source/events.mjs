/** Events and responses: each value is proved by itself. */
import { sha256Hex } from './bytes.mjs'
import { canonical, must } from './canonical.mjs'
import {
  anything,
  byMember,
  isHex,
  isPositive,
  isText,
  isTime,
  isWhole,
  listOf,
  oneOf,
  orNull,
  shape,
  tupleOf
} from './shape.mjs'

const isLink = tupleOf(isPositive, isWhole)
const shownPart = { shown: listOf(tupleOf(isHex(16), isText, anything)), withheld: listOf(isHex(32)) }
const erasedPart = { values: isHex(32) }
export const isEvent = shape({
  version: oneOf(1),
  seq: isPositive,
  at: isTime,
  kind: isText,
  subject: orNull(isPositive),
  record: orNull(isPositive),
  links: shape({}, { all: isLink, subject: isLink, record: isLink, batch: isLink }),
  plain: shape(shownPart),
  sealed: orNull(byMember('values', shape(erasedPart), shape(shownPart))),
  previous: isHex(32),
  hash: isHex(32),
  path: listOf(isHex(32))
})
const ofResponse = { record: isPositive, version: oneOf(1) }
export const isBody = byMember(
  'values',
  shape({ ...erasedPart, ...ofResponse }),
  shape({ ...shownPart, ...ofResponse })
)

export const ofEvent = ({ seq }) => `event ${seq}`
export const ofBody = ({ record }) => `the response of record ${record}`
export const isErased = (part) => Object.hasOwn(part, 'values')
export const placeOf = (entry) => (Object.hasOwn(entry, 'seq') ? ofEvent(entry) : ofBody(entry))
/** The parts of an event or response that are not erased. */
export const partsOf = (entry) =>
  (Object.hasOwn(entry, 'seq') ? [entry.plain, ...(entry.sealed ? [entry.sealed] : [])] : [entry]).filter(
    (part) => !isErased(part)
  )

const shownValue = (part, name) =>
  part === null || isErased(part) ? undefined : part.shown.find(([, each]) => each === name)?.[2]
/** A value of the plain or the sealed part; undefined if it is withheld, erased or absent. */
export const plainValue = (event, name) => shownValue(event.plain, name)
export const sealedValue = (event, name) => shownValue(event.sealed, name)

export const recordKinds = ['record.begun', 'record.ended', 'record.resolved']
/** The kinds of the tables, with the names of their values: in `plain`, and in `sealed`. */
export const columns = {
  'connection.noted': ['ref snapshot', ''],
  'record.begun': [
    'id operation connection path linksScrubbed credentialFingerprint consoleVersion operator timeZone rerunOf batchId batchRow',
    'input applicantId documents corrections'
  ],
  'record.ended': ['outcome took failureCode reply', 'message statusText headers failure'],
  'record.resolved': ['as operator', 'note'],
  'document.kept': ['operator field when', 'type bytes sha256 name'],
  'document.missed': ['field reason', ''],
  'batch.made': ['id operations connection sha256 rows operator rerunOf', ''],
  'batch.changed': ['id from to reason by operator', ''],
  'batch.resolved': ['id rows as operator', ''],
  'pack.made': ['operator about id profile series', 'applicantId'],
  'checklist.noted': ['ref text', ''],
  'subject.erased': ['id cause subjects records batchRows documents operator', 'reason'],
  'decision.made': [
    'operator decision evidence records readings checklist due supersedes set seen requires rule',
    'reasons note checks seenList focus'
  ],
  'note.made': ['operator', 'text'],
  'tags.changed': ['operator', 'tags'],
  'due.changed': ['operator due', ''],
  'relationship.changed': ['operator state on', 'note'],
  'expiry.noted': ['operator', 'document expires'],
  'review.recorded': ['operator on class next due outcome checklist', 'note checks'],
  'challenge.recorded': ['operator', 'text'],
  'risk.rated': ['operator class months', 'note'],
  'link.made': ['operator', 'applicantId'],
  'link.removed': ['operator', ''],
  'approval.asked': ['operator scope decision evidence', 'note'],
  'approval.answered': ['operator asked scope agrees salt signer signature', 'applicantId note'],
  'approval.received': ['operator asked answer at by scope agrees salt signer signature void', 'note']
}
/** They are in no series, and shown because others refer to them, whomever they belong to. */
export const addedKinds = ['connection.noted', 'checklist.noted', 'subject.erased']
export const isLinkedKind = (kind) => !addedKinds.includes(kind) && Object.hasOwn(columns, kind)
export const isBatchKind = (kind) => kind.startsWith('batch.')

const rises = (texts) => texts.every((text, index) => index === 0 || texts[index - 1] < text)

/** The digest of the values of a part; refuses a part that has a value twice or more than one spelling. */
export async function valuesOf(part, place) {
  if (isErased(part)) return part.values
  const digests = []
  for (const each of part.shown) digests.push(await sha256Hex(canonical(each)))
  must(new Set(part.shown.map(([, name]) => name)).size === part.shown.length, `A value of ${place} occurs twice.`)
  must(!digests.some((each) => part.withheld.includes(each)), `A value of ${place} is shown and withheld.`)
  must(rises(part.shown.map(([, name]) => name)) && rises(part.withheld), `The values of ${place} are not sorted.`)
  return sha256Hex(canonical([...digests, ...part.withheld].sort()))
}

/** The hash of an event. */
export async function eventHash(event) {
  const { at, kind, links, plain, previous, record, sealed, seq, subject, version } = event
  return sha256Hex(
    canonical({
      at,
      kind,
      links,
      plain: await valuesOf(plain, ofEvent(event)),
      previous,
      record,
      sealed: sealed && (await valuesOf(sealed, ofEvent(event))),
      seq,
      subject,
      version
    })
  )
}

/** What an event shows whatever is withheld, so that a reader can check it. */
function alwaysShown(kind) {
  if (kind === 'record.begun' || isBatchKind(kind)) return ['id']
  if (kind === 'record.ended') return ['outcome', 'reply']
  if (kind === 'subject.erased') return ['subjects']
  return kind === 'pack.made' ? ['about', 'profile', 'series'] : []
}

/** Whether a record is of a batch, by its number, as far as its beginning shows that. */
const recordsOfBatches = (events) =>
  new Map(
    events
      .filter(({ kind }) => kind === 'record.begun')
      .flatMap((event) => {
        if (plainValue(event, 'batchId') !== undefined) return [[event.record, true]]
        return event.plain.withheld.length === 0 ? [[event.record, false]] : []
      })
  )

/** Checks that an event has the links of its kind. */
function checkLinks(event, ofBatch) {
  const { kind, links, record, seq, subject } = event
  const isRecord = recordKinds.includes(kind)
  const has = (name, holds) => Object.hasOwn(links, name) === holds
  const fits = Object.values(links).every(([n, before]) => before < seq && (n === 1) === (before === 0))
  const inBatch = isRecord
    ? ofBatch.get(record)
    : isBatchKind(kind) || (kind === 'pack.made' && plainValue(event, 'about') === 'batch')
  const right = isLinkedKind(kind)
    ? has('all', kind === 'decision.made' || kind === 'record.begun') &&
      has('subject', subject !== null) &&
      has('record', isRecord && record !== null) &&
      (inBatch === undefined || has('batch', inBatch))
    : Object.keys(links).length === 0
  must(fits && right, `The links of ${ofEvent(event)} are not those of its kind.`)
}

/** Checks that no value is in the part in which the tables have it not. */
function checkColumns(event) {
  if (!Object.hasOwn(columns, event.kind)) return
  const [plain, sealed] = columns[event.kind].map((names) => names.split(' ').filter(Boolean))
  const shownIn = (part) => (part && !isErased(part) ? part.shown.map(([, name]) => name) : [])
  const isOneOf = (names) => (name) => names.includes(name.startsWith('input.') ? 'input' : name)
  const misplaced = shownIn(event.plain).find(isOneOf(sealed)) ?? shownIn(event.sealed).find(isOneOf(plain))
  must(misplaced === undefined, `${ofEvent(event)} has ${misplaced} in another part than its own.`)
}

/** Checks each event by itself: what it shows, its links and its hash. */
export async function checkEvents(events, profile) {
  const ofBatch = recordsOfBatches(events)
  for (const event of events) {
    must(
      profile === 'full' || plainValue(event, 'operator') === undefined,
      `It withholds staff names, but shows that of ${ofEvent(event)}.`
    )
    must((await eventHash(event)) === event.hash, `${ofEvent(event)} is not what was recorded.`)
    checkColumns(event)
    must(
      event.kind !== 'subject.erased' || !event.sealed || isErased(event.sealed) || event.sealed.shown.length === 0,
      `${ofEvent(event)} shows why somebody was erased, which no pack does.`
    )
    for (const name of alwaysShown(event.kind))
      must(
        plainValue(event, name) !== undefined,
        `${ofEvent(event)} does not show its ${name}, which no pack withholds.`
      )
    checkLinks(event, ofBatch)
  }
}

/** Checks that a full pack withholds nothing but why somebody was erased; returns how many values are withheld. */
export function checkWithheld(entries, profile) {
  let withheld = 0
  for (const entry of entries) {
    const count = partsOf(entry).reduce((sum, part) => sum + part.withheld.length, 0)
    const hidden = entry.kind === 'subject.erased' ? entry.plain.withheld.length : count
    must(profile !== 'full' || hidden === 0, `It is a full pack, but withholds values of ${placeOf(entry)}.`)
    withheld += count
  }
  return withheld
}

/** Checks that each end has the response that it names, and that each response belongs to an end. */
export async function checkResponses({ events, bodies }) {
  must(
    bodies.every(({ record }, index) => index === 0 || bodies[index - 1].record < record),
    'Its responses are not in order.'
  )
  const ends = new Map(events.filter(({ kind }) => kind === 'record.ended').map((ended) => [ended.record, ended]))
  for (const body of bodies) {
    const ended = ends.get(body.record)
    must(ended !== undefined, `${ofBody(body)} belongs to no event.`)
  }
  const held = new Map(bodies.map((body) => [body.record, body]))
  for (const ended of ends.values()) {
    const [reply, body] = [plainValue(ended, 'reply'), held.get(ended.record)]
    must(reply === null || body !== undefined, `${ofBody(ended)} is missing, although its end names it.`)
    must(reply !== null || body === undefined, `${ofBody(ended)} belongs to no event.`)
    if (body)
      must(reply?.values === (await valuesOf(body, ofBody(body))), `${ofBody(body)} is not the one that was recorded.`)
  }
}

/** Whether sealed data is given: undefined if there is none. */
export function isSealedGiven(entry) {
  const part = Object.hasOwn(entry, 'seq') ? entry.sealed : entry
  return part === null ? undefined : !isErased(part)
}

/**
 * Erasing a person destroys one key, and with it everything that is sealed for that person: all is erased, or nothing. A later
 * event records it.
 */
export function checkErasure({ events, bodies }) {
  const ends = new Map(events.filter(({ kind }) => kind === 'record.ended').map((ended) => [ended.record, ended]))
  const entries = [...events, ...bodies].map((entry) => ({
    event: Object.hasOwn(entry, 'seq') ? entry : ends.get(entry.record),
    given: isSealedGiven(entry),
    where: placeOf(entry)
  }))
  const present = new Set(entries.filter(({ given }) => given === true).map(({ event }) => event.subject))
  const erasedAt = new Map()
  for (const event of events.filter(({ kind }) => kind === 'subject.erased')) {
    const subjects = plainValue(event, 'subjects')
    if (Array.isArray(subjects)) for (const subject of subjects) erasedAt.set(subject, event.seq)
  }
  for (const { event, where } of entries.filter(({ given }) => given === false)) {
    const { subject, seq } = event
    must(
      subject === null || !present.has(subject),
      `Sealed data of ${where} is missing, but other data of the same person is present.`
    )
    must(
      subject !== null && (erasedAt.get(subject) ?? 0) > seq,
      `Sealed data of ${where} is missing, but no later event that is shown records that it was erased.`
    )
  }
}
