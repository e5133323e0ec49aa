/**
 * Verifies an evidence pack of Veridesk. One file, no dependency, no network: `node verify.mjs FILE [KEY]`,
 * or open verify.html in a browser. The format is described in docs/evidence-format.md.
 *
 * KEY, if given, is the SHA-256 fingerprint (64 hex digits) of the key that must have signed the pack.
 * Ends with 0 where the pack is verified, 1 where it is refused, 2 where it cannot be read.
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

class Refusal extends Error {}
const must = (holds, why) => {
  if (!holds) throw new Refusal(why)
}

/** Canonical JSON: keys sorted by UTF-16 code units, no space, whole numbers only (a part of RFC 8785). */
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

// --- shape ---------------------------------------------------------------------------------------

const isText = (value) => typeof value === 'string'
const isWhole = (value) => Number.isSafeInteger(value) && value >= 0
const isHex = (bytes) => (value) => isText(value) && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value)
const orNull = (test) => (value) => value === null || test(value)
const listOf = (test) => (value) => Array.isArray(value) && value.every(test)
const oneOf = (...values) => (value) => values.includes(value)
const shape = (tests) => (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) &&
  Object.keys(value).length === Object.keys(tests).length &&
  Object.entries(tests).every(([key, test]) => Object.hasOwn(value, key) && test(value[key]))

const isPayload = orNull(shape({ salt: isHex(16), text: isText }))
const isFields = listOf(shape({ name: isText, commitment: isHex(32), salt: orNull(isHex(16)), value: orNull(isText) }))
const isPack = shape({
  content: shape({
    about: shape({ kind: oneOf('record', 'batch', 'applicant'), id: orNull(isText) }),
    bodies: listOf(shape({ record: isWhole, commitment: isHex(32), payload: isPayload, fields: isFields })),
    chain: shape({ hash: isHex(32), seq: isWhole }),
    events: listOf(
      shape({
        seq: isWhole, at: Number.isSafeInteger, kind: isText, subject: orNull(isWhole), record: orNull(isWhole), plain: orNull(isText),
        commitment: orNull(isHex(32)), previous: isHex(32), hash: isHex(32), path: listOf(isHex(32)), payload: isPayload, fields: isFields
      })
    ),
    made: shape({ at: isWhole, by: orNull(isText), console: isText }),
    profile: oneOf('full', 'no-personal-data', 'for-applicant'),
    records: isWhole,
    tree: shape({ root: isHex(32), size: isWhole })
  }),
  countersignatures: listOf(shape({ agrees: (value) => typeof value === 'boolean', at: isWhole, by: isText, key: isHex(32), note: isText, signature: isHex(64) })),
  format: oneOf('veridesk-evidence'),
  signature: shape({ algorithm: oneOf('Ed25519'), key: isHex(32), value: isHex(64) }),
  version: oneOf(1)
})

// --- parts ---------------------------------------------------------------------------------------

async function signatureFits(key, text, signature) {
  try {
    const publicKey = await crypto.subtle.importKey('raw', toBytes(key), { name: 'Ed25519' }, false, ['verify'])
    return await crypto.subtle.verify({ name: 'Ed25519' }, publicKey, toBytes(signature), utf8.encode(text))
  } catch (error) {
    if (error?.name === 'NotSupportedError') throw new Error('This program cannot check Ed25519 signatures. Use Node 20 or newer, or a current browser.')
    return false
  }
}

/** SHA-256 over the previous hash, the commitment (or 32 zeros), and the JSON of the event's words. */
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
  must(events.length > 0 && tree.size > 0 && tree.size === chain.seq, 'Tree and chain are not of the same size.')
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    must(event.seq > 0 && (!before || before.seq < event.seq), `Event ${event.seq} is out of order.`)
    must(before?.seq !== event.seq - 1 || before.hash === event.previous, `Event ${event.seq} does not follow the one before it.`)
    must(event.seq !== 1 || /^0+$/.test(event.previous), 'The first event follows another.')
    must(event.seq !== chain.seq || event.hash === chain.hash, 'The last event is not the chain’s head.')
    if (event.plain !== null) must((await eventHash(event)) === event.hash, `Event ${event.seq} is not what was recorded.`)
    const included = await isIncluded(toBytes(event.hash), event.seq - 1, tree.size, event.path.map(toBytes), tree.root)
    must(included, `Event ${event.seq} does not stand in the tree.`)
  }
}

async function checkPayload(commitment, payload, where) {
  if (!payload) return
  const found = toHex(await sha256(joined(toBytes(payload.salt), utf8.encode(payload.text))))
  must(found === commitment, `The payload of ${where} is not what was recorded.`)
}

async function checkPayloads({ events, bodies }) {
  for (const event of events) await checkPayload(event.commitment, event.payload, `event ${event.seq}`)
  for (const body of bodies) {
    const where = `the reply to check ${body.record}`
    await checkPayload(body.commitment, body.payload, where)
    const ended = events.find(({ kind, record }) => kind === 'record.ended' && record === body.record)
    must(ended, `${where} belongs to no event.`)
    if (ended.plain !== null) must(JSON.parse(ended.plain).reply?.body === body.commitment, `${where} is not the one that was recorded.`)
  }
}

async function checkFields({ events, bodies, profile }) {
  let withheld = 0
  for (const { fields } of [...events, ...bodies]) {
    must(new Set(fields.map(({ name }) => name)).size === fields.length, 'A value is given twice.')
    for (const { name, commitment, salt, value } of fields) {
      must((salt === null) === (value === null), 'A value is given by half.')
      if (salt === null) withheld += 1
      else must((await sha256Hex(canonical([salt, name, value]))) === commitment, `The value of ${name} is not what was committed to.`)
    }
  }
  must(profile !== 'full' || withheld === 0, 'A full pack withholds something.')
  return withheld
}

async function checkCountersignatures({ content, signature, countersignatures }) {
  const digest = await sha256Hex(`veridesk-evidence/1\n${canonical(content)}\n${signature.value}`)
  for (const { signature: value, ...words } of countersignatures) {
    must(words.key !== signature.key, 'It is countersigned with the key that signed it.')
    const text = `veridesk-countersignature/1\n${canonical({ ...words, pack: digest })}`
    must(await signatureFits(words.key, text, value), `The countersignature of ${words.by} does not fit.`)
  }
}

/**
 * Verifies the text of a pack. Answers `{ verified, why?, pack?, signedBy?, withheld? }`; throws only where
 * this program itself lacks something.
 *
 * @param {string} text
 * @param {string} [expectedKey] Fingerprint of the key that must have signed it.
 */
export async function verifyPack(text, expectedKey) {
  try {
    let pack
    try {
      pack = JSON.parse(text)
    } catch {
      throw new Refusal('It is not JSON.')
    }
    must(isPack(pack), 'It is no evidence pack of version 1.')
    must(`${canonical(pack)}\n` === text, 'It is not in its canonical form.')
    const { content, signature } = pack
    must(await signatureFits(signature.key, `veridesk-evidence/1\n${canonical(content)}`, signature.value), 'The signature does not fit the content.')
    const signedBy = toHex(await sha256(toBytes(signature.key)))
    must(expectedKey === undefined || expectedKey.toLowerCase() === signedBy, `It was signed by another key (${signedBy}).`)
    await checkEvents(content)
    await checkPayloads(content)
    const withheld = await checkFields(content)
    await checkCountersignatures(pack)
    return { verified: true, pack, signedBy, withheld }
  } catch (error) {
    if (error instanceof Refusal) return { verified: false, why: error.message }
    if (error instanceof SyntaxError) return { verified: false, why: 'It holds an event that cannot be read.' }
    if (error instanceof RangeError) return { verified: false, why: 'It is nested too deeply.' }
    throw error
  }
}

/** What a verified pack says, in lines. */
export function summary({ pack, signedBy, withheld }) {
  const { content, countersignatures } = pack
  const time = (at) => new Date(at).toISOString()
  return [
    `About: ${content.about.kind} ${content.about.id ?? '(withheld)'}`,
    `Made: ${time(content.made.at)} by ${content.made.by ?? '(withheld)'}, Veridesk ${content.made.console}`,
    `Disclosure: ${content.profile}; ${withheld} values withheld`,
    `Checks: ${content.records}; events shown: ${content.events.length} of ${content.chain.seq}`,
    `Chain head: event ${content.chain.seq}, ${content.chain.hash}`,
    `Tree root: ${content.tree.root}`,
    `Signed by key: ${signedBy}`,
    ...countersignatures.map((each) => `Countersigned: ${each.agrees ? 'agrees' : 'does not agree'}, ${each.by}, ${time(each.at)}, key ${each.key}`)
  ]
}

// --- at the command line -------------------------------------------------------------------------

async function main([file, key]) {
  const { readFile } = await import('node:fs/promises')
  if (!file) {
    console.error('node verify.mjs FILE [FINGERPRINT OF THE SIGNER’S KEY]')
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
  const result = await verifyPack(text, key)
  if (!result.verified) {
    console.error(`REFUSED. ${result.why}`)
    return 1
  }
  // A terminal obeys control characters; a pack must not be able to use that.
  // eslint-disable-next-line no-control-regex
  console.log(['VERIFIED.', ...summary(result)].join('\n').replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd'))
  return 0
}

if (typeof process === 'object' && process.argv?.[1] && import.meta.url.startsWith('file:')) {
  const [{ realpathSync }, { fileURLToPath }] = await Promise.all([import('node:fs'), import('node:url')])
  if (realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url))) process.exitCode = await main(process.argv.slice(2))
}
