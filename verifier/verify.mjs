/**
 * Verifies an evidence pack of Veridesk. One file, no dependencies, no network: `node verify.mjs FILE [KEY]`, or open
 * verify.html in a browser. The format is described in docs/evidence-format.md.
 *
 * KEY, if given, is the SHA-256 fingerprint (64 hex digits) of the key that must have signed the pack.
 * `--countersigner KEY`, which can be repeated, names the key of a countersigner; `--countersignatures N` is how many
 * of these keys must agree (default: all). `--events` prints the events as text.
 * Exit codes: 0 if the pack is verified, 3 if it is intact but no KEY was given, 1 if it is refused, 2 if it cannot
 * be read or verified.
 */

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

class Refusal extends Error {}
const must = (holds, why) => {
  if (!holds) throw new Refusal(harmless(why))
}

/** Canonical JSON: keys sorted by UTF-16 code units, no spaces, integers only (a part of RFC 8785). */
export function canonical(value) {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    must(Number.isSafeInteger(value) && !Object.is(value, -0), 'It holds a number that is not whole.')
    return String(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}

// --- shape: a test answers undefined, or what is wrong, behind the way to it -------------------------------

const that = (holds) => (value) => (holds(value) ? undefined : ' is not what it must be')
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = that((value) => typeof value === 'string')
const isWhole = that((value) => Number.isSafeInteger(value) && value >= 0)
const isPositive = that((value) => Number.isSafeInteger(value) && value > 0)
/** The range of a date (ECMAScript): 100,000,000 days around 1970. */
const isTime = that((value) => Number.isSafeInteger(value) && Math.abs(value) <= 8.64e15)
const isHex = (bytes) => that((value) => typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value))
const orNull = (test) => (value) => (value === null ? undefined : test(value))
const oneOf = (...values) => that((value) => values.includes(value))
const listOf = (test, least = 0) => (value) => {
  if (!Array.isArray(value) || value.length < least) return ' is not what it must be'
  const index = value.findIndex((each) => test(each) !== undefined)
  return index < 0 ? undefined : `[${index}]${test(value[index])}`
}
const shape = (tests) => (value) => {
  if (!isObject(value)) return ' is not what it must be'
  const further = Object.keys(value).find((key) => !Object.hasOwn(tests, key))
  if (further !== undefined) return `.${further.slice(0, 60)} is no part of a pack`
  for (const [key, test] of Object.entries(tests)) {
    const wrong = Object.hasOwn(value, key) ? test(value[key]) : ' is missing'
    if (wrong !== undefined) return `.${key}${wrong}`
  }
}

const isPayload = orNull(shape({ salt: isHex(16), text: isText }))
const isFields = listOf(shape({ name: isText, commitment: isHex(32), salt: orNull(isHex(16)), value: orNull(isText) }))
const isPack = shape({
  content: shape({
    about: shape({ kind: oneOf('record', 'batch', 'applicant'), id: orNull(isText) }),
    bodies: listOf(shape({ record: isWhole, commitment: isHex(32), payload: isPayload, fields: isFields })),
    chain: shape({ hash: isHex(32), seq: isPositive }),
    events: listOf(
      shape({
        seq: isPositive, at: isTime, kind: isText, subject: orNull(isWhole), record: orNull(isWhole), plain: orNull(isText),
        commitment: orNull(isHex(32)), previous: isHex(32), hash: isHex(32), path: listOf(isHex(32)), payload: isPayload, fields: isFields
      }),
      1
    ),
    made: shape({ at: isTime, by: orNull(isText), console: isText }),
    profile: oneOf('full', 'no-personal-data', 'for-applicant'),
    records: isWhole,
    tree: shape({ root: isHex(32), size: isPositive })
  }),
  countersignatures: listOf(shape({ agrees: that((value) => typeof value === 'boolean'), at: isTime, by: isText, key: isHex(32), note: isText, signature: isHex(64) })),
  format: oneOf('veridesk-evidence'),
  signature: shape({ algorithm: oneOf('Ed25519'), key: isHex(32), value: isHex(64) }),
  version: oneOf(1)
})

/**
 * Maximum nesting of objects and lists in a recorded text: beyond some depth, programs differ in what they can read.
 */
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

// --- parts ---------------------------------------------------------------------------------------

/** Public keys that are valid for signatures of anything, without their sign bit; some programs accept them. */
const worthless = ['00'.repeat(32), `01${'00'.repeat(31)}`, ...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a']
const isWorthless = (key) => worthless.includes(key.slice(0, 62) + (Number.parseInt(key.slice(62), 16) & 0x7f).toString(16).padStart(2, '0'))

async function signatureFits(key, text, signature) {
  must(!isWorthless(key), 'One of its keys has small order: its signatures prove nothing.')
  try {
    const publicKey = await crypto.subtle.importKey('raw', toBytes(key), { name: 'Ed25519' }, false, ['verify'])
    return await crypto.subtle.verify({ name: 'Ed25519' }, publicKey, toBytes(signature), utf8.encode(text))
  } catch (error) {
    if (error?.name === 'NotSupportedError') throw new Error('This program cannot check Ed25519 signatures. Use Node 20 or newer, or a current browser.')
    return false
  }
}

/** SHA-256 of the previous hash, the commitment (or 32 zero bytes), and the JSON of the event. */
async function eventHash(event) {
  const words = JSON.stringify([event.seq, event.at, event.kind, event.subject, event.record, event.plain])
  const commitment = event.commitment === null ? new Uint8Array(32) : toBytes(event.commitment)
  return toHex(await sha256(joined(toBytes(event.previous), commitment, utf8.encode(words))))
}

/** RFC 9162, 2.1.3.2: whether the path leads from the leaf to the root. */
async function isIncluded(leaf, index, size, path, root) {
  if (index >= size) return false
  const node = (left, right) => sha256(joined(Uint8Array.of(1), left, right))
  let [fn, sn] = [index, size - 1]
  let r = await sha256(joined(Uint8Array.of(0), leaf))
  for (const step of path) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      r = await node(step, r)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)]
    } else r = await node(r, step)
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && toHex(r) === root
}

async function checkEvents({ events, chain, tree }) {
  must(tree.size === chain.seq, 'The tree and the chain differ in size.')
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    must(!before || before.seq < event.seq, `Event ${event.seq} is out of order.`)
    must(before?.seq !== event.seq - 1 || before.hash === event.previous, `Event ${event.seq} does not follow the one before it.`)
    must(event.seq !== 1 || /^0+$/.test(event.previous), 'The first event follows another.')
    must(event.seq !== chain.seq || event.hash === chain.hash, 'The last event is not the chain’s head.')
    if (event.plain !== null) must((await eventHash(event)) === event.hash, `Event ${event.seq} is not what was recorded.`)
    const included = await isIncluded(toBytes(event.hash), event.seq - 1, tree.size, event.path.map(toBytes), tree.root)
    must(included, `Event ${event.seq} is not in the tree.`)
  }
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
  const reply = plainValue(ended, 'reply')
  return (ended.plain === null && typeof reply === 'string' ? said(reply, ofEvent(ended)) : reply)?.body
}

/** An erasure removes everything sealed for a person, with one key: if some of it is given, the rest was left out. */
function checkErased({ bodies, events, profile }) {
  const isGiven = ({ payload, fields }) => payload !== null || fields.some((field) => !isPlainName(field))
  const subjects = new Map(events.filter(({ kind }) => kind === 'record.ended').map(({ record, subject }) => [record, subject]))
  const replies = bodies.map((body) => ({ subject: subjects.get(body.record), given: isGiven(body), where: ofBody(body) }))
  const sealed = events.filter((event) => event.commitment !== null || isGiven(event))
    .map((event) => ({ subject: event.subject, given: isGiven(event), where: `sealed data of ${ofEvent(event)}` }))
  const present = new Set([...replies, ...sealed].filter(({ subject, given }) => given && subject !== null).map(({ subject }) => subject))
  // For an event in a redacted pack it is not known whether its sealed part was empty.
  for (const { subject, given, where } of profile === 'full' ? [...replies, ...sealed] : replies)
    must(given || !present.has(subject), `${where} is missing, but other data of the same person is present.`)
}

/** Each verification shown has one start, at most one result, and one subject. */
function checkRecords({ events, records }) {
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

/** A value of an event, given in its text or in a field; undefined or null if it is not given. */
const plainValue = (event, name) => (event.plain === null ? event.fields.find((field) => field.name === `plain.${name}`)?.value : said(event.plain, ofEvent(event))[name])
const sealedValue = ({ payload, fields, seq }, name) => (payload ? said(payload.text, `event ${seq}`)[name] : fields.find((field) => field.name === name)?.value)

/** Checks that the stated subject is that of the events, as far as they are shown. */
function checkAbout({ about: { kind, id }, events, profile }, begun) {
  if (kind === 'record') {
    const [only] = begun
    must(begun.length === 1 && plainValue(only, 'id') === id, `It claims to be about record ${id}, but shows another.`)
    must(events.every(({ record }) => record === null || record === only.record), 'It shows events of another record.')
  } else if (kind === 'batch') {
    const made = events.filter((event) => event.kind.startsWith('batch.'))
    must(made.length > 0 && made.every((event) => plainValue(event, 'id') === id), `It claims to be about batch ${id}, but shows another.`)
    must(begun.every((event) => plainValue(event, 'batchId') === id), 'It shows records of another batch.')
  } else {
    const links = events.filter((event) => event.kind === 'link.made')
    const own = begun.filter(({ record }) => !links.some((link) => link.record === record))
    const others = events.filter((event) => event.subject !== null && !event.kind.startsWith('record.'))
    must(new Set([...own, ...others].map(({ subject }) => subject)).size <= 1, 'Its events are about more than one applicant.')
    const named = [...own, ...links].map((event) => sealedValue(event, 'applicantId')).filter((name) => name !== undefined && name !== null)
    // Lists store an unpaired surrogate as U+FFFD.
    must(id === null || named.every((name) => typeof name === 'string' && name.toWellFormed() === id.toWellFormed()), `It claims to be about applicant ${id}, but shows another.`)
    must(profile !== 'full' || named.length > 0, `It claims to be about applicant ${id}, but none of its events names that applicant.`)
    return id === null || named.length > 0
  }
  return true
}

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

async function checkCountersignatures({ content, signature, countersignatures }) {
  const digest = await sha256Hex(`veridesk-evidence/1\n${canonical(content)}\n${signature.value}`)
  must(new Set(countersignatures.map(canonical)).size === countersignatures.length, 'It contains the same countersignature twice.')
  for (const { signature: value, ...words } of countersignatures) {
    must(words.key !== signature.key, 'It was countersigned with the key that signed it.')
    const text = `veridesk-countersignature/1\n${canonical({ ...words, pack: digest })}`
    must(await signatureFits(words.key, text, value), `The countersignature of ${words.by} does not match.`)
  }
}

/** Normalises a name for comparison: compatibility forms, case, white space and invisible characters do not matter. */
const foldedName = (name) => (typeof name === 'string' ? name : '').normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  .toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim().replace(/^unknown$/, '')

/**
 * For each countersignature: `yes` if its name is neither that of the creator nor of the decision’s author, `unknown`
 * if a name is missing.
 */
function secondPeople({ content: { events, made }, countersignatures }) {
  const decision = events.findLast(({ kind }) => kind === 'decision.made')
  const names = [made.by, ...(decision ? [plainValue(decision, 'operator')] : [])].map(foldedName)
  return countersignatures.map(({ by }) => foldedName(by)).map((own) => (own === '' ? 'unknown' : names.includes(own) ? 'no' : names.includes('') ? 'unknown' : 'yes'))
}

const fingerprint = async (key) => toHex(await sha256(toBytes(key)))
/** Parses a fingerprint, ignoring white space, colons and case. Undefined if it is invalid. */
const readFingerprint = (words) => {
  const digits = words.replace(/[\s:]/g, '').toLowerCase()
  return isHex(32)(digits) === undefined ? digits : undefined
}
const noFingerprint = 'A fingerprint has 64 hexadecimal digits, and one of those given has not.'

/** What the reader requires of a pack; `why` if that is invalid. */
function readRequest(expectedKey, { countersigners = [], countersignatures } = {}) {
  const expected = expectedKey === undefined ? undefined : readFingerprint(expectedKey)
  const named = [...new Set(countersigners.map(readFingerprint))]
  if ((expectedKey !== undefined && expected === undefined) || named.includes(undefined)) return { why: noFingerprint }
  const required = countersignatures ?? named.length
  if (!Number.isSafeInteger(required) || required < 0 || required > named.length) return { why: `${required} countersignatures cannot be required from ${named.length} named keys.` }
  return { expected, named, required }
}

/** Whether a key agrees in its last countersignature; of two at the same time, a disagreement counts. */
function lastWord(words) {
  const last = Math.max(...words.map(({ at }) => at))
  return words.filter(({ at }) => at === last).every(({ agrees }) => agrees)
}

/** Checks that enough of the named keys agree. */
function checkCountersigners(countersignatures, keys, { named, required }) {
  const stands = named.map((key) => {
    const words = countersignatures.filter((_, index) => keys[index] === key)
    return words.length === 0 ? `${key} did not countersign` : lastWord(words) ? undefined : `${key} does not agree`
  })
  const against = stands.filter((why) => why !== undefined)
  must(named.length - against.length >= required, `Of the keys of countersigners that you named, ${named.length - against.length} agree and ${required} must: ${against.join('; ')}.`)
}

/** Names of sealed parts that are missing, for example after an erasure. */
const erasedOf = ({ bodies, events, profile }) => [
  ...(profile === 'full' ? events.filter(({ commitment, payload }) => commitment !== null && !payload).map(ofEvent) : []),
  ...bodies.filter(({ payload, fields }) => !payload && fields.length === 0).map(ofBody)
]

/**
 * Verifies the text of a pack. Returns `{ verified, why }`, or if it is verified its content for `verdict` and
 * `summary`; throws only if this program's own requirements are not met.
 *
 * @param {string} text
 * @param {string} [expectedKey] Fingerprint of the key that must have signed it; spaces and colons are ignored.
 * @param {{ countersigners?: string[], countersignatures?: number }} [asked] Fingerprints of countersigners' keys,
 * and how many of these must agree (all).
 */
export async function verifyPack(text, expectedKey, asked) {
  try {
    const request = readRequest(expectedKey, asked)
    if (request.why) return { verified: false, why: request.why, asked: false }
    const { expected, named: namedKeys } = request
    let pack
    try {
      pack = JSON.parse(text)
    } catch {
      throw new Refusal('It is not JSON.')
    }
    const wrong = isPack(pack)
    must(wrong === undefined, `This is not an evidence pack of version 1${wrong?.startsWith('.') ? `: ${wrong.slice(1)}` : ''}.`)
    must(`${canonical(pack)}\n` === text, 'It is not in canonical form: Veridesk would write it differently.')
    const { content, countersignatures, signature } = pack
    must(await signatureFits(signature.key, `veridesk-evidence/1\n${canonical(content)}`, signature.value), 'The signature does not match the content.')
    const signedBy = await fingerprint(signature.key)
    must(expected === undefined || expected === signedBy, `It was signed by another key (${signedBy}).`)
    checkDisclosure(content)
    await checkEvents(content)
    await checkPayloads(content)
    checkErased(content)
    const withheld = await checkFields(content)
    const named = checkAbout(content, checkRecords(content))
    await checkCountersignatures(pack)
    const countersignedBy = await Promise.all(countersignatures.map(({ key }) => fingerprint(key)))
    checkCountersigners(countersignatures, countersignedBy, request)
    const countersigners = countersignedBy.map((key) => ({ key, compared: namedKeys.includes(key) }))
    return { verified: true, pack, signedBy, withheld, named, countersigners, people: secondPeople(pack), compared: expected !== undefined, erased: erasedOf(content), sha256: await sha256Hex(text) }
  } catch (error) {
    if (error instanceof Refusal) return { verified: false, why: error.message.replace(/^./, (first) => first.toUpperCase()) }
    // Firefox has its own name for it.
    if (error instanceof RangeError || error?.name === 'InternalError') return { verified: false, why: 'It is nested too deeply.' }
    throw error
  }
}

const counted = (number, one, many) => `${number} ${number === 1 ? one : many}`

/** The result in sentences, which state no more than what was verified. */
export function verdict({ verified, why, compared, people, pack, countersigners }) {
  if (!verified) return `REFUSED. ${why}`
  const { countersignatures } = pack
  const against = countersignatures.filter(({ agrees }) => !agrees).length
  const unnamed = countersigners.filter((each) => !each.compared).length
  const isApproved = countersignatures.some(({ agrees }, index) => agrees && people[index] === 'yes')
  return [
    compared
      ? 'VERIFIED. The pack was signed with the key that you named and has not changed since.'
      : 'INTACT, SIGNER UNKNOWN. The pack has not changed since it was signed, but its key was not compared. Obtain the signer’s fingerprint through another channel and enter it here.',
    ...(against === 0 ? [] : [`Of ${counted(countersignatures.length, 'countersignature', 'countersignatures')}, ${against} ${against === 1 ? 'does' : 'do'} NOT AGREE.`]),
    ...(unnamed === 0 ? [] : [`The key of ${counted(unnamed, 'countersignature', 'countersignatures')} was not compared: anyone could have added ${unnamed === 1 ? 'it' : 'them'}, under any name.`]),
    ...(countersignatures.length === 0 || isApproved ? [] : ['This is not a four-eyes approval: no countersignature agrees under a name other than those of the pack’s creator and the decision’s author.'])
  ].join(' ')
}

/** The introduction of a countersignature. */
const standing = {
  yes: 'Countersigned',
  no: 'Countersigned under the name of the pack’s creator or the decision’s author, not a four-eyes approval',
  unknown: 'Countersigned; whether by a second person cannot be determined, because a name is withheld or empty'
}

/** The content of a verified pack, in lines. */
export function summary({ pack, signedBy, withheld, named, countersigners, people, erased, sha256 }) {
  const { content: { about, chain, events, made, profile, records, tree }, countersignatures } = pack
  const time = (at) => new Date(at).toISOString()
  const whole = events.filter(({ plain }) => plain !== null).length
  const listed = (parts, most = 50) => `${parts.slice(0, most).join(', ')}${parts.length > most ? `, and ${parts.length - most} more` : ''}`
  return [
    `About: ${about.kind} ${about.id ?? '(withheld)'}${named ? '' : ' (according to the signer: no event shown names it)'}`,
    `Made: ${time(made.at)} by ${made.by ?? '(withheld)'}, Veridesk ${made.console}, according to the signer`,
    `Disclosure: ${profile}; ${withheld} values withheld${erased.length === 0 ? '' : `; ${erased.length} sealed parts missing, as after an erasure: ${listed(erased)}`}`,
    `Records: ${records}; events shown: ${events.length} of ${chain.seq}. Only the signer states that these are all events about it`,
    `Shown in full and identical to what was recorded: ${whole} of these events`,
    ...(profile === 'full' ? [] : ['The other events, and values shown separately, are only stated by the signer until a full pack is compared']),
    `Chain head: event ${chain.seq}, ${chain.hash}`,
    `Tree root: ${tree.root}`,
    `This file: SHA-256 ${sha256}; a PDF saved with it is for reading only and was not verified`,
    `Signed by key: ${signedBy}`,
    ...countersignatures.map(({ agrees, at, by, note }, index) =>
      `${standing[people[index]]}, ${countersigners[index].compared ? 'key named by you' : 'key not compared'}: ${agrees ? 'agrees' : 'DOES NOT AGREE'}, ${time(at)}, key ${countersigners[index].key}, name given: ${by}${note === '' ? '' : `, note: ${note}`}`)
  ].map(harmless)
}

// --- events in words -----------------------------------------------------------------------------

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
  'link.removed': () => 'Link between record and applicant removed'
}

const written = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
/** The label of a value: `input.id_url` is what was sent, `consoleVersion` is “Console version”. */
function labelOf(name) {
  if (name.startsWith('input.')) return `Sent: ${name.slice('input.'.length)}`
  const words = name.replace(/^plain\./, '').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.replace(/^./u, (first) => first.toUpperCase())
}

/**
 * Everything that an event or reply shows: label, value (null if withheld), and whether only its signer vouches for
 * it.
 */
function entriesOf({ plain, payload, fields, commitment }) {
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

/**
 * The events of a verified pack as text, one after the other, for reading and printing. Texts are as recorded, with
 * characters that hide or reorder text shown by their code point; display them as text, never as markup.
 */
export function* eventsInWords({ pack: { content: { bodies, events } } }, from = 0, to = events.length) {
  const replies = new Map(bodies.map((body) => [body.record, body]))
  for (const event of events.slice(from, to)) {
    const { at, kind, plain, record, seq, subject } = event
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
      basis: plain === null ? 'Its content is only stated by the signer until a full pack is compared.' : '',
      entries: entries.map(({ label, value, isWord }) => ({ label: harmless(label) + (isWord && plain !== null ? ' (stated by the signer)' : ''), value: value === null ? null : visible(value) }))
    }
  }
}

/** An event in lines for a terminal: no line of recorded text can look like one of the verifier. */
function eventLines({ title, time, about, basis, entries }) {
  const shown = entries.flatMap(({ label, value }) =>
    value === null ? [`  ${label}: (not shown)`] : value.split('\n').map((line, index) => (index === 0 ? `  ${label}: ${line}` : `    | ${line}`)))
  return ['', `${time}  ${title}`, `  ${about}. ${basis}`.trimEnd(), ...shown]
}

// --- at the command line -------------------------------------------------------------------------

const usage = 'node verify.mjs FILE [FINGERPRINT OF THE SIGNER’S KEY] [--countersigner FINGERPRINT]... [--countersignatures N] [--events]'

async function main(words) {
  const [{ readFile }, { parseArgs }] = await Promise.all([import('node:fs/promises'), import('node:util')])
  const options = { countersigner: { type: 'string', multiple: true }, countersignatures: { type: 'string' }, events: { type: 'boolean' } }
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
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file))
  } catch (error) {
    const unreadable = !(error instanceof TypeError)
    console.error(unreadable ? `${file} cannot be read: ${error.code}.` : 'REFUSED. It is not text.')
    return unreadable ? 2 : 1
  }
  let result
  try {
    const required = values.countersignatures
    result = await verifyPack(text, key, { countersigners: values.countersigner, countersignatures: required === undefined ? undefined : Number(required || NaN) })
  } catch (error) {
    // A requirement of this program is not met, which says nothing about the pack.
    console.error(`NOT VERIFIED. ${error.message}`)
    return 2
  }
  if (result.asked === false) {
    console.error(`NOT VERIFIED. ${result.why}`)
    return 2
  }
  if (!result.verified) {
    console.error(verdict(result))
    return 1
  }
  console.log([verdict(result), ...summary(result)].join('\n'))
  // One by one: a pack can be larger than the longest string.
  if (values.events) for (const event of eventsInWords(result)) console.log(eventLines(event).join('\n'))
  return result.compared ? 0 : 3
}

if (typeof process === 'object' && process.argv?.[1] && import.meta.url.startsWith('file:')) {
  const [{ realpathSync }, { fileURLToPath }] = await Promise.all([import('node:fs'), import('node:url')])
  if (realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url))) process.exitCode = await main(process.argv.slice(2))
}
