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
const shownPart = { shown: listOf(tupleOf(isHex(16), isText, anything)), text: isHex(32), withheld: listOf(isHex(32)) }
const erasedPart = { text: isHex(32), values: isHex(32) }
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
const linkedKinds = [
  ...recordKinds,
  'document.kept',
  'document.missed',
  'batch.made',
  'batch.changed',
  'batch.resolved',
  'decision.made',
  'note.made',
  'tags.changed',
  'due.changed',
  'relationship.changed',
  'risk.rated',
  'expiry.noted',
  'review.recorded',
  'link.made',
  'link.removed',
  'approval.asked',
  'approval.answered',
  'approval.received',
  'pack.made'
]
export const isLinkedKind = (kind) => linkedKinds.includes(kind)
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
  const digests = async (part) => [part.text, await valuesOf(part, ofEvent(event))]
  return sha256Hex(
    canonical({
      at,
      kind,
      links,
      plain: await digests(plain),
      previous,
      record,
      sealed: sealed && (await digests(sealed)),
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
  return kind === 'pack.made' ? ['about', 'countersignatures', 'profile', 'series'] : []
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

/** Checks each event by itself: what it shows, its links and its hash. */
export async function checkEvents(events, profile) {
  const ofBatch = recordsOfBatches(events)
  for (const event of events) {
    must(
      profile === 'full' || plainValue(event, 'operator') === undefined,
      `It withholds staff names, but shows that of ${ofEvent(event)}.`
    )
    must((await eventHash(event)) === event.hash, `${ofEvent(event)} is not what was recorded.`)
    for (const name of alwaysShown(event.kind))
      must(
        plainValue(event, name) !== undefined,
        `${ofEvent(event)} does not show its ${name}, which no pack withholds.`
      )
    checkLinks(event, ofBatch)
  }
}

/** Checks that a full pack withholds nothing; returns how many values are withheld. */
export function checkWithheld(entries, profile) {
  let withheld = 0
  for (const entry of entries) {
    const count = partsOf(entry).reduce((sum, part) => sum + part.withheld.length, 0)
    must(profile !== 'full' || count === 0, `It is a full pack, but withholds values of ${placeOf(entry)}.`)
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
      must(
        reply?.body === body.text && reply.values === (await valuesOf(body, ofBody(body))),
        `${ofBody(body)} is not the one that was recorded.`
      )
  }
}

/** Whether sealed data is given: undefined if there is none. */
export function isSealedGiven(entry) {
  const part = Object.hasOwn(entry, 'seq') ? entry.sealed : entry
  return part === null ? undefined : !isErased(part)
}

/** Erasing a person destroys one key, and with it everything that is sealed for that person: all is erased, or nothing. */
export function checkErasure({ events, bodies }) {
  const subjects = new Map(
    events.filter(({ kind }) => kind === 'record.ended').map(({ record, subject }) => [record, subject])
  )
  const entries = [...events, ...bodies]
    .map((entry) => ({
      subject: Object.hasOwn(entry, 'seq') ? entry.subject : subjects.get(entry.record),
      given: isSealedGiven(entry),
      where: placeOf(entry)
    }))
    .filter(({ subject }) => subject !== null)
  const present = new Set(entries.filter(({ given }) => given === true).map(({ subject }) => subject))
  for (const { subject, given, where } of entries)
    must(
      given !== false || !present.has(subject),
      `Sealed data of ${where} is missing, but other data of the same person is present.`
    )
}
