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

/** Checks each answer that is shown with everything that its signature is over; returns them. */
export async function checkApprovals(events) {
  const answers = []
  for (const event of events.filter(({ kind }) => kind === 'approval.received')) {
    const shown = Object.fromEntries(Object.keys(signed).map((name) => [name, plainValue(event, name)]))
    if (Object.values(shown).includes(undefined)) continue
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
    answers.push({ agrees, at, by, key: await fingerprint(signer) })
  }
  return answers
}
