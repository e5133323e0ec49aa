/**
 * Verifies an evidence pack of Veridesk. One file, no dependencies, no network: `node verify.mjs FILE [KEY]`, or open
 * verify.html in a browser. The format is described in docs/evidence-format.md.
 *
 * KEY, if given, is the SHA-256 fingerprint (64 hex digits) of the key that must have signed the pack. Without arguments
 * it lists its options.
 * Exit codes: 0 if the pack is verified; 3 if it is intact, but a key was not compared; 4 if it is intact, but lacks
 * countersignatures that it must have; 1 if it is refused; 2 if it cannot be read, or the arguments are not valid.
 *
 * Made of verifier/source by scripts/verifier.ts.
 */

// --- bytes.mjs -------------------------------------------------------------------------------------

/** Bytes, hashes and texts. */

const utf8 = new TextEncoder()
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const toBytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const joined = (...parts) => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
const sha256Hex = async (text) => toHex(await sha256(utf8.encode(text)))

/** The bytes of base64 (RFC 4648, section 4) in its only form; undefined if it is not in that form. */
function fromBase64(text) {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(text.slice(0, text.length - padding))) return undefined
  const binary = atob(text)
  // The unused bits of the last digit must be zero.
  const rest = binary.length % 3
  if (rest > 0 && btoa(binary.slice(-rest)) !== text.slice(-4)) return undefined
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
}

/** Strict UTF-8; undefined if it is not. */
function fromUtf8(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

// Variation selectors choose between two forms of the preceding character and hide nothing.
const hidden = /(?!\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const numbered = (sign) => `⟨U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`
/**
 * On one line; characters that a terminal executes, or that hide or reorder the text around them, by their code
 * point.
 */
const harmless = (text) => text.replace(hidden, numbered)
/** The same for a text of several lines. */
const visible = (text) => text.replace(/\r\n/g, '\n').replace(hidden, (sign) => (sign === '\n' || sign === '\t' ? sign : numbered(sign)))

/** Fingerprint of a key, hex. */
const fingerprint = async (key) => toHex(await sha256(toBytes(key)))

// --- canonical.mjs ---------------------------------------------------------------------------------

/** Refusals, canonical JSON, and how deep a text is nested. */

class Refusal extends Error {}
const must = (holds, why) => {
  if (!holds) throw new Refusal(harmless(why))
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Canonical JSON (RFC 8785) of a value that was parsed from JSON. An unpaired surrogate is written as its escape. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}

/** Whether a value contains no numbers but whole ones: version 1 has no others. */
function isWholeEverywhere(value) {
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0)
  return typeof value !== 'object' || value === null || Object.values(value).every(isWholeEverywhere)
}

/** Maximum nesting of objects and lists: beyond some depth, programs differ in what they can read. */
const deepest = 64
function isTooDeep(text) {
  let [level, inString] = [0, false]
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

/** Parses JSON; refused if it is none. */
function parsedJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('It is not JSON.')
  }
}

// --- shape.mjs -------------------------------------------------------------------------------------

/** Structure: a test answers undefined, or what is wrong, behind the way to it. */

const notRight = ' is not what it must be'
const that = (holds) => (value) => (holds(value) ? undefined : notRight)
const anything = () => undefined
const isText = that((value) => typeof value === 'string')
const isTruth = that((value) => typeof value === 'boolean')
const isWhole = that((value) => Number.isSafeInteger(value) && value >= 0)
const isPositive = that((value) => Number.isSafeInteger(value) && value > 0)
/** The range of a date (ECMAScript): 100,000,000 days around 1970. */
const isTime = that((value) => Number.isSafeInteger(value) && Math.abs(value) <= 8.64e15)
const isHex = (bytes) => that((value) => typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value))
const isBase64 = that((value) => typeof value === 'string' && fromBase64(value) !== undefined)
const orNull = (test) => (value) => (value === null ? undefined : test(value))
const oneOf = (...values) => that((value) => values.includes(value))
const listOf = (test, least = 0) => (value) => {
  if (!Array.isArray(value) || value.length < least) return notRight
  for (const [index, each] of value.entries()) {
    const wrong = test(each)
    if (wrong !== undefined) return `[${index}]${wrong}`
  }
}
/** A list with one test for each member. */
const tupleOf = (...tests) => (value) => {
  if (!Array.isArray(value) || value.length !== tests.length) return notRight
  for (const [index, test] of tests.entries()) {
    const wrong = test(value[index])
    if (wrong !== undefined) return `[${index}]${wrong}`
  }
}
const shape = (tests, optional = {}) => (value) => {
  if (!isObject(value)) return notRight
  const further = Object.keys(value).find((key) => !Object.hasOwn(tests, key) && !Object.hasOwn(optional, key))
  if (further !== undefined) return `.${further.slice(0, 60)} is no part of a pack`
  for (const [key, test] of Object.entries(tests)) {
    const wrong = Object.hasOwn(value, key) ? test(value[key]) : ' is missing'
    if (wrong !== undefined) return `.${key}${wrong}`
  }
  for (const [key, test] of Object.entries(optional)) {
    const wrong = Object.hasOwn(value, key) ? test(value[key]) : undefined
    if (wrong !== undefined) return `.${key}${wrong}`
  }
}
/** One of two structures, by whether an object has a member. */
const byMember = (name, having, lacking) => (value) => (isObject(value) && Object.hasOwn(value, name) ? having : lacking)(value)

// --- events-1.mjs ----------------------------------------------------------------------------------

/** Events and responses as version 1 describes them: all those in its packs, and those recorded by version 0.1 in later ones. */

const isPayload = orNull(shape({ salt: isHex(16), text: isText }))
const isFields = listOf(shape({ name: isText, commitment: isHex(32), salt: orNull(isHex(16)), value: orNull(isText) }))
const isEvent1 = shape({
  seq: isPositive, at: isTime, kind: isText, subject: orNull(isWhole), record: orNull(isWhole), plain: orNull(isText),
  commitment: orNull(isHex(32)), previous: isHex(32), hash: isHex(32), path: listOf(isHex(32)), payload: isPayload, fields: isFields
})
const isBody1 = shape({ record: isWhole, commitment: isHex(32), payload: isPayload, fields: isFields })

/** Parses a recorded text; refused if it is not written as the console writes it, for example with a duplicate name. */
function said(text, where) {
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
const ofEvent = ({ seq }) => `event ${seq}`
const ofBody = ({ record }) => `the response of record ${record}`
const isPlainName = ({ name }) => name.startsWith('plain.')

/** What a profile shows and withholds, and that no value is given in two places where it could differ. */
function checkDisclosure({ about, bodies, events, profile }) {
  const full = profile === 'full'
  must(about.id !== null || (about.kind === 'applicant' && profile === 'no-personal-data'), 'It withholds what it is about.')
  for (const [entries, where] of [[events, ofEvent], [bodies, ofBody]])
    for (const entry of entries) {
      must(entry.commitment === null || /[^0]/.test(entry.commitment), `The commitment of ${where(entry)} is all zeros, which has the same hash as no commitment.`)
      must(!full || entry.fields.length === 0, `It is a full pack, but contains values of ${where(entry)} twice.`)
      must(full || entry.payload === null, `It is a redacted pack, but shows the sealed part of ${where(entry)}.`)
      if (entry.payload) said(entry.payload.text, where(entry))
    }
  for (const event of events) {
    must(!full || event.plain !== null, `It is a full pack, but withholds the content of ${ofEvent(event)}.`)
    must(event.plain === null || !event.fields.some(isPlainName), `It contains values of ${ofEvent(event)} twice.`)
    must(event.plain === null || event.commitment !== null || event.fields.length === 0, `It contains sealed values of ${ofEvent(event)}, which has none.`)
    if (event.plain !== null) said(event.plain, ofEvent(event))
  }
  for (const body of bodies) must(!body.fields.some(isPlainName), `It contains values of ${ofBody(body)} that no response has.`)
}

/** SHA-256 of the previous hash, the commitment (or 32 zero bytes), and the JSON of the event. */
async function eventHash1(event) {
  const words = JSON.stringify([event.seq, event.at, event.kind, event.subject, event.record, event.plain])
  const commitment = event.commitment === null ? new Uint8Array(32) : toBytes(event.commitment)
  return toHex(await sha256(joined(toBytes(event.previous), commitment, utf8.encode(words))))
}

async function checkPayload(commitment, payload, where) {
  if (!payload) return
  const found = toHex(await sha256(joined(toBytes(payload.salt), utf8.encode(payload.text))))
  must(found === commitment, `The payload of ${where} is not what was recorded.`)
}

async function checkPayloads({ events, bodies }) {
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
    if (body && (named !== undefined || ended.plain !== null)) must(named === body.commitment, `${ofBody(body)} is not the one that was recorded.`)
  }
}

/** The commitment of the reply that a result event names; undefined if it names none or withholds it. */
function namedReply(ended) {
  const reply = plainValue1(ended, 'reply')
  return (ended.plain === null && typeof reply === 'string' ? said(reply, ofEvent(ended)) : reply)?.body
}

/** Whether sealed data of an event or response is given. */
const isGiven1 = ({ payload, fields }) => payload !== null || fields.some((field) => !isPlainName(field))

/** A value of an event, given in its text or in a field; undefined or null if it is not given. */
const plainValue1 = (event, name) => (event.plain === null ? event.fields.find((field) => field.name === `plain.${name}`)?.value : said(event.plain, ofEvent(event))[name])
const sealedValue1 = ({ payload, fields, seq }, name) => (payload ? said(payload.text, `event ${seq}`)[name] : fields.find((field) => field.name === name)?.value)

async function checkFields({ events, bodies }) {
  let withheld = 0
  for (const { fields } of [...events, ...bodies]) {
    must(new Set(fields.map(({ name }) => name)).size === fields.length, 'A value occurs twice.')
    for (const { name, commitment, salt, value } of fields) {
      must((salt === null) === (value === null), 'A value and its salt are not both present.')
      if (salt === null) withheld += 1
      else must((await sha256Hex(canonical([salt, name, value]))) === commitment, `The value of ${name} does not match its commitment.`)
    }
  }
  return withheld
}

// --- events-2.mjs ----------------------------------------------------------------------------------

/** Events and responses of version 2: each value is proved by itself. */

const isLink = tupleOf(isPositive, isWhole)
const shownPart = { shown: listOf(tupleOf(isHex(16), isText, anything)), text: isHex(32), withheld: listOf(isHex(32)) }
const erasedPart = { text: isHex(32), values: isHex(32) }
const isEvent2 = shape({
  version: oneOf(2), seq: isPositive, at: isTime, kind: isText, subject: orNull(isPositive), record: orNull(isPositive),
  links: shape({}, { subject: isLink, record: isLink, batch: isLink }),
  plain: shape(shownPart), sealed: orNull(byMember('values', shape(erasedPart), shape(shownPart))), previous: isHex(32), hash: isHex(32), path: listOf(isHex(32))
})
const ofResponse = { record: isPositive, version: oneOf(2) }
const isBody2 = byMember('values', shape({ ...erasedPart, ...ofResponse }), shape({ ...shownPart, ...ofResponse }))
/** Those recorded by version 0.1 are as version 1 describes them, without a member `version`. */
const isEitherEvent = byMember('version', isEvent2, isEvent1)
const isEitherBody = byMember('version', isBody2, isBody1)

const isNew = (entry) => Object.hasOwn(entry, 'version')
const isErased = (part) => Object.hasOwn(part, 'values')
const placeOf = (entry) => (Object.hasOwn(entry, 'seq') ? ofEvent(entry) : ofBody(entry))
/** The parts of an event or response of version 2 that are not erased. */
const partsOf = (entry) => (Object.hasOwn(entry, 'seq') ? [entry.plain, ...(entry.sealed ? [entry.sealed] : [])] : [entry]).filter((part) => !isErased(part))

const shownValue = (part, name) => (part === null || isErased(part) ? undefined : part.shown.find(([, each]) => each === name)?.[2])
/** A value of the plain or the sealed part; undefined if it is withheld, erased or absent. */
const plainValue = (event, name) => (isNew(event) ? shownValue(event.plain, name) : (plainValue1(event, name) ?? undefined))
const sealedValue = (event, name) => (isNew(event) ? shownValue(event.sealed, name) : (sealedValue1(event, name) ?? undefined))

const recordKinds = ['record.begun', 'record.ended', 'record.settled']
const linkedKinds = [
  ...recordKinds, 'batch.made', 'batch.changed', 'batch.resolved', 'decision.made', 'note.made', 'tags.changed', 'due.changed', 'link.made', 'link.removed',
  'approval.asked', 'approval.answered', 'approval.received', 'pack.made'
]
const isLinkedKind = (kind) => linkedKinds.includes(kind)
const isBatchKind = (kind) => kind.startsWith('batch.')

const rises = (texts) => texts.every((text, index) => index === 0 || texts[index - 1] < text)

/** The digest of the values of a part; refuses a part that has a value twice or more than one spelling. */
async function valuesOf(part, place) {
  if (isErased(part)) return part.values
  const digests = []
  for (const each of part.shown) digests.push(await sha256Hex(canonical(each)))
  must(new Set(part.shown.map(([, name]) => name)).size === part.shown.length, `A value of ${place} occurs twice.`)
  must(!digests.some((each) => part.withheld.includes(each)), `A value of ${place} is shown and withheld.`)
  must(rises(part.shown.map(([, name]) => name)) && rises(part.withheld), `The values of ${place} are not sorted.`)
  return sha256Hex(canonical([...digests, ...part.withheld].sort()))
}

/** The hash of an event of version 2. */
async function eventHash2(event) {
  const { at, kind, links, plain, previous, record, sealed, seq, subject, version } = event
  const digests = async (part) => [part.text, await valuesOf(part, ofEvent(event))]
  return sha256Hex(canonical({ at, kind, links, plain: await digests(plain), previous, record, sealed: sealed && (await digests(sealed)), seq, subject, version }))
}

/** What an event shows whatever is withheld, so that a reader can check it. */
function alwaysShown(kind) {
  if (kind === 'record.begun' || isBatchKind(kind)) return ['id']
  if (kind === 'record.ended') return ['outcome', 'reply']
  return kind === 'pack.made' ? ['about', 'countersignatures', 'profile', 'series'] : []
}

/** Whether a record is of a batch, by its number, as far as its beginning shows that. */
const recordsOfBatches = (events) =>
  new Map(events.filter(({ kind }) => kind === 'record.begun').flatMap((event) => {
    if (plainValue(event, 'batchId') !== undefined) return [[event.record, true]]
    return isNew(event) && event.plain.withheld.length === 0 ? [[event.record, false]] : []
  }))

/** Checks that an event has the links of its kind. */
function checkLinks(event, ofBatch) {
  const { kind, links, record, seq, subject } = event
  const isRecord = recordKinds.includes(kind)
  const has = (name, holds) => Object.hasOwn(links, name) === holds
  const fits = Object.values(links).every(([n, before]) => before < seq && (n === 1) === (before === 0))
  const inBatch = isRecord ? ofBatch.get(record) : isBatchKind(kind) || (kind === 'pack.made' && plainValue(event, 'about') === 'batch')
  const right = isLinkedKind(kind)
    ? has('subject', subject !== null) && has('record', isRecord && record !== null) && (inBatch === undefined || has('batch', inBatch))
    : Object.keys(links).length === 0
  must(fits && right, `The links of ${ofEvent(event)} are not those of its kind.`)
}

/** Checks each event of version 2 by itself: what it shows, its links and its hash. */
async function checkEvents2(events, profile) {
  const ofBatch = recordsOfBatches(events)
  for (const event of events) {
    must(profile === 'full' || plainValue(event, 'operator') === undefined, `It withholds staff names, but shows that of ${ofEvent(event)}.`)
    if (!isNew(event)) continue
    must((await eventHash2(event)) === event.hash, `${ofEvent(event)} is not what was recorded.`)
    for (const name of alwaysShown(event.kind)) must(plainValue(event, name) !== undefined, `${ofEvent(event)} does not show its ${name}, which no pack withholds.`)
    checkLinks(event, ofBatch)
  }
}

/** Checks that a full pack withholds nothing; returns how many values are withheld. */
function checkWithheld(entries, profile) {
  let withheld = 0
  for (const entry of entries.filter(isNew)) {
    const count = partsOf(entry).reduce((sum, part) => sum + part.withheld.length, 0)
    must(profile !== 'full' || count === 0, `It is a full pack, but withholds values of ${placeOf(entry)}.`)
    withheld += count
  }
  return withheld
}

/** Checks that each end of version 2 has the response that it names, and that each response belongs to an end of its version. */
async function checkResponses({ events, bodies }) {
  must(bodies.every(({ record }, index) => index === 0 || bodies[index - 1].record < record), 'Its responses are not in order.')
  const ends = new Map(events.filter(({ kind }) => kind === 'record.ended').map((ended) => [ended.record, ended]))
  for (const body of bodies) {
    const ended = ends.get(body.record)
    must(ended !== undefined && isNew(ended) === isNew(body), `${ofBody(body)} belongs to no event.`)
  }
  const held = new Map(bodies.map((body) => [body.record, body]))
  for (const ended of [...ends.values()].filter(isNew)) {
    const [reply, body] = [plainValue(ended, 'reply'), held.get(ended.record)]
    must(reply === null || body !== undefined, `${ofBody(ended)} is missing, although its end names it.`)
    must(reply !== null || body === undefined, `${ofBody(ended)} belongs to no event.`)
    if (body) must(reply?.body === body.text && reply.values === (await valuesOf(body, ofBody(body))), `${ofBody(body)} is not the one that was recorded.`)
  }
}

/** Whether sealed data is given: undefined if there is none, or if that cannot be known of a redacted event of version 0.1. */
function isSealedGiven(entry, profile) {
  const isEvent = Object.hasOwn(entry, 'seq')
  if (isNew(entry)) {
    const part = isEvent ? entry.sealed : entry
    return part === null ? undefined : !isErased(part)
  }
  if (isGiven1(entry)) return true
  return !isEvent || (profile === 'full' && entry.commitment !== null) ? false : undefined
}

/** Erasing a person destroys one key, and with it everything that is sealed for that person: all is erased, or nothing. */
function checkErasure({ events, bodies, profile }) {
  const subjects = new Map(events.filter(({ kind }) => kind === 'record.ended').map(({ record, subject }) => [record, subject]))
  const entries = [...events, ...bodies]
    .map((entry) => ({ subject: Object.hasOwn(entry, 'seq') ? entry.subject : subjects.get(entry.record), given: isSealedGiven(entry, profile), where: placeOf(entry) }))
    .filter(({ subject }) => subject !== null)
  const present = new Set(entries.filter(({ given }) => given === true).map(({ subject }) => subject))
  for (const { subject, given, where } of entries) must(given !== false || !present.has(subject), `Sealed data of ${where} is missing, but other data of the same person is present.`)
}

// --- event-words.mjs -------------------------------------------------------------------------------

/** The events of a verified pack in words. */

const agreement = (of) => ({ true: 'agrees', false: 'does not agree' })[of('agrees')] ?? of('agrees')

/** Titles of events by kind; `of` returns a value as text. Other kinds are shown by name. */
const titles = {
  'connection.noted': () => 'Connection used for the first time',
  'record.begun': (of) => `Verification started: ${of('operation')}`,
  'record.ended': (of) => `Verification ended: ${of('outcome')}`,
  'record.settled': (of) => `Unknown outcome resolved: ${of('as')}`,
  'batch.made': (of) => `Batch created: ${of('operation')}`,
  'batch.changed': (of) => `Batch changed: ${of('to')}`,
  'decision.made': (of) => `Decision: ${of('decision')}`,
  'note.made': () => 'Note',
  'tags.changed': () => 'Tags changed',
  'due.changed': () => 'Due date changed',
  'link.made': () => 'Record linked to the applicant',
  'link.removed': () => 'Link between record and applicant removed',
  'approval.asked': () => 'Approval of the decision asked for',
  'approval.answered': (of) => `Request for approval of a colleague answered: ${agreement(of)}`,
  'approval.received': (of) => `Answer of a colleague to a request for approval received: ${agreement(of)}`,
  'batch.resolved': () => 'Rows of the batch resolved after a restore',
  'pack.made': (of) => `Evidence pack created: ${of('profile')}`
}

const written = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
/** The label of a value: `input.id_url` is what was sent, `consoleVersion` is “Console version”. */
function labelOf(name) {
  if (name.startsWith('input.')) return `Sent: ${name.slice('input.'.length)}`
  const words = name.replace(/^plain\./, '').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.replace(/^./u, (first) => first.toUpperCase())
}

/**
 * Everything that an event or response of version 1 shows: label, value (null if withheld), and whether only its signer
 * vouches for it.
 */
function entriesOf1({ plain, payload, fields, commitment }) {
  const open = (text) => Object.entries(JSON.parse(text)).flatMap(([name, value]) =>
    name === 'input' && isObject(value) ? Object.entries(value).map(([part, each]) => [`input.${part}`, each]) : [[name, value]])
  const whole = [...(plain ? Object.entries(JSON.parse(plain)) : []), ...(payload ? open(payload.text) : [])]
  const isGone = commitment !== null && !payload && fields.every(isPlainName)
  return [
    ...whole.map(([name, value]) => ({ label: labelOf(name), value: written(value), isWord: false })),
    ...fields.map(({ name, value }) => ({ label: labelOf(name), value, isWord: value !== null })),
    ...(isGone ? [{ label: 'Sealed part', value: null, isWord: false }] : [])
  ]
}

/** The same of version 2, where everything shown is proved. */
function entriesOf2(entry) {
  const parts = Object.hasOwn(entry, 'seq') ? [entry.plain, ...(entry.sealed ? [entry.sealed] : [])] : [entry]
  const withheld = parts.reduce((sum, part) => sum + (isErased(part) ? 0 : part.withheld.length), 0)
  return [
    ...parts.flatMap((part) => (isErased(part) ? [{ label: 'Sealed part', value: null }] : part.shown.map(([, name, value]) => ({ label: labelOf(name), value: written(value) })))),
    ...(withheld > 0 ? [{ label: `Withheld values (${withheld})`, value: null }] : [])
  ]
}
const entriesOf = (entry) => (isNew(entry) ? entriesOf2(entry) : entriesOf1(entry))

/** Why an event is not proved as a whole; empty if it is. */
function basisOf(event, format) {
  if (isNew(event) || event.plain !== null) return ''
  return format === 2
    ? 'Recorded by version 0.1: its content is only stated by the signer.'
    : 'Its content is only stated by the signer until a full pack is compared.'
}

/**
 * The events of a verified pack as text, one after the other, for reading and printing. Texts are as recorded, with
 * characters that hide or reorder text shown by their code point; display them as text, never as markup.
 */
export function* eventsInWords({ format, pack: { content: { bodies, events } } }, from = 0, to = events.length) {
  const replies = new Map(bodies.map((body) => [body.record, body]))
  for (const event of events.slice(from, to)) {
    const { at, kind, record, seq, subject } = event
    const of = (name) => {
      const value = plainValue(event, name)
      return value === undefined || value === null ? '(withheld)' : written(value)
    }
    const reply = kind === 'record.ended' ? replies.get(record) : undefined
    const entries = [...entriesOf(event), ...(reply ? entriesOf(reply).map((entry) => ({ ...entry, label: `Response: ${entry.label.toLowerCase()}` })) : [])]
    yield {
      title: harmless(Object.hasOwn(titles, kind) ? titles[kind](of) : kind),
      time: new Date(at).toISOString(),
      about: [`event ${seq}`, ...(subject === null ? [] : [`person ${subject}`]), ...(record === null ? [] : [`record ${record}`])].join(', '),
      basis: basisOf(event, format),
      entries: entries.map(({ label, value, isWord }) => ({ label: harmless(label) + (isWord && event.plain !== null ? ' (stated by the signer)' : ''), value: value === null ? null : visible(value) }))
    }
  }
}

/** An event in lines for a terminal: no line of recorded text can look like one of the verifier. */
function eventLines({ title, time, about, basis, entries }) {
  const shown = entries.flatMap(({ label, value }) =>
    value === null ? [`  ${label}: (not shown)`] : value.split('\n').map((line, index) => (index === 0 ? `  ${label}: ${line}` : `    | ${line}`)))
  return ['', `${time}  ${title}`, `  ${about}. ${basis}`.trimEnd(), ...shown]
}

// --- ed25519.mjs -----------------------------------------------------------------------------------

/** Ed25519 (RFC 8032) with WebCrypto: the equation without the cofactor, and no keys of small order. */

/** Public keys that are valid for signatures of anything, without their sign bit; some programs accept them. */
const smallOrder = ['00'.repeat(32), `01${'00'.repeat(31)}`, ...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a']

/** Whether a public key (64 hex digits) has small order: its signatures prove nothing. */
const isSmallOrder = (key) => smallOrder.includes(key.slice(0, 62) + (Number.parseInt(key.slice(62), 16) & 0x7f).toString(16).padStart(2, '0'))

/** Whether a signature (64 bytes) of a message is valid for a public key (64 hex digits). */
async function ed25519Holds(key, message, signature) {
  if (!/^[0-9a-f]{64}$/.test(key) || isSmallOrder(key) || signature.length !== 64) return false
  const raw = Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(key.slice(2 * index, 2 * index + 2), 16))
  try {
    const publicKey = await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify'])
    return await crypto.subtle.verify({ name: 'Ed25519' }, publicKey, signature, message)
  } catch (error) {
    if (error?.name === 'NotSupportedError') throw new Error('This program cannot check Ed25519 signatures. Use Node 20 or newer, or a current browser.', { cause: error })
    return false
  }
}

// --- checkpoint.mjs --------------------------------------------------------------------------------

/** The head of a tree as a C2SP checkpoint: a signed note with one signature. */

/** Origin, number of events, root and signature. */
const checkpointForm = /^(veridesk\/[0-9a-f]{32})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n\n— \1 ([A-Za-z0-9+/]{91}=)\n$/

/** Reads a checkpoint that a key (hex) must have signed; the root in hex. */
async function readCheckpoint(text, key) {
  const [, origin, digits, root64, signed64] = checkpointForm.exec(text) ?? []
  const [size, root, signed] = [Number(digits), fromBase64(root64 ?? ''), fromBase64(signed64 ?? '')]
  must(origin !== undefined && Number.isSafeInteger(size) && root?.length === 32 && signed?.length === 68, 'The checkpoint is not in the form that it must have.')
  const id = (await sha256(joined(utf8.encode(`${origin}\n`), Uint8Array.of(1), toBytes(key)))).slice(0, 4)
  const note = utf8.encode(`${origin}\n${digits}\n${root64}\n`)
  must(toHex(id) === toHex(signed.slice(0, 4)) && (await ed25519Holds(key, note, signed.slice(4))), 'The signature of the checkpoint does not match.')
  return { origin, size, root: toHex(root) }
}

// --- merkle.mjs ------------------------------------------------------------------------------------

/** The Merkle tree of RFC 9162, section 2.1, over SHA-256. */

const leafHash = (content) => sha256(joined(Uint8Array.of(0), content))
const nodeHash = (left, right) => sha256(joined(Uint8Array.of(1), left, right))
const isPower = (number) => (number % 2 === 0 ? isPower(number / 2) : number === 1)
const half = (number) => Math.floor(number / 2)
/** The largest power of two below a size above 1. */
function splitOf(size) {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/** RFC 9162, 2.1.3.2: whether the path leads from the leaf to the root (hex). */
async function isIncluded(leaf, index, size, path, root) {
  if (index >= size) return false
  let [fn, sn] = [index, size - 1]
  let r = await leafHash(leaf)
  for (const step of path) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      r = await nodeHash(step, r)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, half(sn)]
    } else r = await nodeHash(r, step)
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && toHex(r) === root
}

/** RFC 9162, 2.1.4.2, for a smaller first tree: whether the path proves that the second tree begins with it; roots as bytes. */
async function isConsistent(first, second, path, firstRoot, secondRoot) {
  if (!(first > 0 && first < second) || path.length === 0) return false
  const steps = isPower(first) ? [firstRoot, ...path] : path
  let [fn, sn] = [first - 1, second - 1]
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)]
  let [fr, sr] = [steps[0], steps[0]]
  for (const step of steps.slice(1)) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      fr = await nodeHash(step, fr)
      sr = await nodeHash(step, sr)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, half(sn)]
    } else sr = await nodeHash(sr, step)
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && toHex(fr) === toHex(firstRoot) && toHex(sr) === toHex(secondRoot)
}

// --- compare.mjs -----------------------------------------------------------------------------------

/** Whether two packs of one key can come from one audit trail: each proves some nodes of its tree. */

/** Hashes (hex) of all nodes that a pack proves, by the range of leaves that they cover: `start-end`, without the leaf `end`. */
async function nodesOf({ events, size, root, leaves }) {
  const nodes = new Map([[`0-${size}`, root]])
  const leaf = async (seq, hash) => {
    const found = toHex(await leafHash(toBytes(hash)))
    nodes.set(`${seq - 1}-${seq}`, found)
    return found
  }
  const climb = async (index, hash, path, start, end) => {
    if (end - start === 1) return leaf(index + 1, hash)
    const middle = start + splitOf(end - start)
    const isLeft = index < middle
    const beside = path.at(-1)
    nodes.set(isLeft ? `${middle}-${end}` : `${start}-${middle}`, beside)
    const own = await climb(index, hash, path.slice(0, -1), ...(isLeft ? [start, middle] : [middle, end]))
    const found = toHex(await nodeHash(toBytes(isLeft ? own : beside), toBytes(isLeft ? beside : own)))
    nodes.set(`${start}-${end}`, found)
    return found
  }
  for (const { seq, hash, previous, path } of events) {
    if (seq > 1) await leaf(seq - 1, previous)
    await climb(seq - 1, hash, path, 0, size)
  }
  for (const [seq, hash] of leaves) await leaf(seq, hash)
  return nodes
}

/** The root (hex) over a range of leaves, if the known nodes determine it. */
async function rootWithin(nodes, start, end) {
  const known = nodes.get(`${start}-${end}`)
  const size = end - start
  if (known !== undefined || size === 1) return known
  const middle = start + splitOf(size)
  // A complete subtree is also a node of the larger tree: if it is unknown, so is everything in it.
  if (middle - start === end - middle) return undefined
  const [left, right] = [await rootWithin(nodes, start, middle), await rootWithin(nodes, middle, end)]
  return left && right && toHex(await nodeHash(toBytes(left), toBytes(right)))
}

const forked = 'the audit trail has been forked'
const stated = ['at', 'kind', 'subject', 'record']

/**
 * Compares the audit trails of two verified packs. Returns `other` if they are of different ones, `same`, `continued`,
 * or `open` if they do not show enough; refuses packs that contradict each other.
 */
async function compareTrails(mine, theirs) {
  if (mine.key !== theirs.key || (mine.trail.origin && theirs.trail.origin && mine.trail.origin !== theirs.trail.origin)) return 'other'
  const [small, large] = mine.trail.size <= theirs.trail.size ? [mine.trail, theirs.trail] : [theirs.trail, mine.trail]
  const [few, many] = [await nodesOf(small), await nodesOf(large)]
  for (const [range, hash] of few) {
    const [start, end] = range.split('-').map(Number)
    must((many.get(range) ?? hash) === hash, `The other pack contradicts this one about events ${start + 1} to ${end}: ${forked}.`)
  }
  // One hash stands for one event, so what both show of it is the same in packs that do not lie.
  const shown = new Map(large.events.map((event) => [event.seq, event]))
  for (const event of small.events) {
    const other = shown.get(event.seq)
    must(!other || stated.every((name) => other[name] === event[name]), `The other pack shows something else of event ${event.seq}.`)
    must(!other || Object.hasOwn(event, 'version') === Object.hasOwn(other, 'version'), `The other pack shows something else of event ${event.seq}.`)
  }
  if (small.size === large.size) return 'same'
  const { earlier } = large
  const roots = [await rootWithin(many, 0, small.size), ...(earlier?.size === small.size ? [earlier.root] : [])].filter((root) => root !== undefined)
  for (const root of roots) must(root === small.root, `The other pack contradicts this one about events 1 to ${small.size}: ${forked}.`)
  return roots.length > 0 ? 'continued' : 'open'
}

// --- der.mjs ---------------------------------------------------------------------------------------

/**
 * Reads DER (X.690), strictly: definite lengths in their shortest form, nothing behind the value, and bounded size,
 * depth and number of values. Everything that it refuses is a DerFault, whatever the bytes are.
 */

/** What is wrong with the bytes, as a sentence. */
class DerFault extends Error {}

const maxBytes = 256 * 1024
const maxDepth = 32
const maxValues = 20_000

const tags = {
  boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, nothing: 0x05, oid: 0x06, utf8: 0x0c, sequence: 0x30, set: 0x31,
  printable: 0x13, teletex: 0x14, ia5: 0x16, utcTime: 0x17, generalizedTime: 0x18, universal: 0x1c, bmp: 0x1e
}
/** The tag of an explicitly tagged, or implicitly tagged and constructed, value. */
const contextTag = (number) => 0xa0 + number

const refuseDer = (why) => {
  throw new DerFault(why)
}

/** Reads one value that takes all bytes: `{tag, bytes, content, children}`, `children` only if it is constructed. */
function readDer(bytes) {
  if (!(bytes instanceof Uint8Array)) refuseDer('It is not a list of bytes.')
  if (bytes.length > maxBytes) refuseDer('It is too large.')
  const budget = { values: maxValues }
  const value = valueAt(bytes, 0, 0, budget)
  if (value.bytes.length !== bytes.length) refuseDer('There are bytes behind its end.')
  return value
}

function valueAt(bytes, start, depth, budget) {
  if (depth > maxDepth) refuseDer('It is nested too deeply.')
  if ((budget.values -= 1) < 0) refuseDer('It has too many values.')
  if (start + 2 > bytes.length) refuseDer('It is truncated.')
  const tag = bytes[start]
  if ((tag & 0x1f) === 0x1f) refuseDer('It has a tag of several bytes.')
  const [length, from] = lengthAt(bytes, start + 1)
  const end = from + length
  if (end > bytes.length) refuseDer('It is truncated.')
  const constructed = (tag & 0x20) !== 0
  // A sequence or a set is constructed and every other universal type primitive (X.690, 8 and 10.2).
  if (tag >> 6 === 0 && constructed !== (tag === tags.sequence || tag === tags.set)) refuseDer('It has a type that DER does not allow.')
  const value = { tag, bytes: bytes.subarray(start, end), content: bytes.subarray(from, end), children: undefined }
  if (constructed) {
    value.children = []
    for (let at = from; at < end; ) {
      const child = valueAt(bytes.subarray(0, end), at, depth + 1, budget)
      value.children.push(child)
      at += child.bytes.length
    }
  }
  return value
}

/** The length, and where the content begins. */
function lengthAt(bytes, at) {
  const first = bytes[at]
  if (first < 0x80) return [first, at + 1]
  const count = first & 0x7f
  if (count === 0 || count > 4) refuseDer('It has a length that DER does not allow.')
  if (at + 1 + count > bytes.length) refuseDer('It is truncated.')
  let length = 0
  for (let index = 1; index <= count; index += 1) length = length * 256 + bytes[at + index]
  if (bytes[at + 1] === 0 || length < 0x80) refuseDer('It has a length that is not in its shortest form.')
  return [length, at + 1 + count]
}

/** Reads the members of a sequence or set one after the other; what is left at the end is refused. */
function membersOf(value, tag = tags.sequence) {
  if (value?.tag !== tag || !value.children) refuseDer('It does not have the structure that its kind has.')
  let at = 0
  return {
    /** The next member, which must be there. */
    next(expected) {
      const member = value.children[at]
      if (!member || (expected !== undefined && member.tag !== expected)) refuseDer('It does not have the structure that its kind has.')
      at += 1
      return member
    },
    /** The next member if it has this tag. */
    optional(expected) {
      const member = value.children[at]
      if (member?.tag !== expected) return undefined
      at += 1
      return member
    },
    end() {
      if (at !== value.children.length) refuseDer('It has more members than its kind has.')
    }
  }
}

/** The only member of an explicitly tagged value. */
function within(value) {
  if (value?.children?.length !== 1) refuseDer('It does not have the structure that its kind has.')
  return value.children[0]
}

const ofTag = (value, tag) => {
  if (value?.tag !== tag) refuseDer('It does not have the structure that its kind has.')
  return value.content
}

/** An object identifier in dotted decimal. */
function oidOf(value) {
  const content = ofTag(value, tags.oid)
  if (content.length === 0 || content.length > 64 || (content.at(-1) & 0x80) !== 0) refuseDer('It has an object identifier that is not valid.')
  const numbers = []
  let number = 0n
  let begins = true
  for (const byte of content) {
    if (begins && byte === 0x80) refuseDer('It has an object identifier that is not valid.')
    number = number * 128n + BigInt(byte & 0x7f)
    begins = (byte & 0x80) === 0
    if (begins) {
      numbers.push(number)
      number = 0n
    }
  }
  const top = numbers[0] < 80n ? numbers[0] / 40n : 2n
  return [top, numbers[0] - top * 40n, ...numbers.slice(1)].join('.')
}

/** The bytes of an integer in their shortest form, which may begin with a zero byte. */
function integerOf(value, tag = tags.integer) {
  const content = ofTag(value, tag)
  const shortest = content.length > 0 && (content.length === 1 || !((content[0] === 0 && content[1] < 0x80) || (content[0] === 0xff && content[1] >= 0x80)))
  if (!shortest) refuseDer('It has a number that is not in its shortest form.')
  return content
}

/** An integer from 0 to 2^31 - 1. */
function smallOf(value, tag = tags.integer) {
  const content = integerOf(value, tag)
  if (content.length > 4 || content[0] >= 0x80) refuseDer('It has a number that is out of range.')
  return content.reduce((sum, byte) => sum * 256 + byte, 0)
}

function booleanOf(value) {
  const content = ofTag(value, tags.boolean)
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) refuseDer('It has a truth value that DER does not allow.')
  return content[0] === 0xff
}

const octetsOf = (value, tag = tags.octets) => ofTag(value, tag)

/** The bytes and the number of unused bits of a bit string. */
function bitsOf(value) {
  const content = ofTag(value, tags.bits)
  const [unused] = content
  if (content.length === 0 || unused > 7 || (content.length === 1 && unused > 0)) refuseDer('It has a bit string that is not valid.')
  if (unused > 0 && (content.at(-1) & ((1 << unused) - 1)) !== 0) refuseDer('It has a bit string that DER does not allow.')
  return { bytes: content.subarray(1), unused }
}

/** A bit string of whole bytes. */
function wholeBitsOf(value) {
  const { bytes, unused } = bitsOf(value)
  if (unused !== 0) refuseDer('It has a bit string that is not valid.')
  return bytes
}

/** A time as Unix milliseconds. Fractions of a second, only in a time-stamp, are rounded up. */
function timeOf(value, fractions = false) {
  const text = String.fromCharCode(...octetsOf(value, value?.tag === tags.utcTime ? tags.utcTime : tags.generalizedTime).subarray(0, 64))
  const found = (value.tag === tags.utcTime ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/ : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/).exec(text)
  if (!found || value.content.length > 64 || (found[7] !== undefined && !fractions)) refuseDer('It has a time that is not valid.')
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number)
  const whole = new Date(0)
  whole.setUTCFullYear(value.tag === tags.utcTime ? (year < 50 ? 2000 + year : 1900 + year) : year, month - 1, day)
  whole.setUTCHours(hour, minute, second)
  if (whole.getUTCMonth() !== month - 1 || whole.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) refuseDer('It has a time that is not valid.')
  return whole.getTime() + (found[7] === undefined ? 0 : Math.ceil(Number(`0.${found[7].slice(0, 9)}`) * 1000))
}

/** A text in one of the types that names use, or undefined. */
function textOf({ tag, content }) {
  if (tag === tags.bmp || tag === tags.universal) {
    const size = tag === tags.bmp ? 2 : 4
    if (content.length % size !== 0) return undefined
    const points = Array.from({ length: content.length / size }, (_, index) => content.subarray(index * size, (index + 1) * size).reduce((sum, byte) => sum * 256 + byte, 0))
    return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points.slice(0, 1000)) : undefined
  }
  if (tag === tags.teletex) return String.fromCharCode(...content.subarray(0, 1000))
  if (![tags.utf8, tags.printable, tags.ia5].includes(tag)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}

const sameBytes = (a, b) => a.length === b.length && a.every((byte, index) => byte === b[index])

/** Writes one DER value. */
function derValue(tag, ...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : length < 0x10000 ? [0x82, length >> 8, length & 0xff] : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff]
  const all = new Uint8Array(1 + head.length + length)
  all.set([tag, ...head])
  let at = 1 + head.length
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

// --- certificates.mjs ------------------------------------------------------------------------------

/**
 * X.509 certificates (RFC 5280), as far as a pack and a time-stamp need them: read, and followed to one of the
 * reader's certificate authorities. Signatures are verified with WebCrypto.
 */

/** Why something is not accepted, as a sentence; `why` in the answers. */
class NotAccepted extends Error {}
const accept = (holds, why) => {
  if (!holds) throw new NotAccepted(why)
}
/** The sentence of a refusal. Any other error is a mistake in the verifier, or a browser that lacks an algorithm. */
function whyOf(error, what) {
  if (error instanceof DerFault) return `${what} cannot be read. ${error.message}`
  if (error instanceof NotAccepted) return error.message
  throw error
}

const maxCertificateBytes = 64 * 1024
const maxChain = 8
const maxCertificates = 50
/** Bounds the work that certificates with equal names can cause. */
const maxSignatures = 100

const oids = {
  rsa: '1.2.840.113549.1.1.1', pss: '1.2.840.113549.1.1.10', mgf1: '1.2.840.113549.1.1.8', ec: '1.2.840.10045.2.1', ed25519: '1.3.101.112',
  basicConstraints: '2.5.29.19', keyUsage: '2.5.29.15', extendedKeyUsage: '2.5.29.37', timeStamping: '1.3.6.1.5.5.7.3.8'
}
/** Extensions that may be critical: they are checked here, or restrict nothing that is relied on here. */
const understood = new Set([oids.basicConstraints, oids.keyUsage, oids.extendedKeyUsage, '2.5.29.14', '2.5.29.17', '2.5.29.18', '2.5.29.31', '2.5.29.32', '2.5.29.35', '1.3.6.1.5.5.7.1.1'])

const hashes = { '2.16.840.1.101.3.4.2.1': 'SHA-256', '2.16.840.1.101.3.4.2.2': 'SHA-384', '2.16.840.1.101.3.4.2.3': 'SHA-512' }
const rsaSignatures = { '1.2.840.113549.1.1.11': 'SHA-256', '1.2.840.113549.1.1.12': 'SHA-384', '1.2.840.113549.1.1.13': 'SHA-512' }
const ecdsaSignatures = { '1.2.840.10045.4.3.2': 'SHA-256', '1.2.840.10045.4.3.3': 'SHA-384', '1.2.840.10045.4.3.4': 'SHA-512' }
const curves = { '1.2.840.10045.3.1.7': ['P-256', 32], '1.3.132.0.34': ['P-384', 48], '1.3.132.0.35': ['P-521', 66] }

/** An AlgorithmIdentifier. */
function algorithmOf(value) {
  const members = membersOf(value)
  const id = oidOf(members.next(tags.oid))
  const parameters = value.children[1]
  if (parameters) members.next()
  members.end()
  return { id, parameters }
}
const isAbsent = (parameters) => parameters === undefined || (parameters.tag === tags.nothing && parameters.content.length === 0)

/** The hash of an AlgorithmIdentifier. */
function hashOf(value) {
  const { id, parameters } = algorithmOf(value)
  accept(Object.hasOwn(hashes, id) && isAbsent(parameters), 'It uses a hash that is not accepted; accepted are SHA-256, SHA-384 and SHA-512.')
  return hashes[id]
}

/** RSASSA-PSS-params (RFC 4055). The defaults use SHA-1, which is not accepted. */
function pssOf(parameters) {
  accept(parameters !== undefined, 'It uses a signature algorithm that is not accepted.')
  const members = membersOf(parameters)
  const hash = members.optional(contextTag(0))
  const mask = members.optional(contextTag(1))
  const salt = members.optional(contextTag(2))
  const trailer = members.optional(contextTag(3))
  members.end()
  accept(hash && mask, 'It uses a signature algorithm that is not accepted.')
  const name = hashOf(within(hash))
  const { id, parameters: inner } = algorithmOf(within(mask))
  accept(id === oids.mgf1 && inner && hashOf(inner) === name, 'It uses a signature algorithm that is not accepted.')
  accept(!trailer || smallOf(within(trailer)) === 1, 'It uses a signature algorithm that is not accepted.')
  return { hash: name, saltLength: salt ? smallOf(within(salt)) : 20 }
}

/** r and s of an ECDSA signature, as WebCrypto expects them. */
function rawEcdsa(signature, size) {
  const members = membersOf(readDer(signature))
  const raw = new Uint8Array(2 * size)
  for (const offset of [0, size]) {
    const number = integerOf(members.next(tags.integer))
    accept(number[0] < 0x80, 'A signature is not valid.')
    const bytes = number[0] === 0 ? number.subarray(1) : number
    accept(bytes.length <= size, 'A signature is not valid.')
    raw.set(bytes, offset + size - bytes.length)
  }
  members.end()
  return raw
}

/** How a signature is verified with a key: WebCrypto's algorithms, and the key and signature in its forms. */
function planOf(algorithm, key, signature, digestHash) {
  const { id, parameters } = algorithm
  const notAccepted = 'It uses a signature algorithm that is not accepted.'
  if (id === oids.ed25519) {
    accept(key.algorithm.id === oids.ed25519 && parameters === undefined, notAccepted)
    return { imported: { name: 'Ed25519' }, verified: { name: 'Ed25519' }, spki: key.spki, signature }
  }
  if (Object.hasOwn(ecdsaSignatures, id)) {
    accept(key.algorithm.id === oids.ec && key.algorithm.parameters?.tag === tags.oid && isAbsent(parameters), notAccepted)
    const curve = oidOf(key.algorithm.parameters)
    accept(Object.hasOwn(curves, curve), 'It uses an elliptic curve that is not accepted; accepted are P-256, P-384 and P-521.')
    const hash = ecdsaSignatures[id]
    accept(digestHash === undefined || digestHash === hash, notAccepted)
    const [namedCurve, size] = curves[curve]
    return { imported: { name: 'ECDSA', namedCurve }, verified: { name: 'ECDSA', hash }, spki: key.spki, signature: rawEcdsa(signature, size) }
  }
  const isRsa = key.algorithm.id === oids.rsa
  if (id === oids.pss) {
    accept(isRsa || key.algorithm.id === oids.pss, notAccepted)
    const { hash, saltLength } = pssOf(parameters)
    accept(saltLength <= 512 && (digestHash === undefined || digestHash === hash), notAccepted)
    return { imported: { name: 'RSA-PSS', hash }, verified: { name: 'RSA-PSS', saltLength }, spki: rsaSpki(key), signature }
  }
  const hash = Object.hasOwn(rsaSignatures, id) ? rsaSignatures[id] : id === oids.rsa ? digestHash : undefined
  accept(isRsa && hash !== undefined && isAbsent(parameters) && (digestHash === undefined || digestHash === hash), notAccepted)
  return { imported: { name: 'RSASSA-PKCS1-v1_5', hash }, verified: { name: 'RSASSA-PKCS1-v1_5' }, spki: rsaSpki(key), signature }
}

/** Browsers import an RSA key only under the general identifier, not under the one of PSS. */
function rsaSpki(key) {
  const members = membersOf(readDer(key.bits))
  const modulus = integerOf(members.next(tags.integer))
  integerOf(members.next(tags.integer))
  members.end()
  accept(modulus.length >= 257 && modulus.length <= 2049, 'It uses an RSA key with fewer than 2048 bits, or with too many.')
  const identifier = derValue(tags.sequence, Uint8Array.of(6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1), Uint8Array.of(5, 0))
  return derValue(tags.sequence, identifier, derValue(tags.bits, Uint8Array.of(0), key.bits))
}

/**
 * Whether a signature over a message is valid for a certificate's key. `digestHash` is the hash that a CMS signer names
 * beside the signature's algorithm.
 */
async function signatureHolds(algorithm, key, signature, message, digestHash) {
  const plan = planOf(algorithm, key, signature, digestHash)
  try {
    const imported = await crypto.subtle.importKey('spki', plan.spki, plan.imported, false, ['verify'])
    return await crypto.subtle.verify(plan.verified, imported, plan.signature, message)
  } catch (error) {
    if (error?.name === 'NotSupportedError') throw new Error(`This program cannot check signatures by ${plan.imported.name}. Use Node 20 or newer, or a current browser.`, { cause: error })
    return false
  }
}

function extensionsOf(value) {
  const found = new Map()
  for (const each of membersOfAll(value)) {
    const members = membersOf(each)
    const id = oidOf(members.next(tags.oid))
    const critical = members.optional(tags.boolean)
    const content = octetsOf(members.next(tags.octets))
    members.end()
    accept(!found.has(id), 'A certificate has an extension twice.')
    found.set(id, { critical: critical ? booleanOf(critical) : false, content })
  }
  return found
}
function membersOfAll(value) {
  accept(value.tag === tags.sequence && value.children.length > 0, 'A certificate has an empty list of extensions.')
  return value.children
}

/** Reads a certificate. Throws a DerFault or NotAccepted. */
function readCertificate(der) {
  accept(der.length <= maxCertificateBytes, 'A certificate is too large.')
  const whole = membersOf(readDer(der))
  const signed = whole.next(tags.sequence)
  const outer = whole.next(tags.sequence)
  const signature = wholeBitsOf(whole.next(tags.bits))
  whole.end()
  const members = membersOf(signed)
  const version = members.optional(contextTag(0))
  const number = version ? smallOf(within(version)) : 0
  const serial = integerOf(members.next(tags.integer))
  const inner = members.next(tags.sequence)
  accept(sameBytes(inner.bytes, outer.bytes), 'A certificate names two algorithms for its signature.')
  const issuer = members.next(tags.sequence)
  const validity = membersOf(members.next(tags.sequence))
  const notBefore = timeOf(validity.next())
  const notAfter = timeOf(validity.next())
  validity.end()
  const subject = members.next(tags.sequence)
  const spki = members.next(tags.sequence)
  members.optional(0x81)
  members.optional(0x82)
  const listed = members.optional(contextTag(3))
  members.end()
  accept(number === 2 || (number === 0 && !listed), 'A certificate has a version that is not accepted.')
  const key = membersOf(spki)
  const keyAlgorithm = algorithmOf(key.next(tags.sequence))
  const keyBits = wholeBitsOf(key.next(tags.bits))
  key.end()
  return {
    der, signed: signed.bytes, algorithm: algorithmOf(outer), signature, serial, issuer: issuer.bytes, subject: subject.bytes, subjectName: nameOf(subject), notBefore, notAfter,
    key: { spki: spki.bytes, algorithm: keyAlgorithm, bits: keyBits }, extensions: listed ? extensionsOf(within(listed)) : new Map()
  }
}

const attributeNames = { '2.5.4.3': 'CN', '2.5.4.10': 'O', '2.5.4.11': 'OU', '2.5.4.6': 'C', '2.5.4.7': 'L', '2.5.4.8': 'ST', '1.2.840.113549.1.9.1': 'E' }
/** A name as text, for people. Its characters come from the certificate. */
function nameOf(name) {
  const parts = []
  for (const set of name.children)
    for (const each of membersOfSet(set)) {
      const members = membersOf(each)
      const id = oidOf(members.next(tags.oid))
      const value = members.next()
      members.end()
      parts.push(`${Object.hasOwn(attributeNames, id) ? attributeNames[id] : id}=${(textOf(value) ?? '?').slice(0, 200)}`)
    }
  return parts.join(', ') || '(no name)'
}
function membersOfSet(set) {
  accept(set.tag === tags.set && set.children.length > 0, 'A certificate has a name that is not valid.')
  return set.children
}

/** Bit 0 is the first. */
function hasUsage(certificate, ...numbers) {
  const usage = certificate.extensions.get(oids.keyUsage)
  if (!usage) return true
  const { bytes } = bitsOf(readDer(usage.content))
  return numbers.some((number) => ((bytes[number >> 3] ?? 0) & (0x80 >> (number & 7))) !== 0)
}
function checkExtensions(certificate) {
  for (const [id, { critical }] of certificate.extensions) accept(!critical || understood.has(id), `The certificate of ${certificate.subjectName} has a critical extension that is not known: ${id}.`)
}

/** Refused unless the certificate may sign others, `below` of them beneath it in the chain. */
function checkAuthority(certificate, below) {
  const constraints = certificate.extensions.get(oids.basicConstraints)
  const name = certificate.subjectName
  accept(constraints, `The certificate of ${name} is not that of a certificate authority.`)
  const members = membersOf(readDer(constraints.content))
  const isCa = members.optional(tags.boolean)
  const limit = members.optional(tags.integer)
  members.end()
  accept(isCa && booleanOf(isCa), `The certificate of ${name} is not that of a certificate authority.`)
  accept(!limit || smallOf(limit) >= below, `The certificate of ${name} does not allow so long a chain.`)
  accept(hasUsage(certificate, 5), `The certificate of ${name} may not sign certificates.`)
}

/** Refused unless a certificate may be used for time-stamps, and for nothing else. */
function checkTimeStamping(certificate) {
  const name = certificate.subjectName
  const extended = certificate.extensions.get(oids.extendedKeyUsage)
  accept(extended, `The certificate of ${name} is not for time-stamps.`)
  const purposes = membersOfAll(readDer(extended.content)).map(oidOf)
  accept(purposes.length === 1 && purposes[0] === oids.timeStamping, `The certificate of ${name} is not for time-stamps alone.`)
  accept(extended.critical, `The certificate of ${name} does not say critically that it is for time-stamps alone.`)
  accept(hasUsage(certificate, 0, 1), `The certificate of ${name} may not sign.`)
}

const iso = (time) => new Date(time).toISOString()
function checkValidity(certificate, at) {
  accept(certificate.notBefore <= at, `The certificate of ${certificate.subjectName} was not yet valid on ${iso(at)}.`)
  accept(at <= certificate.notAfter, `The certificate of ${certificate.subjectName} had expired on ${iso(at)}.`)
}

/**
 * Follows a certificate to one of the authorities, through the others. Returns the chain, the certificate first.
 * Throws NotAccepted with the reason of the path that came furthest.
 */
async function followChain(leaf, others, authorities, at) {
  const budget = { signatures: maxSignatures }
  let reason = { depth: 0, why: `The certificate of ${leaf.subjectName} does not lead to a given certificate authority.` }
  const isAnchor = (certificate) => authorities.some(({ der }) => sameBytes(der, certificate.der))
  const candidates = [...authorities, ...others]

  async function climb(chain) {
    const last = chain.at(-1)
    if (chain.length > 1 && isAnchor(last)) return chain
    if (chain.length > maxChain) return undefined
    for (const issuer of candidates) {
      if (!sameBytes(issuer.subject, last.issuer) || chain.some(({ der }) => sameBytes(der, issuer.der))) continue
      accept((budget.signatures -= 1) >= 0, 'It has too many certificates with equal names.')
      try {
        accept(await signatureHolds(last.algorithm, issuer.key, last.signature, last.signed), `The certificate of ${last.subjectName} is not signed by ${issuer.subjectName}.`)
        checkExtensions(issuer)
        checkAuthority(issuer, chain.slice(1).filter(({ subject, issuer: by }) => !sameBytes(subject, by)).length)
        checkValidity(issuer, at)
      } catch (error) {
        const why = whyOf(error, 'A certificate')
        if (chain.length > reason.depth) reason = { depth: chain.length, why }
        continue
      }
      const found = await climb([...chain, issuer])
      if (found) return found
    }
    return undefined
  }

  checkExtensions(leaf)
  checkValidity(leaf, at)
  const found = await climb([leaf])
  accept(found, reason.why)
  return found
}

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Reads certificates of which not all are needed; those that cannot be read are left out. */
function readableCertificates(ders) {
  return ders.slice(0, 1000).flatMap((der) => {
    try {
      return [readCertificate(der)]
    } catch (error) {
      whyOf(error, 'A certificate')
      return []
    }
  })
}

/**
 * Whether certificates belong to a signer's key and lead to one of the reader's certificate authorities.
 *
 * @param certificates Each as DER, the signer's own first.
 * @param authorities Each as DER; none if the reader gave none: then only the key is compared.
 * @param at Unix milliseconds: the time at which all certificates must be valid.
 * @param key The signer's public key, 64 hex digits.
 * @returns {Promise<{valid: boolean, matches: boolean, why: string, names: string[]}>} `matches`: the first certificate has the key;
 *   `names`: the subject of each certificate, the signer's first. They are claims unless `valid`.
 */
async function verifyChain(certificates, authorities, at, key) {
  let names = []
  let matches = false
  try {
    accept(certificates.length > 0, 'It has no certificate.')
    accept(certificates.length <= maxCertificates, 'It has too many certificates.')
    const own = readCertificate(certificates[0])
    const others = readableCertificates(certificates.slice(1))
    names = [own, ...others].map(({ subjectName }) => subjectName)
    matches = own.key.algorithm.id === oids.ed25519 && own.key.algorithm.parameters === undefined && hexOf(own.key.bits) === key
    accept(matches, 'The first certificate is not for the key that signed.')
    accept(authorities.length > 0, 'No certificate authority was given.')
    accept(hasUsage(own, 0, 1), `The certificate of ${own.subjectName} may not sign.`)
    const given = readableCertificates(authorities)
    // A reader may give the signer's certificate itself, for example if it is self-signed.
    if (given.some(({ der }) => sameBytes(der, own.der))) {
      checkExtensions(own)
      checkValidity(own, at)
      return { valid: true, matches, why: '', names: [own.subjectName] }
    }
    const chain = await followChain(own, others, given, at)
    return { valid: true, matches, why: '', names: chain.map(({ subjectName }) => subjectName) }
  } catch (error) {
    return { valid: false, matches, why: whyOf(error, 'A certificate'), names }
  }
}

/**
 * The certificates of a file as DER, in their order: PEM, where text around them is ignored, or one certificate as DER.
 * Empty if there is none. They are not checked.
 */
function readCertificates(bytes) {
  if (bytes[0] === tags.sequence) return [bytes]
  let text = ''
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096))
  const blocks = text.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g) ?? []
  return blocks.flatMap((block) => {
    try {
      return [Uint8Array.from(atob(block.replace(/-----[^-]*-----/g, '').replace(/\s/g, '')), (sign) => sign.charCodeAt(0))]
    } catch {
      return []
    }
  })
}

// --- timestamps.mjs --------------------------------------------------------------------------------

/** RFC 3161 time-stamps: a CMS signature (RFC 5652) of an authority over the hash of a message and a time. */

const maxTokenBytes = 64 * 1024
const maxTokenCertificates = 20

const ids = {
  signedData: '1.2.840.113549.1.7.2', timeStampInfo: '1.2.840.113549.1.9.16.1.4', contentType: '1.2.840.113549.1.9.3', messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12', signingCertificateV2: '1.2.840.113549.1.9.16.2.47', subjectKeyIdentifier: '2.5.29.14'
}
const digest = async (hash, bytes) => new Uint8Array(await crypto.subtle.digest(hash, bytes))

/** SignedData with its one signer. */
function readSignedData(bytes) {
  const info = membersOf(readDer(bytes))
  accept(oidOf(info.next(tags.oid)) === ids.signedData, 'The time-stamp is not signed data.')
  const members = membersOf(within(info.next(contextTag(0))))
  info.end()
  smallOf(members.next(tags.integer))
  members.next(tags.set)
  const content = membersOf(members.next(tags.sequence))
  accept(oidOf(content.next(tags.oid)) === ids.timeStampInfo, 'The signed content is not a time-stamp.')
  const signed = octetsOf(within(content.next(contextTag(0))))
  content.end()
  const certificates = members.optional(contextTag(0))?.children ?? []
  members.optional(contextTag(1))
  const signers = members.next(tags.set)
  members.end()
  accept(signers.children.length === 1, 'The time-stamp does not have exactly one signature.')
  accept(certificates.length <= maxTokenCertificates, 'The time-stamp has too many certificates.')
  // Attribute certificates, which have other tags, have no meaning here.
  return { signed, certificates: certificates.filter(({ tag }) => tag === tags.sequence).map(({ bytes: der }) => der), signer: readSigner(signers.children[0]) }
}

function readSigner(value) {
  const members = membersOf(value)
  smallOf(members.next(tags.integer))
  const numbered = members.optional(tags.sequence)
  const keyId = numbered ? undefined : octetsOf(members.next(0x80), 0x80)
  const hash = hashOf(members.next(tags.sequence))
  const attributes = members.optional(contextTag(0))
  accept(attributes, 'The signature has no signed attributes.')
  const algorithm = algorithmOf(members.next(tags.sequence))
  const signature = octetsOf(members.next(tags.octets))
  members.optional(contextTag(1))
  members.end()
  return { numbered: numbered && issuerAndSerial(numbered), keyId, hash, attributes: readAttributes(attributes), signedBytes: derValue(tags.set, attributes.content), algorithm, signature }
}

function issuerAndSerial(value) {
  const members = membersOf(value)
  const issuer = members.next(tags.sequence).bytes
  const serial = integerOf(members.next(tags.integer))
  members.end()
  return { issuer, serial }
}

/** By type; each has one value. */
function readAttributes(list) {
  const found = new Map()
  let before
  for (const { bytes, ...each } of list.children) {
    accept(!before || isBefore(before, bytes), 'The signed attributes are not in the order of DER.')
    before = bytes
    const members = membersOf(each)
    const type = oidOf(members.next(tags.oid))
    const values = members.next(tags.set)
    members.end()
    accept(!found.has(type) && values.children.length === 1, 'A signed attribute has more than one value.')
    found.set(type, values.children[0])
  }
  return found
}
/** The order of the members of a set (X.690, 11.6). */
function isBefore(a, b) {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) if (a[at] !== b[at]) return a[at] < b[at]
  return a.length < b.length
}

/** TSTInfo (RFC 3161, 2.4.2). */
function readInfo(bytes) {
  const members = membersOf(readDer(bytes))
  accept(smallOf(members.next(tags.integer)) === 1, 'The time-stamp has a version that is not known.')
  const policy = oidOf(members.next(tags.oid))
  const imprint = membersOf(members.next(tags.sequence))
  const hash = hashOf(imprint.next(tags.sequence))
  const hashed = octetsOf(imprint.next(tags.octets))
  imprint.end()
  integerOf(members.next(tags.integer))
  const time = timeOf(members.next(tags.generalizedTime), true)
  const accuracy = accuracyOf(members.optional(tags.sequence))
  const ordering = members.optional(tags.boolean)
  if (ordering) booleanOf(ordering)
  const nonce = members.optional(tags.integer)
  if (nonce) integerOf(nonce)
  members.optional(contextTag(0))
  const extensions = members.optional(contextTag(1))
  members.end()
  accept(!extensions?.children.some(({ children }) => children?.[1]?.tag === tags.boolean && booleanOf(children[1])), 'The time-stamp has a critical extension that is not known.')
  return { policy, hash, hashed, time, accuracy }
}
/** Milliseconds, rounded up. */
function accuracyOf(value) {
  if (!value) return 0
  const members = membersOf(value)
  const seconds = members.optional(tags.integer)
  const millis = members.optional(0x80)
  const micros = members.optional(0x81)
  members.end()
  return (seconds ? smallOf(seconds) * 1000 : 0) + (millis ? smallOf(millis, 0x80) : 0) + (micros && smallOf(micros, 0x81) > 0 ? 1 : 0)
}

/** Refused unless the signed attributes identify this certificate as the signer's (RFC 2634, RFC 5035). */
async function checkIdentified(certificate, attributes) {
  const [second, first] = [attributes.get(ids.signingCertificateV2), attributes.get(ids.signingCertificate)]
  accept(second || first, 'The signed attributes do not identify the certificate of the signer.')
  for (const [attribute, isSecond] of [[second, true], [first, false]]) {
    if (!attribute) continue
    const list = membersOf(attribute).next(tags.sequence)
    const members = membersOf(list.children[0])
    const algorithm = isSecond ? members.optional(tags.sequence) : undefined
    const hashed = octetsOf(members.next(tags.octets))
    const named = members.optional(tags.sequence)
    members.end()
    const hash = isSecond ? (algorithm ? hashOf(algorithm) : 'SHA-256') : 'SHA-1'
    accept(sameBytes(await digest(hash, certificate.der), hashed), 'The signed attributes identify another certificate than that of the signer.')
    if (named) accept(isNamed(certificate, named), 'The signed attributes identify another certificate than that of the signer.')
  }
}
/** IssuerSerial: general names, one of them the directory name of the issuer, and the serial number. */
function isNamed(certificate, value) {
  const members = membersOf(value)
  const names = members.next(tags.sequence)
  const serial = integerOf(members.next(tags.integer))
  members.end()
  return sameBytes(serial, certificate.serial) && names.children.some((name) => name.tag === contextTag(4) && sameBytes(within(name).bytes, certificate.issuer))
}

function isSigner(certificate, { numbered, keyId }) {
  if (numbered) return sameBytes(numbered.issuer, certificate.issuer) && sameBytes(numbered.serial, certificate.serial)
  const own = certificate.extensions.get(ids.subjectKeyIdentifier)
  return own !== undefined && sameBytes(octetsOf(readDer(own.content)), keyId)
}

/**
 * Verifies a time-stamp of a message.
 *
 * @param token DER of the token.
 * @param message The bytes that it is about.
 * @param authorities The reader's certificate authorities, each as DER. With none it is not valid, but time and authority
 *   are returned as its claim.
 * @returns {Promise<{valid: boolean, why: string, time: number | null, latest: number | null, authority: string | null}>} `why`: a sentence
 *   if it is not valid. `time`: Unix milliseconds; `latest`: the same with the authority's accuracy added: the message
 *   existed then. `authority`: the subject of its certificate. Never throws for any bytes.
 */
async function verifyTimestamp(token, message, authorities) {
  const answer = { valid: false, why: '', time: null, latest: null, authority: null }
  try {
    accept(token.length <= maxTokenBytes, 'The time-stamp is too large.')
    const { signed, certificates, signer } = readSignedData(token)
    const info = readInfo(signed)
    answer.time = info.time
    answer.latest = info.time + info.accuracy
    accept(sameBytes(await digest(info.hash, message), info.hashed), 'The time-stamp is about something else.')
    const held = readableCertificates(certificates)
    const own = held.find((certificate) => isSigner(certificate, signer))
    accept(own, 'The time-stamp does not contain the certificate of its signer.')
    answer.authority = own.subjectName
    const type = signer.attributes.get(ids.contentType)
    accept(type && oidOf(type) === ids.timeStampInfo, 'The signed attributes do not name the content.')
    const said = signer.attributes.get(ids.messageDigest)
    accept(said && sameBytes(octetsOf(said), await digest(signer.hash, signed)), 'The signed attributes are about another content.')
    await checkIdentified(own, signer.attributes)
    accept(await signatureHolds(signer.algorithm, own.key, signer.signature, signer.signedBytes, isPure(signer.algorithm) ? undefined : signer.hash), 'The signature of the time-stamp is not valid.')
    checkTimeStamping(own)
    accept(authorities.length > 0, 'No certificate authority was given.')
    await followChain(own, held.filter((certificate) => certificate !== own), readableCertificates(authorities), info.time)
    return { ...answer, valid: true }
  } catch (error) {
    return { ...answer, why: whyOf(error, 'The time-stamp') }
  }
}
/** Ed25519 hashes by itself, whatever the digest algorithm is. */
const isPure = ({ id }) => id === '1.3.101.112'

// --- audit-export.mjs ------------------------------------------------------------------------------

/**
 * Compares a pack with an export of the audit trail in JSON lines: both must come from one audit trail, and the daily
 * time-stamps in the export say by when its events existed.
 */

const isHash = (value) => isHex(32)(value) === undefined
const isNumber = (value) => Number.isSafeInteger(value) && value > 0

function firstLine(text) {
  try {
    return JSON.parse(text.slice(0, text.indexOf('\n')))
  } catch {
    return undefined
  }
}

/** An export; undefined if the text is not one. Refused if it was cut off. */
function readExport(text) {
  const first = firstLine(text)
  if (!isObject(first) || first.format !== 'veridesk-audit-trail') return undefined
  const [, ...lines] = text.split('\n')
  const [end, nothing] = lines.splice(-2)
  const last = nothing === '' ? parsedJson(end) : undefined
  must(first.version === 1 && isObject(first.head) && isNumber(first.head.seq) && isHash(first.head.hash), 'The export of the audit trail is not in the form that it must have.')
  must(isObject(last) && last.end === true && last.rows === lines.length, 'The export of the audit trail was cut off.')
  const rows = lines.map(parsedJson)
  let before = 0
  for (const row of rows) {
    must(isObject(row) && isNumber(row.seq) && row.seq > before && row.seq <= first.head.seq && isHash(row.hash), 'The export of the audit trail is not in the form that it must have.')
    before = row.seq
  }
  return { head: first.head, rows, isWhole: rows.length === first.head.seq }
}

/** The roots (hex) over the first events, by their number, for each of some numbers. */
async function rootsAt(rows, sizes) {
  const found = new Map()
  const stack = []
  for (const [index, { hash }] of rows.entries()) {
    let top = { size: 1, node: await leafHash(toBytes(hash)) }
    while (stack.at(-1)?.size === top.size) top = { size: top.size * 2, node: await nodeHash(stack.pop().node, top.node) }
    stack.push(top)
    if (!sizes.has(index + 1)) continue
    const [last, ...left] = [...stack].reverse()
    let { node } = last
    for (const each of left) node = await nodeHash(each.node, node)
    found.set(index + 1, toHex(node))
  }
  return found
}

/** The time-stamps in the events of an export, with the checkpoint that each is about. */
function stampsIn({ rows, head }) {
  return rows.filter(({ timestamp }) => timestamp !== undefined).map(({ seq, timestamp }) => {
    const { checkpoint, token } = isObject(timestamp) ? timestamp : {}
    const [, origin, digits, root] = checkpointForm.exec(checkpoint) ?? []
    const bytes = typeof token === 'string' ? fromBase64(token) : undefined
    must(origin !== undefined && Number(digits) < seq && Number(digits) <= head.seq && bytes, `The time-stamp of event ${seq} is not in the form that it must have.`)
    return { seq, checkpoint, origin, size: Number(digits), root: toHex(fromBase64(root) ?? []), token: bytes }
  })
}

/** Whether the pack's audit trail provably continues the export's, or the other way round; refused if it is another. */
async function compareRoots({ size, root, earlier, ...trail }, exported, roots) {
  if (exported.size >= size) {
    must(roots.get(size) === root, `The export of the audit trail contradicts this pack about events 1 to ${size}: ${forked}.`)
    return exported.size === size ? 'same' : 'continued'
  }
  const nodes = await nodesOf({ ...trail, size, root })
  const known = [await rootWithin(nodes, 0, exported.size), ...(earlier?.size === exported.size ? [earlier.root] : [])].filter((each) => each !== undefined)
  for (const each of known) must(each === roots.get(exported.size), `The export of the audit trail contradicts this pack about events 1 to ${exported.size}: ${forked}.`)
  return known.length > 0 ? 'continued' : 'open'
}

/**
 * Compares a verified pack with an export. Returns `trails` as for two packs, the number of the export's events, and its
 * time-stamps; refused if one contradicts the other, or if a time-stamp is not valid and the reader named authorities.
 */
async function compareExport({ trail }, exported, authorities) {
  const { head, rows, isWhole } = exported
  const size = head.seq
  const hashes = new Map([...rows.map((row) => [row.seq, row.hash]), [head.seq, head.hash]])
  const shown = [...trail.events.flatMap(({ seq, hash, previous }) => [[seq, hash], [seq - 1, previous]]), ...trail.leaves].filter(([seq]) => hashes.has(seq))
  const origin = hashes.has(1) ? `veridesk/${hashes.get(1).slice(0, 32)}` : undefined
  const isSame = origin !== undefined && trail.origin !== undefined ? origin === trail.origin : shown.some(([seq, hash]) => hashes.get(seq) === hash)
  if (!isSame) return { trails: 'other', size, isExport: true, stamps: [] }
  for (const [seq, hash] of shown) must(hashes.get(seq) === hash, `The export of the audit trail contradicts this pack about event ${seq}: ${forked}.`)
  must(rows.at(-1)?.seq !== size || rows.at(-1).hash === head.hash, 'The export of the audit trail contradicts itself about its last event.')
  const found = stampsIn(exported)
  if (!isWhole) return { trails: 'open', size, isExport: true, stamps: found.map((stamp) => ({ ...stamp, checked: false, isFiltered: true })) }
  const roots = await rootsAt(rows, new Set([trail.size, size, ...found.map((stamp) => stamp.size)]))
  const trails = await compareRoots(trail, { size }, roots)
  const stamps = []
  for (const stamp of found) {
    must(stamp.origin === origin && roots.get(stamp.size) === stamp.root, `The time-stamp of event ${stamp.seq} is about another audit trail.`)
    const stated = authorities.length === 0 ? undefined : await verifyTimestamp(stamp.token, utf8.encode(stamp.checkpoint), authorities)
    must(!stated || stated.valid, `The time-stamp of event ${stamp.seq} is not valid. ${stated?.why}`)
    stamps.push({ ...stamp, ...stated, checked: stated !== undefined, existed: trail.events.filter(({ seq }) => seq <= stamp.size).length, of: trail.events.length })
  }
  return { trails, size, isExport: true, stamps }
}

// --- countersigners.mjs ----------------------------------------------------------------------------

/** Whose countersignatures a pack has, and whether a second person gave them. */

/** Normalises a name for comparison: compatibility forms, case, white space and invisible characters do not matter. */
const foldedName = (name) => (typeof name === 'string' ? name : '').normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  .toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim().replace(/^unknown$/, '')

/**
 * For each countersignature: `yes` if its name is none of those of the people who were involved, `unknown` if a name is
 * missing.
 */
function secondPeople(countersignatures, names) {
  const involved = names.map(foldedName)
  return countersignatures.map(({ by }) => foldedName(by)).map((own) => (own === '' ? 'unknown' : involved.includes(own) ? 'no' : involved.includes('') ? 'unknown' : 'yes'))
}

/** The last countersignatures of a key; of two at the same time, both. */
function lastOf(words) {
  const last = Math.max(...words.map(({ at }) => at))
  return words.filter(({ at }) => at === last)
}
const agreesLast = (words) => lastOf(words).every(({ agrees }) => agrees)

/** Refuses a pack if too few of the keys agree that the reader named. `keys` are the countersignatures' fingerprints. */
function checkCountersigners(countersignatures, keys, { named, required }) {
  const stands = named.map((key) => {
    const words = countersignatures.filter((_, index) => keys[index] === key)
    return words.length === 0 ? `${key} did not countersign` : agreesLast(words) ? undefined : `${key} does not agree`
  })
  const against = stands.filter((why) => why !== undefined)
  must(named.length - against.length >= required, `Of the keys of countersigners that you named, ${named.length - against.length} agree and ${required} must: ${against.join('; ')}.`)
}

/**
 * How many second persons agree, of those whose key counts: several keys under one name are one person.
 *
 * @param counts Whether the key of the countersignature at an index counts.
 */
function agreeingPeople(countersignatures, people, counts) {
  const all = countersignatures.map((words, index) => ({ ...words, person: people[index], counts: counts(index) })).filter((each) => each.counts)
  const agreeing = [...new Set(all.map(({ key }) => key))]
    .map((key) => lastOf(all.filter((each) => each.key === key)))
    .filter((words) => words.every(({ agrees, person }) => agrees && person === 'yes'))
  return new Set(agreeing.map(([{ by }]) => foldedName(by))).size
}

// --- format-1.mjs ----------------------------------------------------------------------------------

/** Packs of version 1, which earlier consoles made. */

const isPack1 = shape({
  content: shape({
    about: shape({ kind: oneOf('record', 'batch', 'applicant'), id: orNull(isText) }),
    bodies: listOf(isBody1),
    chain: shape({ hash: isHex(32), seq: isPositive }),
    events: listOf(isEvent1, 1),
    made: shape({ at: isTime, by: orNull(isText), console: isText }),
    profile: oneOf('full', 'no-personal-data', 'for-applicant'),
    records: isWhole,
    tree: shape({ root: isHex(32), size: isPositive })
  }),
  countersignatures: listOf(shape({ agrees: isTruth, at: isTime, by: isText, key: isHex(32), note: isText, signature: isHex(64) })),
  format: oneOf('veridesk-evidence'),
  signature: shape({ algorithm: oneOf('Ed25519'), key: isHex(32), value: isHex(64) }),
  version: oneOf(1)
})

async function signatureFits(key, text, signature) {
  must(!isSmallOrder(key), 'One of its keys has small order: its signatures prove nothing.')
  return ed25519Holds(key, utf8.encode(text), toBytes(signature))
}

async function checkEvents1({ events, chain, tree }) {
  must(tree.size === chain.seq, 'The tree and the chain differ in size.')
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    must(!before || before.seq < event.seq, `Event ${event.seq} is out of order.`)
    must(before?.seq !== event.seq - 1 || before.hash === event.previous, `Event ${event.seq} does not follow the one before it.`)
    must(event.seq !== 1 || /^0+$/.test(event.previous), 'The first event follows another.')
    must(event.seq !== chain.seq || event.hash === chain.hash, 'The last event is not the chain’s head.')
    if (event.plain !== null) must((await eventHash1(event)) === event.hash, `Event ${event.seq} is not what was recorded.`)
    const included = await isIncluded(toBytes(event.hash), event.seq - 1, tree.size, event.path.map(toBytes), tree.root)
    must(included, `Event ${event.seq} is not in the tree.`)
  }
}

/** An erasure removes everything sealed for a person, with one key: if some of it is given, the rest was left out. */
function checkErased1({ bodies, events, profile }) {
  const subjects = new Map(events.filter(({ kind }) => kind === 'record.ended').map(({ record, subject }) => [record, subject]))
  const replies = bodies.map((body) => ({ subject: subjects.get(body.record), given: isGiven1(body), where: ofBody(body) }))
  const sealed = events.filter((event) => event.commitment !== null || isGiven1(event))
    .map((event) => ({ subject: event.subject, given: isGiven1(event), where: `sealed data of ${ofEvent(event)}` }))
  const present = new Set([...replies, ...sealed].filter(({ subject, given }) => given && subject !== null).map(({ subject }) => subject))
  // For an event in a redacted pack it is not known whether its sealed part was empty.
  for (const { subject, given, where } of profile === 'full' ? [...replies, ...sealed] : replies)
    must(given || !present.has(subject), `${where} is missing, but other data of the same person is present.`)
}

/** Each verification shown has one start, at most one result, and one subject. */
function checkRecords1({ events, records }) {
  const begun = new Map()
  const ended = new Set()
  for (const event of events.filter(({ kind }) => kind.startsWith('record.'))) {
    const { kind, record, subject } = event
    if (kind === 'record.begun') {
      must(record !== null && !begun.has(record), `${ofEvent(event)} begins a record a second time.`)
      begun.set(record, event)
    } else must(begun.has(record) && begun.get(record).subject === subject, `${ofEvent(event)} belongs to no record that is shown.`)
    must(kind !== 'record.ended' || !ended.has(record), `${ofEvent(event)} ends a record a second time.`)
    if (kind === 'record.ended') ended.add(record)
  }
  must(begun.size === records, `It claims to be about ${records} records, but shows ${begun.size}.`)
  return [...begun.values()]
}

/** Checks that the stated subject is that of the events, as far as they are shown. */
function checkAbout1({ about: { kind, id }, events, profile }, begun) {
  if (kind === 'record') {
    const [only] = begun
    must(begun.length === 1 && plainValue1(only, 'id') === id, `It claims to be about record ${id}, but shows another.`)
    must(events.every(({ record }) => record === null || record === only.record), 'It shows events of another record.')
  } else if (kind === 'batch') {
    const made = events.filter((event) => event.kind.startsWith('batch.'))
    must(made.length > 0 && made.every((event) => plainValue1(event, 'id') === id), `It claims to be about batch ${id}, but shows another.`)
    must(begun.every((event) => plainValue1(event, 'batchId') === id), 'It shows records of another batch.')
  } else {
    const links = events.filter((event) => event.kind === 'link.made')
    const own = begun.filter(({ record }) => !links.some((link) => link.record === record))
    const others = events.filter((event) => event.subject !== null && !event.kind.startsWith('record.'))
    must(new Set([...own, ...others].map(({ subject }) => subject)).size <= 1, 'Its events are about more than one applicant.')
    const named = [...own, ...links].map((event) => sealedValue1(event, 'applicantId')).filter((name) => name !== undefined && name !== null)
    // Lists store an unpaired surrogate as U+FFFD.
    must(id === null || named.every((name) => typeof name === 'string' && name.toWellFormed() === id.toWellFormed()), `It claims to be about applicant ${id}, but shows another.`)
    must(profile !== 'full' || named.length > 0, `It claims to be about applicant ${id}, but none of its events names that applicant.`)
    return id === null || named.length > 0
  }
  return true
}

async function checkCountersignatures1({ content, signature, countersignatures }) {
  const digest = await sha256Hex(`veridesk-evidence/1\n${canonical(content)}\n${signature.value}`)
  must(new Set(countersignatures.map(canonical)).size === countersignatures.length, 'It contains the same countersignature twice.')
  for (const { signature: value, ...words } of countersignatures) {
    must(words.key !== signature.key, 'It was countersigned with the key that signed it.')
    const text = `veridesk-countersignature/1\n${canonical({ ...words, pack: digest })}`
    must(await signatureFits(words.key, text, value), `The countersignature of ${words.by} does not match.`)
  }
}

/** Names of sealed parts that are missing, for example after an erasure. */
const erasedOf1 = ({ bodies, events, profile }) => [
  ...(profile === 'full' ? events.filter(({ commitment, payload }) => commitment !== null && !payload).map(ofEvent) : []),
  ...bodies.filter(({ payload, fields }) => !payload && fields.length === 0).map(ofBody)
]

/** Verifies a pack of version 1; throws a `Refusal`. */
async function verifyFormat1(pack, text) {
  const wrong = isPack1(pack)
  must(wrong === undefined, `This is not an evidence pack of version 1${wrong?.startsWith('.') ? `: ${wrong.slice(1)}` : ''}.`)
  must(isWholeEverywhere(pack), 'It holds a number that is not whole.')
  must(`${canonical(pack)}\n` === text, 'It is not in canonical form: Veridesk would write it differently.')
  const { content, countersignatures, signature } = pack
  const { bodies, events, made, profile } = content
  must(await signatureFits(signature.key, `veridesk-evidence/1\n${canonical(content)}`, signature.value), 'The signature does not match the content.')
  checkDisclosure(content)
  await checkEvents1(content)
  await checkPayloads(content)
  checkErased1({ bodies, events, profile })
  const withheld = await checkFields(content)
  const named = checkAbout1(content, checkRecords1(content))
  await checkCountersignatures1(pack)
  const decision = events.findLast(({ kind }) => kind === 'decision.made')
  const names = [made.by, ...(decision ? [plainValue1(decision, 'operator')] : [])]
  return {
    format: 1, pack, key: signature.key, signedBy: await fingerprint(signature.key), withheld, named, erased: erasedOf1(content), required: 0,
    madeAt: made.at, people: secondPeople(countersignatures, names),
    trail: { events, size: content.tree.size, root: content.tree.root, leaves: [[content.chain.seq, content.chain.hash]] }
  }
}

// --- approvals.mjs ---------------------------------------------------------------------------------

/** Answers of colleagues to requests for approval: each is signed by the reviewer, over the request that it answers. */

const signed = { team: isText, asked: tupleOf(isText, isPositive, isHex(32)), agrees: isTruth, at: isTime, by: isText, signer: isHex(32), signature: isHex(64) }
const isAnswer = shape(signed)

/** Checks each answer that is shown with everything that its signature is over; returns them. */
async function checkApprovals(events) {
  const answers = []
  for (const event of events.filter(({ kind }) => kind === 'approval.received').filter(isNew)) {
    const shown = Object.fromEntries(Object.keys(signed).map((name) => [name, plainValue(event, name)]))
    if (Object.values(shown).includes(undefined)) continue
    must(isAnswer(shown) === undefined, `The answer to a request for approval in ${ofEvent(event)} is not what it must be.`)
    const { team, asked, agrees, at, by, signer, signature } = shown
    const line = utf8.encode(canonical(['veridesk/team/approval', 1, team, asked, agrees, at, by]))
    must(await ed25519Holds(signer, line, toBytes(signature)), `The signature of the answer in ${ofEvent(event)} does not match.`)
    const request = events.find(({ seq }) => seq === asked[1])
    must(!request || (request.kind === 'approval.asked' && request.hash === asked[2]), `The answer in ${ofEvent(event)} is to another request than ${ofEvent(request ?? {})}.`)
    answers.push({ agrees, at, by, key: await fingerprint(signer) })
  }
  return answers
}

// --- completeness.mjs ------------------------------------------------------------------------------

/** Whether a pack shows every event of the series that it must contain: each event says which one of its series it is. */

const isNumbered = tupleOf(oneOf('subject', 'record'), isPositive, isPositive, isPositive)
const isOfBatch = tupleOf(oneOf('batch'), isText, isPositive, isPositive)
const isSeries = listOf((each) => (Array.isArray(each) && each[0] === 'batch' ? isOfBatch(each) : isNumbered(each)))

const seriesName = (kind, id) => `${kind === 'subject' ? 'person' : kind} ${id}`
const countOf = (number, one = 'event') => `${number} ${one}${number === 1 ? '' : 's'}`

/** Numbers of the records that are linked to the applicant: an event `link.made` names them, and no later `link.removed`. */
function linkedRecords(events) {
  const records = new Set()
  for (const { kind, record } of events) {
    if (kind === 'link.made') records.add(record)
    else if (kind === 'link.removed') records.delete(record)
  }
  return records
}

/** The events of a series that are shown, in order. */
function membersOfSeries(events, kind, id) {
  if (kind === 'subject') return events.filter((event) => event.subject === id && isLinkedKind(event.kind))
  if (kind === 'record') return events.filter((event) => event.record === id && recordKinds.includes(event.kind))
  const batches = new Map(events.filter((event) => event.kind === 'record.begun').map((event) => [event.record, plainValue(event, 'batchId')]))
  return events.filter((event) => {
    if (recordKinds.includes(event.kind)) return batches.get(event.record) === id
    return (isBatchKind(event.kind) || (event.kind === 'pack.made' && plainValue(event, 'about') === 'batch')) && plainValue(event, 'id') === id
  })
}

/** Refuses a series with a gap; the sentence says how many events are missing, and between which. */
function checkSeries(events, [kind, id, count, last]) {
  const name = seriesName(kind, id)
  let [n, before] = [0, 0]
  for (const event of membersOfSeries(events, kind, id)) {
    if (isNew(event)) {
      const [place, previous] = event.links[kind] ?? [0, 0]
      const where = before === 0 ? `before ${ofEvent(event)}` : `between events ${before} and ${event.seq}`
      must(place <= n + 1, `Events of ${name} are missing: ${countOf(place - n - 1)} ${where}.`)
      must(place === n + 1 && previous === before, `${ofEvent(event)} contradicts the order of the events of ${name}.`)
    }
    ;[n, before] = [n + 1, event.seq]
  }
  must(n >= count, `Events of ${name} are missing: ${countOf(count - n)} after event ${before}.`)
  must(n === count && before === last, `The events of ${name} are not those that the pack must contain.`)
}

/** Checks that the pack states the series that it must, and contains all events of them; returns them. */
function checkCompleteness({ about, events }, made) {
  const stated = plainValue(made, 'series')
  must(isSeries(stated) === undefined, `${ofEvent(made)} does not state what the pack contains completely.`)
  const names = stated.map(([kind, id]) => seriesName(kind, id))
  must(new Set(names).size === names.length, 'It states the same series twice.')
  const required = (kind, id, own) => {
    const found = stated.find((each) => each[0] === kind && each[1] === id)
    must(found, `It does not state that it contains all events of ${seriesName(kind, id)}.`)
    must(!own || (found[2] === own[0] && found[3] === made.seq), `It states another number of events of ${seriesName(kind, id)} than ${ofEvent(made)} has.`)
  }
  if (about.kind === 'record') required('record', made.record)
  else if (about.kind === 'batch') required('batch', plainValue(made, 'id'), made.links.batch)
  else {
    required('subject', made.subject, made.links.subject)
    for (const record of linkedRecords(events)) required('record', record)
  }
  for (const series of stated) checkSeries(events, series)
  return stated
}

// --- dsse.mjs --------------------------------------------------------------------------------------

/** DSSE envelopes with one Ed25519 signature. */

const isEnvelope = (type) => shape({ payload: isBase64, payloadType: oneOf(type), signatures: tupleOf(shape({ keyid: isHex(32), sig: isBase64 })) })

/** The content of an envelope, what its signature covers, and what others refer to; all as bytes. */
function openEnvelope({ payload, payloadType, signatures: [{ keyid, sig }] }) {
  const content = fromBase64(payload)
  const type = utf8.encode(payloadType)
  const signed = joined(utf8.encode('DSSEv1 '), utf8.encode(`${type.length} `), type, utf8.encode(` ${content.length} `), content)
  const signature = fromBase64(sig)
  return { content, signed, signature, keyid, referred: joined(signed, signature) }
}

/** Refuses an envelope that was not signed with a key (hex). */
async function mustBeSigned({ keyid, signed, signature }, key, why) {
  must(!isSmallOrder(key), 'One of its keys has small order: its signatures prove nothing.')
  must(keyid === (await fingerprint(key)) && (await ed25519Holds(key, signed, signature)), why)
}

/** What countersignatures and time-stamps refer to. */
const digestOf = async ({ referred }) => toHex(await sha256(referred))

// --- subject.mjs -----------------------------------------------------------------------------------

/** Whether a pack of version 2 is about what it states. */

/** The event that records the pack says everything about it but who made it. */
function checkMade(made, { about, profile }) {
  const names = ['about', 'countersignatures', ...(about.kind === 'applicant' ? [] : ['id']), ...(profile === 'full' ? ['operator'] : []), 'profile', 'series']
  must(made.plain.shown.map(([, name]) => name).join() === names.join(), `${ofEvent(made)} does not state what an event of its kind must.`)
  must(isWhole(plainValue(made, 'countersignatures')) === undefined, `${ofEvent(made)} does not state how many countersignatures the pack must have.`)
  must(plainValue(made, 'about') === about.kind && plainValue(made, 'profile') === profile, `${ofEvent(made)} is about another pack.`)
  must(about.kind === 'applicant' || plainValue(made, 'id') === about.id, `It claims to be about ${about.kind} ${about.id}, but ${ofEvent(made)} names another.`)
}

/** Each record shown has one beginning, at most one end and one resolution, and one person; returns the beginnings. */
function checkRecords2(events) {
  const begun = new Map()
  const seen = new Set()
  for (const event of events.filter(({ kind }) => recordKinds.includes(kind))) {
    const { kind, record, subject } = event
    must(record !== null && !seen.has(`${kind} ${record}`), `${ofEvent(event)} is the second of its kind for one record.`)
    seen.add(`${kind} ${record}`)
    if (kind === 'record.begun') begun.set(record, event)
    must(begun.has(record) && begun.get(record).subject === subject, `${ofEvent(event)} belongs to no record that is shown.`)
  }
  return [...begun.values()]
}

function checkApplicant({ about: { id }, events, profile }, made) {
  must((id === null) === (profile === 'no-personal-data'), 'It withholds what it is about, or shows what its profile withholds.')
  const linked = linkedRecords(events)
  let isNamed = false
  for (const event of events) {
    if (event.kind === 'connection.noted' || (recordKinds.includes(event.kind) && linked.has(event.record))) continue
    must(made.subject !== null && event.subject === made.subject, 'Its events are about more than one applicant.')
    const name = sealedValue(event, 'applicantId')
    if (name === undefined) continue
    must(id !== null, 'It withholds what it is about, or shows what its profile withholds.')
    // Lists store an unpaired surrogate as U+FFFD.
    must(typeof name === 'string' && name.toWellFormed() === id.toWellFormed(), `It claims to be about applicant ${id}, but shows another.`)
    isNamed = true
  }
  must(profile !== 'full' || isNamed, `It claims to be about applicant ${id}, but none of its events names that applicant.`)
  return id === null || isNamed
}

/** Checks what the pack states that it is about; returns whether an event shown names it. */
function checkSubject(content, made) {
  const { about: { kind, id }, events } = content
  for (const event of events) must(!['link.made', 'link.removed'].includes(event.kind) || event.record !== null, `${ofEvent(event)} names no record.`)
  const begun = checkRecords2(events)
  if (kind === 'applicant') return checkApplicant(content, made)
  if (kind === 'record') {
    must(begun.length === 1 && begun[0].record === made.record && plainValue(begun[0], 'id') === id, `It claims to be about record ${id}, but shows another.`)
    must(events.every(({ record }) => record === null || record === made.record), 'It shows events of another record.')
    return true
  }
  must(events.every((event) => !isBatchKind(event.kind) || plainValue(event, 'id') === id), `It claims to be about batch ${id}, but shows another.`)
  must(begun.every((event) => plainValue(event, 'batchId') === id), 'It shows records of another batch.')
  return true
}

// --- format-2.mjs ----------------------------------------------------------------------------------

/** Packs of version 2: the file, its signature and the tree, and the order of all checks. */

const isFile = shape({
  countersignatures: listOf(isEnvelope('application/vnd.veridesk.countersignature+json')),
  envelope: isEnvelope('application/vnd.veridesk.evidence+json'),
  format: oneOf('veridesk-evidence'),
  timestamps: listOf(isBase64),
  version: oneOf(2)
})
const isContent = shape({
  about: shape({ kind: oneOf('record', 'batch', 'applicant'), id: orNull(isText) }),
  attachments: listOf(shape({ bytes: isWhole, name: isText, sha256: isHex(32) })),
  bodies: listOf(isEitherBody),
  checkpoint: isText,
  consistency: orNull(shape({ path: listOf(isHex(32)), root: isHex(32), size: isPositive })),
  console: isText,
  events: listOf(isEitherEvent, 1),
  profile: oneOf('full', 'no-personal-data', 'for-applicant'),
  signer: shape({ certificates: listOf(isBase64), key: isHex(32) })
})
const isStatement = shape({ agrees: isTruth, at: isTime, by: isText, key: isHex(32), note: isText, pack: isHex(32) })

/** Checks the structure of a value and that its text is its only spelling. */
function checkForm(value, test, text, place, end = '') {
  const wrong = test(value)
  must(wrong === undefined, `This is not an evidence pack of version 2: ${place}${wrong}.`)
  must(canonical(value) + end === text, `It is not in canonical form (${place}): Veridesk would write it differently.`)
}

/** What an envelope contains, in the form that it must have. */
function contentOf(opened, test, place) {
  const text = fromUtf8(opened.content)
  must(text !== undefined, `It contains bytes that are not text (${place}).`)
  must(!isTooDeep(text), `It is nested more than ${deepest} levels deep.`)
  const value = parsedJson(text)
  checkForm(value, test, text, place)
  return value
}

/** The order of the events, and what they have of the tree; returns its head. */
async function checkTree({ checkpoint, consistency, events, signer }) {
  const head = await readCheckpoint(checkpoint, signer.key)
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    must(!before || before.seq < event.seq, `${ofEvent(event)} is out of order.`)
    must(!before || isNew(event) || !isNew(before), `${ofEvent(event)} has the form of version 0.1, but follows one that has not.`)
    must(before?.seq !== event.seq - 1 || before.hash === event.previous, `${ofEvent(event)} does not follow the one before it.`)
    must(event.seq !== 1 || /^0+$/.test(event.previous), 'The first event follows another.')
    must(event.seq !== 1 || head.origin === `veridesk/${event.hash.slice(0, 32)}`, 'The checkpoint is that of another audit trail.')
    if (!isNew(event) && event.plain !== null) must((await eventHash1(event)) === event.hash, `${ofEvent(event)} is not what was recorded.`)
    must(await isIncluded(toBytes(event.hash), event.seq - 1, head.size, event.path.map(toBytes), head.root), `${ofEvent(event)} is not in the tree.`)
  }
  const made = events.at(-1)
  must(made.kind === 'pack.made' && isNew(made) && made.seq === head.size, 'Its last event is not the last one of the audit trail, or does not record a pack.')
  await checkConsistency(consistency, events, head)
  return { head, made }
}

/** The audit trail continues that of the pack before, which is the last one that an event records. */
async function checkConsistency(consistency, events, head) {
  const earlier = events.findLast(({ kind, seq }) => kind === 'pack.made' && seq < head.size)
  must(consistency !== null || earlier === undefined, `It shows an earlier pack, event ${earlier?.seq}, but does not prove that the audit trail continues it.`)
  if (consistency === null) return
  const { path, root, size } = consistency
  must(await isConsistent(size, head.size, path.map(toBytes), toBytes(root), toBytes(head.root)), 'The audit trail does not continue that of the pack before.')
  must((earlier?.seq ?? 0) <= size && !events.some(({ kind, seq }) => seq === size && kind !== 'pack.made'), 'It continues another audit trail than that of the pack before.')
}

/** Checks each countersignature by itself; returns what they state. */
async function checkCountersignatures2(file, key, digest) {
  const { countersignatures } = file
  must(new Set(countersignatures.map(canonical)).size === countersignatures.length, 'It contains the same countersignature twice.')
  const statements = []
  for (const [index, envelope] of countersignatures.entries()) {
    const opened = openEnvelope(envelope)
    const { pack, ...words } = contentOf(opened, isStatement, `countersignature ${index + 1}`)
    must(words.key !== key, 'It was countersigned with the key that signed it.')
    await mustBeSigned(opened, words.key, `The countersignature of ${words.by} does not match.`)
    must(pack === digest, `The countersignature of ${words.by} is about another pack.`)
    statements.push(words)
  }
  return statements
}

/** Verifies a pack of version 2; throws a `Refusal`. */
async function verifyFormat2(file, text) {
  must(!isTooDeep(text), `It is nested more than ${deepest} levels deep.`)
  checkForm(file, isFile, text, 'file', '\n')
  const opened = openEnvelope(file.envelope)
  const content = contentOf(opened, isContent, 'content')
  const { about, attachments, bodies, events, profile, signer } = content
  await mustBeSigned(opened, signer.key, 'The signature does not match the content.')
  const { head, made } = await checkTree(content)
  await checkEvents2(events, profile)
  const old = { about, profile, events: events.filter((event) => !isNew(event)), bodies: bodies.filter((body) => !isNew(body)) }
  checkDisclosure(old)
  await checkPayloads(old)
  await checkResponses(content)
  checkErasure(content)
  checkMade(made, content)
  const named = checkSubject(content, made)
  const series = checkCompleteness(content, made)
  const approvals = await checkApprovals(events)
  const withheld = checkWithheld([...events, ...bodies], profile) + (await checkFields(old))
  must(new Set(attachments.map(({ name }) => name)).size === attachments.length, 'Two of its attachments have the same name.')
  const countersignatures = await checkCountersignatures2(file, signer.key, await digestOf(opened))
  const decision = events.findLast(({ kind }) => kind === 'decision.made')
  const names = [made, ...(decision ? [decision] : [])].map((event) => plainValue(event, 'operator'))
  return {
    format: 2, pack: { content, countersignatures, timestamps: file.timestamps.map(fromBase64) }, key: signer.key, signedBy: await fingerprint(signer.key), withheld, named,
    erased: [...events, ...bodies].filter((entry) => isSealedGiven(entry, profile) === false).map(placeOf),
    approvals, required: plainValue(made, 'countersignatures'), madeAt: made.at, people: secondPeople(countersignatures, names), head, made, series, referred: opened.referred,
    trail: { events, size: head.size, root: head.root, origin: head.origin, leaves: [], earlier: content.consistency }
  }
}

// --- revocation.mjs --------------------------------------------------------------------------------

/** Revocations: signed statements from when on a key is not valid. The format: docs/evidence-format.md. */

const revocationType = 'application/vnd.veridesk.revocation+json'
const revocationReasons = ['left', 'lost', 'replaced']
const maxRevocationCharacters = 64 * 1024

const encoder = new TextEncoder()
const hasMembers = (value, names) => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).sort().join() === names.join()
const isKeyText = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const isDate = (value) => Number.isSafeInteger(value) && Math.abs(value) <= 8.64e15

/** The bytes of base64 (RFC 4648, section 4) in its only form. */
function decoded(text) {
  accept(typeof text === 'string' && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text), 'The revocation contains base64 that is not valid.')
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  accept(btoa(String.fromCharCode(...bytes)) === text, 'The revocation contains base64 that is not valid.')
  return bytes
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What DSSE signs. */
function preAuthentication(type, content) {
  const head = encoder.encode(`DSSEv1 ${encoder.encode(type).length} ${type} ${content.length} `)
  const all = new Uint8Array(head.length + content.length)
  all.set(head)
  all.set(content, head.length)
  return all
}

const fingerprintOfKey = async (key) => {
  const raw = Uint8Array.from(key.match(/../g), (pair) => Number.parseInt(pair, 16))
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', raw)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Reads a revocation and verifies its signature.
 *
 * @param text The text of its file.
 * @returns {Promise<{valid: boolean, why: string, key: string, at: number, since: number, reason: string, note: string, revokedBy: string}>}
 *   `valid`: it is signed by the key whose fingerprint is `revokedBy`; `why`: a sentence if not. `key`: fingerprint of the
 *   revoked key. The others are there only if it is valid. Never throws for any text.
 */
async function readRevocation(text) {
  try {
    accept(text.length <= maxRevocationCharacters, 'The revocation is too large.')
    const envelope = parsed(text)
    const isEnvelope = hasMembers(envelope, ['payload', 'payloadType', 'signatures']) && envelope.payloadType === revocationType && Array.isArray(envelope.signatures)
    accept(isEnvelope && envelope.signatures.length === 1 && hasMembers(envelope.signatures[0], ['keyid', 'sig']), 'This is not a revocation.')
    const [{ keyid, sig }] = envelope.signatures
    const ordered = { payload: envelope.payload, payloadType: envelope.payloadType, signatures: [{ keyid, sig }] }
    accept(`${JSON.stringify(ordered)}\n` === text, 'The revocation is not in canonical form.')
    const content = decoded(envelope.payload)
    const payload = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)
    const value = parsed(payload)
    accept(hasMembers(value, ['at', 'key', 'note', 'reason', 'revokedBy', 'since']), 'This is not a revocation.')
    const { at, key, note, reason, revokedBy, since } = value
    accept(isDate(at) && isKeyText(key) && typeof note === 'string' && revocationReasons.includes(reason) && isKeyText(revokedBy) && isDate(since), 'This is not a revocation.')
    const canonical = JSON.stringify({ at, key, note, reason, revokedBy, since })
    accept(canonical === payload && encoder.encode(payload).every((byte, index) => byte === content[index]), 'The revocation is not in canonical form.')
    const signer = await fingerprintOfKey(revokedBy)
    accept(keyid === signer, 'The revocation names another key than the one that signed it.')
    accept(await ed25519Holds(revokedBy, preAuthentication(revocationType, content), decoded(sig)), 'The signature of the revocation is not valid.')
    return { valid: true, why: '', key, at, since, reason, note, revokedBy: signer }
  } catch (error) {
    return { valid: false, why: whyOf(error, 'The revocation') }
  }
}

/**
 * Whether a revocation counts: it is signed by the revoked key itself, or by one of the keys that the reader names.
 *
 * @param revocation A valid one, from `readRevocation`.
 * @param trusted Fingerprints of keys that the reader names.
 */
const revocationCounts = ({ key, revokedBy }, trusted) => key === revokedBy || trusted.includes(revokedBy)

/**
 * Whether a key was revoked when it signed: a revocation of it counts, and no valid time-stamp proves that what it signed
 * existed before.
 *
 * @param revocations Valid ones.
 * @param fingerprint Of the key that signed.
 * @param trusted Fingerprints of keys that the reader names.
 * @param stamped The `latest` of each valid time-stamp.
 * @returns The revocation, or undefined.
 */
const revokedFor = (revocations, fingerprint, trusted, stamped) =>
  revocations.find((revocation) => revocation.key === fingerprint && revocationCounts(revocation, trusted) && !stamped.some((latest) => latest < revocation.since))

// --- verification.mjs ------------------------------------------------------------------------------

/** Verifies a pack of any version, and everything that the reader gives with it. */

/** Parses a fingerprint, ignoring white space, colons and case. Undefined if it is invalid. */
const readFingerprint = (words) => {
  const digits = words.replace(/[\s:]/g, '').toLowerCase()
  return isHex(32)(digits) === undefined ? digits : undefined
}
const noFingerprint = 'A fingerprint has 64 hexadecimal digits, and one of those given has not.'

/** What the reader gives with a pack; `why` if that is invalid. */
async function readRequest(expectedKey, asked = {}) {
  const { countersigners = [], countersignatures, trusted = [], timestampAuthorities = [], authorities = [], revocations = [], attachments = [], others = [] } = asked
  const expected = expectedKey === undefined ? undefined : readFingerprint(expectedKey)
  const [named, relied] = [countersigners, trusted].map((keys) => [...new Set(keys.map(readFingerprint))])
  if ((expectedKey !== undefined && expected === undefined) || [...named, ...relied].includes(undefined)) return { why: noFingerprint }
  const required = countersignatures ?? named.length
  if (!Number.isSafeInteger(required) || required < 0 || required > named.length) return { why: `${required} countersignatures cannot be required from ${named.length} named keys.` }
  if ([...timestampAuthorities, ...authorities].some((bytes) => readCertificates(bytes).length === 0)) return { why: 'A file of certificates contains none.' }
  const roots = { stamps: timestampAuthorities.flatMap(readCertificates), signers: authorities.flatMap(readCertificates) }
  const read = []
  for (const text of revocations) {
    const revocation = await readRevocation(text)
    if (!revocation.valid) return { why: harmless(revocation.why) }
    read.push(revocation)
  }
  return { expected, named, required, trusted: relied, roots, revocations: read, attachments, others }
}

async function verifyStructure(text) {
  const pack = parsedJson(text)
  return isObject(pack) && pack.version === 2 ? verifyFormat2(pack, text) : verifyFormat1(pack, text)
}

/** Each time-stamp, checked if the reader gave authorities: a time-stamp that is not valid is then refused. */
async function checkTimestamps({ pack: { timestamps = [] }, referred }, { stamps }) {
  if (stamps.length === 0) return timestamps.map(() => ({ checked: false }))
  const found = []
  for (const token of timestamps) {
    const stamp = await verifyTimestamp(token, referred, stamps)
    must(stamp.valid, `A time-stamp is not valid. ${stamp.why}`)
    found.push({ ...stamp, checked: true })
  }
  return found
}

/** The certificates of the signer: of its key, and from an authority if the reader gave one. */
async function checkCertificates({ pack, key, madeAt }, { signers }, stamps) {
  const certificates = (pack.content.signer?.certificates ?? []).map(fromBase64)
  if (certificates.length === 0) {
    must(signers.length === 0, 'It has no certificate of its signer, so nothing leads to the authority that you named.')
    return undefined
  }
  const at = stamps.length === 0 ? madeAt : Math.min(...stamps.map(({ time }) => time))
  const chain = await verifyChain(certificates, signers, at, key)
  must(chain.matches, `The certificate of its signer is that of another key. ${chain.why}`)
  must(signers.length === 0 || chain.valid, `The certificates of its signer do not lead to the authority that you named. ${chain.why}`)
  return { ...chain, compared: signers.length > 0 }
}

/** The attachments that the reader has: each given file must be one of them. */
async function checkAttachments({ pack: { content: { attachments = [] } } }, given) {
  const held = new Set()
  for (const { name, bytes } of given) {
    const digest = toHex(await sha256(bytes))
    const found = attachments.find((each) => each.bytes === bytes.length && each.sha256 === digest)
    must(found, attachments.some((each) => each.name === name) ? `The file ${name} is not the one that belongs to the pack.` : `No file like ${name} belongs to the pack.`)
    held.add(found.name)
  }
  return attachments.map((each) => ({ ...each, compared: held.has(each.name) }))
}

/** Compares a pack with others, each of which must be verified by itself, and with exports of the audit trail. */
async function checkOthers(mine, texts, authorities) {
  const found = []
  for (const text of texts) {
    const exported = readExport(text)
    if (exported) {
      found.push(await compareExport(mine, exported, authorities))
      continue
    }
    let other
    try {
      other = await verifyStructure(text)
      await checkCertificates(other, { signers: [] }, [])
    } catch (error) {
      if (error instanceof Refusal) throw new Refusal(`The other pack is refused: ${error.message}`, { cause: error })
      throw error
    }
    found.push({ trails: await compareTrails(mine, other), size: other.trail.size })
  }
  return found
}

/** How far the pack is verified: the first that applies. */
function statusOf({ required, agreeing, agreeingCompared, compared }) {
  if (agreeing < required) return 'countersignatures-missing'
  return compared && agreeingCompared >= required ? 'verified' : 'intact'
}

/**
 * Verifies the text of a pack. Returns `{ status, verified, why }`, and unless it is refused its content for `verdict`
 * and `summary`; throws only if this program's own requirements are not met. `status` is `verified`, `intact` (a key was
 * not compared), `countersignatures-missing` or `refused`; `verified` is false for the last two.
 *
 * @param {string} text
 * @param {string} [expectedKey] Fingerprint of the key that must have signed it; spaces and colons are ignored.
 * @param {{ countersigners?: string[], countersignatures?: number, trusted?: string[], timestampAuthorities?: Uint8Array[],
 *   authorities?: Uint8Array[], revocations?: string[], attachments?: { name: string, bytes: Uint8Array }[],
 *   others?: string[] }} [asked] Fingerprints of countersigners' keys, and how many of these must agree (all);
 *   fingerprints of keys that may revoke others; files of certificates (PEM or DER); revocations, attachments, and other
 *   packs or exports of the audit trail to compare.
 */
export async function verifyPack(text, expectedKey, asked) {
  try {
    const request = await readRequest(expectedKey, asked)
    if (request.why) return { status: 'not-verified', verified: false, why: request.why, asked: false }
    const { expected, named, required, trusted, roots, revocations } = request
    const found = await verifyStructure(text)
    const { pack, signedBy, people } = found
    must(expected === undefined || expected === signedBy, `It was signed by another key (${signedBy}).`)
    const stamps = await checkTimestamps(found, roots)
    const valid = stamps.filter(({ checked }) => checked)
    const certificates = await checkCertificates(found, roots, valid)
    const revoked = revokedFor(revocations, signedBy, trusted, valid.map(({ latest }) => latest))
    must(!revoked, `Its key was revoked: it is not valid from ${new Date(revoked?.since ?? 0).toISOString()} (${revoked?.reason}), and no time-stamp shows that the pack existed before.`)
    const keys = await Promise.all(pack.countersignatures.map(({ key }) => fingerprint(key)))
    // A time-stamp is about the pack alone: a countersignature can be newer.
    const countersigners = keys.map((key) => ({ key, compared: named.includes(key), revoked: revokedFor(revocations, key, trusted, []) }))
    const counted = pack.countersignatures.filter((_, index) => !countersigners[index].revoked)
    checkCountersigners(counted, keys.filter((_, index) => !countersigners[index].revoked), { named, required })
    const agreeing = (counts) => agreeingPeople(pack.countersignatures, people, (index) => !countersigners[index].revoked && counts(countersigners[index]))
    const counts = {
      required: found.required, agreeingCompared: agreeing((each) => each.compared), compared: expected !== undefined || certificates?.compared === true,
      agreeing: named.length > 0 ? agreeing((each) => each.compared) : agreeing(() => true)
    }
    const status = statusOf(counts)
    return {
      ...found, ...counts, status, verified: status !== 'countersignatures-missing', countersigners, stamps, certificates, revocations, trusted,
      attachments: await checkAttachments(found, request.attachments), others: await checkOthers(found, request.others, roots.stamps), sha256: await sha256Hex(text)
    }
  } catch (error) {
    if (error instanceof Refusal) return { status: 'refused', verified: false, why: error.message.replace(/^./, (first) => first.toUpperCase()) }
    // Firefox has its own name for it.
    if (error instanceof RangeError || error?.name === 'InternalError') return { status: 'refused', verified: false, why: 'It is nested too deeply.' }
    throw error
  }
}

// --- words.mjs -------------------------------------------------------------------------------------

/** The result of a verification in sentences, which state no more than what was verified. */

const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`
const inTime = (at) => new Date(at).toISOString()
const listed = (parts, most = 50) => `${parts.slice(0, most).join(', ')}${parts.length > most ? `, and ${parts.length - most} more` : ''}`

/** The first sentence: how far the pack is verified. */
function standingOf({ status, why, compared, certificates, required, agreeing }) {
  if (status === 'refused') return `REFUSED. ${why}`
  if (status === 'not-verified') return `NOT VERIFIED. ${why}`
  if (status === 'verified') return `VERIFIED. The pack was signed with ${certificates?.compared ? 'a key that the authority you named vouches for' : 'the key that you named'} and has not changed since.`
  if (status === 'countersignatures-missing')
    return `INTACT, COUNTERSIGNATURES MISSING. The pack has not changed since it was signed, but it must have ${counted(required, 'countersignature')} that agree, each under the name of a second person and with a key that counts, and it has ${agreeing}.${compared ? '' : ' The key of its signer was not compared.'}`
  if (!compared) return 'INTACT, SIGNER UNKNOWN. The pack has not changed since it was signed, but its key was not compared. Obtain the signer’s fingerprint through another channel and enter it here.'
  return `INTACT, COUNTERSIGNERS UNKNOWN. The pack was signed with the right key and has not changed since, but it must have ${counted(required, 'countersignature')}, and the keys of its countersigners were not compared. Obtain their fingerprints through another channel and enter them here.`
}

/** The result in sentences. */
export function verdict(result) {
  const first = standingOf(result)
  if (!result.pack) return first
  const { pack: { countersignatures }, people, countersigners } = result
  const against = countersignatures.filter(({ agrees }) => !agrees).length
  const unnamed = countersigners.filter((each) => !each.compared).length
  const revoked = countersigners.filter((each) => each.revoked).length
  const isApproved = countersignatures.some(({ agrees }, index) => agrees && people[index] === 'yes' && !countersigners[index].revoked)
  return [
    first,
    ...(against === 0 ? [] : [`Of ${counted(countersignatures.length, 'countersignature')}, ${against} ${against === 1 ? 'does' : 'do'} NOT AGREE.`]),
    ...(revoked === 0 ? [] : [`The key of ${counted(revoked, 'countersignature')} was REVOKED: ${revoked === 1 ? 'it does' : 'they do'} not count.`]),
    ...(unnamed === 0 ? [] : [`The key of ${counted(unnamed, 'countersignature')} was not compared: anyone could have added ${unnamed === 1 ? 'it' : 'them'}, under any name.`]),
    ...(countersignatures.length === 0 || isApproved ? [] : ['This is not a four-eyes approval: no countersignature agrees under a name other than those of the pack’s creator and the decision’s author.'])
  ].join(' ')
}

/** The introduction of a countersignature. */
const standing = {
  yes: 'Countersigned',
  no: 'Countersigned under the name of the pack’s creator or the decision’s author, not a four-eyes approval',
  unknown: 'Countersigned; whether by a second person cannot be determined, because a name is withheld or empty'
}
const keyStanding = ({ compared, revoked }) => (revoked ? `key REVOKED from ${inTime(revoked.since)}, does not count` : compared ? 'key named by you' : 'key not compared')

const countersignatureLines = ({ pack, people, countersigners }) =>
  pack.countersignatures.map(({ agrees, at, by, note }, index) =>
    `${standing[people[index]]}, ${keyStanding(countersigners[index])}: ${agrees ? 'agrees' : 'DOES NOT AGREE'}, ${inTime(at)}, key ${countersigners[index].key}, name given: ${by}${note === '' ? '' : `, note: ${note}`}`)

/** The signature fits; whether the team has a member with this key is not in the pack. */
const approvalLine = ({ agrees, at, by, key }) =>
  `Approval in a team, signed, key not compared: ${agrees ? 'agrees' : 'DOES NOT AGREE'}, ${inTime(at)}, key ${key}, name given: ${by}`

const otherWords = {
  other: 'is from another key or another audit trail: the two cannot be compared',
  same: 'is from the same state of the same audit trail, and nothing in it contradicts this one',
  continued: 'is from the same audit trail: the larger one provably continues the smaller one, and nothing contradicts',
  open: 'does not contradict this one, but whether one audit trail continues the other cannot be determined from the two'
}
/** What a time-stamp in an export of the audit trail shows. */
function datedLine({ checked, isFiltered, size, time, latest, authority, existed, of }) {
  const events = `Time-stamp in the export, of events 1 to ${size}`
  if (isFiltered) return `${events}: not checked, because the export does not contain all events`
  if (!checked) return `${events}: not checked, because you named no authority for it`
  return `${events}: they existed at ${inTime(time)} (at the latest ${inTime(latest)}), according to ${authority}, which the authority that you named vouches for; ${existed} of the ${counted(of, 'event')} of this pack are among them`
}
const comparisonLines = ({ others }) =>
  others.flatMap(({ trails, size, isExport, stamps = [] }) => [`${isExport ? 'The export of the audit trail' : 'The other pack'}, of ${counted(size, 'event')}, ${otherWords[trails]}`, ...stamps.map(datedLine)])

const revocationLines = ({ revocations, trusted }) =>
  revocations.map((revocation) =>
    `Revocation: key ${revocation.key} is not valid from ${inTime(revocation.since)} (${revocation.reason}${revocation.note === '' ? '' : `: ${revocation.note}`}), signed by ${revocation.revokedBy === revocation.key ? 'that key itself' : `key ${revocation.revokedBy}`}${revocationCounts(revocation, trusted) ? '' : ': it does not count, because you do not trust that key'}`)

const erasedWords = (erased) => (erased.length === 0 ? '' : `; ${counted(erased.length, 'sealed part')} missing, as after an erasure: ${listed(erased)}`)
const unnamedWords = (named) => (named ? '' : ' (according to the signer: no event shown names it)')
const fileLines = ({ sha256, signedBy, attachments }) =>
  [`This file: SHA-256 ${sha256}${attachments.length > 0 ? '' : '; a PDF saved with it is for reading only and was not verified'}`, `Signed by key: ${signedBy}`]

function summary1(result) {
  const { pack: { content: { about, chain, events, made, profile, records, tree } }, withheld, named, erased } = result
  const whole = events.filter(({ plain }) => plain !== null).length
  return [
    `About: ${about.kind} ${about.id ?? '(withheld)'}${unnamedWords(named)}`,
    `Made: ${inTime(made.at)} by ${made.by ?? '(withheld)'}, Veridesk ${made.console}, according to the signer`,
    `Disclosure: ${profile}; ${withheld} values withheld${erasedWords(erased)}`,
    `Records: ${records}; events shown: ${events.length} of ${chain.seq}. Only the signer states that these are all events about it`,
    `Shown in full and identical to what was recorded: ${whole} of these events`,
    ...(profile === 'full' ? [] : ['The other events, and values shown separately, are only stated by the signer until a full pack is compared']),
    `Chain head: event ${chain.seq}, ${chain.hash}`,
    `Tree root: ${tree.root}`,
    ...fileLines(result)
  ]
}

/** Events of which nothing but time and kind is shown, by kind. */
function hiddenKinds(events) {
  const kinds = new Map()
  for (const event of events.filter(isNew)) {
    const parts = partsOf(event)
    if (parts.every(({ shown }) => shown.length === 0) && parts.some(({ withheld }) => withheld.length > 0)) kinds.set(event.kind, (kinds.get(event.kind) ?? 0) + 1)
  }
  return [...kinds].map(([kind, count]) => `${count} ${kind}`)
}

/** Time-stamps and certificates: what was checked of them, and against what. */
function trustLines({ stamps, certificates }) {
  return [
    ...stamps.map(({ checked, time, latest, authority }) => (checked
      ? `Time-stamp: the pack existed at ${inTime(time)} (at the latest ${inTime(latest)}), according to ${authority}, which the authority that you named vouches for`
      : 'Time-stamp: not checked, because you named no authority for it')),
    ...(stamps.length === 0 ? ['Time-stamps: none. Times are those of the signer’s computer'] : []),
    ...(certificates ? [`Certificates of the signer, ${certificates.compared ? 'leading to the authority that you named' : 'NOT checked, because you named no authority'}: ${certificates.names.join('; ')}`] : [])
  ]
}

function summary2(result) {
  const { pack: { content: { about, bodies, consistency, events, profile } }, withheld, named, erased, head, made, series, required, agreeing, approvals } = result
  const old = events.filter((event) => !isNew(event))
  const claimed = old.filter(({ plain }) => plain === null).length
  const hidden = hiddenKinds(events)
  const operator = made.plain.shown.find(([, name]) => name === 'operator')?.[2]
  return [
    `About: ${about.kind} ${about.id ?? '(withheld)'}${unnamedWords(named)}`,
    `Made: ${inTime(made.at)} by ${operator ?? '(withheld)'}, Veridesk ${result.pack.content.console}, according to the signer`,
    `Disclosure: ${profile}; ${counted(withheld, 'value')} withheld${claimed === 0 && withheld > 0 ? ', each proved to be part of its event' : ''}${erasedWords(erased)}`,
    ...(hidden.length === 0 ? [] : [`Events of which all values are withheld: ${hidden.join(', ')}`]),
    `Records: ${events.filter(({ kind }) => kind === 'record.begun').length}; responses: ${bodies.length}; events shown: ${events.length}, of an audit trail of exactly ${head.size}, which ends with this pack`,
    ...series.slice(0, 50).map(([kind, id, count, last]) => `Complete: ${count === 1 ? 'the only event' : `all ${count} events`} of ${kind === 'subject' ? 'person' : kind} ${id}, up to event ${last}`),
    ...(series.length > 50 ? [`Complete: all events of ${series.length - 50} more records`] : []),
    ...(old.length === 0 ? [] : [`Recorded by version 0.1: ${counted(old.length, 'event')}${claimed === 0 ? ', shown in full' : `; what ${claimed} of them show is only stated by the signer`}`]),
    consistency === null
      ? 'Earlier pack: none is named'
      : `Earlier pack: the audit trail provably continues that of the pack before, which ended with event ${consistency.size} (root ${consistency.root})`,
    `Audit trail: ${head.origin}, root ${head.root}`,
    ...trustLines(result),
    ...result.attachments.map(({ name, bytes, sha256, compared }, index) => `Attachment ${index + 1}: ${name}, ${bytes} bytes, SHA-256 ${sha256}, ${compared ? 'is the file that you gave' : 'not compared'}`),
    ...fileLines(result),
    ...approvals.map(approvalLine),
    `Countersignatures: ${required === 0 ? 'none required' : `${required} required`}; second persons who agree: ${agreeing}`
  ]
}

/** The content of a verified pack, in lines. */
export const summary = (result) =>
  [...(result.format === 2 ? summary2(result) : summary1(result)), ...countersignatureLines(result), ...revocationLines(result), ...comparisonLines(result)].map(harmless)

// --- command-line.mjs ------------------------------------------------------------------------------

/** The verifier at the command line. */

const usage = `node verify.mjs FILE [FINGERPRINT OF THE SIGNER’S KEY]
  [--countersigner FINGERPRINT]... [--countersignatures N]   keys of countersigners, and how many of them must agree
  [--ca FILE]...           certificates of an authority that vouches for the signer
  [--tsa-ca FILE]...       certificates of an authority for time-stamps
  [--revocation FILE]...   revocations of keys, and
  [--trust FINGERPRINT]... keys that may revoke other keys
  [--attachment FILE]...   files that belong to the pack
  [--compare FILE]...      other packs, or exports of the audit trail (JSON lines), which must not contradict it
  [--events]               prints the events as text`

const many = { type: 'string', multiple: true }
const options = {
  countersigner: many, countersignatures: { type: 'string' }, ca: many, 'tsa-ca': many, revocation: many, trust: many, attachment: many, compare: many, events: { type: 'boolean' }
}

/** A file that cannot be read. */
class Unreadable extends Error {}

/** No pack of a console is larger. */
const mostBytes = 256 * 1024 * 1024

/** The bytes of a file. A pipe or a device might have no end. */
async function bytesOf(path) {
  const { readFile, stat } = await import('node:fs/promises')
  try {
    const found = await stat(path)
    if (!found.isFile()) throw new Unreadable(`${path} cannot be read: it is not a file.`)
    if (found.size > mostBytes) throw new Unreadable(`${path} cannot be read: it is too large.`)
    return new Uint8Array(await readFile(path))
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(`${path} cannot be read: ${error.code}.`, { cause: error })
  }
}

/** Reads the files that the options name. */
async function readOptions(values) {
  const { basename } = await import('node:path')
  const all = (paths, read = bytesOf) => Promise.all((paths ?? []).map(read))
  const written = async (path) => {
    const text = fromUtf8(await bytesOf(path))
    if (text === undefined) throw new Unreadable(`${path} is not text.`)
    return text
  }
  const required = values.countersignatures
  return {
    countersigners: values.countersigner, countersignatures: required === undefined ? undefined : Number(required || NaN), trusted: values.trust,
    authorities: await all(values.ca), timestampAuthorities: await all(values['tsa-ca']), revocations: await all(values.revocation, written),
    attachments: await all(values.attachment, async (path) => ({ name: basename(path), bytes: await bytesOf(path) })), others: await all(values.compare, written)
  }
}

const exitCodes = { verified: 0, intact: 3, 'countersignatures-missing': 4, refused: 1, 'not-verified': 2 }

async function main(words) {
  const { parseArgs } = await import('node:util')
  let given
  try {
    given = parseArgs({ args: words, options, allowPositionals: true })
  } catch {
    given = { positionals: [], values: {} }
  }
  const { positionals: [file, key, ...more], values } = given
  if (!file || more.length > 0) {
    console.error(usage)
    return 2
  }
  let result
  try {
    const text = fromUtf8(await bytesOf(file))
    result = text === undefined ? { status: 'refused', verified: false, why: 'It is not text.' } : await verifyPack(text, key, await readOptions(values))
  } catch (error) {
    // A file is missing, or a requirement of this program is not met: neither says anything about the pack.
    console.error(error instanceof Unreadable ? error.message : `NOT VERIFIED. ${error.message}`)
    return 2
  }
  const lines = result.pack ? [verdict(result), ...summary(result)] : [verdict(result)]
  if (!result.pack) {
    console.error(lines.join('\n'))
    return exitCodes[result.status]
  }
  console.log(lines.join('\n'))
  // One by one: a pack can be larger than the longest string.
  if (values.events) for (const event of eventsInWords(result)) console.log(eventLines(event).join('\n'))
  return exitCodes[result.status]
}

if (typeof process === 'object' && process.argv?.[1] && import.meta.url.startsWith('file:')) {
  const [{ realpathSync }, { fileURLToPath }] = await Promise.all([import('node:fs'), import('node:url')])
  if (realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url))) process.exitCode = await main(process.argv.slice(2))
}
