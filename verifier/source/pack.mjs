/** A pack: the file, its signature and the tree, and the order of all checks. */
import { checkApprovals } from './approvals.mjs'
import { fingerprint, fromBase64, fromUtf8, toBytes } from './bytes.mjs'
import { canonical, deepest, isTooDeep, must, parsedJson } from './canonical.mjs'
import { nodesOf } from './compare.mjs'
import { checkCompleteness } from './completeness.mjs'
import { isEnvelope, mustBeSigned, openEnvelope } from './dsse.mjs'
import {
  checkErasure,
  checkEvents,
  checkResponses,
  checkWithheld,
  isBody,
  isEvent,
  isSealedGiven,
  ofEvent,
  placeOf
} from './events.mjs'
import { isConsistent, isIncluded } from './merkle.mjs'
import { isBase64, isHex, isPositive, isText, isWhole, listOf, oneOf, orNull, shape } from './shape.mjs'
import { checkMade, checkSubject } from './subject.mjs'

const isFile = shape({
  envelope: isEnvelope('application/vnd.veridesk.evidence+json'),
  format: oneOf('veridesk-evidence'),
  timestamps: listOf(isBase64),
  version: oneOf(1)
})
const isContent = shape({
  about: shape({ kind: oneOf('record', 'batch', 'applicant'), id: orNull(isText) }),
  attachments: listOf(shape({ bytes: isWhole, name: isText, sha256: isHex(32) })),
  bodies: listOf(isBody),
  consistency: orNull(shape({ path: listOf(isHex(32)), root: isHex(32), size: isPositive })),
  console: isText,
  events: listOf(isEvent, 1),
  origin: shape({ leaf: isHex(32), path: listOf(isHex(32)) }),
  profile: oneOf('full', 'no-personal-data'),
  root: isHex(32),
  signer: shape({ certificates: listOf(isBase64), key: isHex(32) }),
  size: isPositive
})

/** Checks the structure of a value and that its text is its only spelling. */
function checkForm(value, test, text, place, end = '') {
  const wrong = test(value)
  must(wrong === undefined, `This is not an evidence pack: ${place}${wrong}.`)
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

/** The order of the events, and what they have of the tree; returns the event that records the pack. */
async function checkTree({ consistency, events, origin, root, size }) {
  const isInTree = ({ seq, leaf, path }) => isIncluded(toBytes(leaf), seq - 1, size, path.map(toBytes), root)
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    must(!before || before.seq < event.seq, `${ofEvent(event)} is out of order.`)
    must(
      before?.seq !== event.seq - 1 || before.hash === event.previous,
      `${ofEvent(event)} does not follow the one before it.`
    )
    must(event.seq !== 1 || /^0+$/.test(event.previous), 'The first event follows another.')
    must(await isInTree({ ...event, leaf: event.hash }), `${ofEvent(event)} is not in the tree.`)
  }
  must(await isInTree({ ...origin, seq: 1 }), 'Event 1, which names the audit trail, is not in the tree.')
  const made = events.at(-1)
  must(
    made.kind === 'pack.made' && made.seq === size,
    'Its last event is not the last one of the audit trail, or does not record a pack.'
  )
  await checkConsistency(consistency, events, { root, size })
  await nodesOf({ events, origin, root, size })
  return made
}

/** The audit trail continues that of the pack before, which is the last one that an event records. */
async function checkConsistency(consistency, events, head) {
  const earlier = events.findLast(({ kind, seq }) => kind === 'pack.made' && seq < head.size)
  must(
    consistency !== null || earlier === undefined,
    `It shows an earlier pack, event ${earlier?.seq}, but does not prove that the audit trail continues it.`
  )
  if (consistency === null) return
  const { path, root, size } = consistency
  must(
    await isConsistent(size, head.size, path.map(toBytes), toBytes(root), toBytes(head.root)),
    'The audit trail does not continue that of the pack before.'
  )
  must(
    (earlier?.seq ?? 0) <= size && !events.some(({ kind, seq }) => seq === size && kind !== 'pack.made'),
    'It continues another audit trail than that of the pack before.'
  )
}

/** Verifies a pack by itself; throws a `Refusal`. */
export async function verifyStructure(text) {
  must(!isTooDeep(text), `It is nested more than ${deepest} levels deep.`)
  const file = parsedJson(text)
  checkForm(file, isFile, text, 'file', '\n')
  const opened = openEnvelope(file.envelope)
  const content = contentOf(opened, isContent, 'content')
  const { attachments, bodies, events, origin, profile, root, signer, size } = content
  await mustBeSigned(opened, signer.key, 'The signature does not match the content.')
  const made = await checkTree(content)
  await checkEvents(events, profile)
  await checkResponses(content)
  checkErasure(content)
  checkMade(made, content)
  const named = checkSubject(content, made)
  const series = checkCompleteness(content, made)
  const approvals = await checkApprovals(content)
  const withheld = checkWithheld([...events, ...bodies], profile)
  must(
    new Set(attachments.map(({ name }) => name)).size === attachments.length,
    'Two of its attachments have the same name.'
  )
  return {
    pack: { content, timestamps: file.timestamps.map(fromBase64) },
    key: signer.key,
    signedBy: await fingerprint(signer.key),
    withheld,
    named,
    erased: [...events, ...bodies].filter((entry) => isSealedGiven(entry) === false).map(placeOf),
    approvals,
    madeAt: made.at,
    made,
    series,
    referred: opened.referred,
    trail: { events, size, root, origin, earlier: content.consistency }
  }
}
