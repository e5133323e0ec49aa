/** Answers of colleagues to requests for approval: each is signed by the reviewer, over the request that it answers. */
import { fingerprint, sha256Hex, toBytes, utf8 } from './bytes.mjs'
import { canonical, must } from './canonical.mjs'
import { ed25519Holds } from './ed25519.mjs'
import { ofEvent, plainValue } from './events.mjs'
import { isHex, isPositive, isText, isTime, isTruth, shape, tupleOf } from './shape.mjs'

const signed = {
  scope: isText,
  asked: tupleOf(isText, isPositive, isHex(32)),
  agrees: isTruth,
  at: isTime,
  by: isText,
  salt: isHex(16),
  signer: isHex(32),
  signature: isHex(64)
}
const isAnswer = shape(signed)

/** Whether a redacted pack shows of an answer only whether the colleague agrees. */
const isUnproved = ({ plain: { shown } }, profile) =>
  profile !== 'full' && shown.length === 1 && shown[0][1] === 'agrees' && isTruth(shown[0][2]) === undefined

/**
 * Checks the answers: each shows everything that its signature is over, or, in a redacted pack, only whether the
 * colleague agrees. Returns them; one that is not proved has neither key nor name.
 */
export async function checkApprovals({ events, profile }) {
  const answers = []
  for (const event of events.filter(({ kind }) => kind === 'approval.received')) {
    if (isUnproved(event, profile)) {
      answers.push({ seq: event.seq, agrees: plainValue(event, 'agrees') })
      continue
    }
    const shown = Object.fromEntries(Object.keys(signed).map((name) => [name, plainValue(event, name)]))
    must(
      isAnswer(shown) === undefined,
      `The answer to a request for approval in ${ofEvent(event)} is not what it must be.`
    )
    const { scope, asked, agrees, at, by, salt, signer, signature } = shown
    const name = await sha256Hex(canonical([salt, 'by', by]))
    const line = utf8.encode(canonical(['veridesk/approval', 1, scope, asked, agrees, at, name]))
    must(
      await ed25519Holds(signer, line, toBytes(signature)),
      `The signature of the answer in ${ofEvent(event)} does not match.`
    )
    const request = events.find(({ seq }) => seq === asked[1])
    must(
      !request || (request.kind === 'approval.asked' && request.hash === asked[2]),
      `The answer in ${ofEvent(event)} is to another request than ${ofEvent(request ?? {})}.`
    )
    const isVoid = plainValue(event, 'void') === true
    answers.push({ seq: event.seq, agrees, at, by, asked, isVoid, key: await fingerprint(signer) })
  }
  return answers
}

const isName = tupleOf(isText, isPositive, isHex(32))

/**
 * What second persons said of the decision that stands; undefined if it needs nobody. An answer is to a request that names this decision
 * by number and hash, and came later; of each key but the signer's the last one counts.
 */
export function requiredApproval({ about, events, profile }, { answers, signedBy }) {
  const decision = about.kind === 'applicant' ? events.findLast(({ kind }) => kind === 'decision.made') : undefined
  const required = (decision && plainValue(decision, 'requires')) ?? 0
  must([0, 1].includes(required), `The value requires of ${ofEvent(decision ?? {})} is neither 0 nor 1.`)
  if (required === 0) return undefined
  if (profile !== 'full') return { required, agreeing: 0, against: 0, withheld: true }
  const said = new Map()
  for (const { seq, agrees, asked, isVoid, key } of answers) {
    const request = events.find((event) => event.kind === 'approval.asked' && event.seq === asked[1])
    const named = request && plainValue(request, 'decision')
    const isToIt = isName(named) === undefined && named[1] === decision.seq && named[2] === decision.hash
    if (isToIt && seq > decision.seq && !isVoid && key !== signedBy) said.set(key, agrees)
  }
  const all = [...said.values()]
  const agreeing = all.filter((agrees) => agrees).length
  return { required, agreeing, against: all.length - agreeing }
}
