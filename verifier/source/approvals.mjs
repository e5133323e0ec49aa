/** Answers of colleagues to requests for approval: each is signed by the reviewer, over the request that it answers. */
import { fingerprint, toBytes, utf8 } from './bytes.mjs'
import { canonical, must } from './canonical.mjs'
import { ed25519Holds } from './ed25519.mjs'
import { ofEvent, plainValue } from './events.mjs'
import { isHex, isPositive, isText, isTime, isTruth, shape, tupleOf } from './shape.mjs'

const signed = {
  team: isText,
  asked: tupleOf(isText, isPositive, isHex(32)),
  agrees: isTruth,
  at: isTime,
  by: isText,
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
    const { team, asked, agrees, at, by, signer, signature } = shown
    const line = utf8.encode(canonical(['veridesk/team/approval', 1, team, asked, agrees, at, by]))
    must(
      await ed25519Holds(signer, line, toBytes(signature)),
      `The signature of the answer in ${ofEvent(event)} does not match.`
    )
    const request = events.find(({ seq }) => seq === asked[1])
    must(
      !request || (request.kind === 'approval.asked' && request.hash === asked[2]),
      `The answer in ${ofEvent(event)} is to another request than ${ofEvent(request ?? {})}.`
    )
    answers.push({ seq: event.seq, agrees, at, by, key: await fingerprint(signer) })
  }
  return answers
}
