/** Packs of version 1, which earlier consoles made. */
import { fingerprint, sha256Hex, toBytes, utf8 } from './bytes.mjs'
import { canonical, isWholeEverywhere, must } from './canonical.mjs'
import { secondPeople } from './countersigners.mjs'
import { ed25519Holds, isSmallOrder } from './ed25519.mjs'
import {
  checkDisclosure,
  checkFields,
  checkPayloads,
  eventHash1,
  isBody1,
  isEvent1,
  isGiven1,
  ofBody,
  ofEvent,
  plainValue1,
  sealedValue1
} from './events-1.mjs'
import { isIncluded } from './merkle.mjs'
import { isHex, isPositive, isText, isTime, isTruth, isWhole, listOf, oneOf, orNull, shape } from './shape.mjs'

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
  countersignatures: listOf(
    shape({ agrees: isTruth, at: isTime, by: isText, key: isHex(32), note: isText, signature: isHex(64) })
  ),
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
    must(
      before?.seq !== event.seq - 1 || before.hash === event.previous,
      `Event ${event.seq} does not follow the one before it.`
    )
    must(event.seq !== 1 || /^0+$/.test(event.previous), 'The first event follows another.')
    must(event.seq !== chain.seq || event.hash === chain.hash, 'The last event is not the chain’s head.')
    if (event.plain !== null)
      must((await eventHash1(event)) === event.hash, `Event ${event.seq} is not what was recorded.`)
    const included = await isIncluded(toBytes(event.hash), event.seq - 1, tree.size, event.path.map(toBytes), tree.root)
    must(included, `Event ${event.seq} is not in the tree.`)
  }
}

/** An erasure removes everything sealed for a person, with one key: if some of it is given, the rest was left out. */
function checkErased1({ bodies, events, profile }) {
  const subjects = new Map(
    events.filter(({ kind }) => kind === 'record.ended').map(({ record, subject }) => [record, subject])
  )
  const replies = bodies.map((body) => ({
    subject: subjects.get(body.record),
    given: isGiven1(body),
    where: ofBody(body)
  }))
  const sealed = events
    .filter((event) => event.commitment !== null || isGiven1(event))
    .map((event) => ({ subject: event.subject, given: isGiven1(event), where: `sealed data of ${ofEvent(event)}` }))
  const present = new Set(
    [...replies, ...sealed].filter(({ subject, given }) => given && subject !== null).map(({ subject }) => subject)
  )
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
    } else
      must(
        begun.has(record) && begun.get(record).subject === subject,
        `${ofEvent(event)} belongs to no record that is shown.`
      )
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
    must(
      events.every(({ record }) => record === null || record === only.record),
      'It shows events of another record.'
    )
  } else if (kind === 'batch') {
    const made = events.filter((event) => event.kind.startsWith('batch.'))
    must(
      made.length > 0 && made.every((event) => plainValue1(event, 'id') === id),
      `It claims to be about batch ${id}, but shows another.`
    )
    must(
      begun.every((event) => plainValue1(event, 'batchId') === id),
      'It shows records of another batch.'
    )
  } else {
    const links = events.filter((event) => event.kind === 'link.made')
    const own = begun.filter(({ record }) => !links.some((link) => link.record === record))
    const others = events.filter((event) => event.subject !== null && !event.kind.startsWith('record.'))
    must(
      new Set([...own, ...others].map(({ subject }) => subject)).size <= 1,
      'Its events are about more than one applicant.'
    )
    const named = [...own, ...links]
      .map((event) => sealedValue1(event, 'applicantId'))
      .filter((name) => name !== undefined && name !== null)
    // Lists store an unpaired surrogate as U+FFFD.
    must(
      id === null || named.every((name) => typeof name === 'string' && name.toWellFormed() === id.toWellFormed()),
      `It claims to be about applicant ${id}, but shows another.`
    )
    must(
      profile !== 'full' || named.length > 0,
      `It claims to be about applicant ${id}, but none of its events names that applicant.`
    )
    return id === null || named.length > 0
  }
  return true
}

async function checkCountersignatures1({ content, signature, countersignatures }) {
  const digest = await sha256Hex(`veridesk-evidence/1\n${canonical(content)}\n${signature.value}`)
  must(
    new Set(countersignatures.map(canonical)).size === countersignatures.length,
    'It contains the same countersignature twice.'
  )
  for (const { signature: value, ...words } of countersignatures) {
    must(words.key !== signature.key, 'It was countersigned with the key that signed it.')
    const text = `veridesk-countersignature/1\n${canonical({ ...words, pack: digest })}`
    must(await signatureFits(words.key, text, value), `The countersignature of ${words.by} does not match.`)
  }
}

/** Names of sealed parts that are missing, for example after an erasure. */
const erasedOf1 = ({ bodies, events, profile }) => [
  ...(profile === 'full'
    ? events.filter(({ commitment, payload }) => commitment !== null && !payload).map(ofEvent)
    : []),
  ...bodies.filter(({ payload, fields }) => !payload && fields.length === 0).map(ofBody)
]

/** Verifies a pack of version 1; throws a `Refusal`. */
export async function verifyFormat1(pack, text) {
  const wrong = isPack1(pack)
  must(
    wrong === undefined,
    `This is not an evidence pack of version 1${wrong?.startsWith('.') ? `: ${wrong.slice(1)}` : ''}.`
  )
  must(isWholeEverywhere(pack), 'It holds a number that is not whole.')
  must(`${canonical(pack)}\n` === text, 'It is not in canonical form: Veridesk would write it differently.')
  const { content, countersignatures, signature } = pack
  const { bodies, events, made, profile } = content
  must(
    await signatureFits(signature.key, `veridesk-evidence/1\n${canonical(content)}`, signature.value),
    'The signature does not match the content.'
  )
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
    format: 1,
    pack,
    key: signature.key,
    signedBy: await fingerprint(signature.key),
    withheld,
    named,
    erased: erasedOf1(content),
    required: 0,
    madeAt: made.at,
    people: secondPeople(countersignatures, names),
    trail: {
      events,
      size: content.tree.size,
      root: content.tree.root,
      leaves: [[content.chain.seq, content.chain.hash]]
    }
  }
}
