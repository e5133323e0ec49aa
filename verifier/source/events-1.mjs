/** Events and responses as version 1 describes them: all those in its packs, and those recorded by version 0.1 in later ones. */
import { joined, sha256, sha256Hex, toBytes, toHex, utf8 } from './bytes.mjs'
import { canonical, deepest, isObject, isTooDeep, must } from './canonical.mjs'
import { isHex, isPositive, isText, isTime, isWhole, listOf, orNull, shape } from './shape.mjs'

const isPayload = orNull(shape({ salt: isHex(16), text: isText }))
const isFields = listOf(shape({ name: isText, commitment: isHex(32), salt: orNull(isHex(16)), value: orNull(isText) }))
export const isEvent1 = shape({
  seq: isPositive,
  at: isTime,
  kind: isText,
  subject: orNull(isWhole),
  record: orNull(isWhole),
  plain: orNull(isText),
  commitment: orNull(isHex(32)),
  previous: isHex(32),
  hash: isHex(32),
  path: listOf(isHex(32)),
  payload: isPayload,
  fields: isFields
})
export const isBody1 = shape({ record: isWhole, commitment: isHex(32), payload: isPayload, fields: isFields })

/** Parses a recorded text; refused if it is not written as the console writes it, for example with a duplicate name. */
export function said(text, where) {
  must(!isTooDeep(text), `The content of ${where} is nested more than ${deepest} levels deep.`)
  let value
  try {
    value = JSON.parse(text)
  } catch {
    // Not JSON: refused below.
  }
  must(isObject(value) && JSON.stringify(value) === text, `The content of ${where} is not in canonical form.`)
  return value
}
export const ofEvent = ({ seq }) => `event ${seq}`
export const ofBody = ({ record }) => `the response of record ${record}`
export const isPlainName = ({ name }) => name.startsWith('plain.')

/** What a profile shows and withholds, and that no value is given in two places where it could differ. */
export function checkDisclosure({ about, bodies, events, profile }) {
  const full = profile === 'full'
  must(
    about.id !== null || (about.kind === 'applicant' && profile === 'no-personal-data'),
    'It withholds what it is about.'
  )
  for (const [entries, where] of [
    [events, ofEvent],
    [bodies, ofBody]
  ])
    for (const entry of entries) {
      must(
        entry.commitment === null || /[^0]/.test(entry.commitment),
        `The commitment of ${where(entry)} is all zeros, which has the same hash as no commitment.`
      )
      must(!full || entry.fields.length === 0, `It is a full pack, but contains values of ${where(entry)} twice.`)
      must(full || entry.payload === null, `It is a redacted pack, but shows the sealed part of ${where(entry)}.`)
      if (entry.payload) said(entry.payload.text, where(entry))
    }
  for (const event of events) {
    must(!full || event.plain !== null, `It is a full pack, but withholds the content of ${ofEvent(event)}.`)
    must(event.plain === null || !event.fields.some(isPlainName), `It contains values of ${ofEvent(event)} twice.`)
    must(
      event.plain === null || event.commitment !== null || event.fields.length === 0,
      `It contains sealed values of ${ofEvent(event)}, which has none.`
    )
    if (event.plain !== null) said(event.plain, ofEvent(event))
  }
  for (const body of bodies)
    must(!body.fields.some(isPlainName), `It contains values of ${ofBody(body)} that no response has.`)
}

/** SHA-256 of the previous hash, the commitment (or 32 zero bytes), and the JSON of the event. */
export async function eventHash1(event) {
  const words = JSON.stringify([event.seq, event.at, event.kind, event.subject, event.record, event.plain])
  const commitment = event.commitment === null ? new Uint8Array(32) : toBytes(event.commitment)
  return toHex(await sha256(joined(toBytes(event.previous), commitment, utf8.encode(words))))
}

async function checkPayload(commitment, payload, where) {
  if (!payload) return
  const found = toHex(await sha256(joined(toBytes(payload.salt), utf8.encode(payload.text))))
  must(found === commitment, `The payload of ${where} is not what was recorded.`)
}

export async function checkPayloads({ events, bodies }) {
  for (const event of events) await checkPayload(event.commitment, event.payload, ofEvent(event))
  must(new Set(bodies.map(({ record }) => record)).size === bodies.length, 'It contains two responses for one record.')
  const ends = new Map(events.filter(({ kind }) => kind === 'record.ended').map((ended) => [ended.record, ended]))
  for (const body of bodies) {
    await checkPayload(body.commitment, body.payload, ofBody(body))
    must(ends.has(body.record), `${ofBody(body)} belongs to no event.`)
  }
  const held = new Map(bodies.map((body) => [body.record, body]))
  for (const ended of ends.values()) {
    const [named, body] = [namedReply(ended), held.get(ended.record)]
    must(named === undefined || body, `${ofBody(ended)} is missing, although its end names it.`)
    if (body && (named !== undefined || ended.plain !== null))
      must(named === body.commitment, `${ofBody(body)} is not the one that was recorded.`)
  }
}

/** The commitment of the reply that a result event names; undefined if it names none or withholds it. */
function namedReply(ended) {
  const reply = plainValue1(ended, 'reply')
  return (ended.plain === null && typeof reply === 'string' ? said(reply, ofEvent(ended)) : reply)?.body
}

/** Whether sealed data of an event or response is given. */
export const isGiven1 = ({ payload, fields }) => payload !== null || fields.some((field) => !isPlainName(field))

/** A value of an event, given in its text or in a field; undefined or null if it is not given. */
export const plainValue1 = (event, name) =>
  event.plain === null
    ? event.fields.find((field) => field.name === `plain.${name}`)?.value
    : said(event.plain, ofEvent(event))[name]
export const sealedValue1 = ({ payload, fields, seq }, name) =>
  payload ? said(payload.text, `event ${seq}`)[name] : fields.find((field) => field.name === name)?.value

export async function checkFields({ events, bodies }) {
  let withheld = 0
  for (const { fields } of [...events, ...bodies]) {
    must(new Set(fields.map(({ name }) => name)).size === fields.length, 'A value occurs twice.')
    for (const { name, commitment, salt, value } of fields) {
      must((salt === null) === (value === null), 'A value and its salt are not both present.')
      if (salt === null) withheld += 1
      else
        must(
          (await sha256Hex(canonical([salt, name, value]))) === commitment,
          `The value of ${name} does not match its commitment.`
        )
    }
  }
  return withheld
}
