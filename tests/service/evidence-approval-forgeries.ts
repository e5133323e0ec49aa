/** Forged approvals of a team in packs: each has the sentence with which the stand-alone verifier must refuse it. */
import { publicOf } from './evidence-builder.ts'
import { add, drop, eventOf, put, take, valueOf, withhold, type Row } from './evidence-changes.ts'
import { answered, colleague, director, signer } from './evidence-genuine.ts'

export const approvalRows: readonly Row[] = [
  [
    'rebuilt',
    'a decision that requires what no console knows',
    'applicant',
    (content) => add(eventOf(content, 'decision.made').plain, 'requires', 2),
    /^The value requires of .* is neither 0 nor 1/
  ],
  [
    'signed',
    'an answer of a colleague left out',
    'approvals',
    (content) => drop(content, (event) => event === eventOf(content, 'approval.received', 1)),
    /^Events of person 3 are missing: 1 event between events 6 and 8/
  ],
  [
    'signed',
    'a request for approval left out',
    'approvals',
    (content) => drop(content, ({ kind }) => kind === 'approval.asked'),
    /^Events of person 3 are missing: 1 event between events 4 and 6/
  ],
  [
    'rebuilt',
    'a disagreement of a colleague turned into its opposite',
    'approvals',
    (content) => put(eventOf(content, 'approval.received', 1).plain, 'agrees', true),
    /^The signature of the answer in event 7 does not match/
  ],
  [
    'rebuilt',
    'an answer under another name',
    'approvals',
    (content) => put(eventOf(content, 'approval.received').plain, 'by', 'Head of Compliance'),
    /^The signature of the answer in event 6 does not match/
  ],
  [
    'rebuilt',
    'an answer dated earlier',
    'approvals',
    (content) => put(eventOf(content, 'approval.received').plain, 'at', 1_700_000_000_000),
    /^The signature of the answer in event 6 does not match/
  ],
  [
    'rebuilt',
    'an answer with the key of another',
    'approvals',
    (content) => put(eventOf(content, 'approval.received').plain, 'signer', publicOf(signer)),
    /^The signature of the answer in event 6 does not match/
  ],
  [
    'rebuilt',
    'an answer with a key that fits everything',
    'approvals',
    (content) => {
      put(eventOf(content, 'approval.received').plain, 'signer', `01${'0'.repeat(62)}`)
      put(eventOf(content, 'approval.received').plain, 'signature', `01${'0'.repeat(126)}`)
    },
    /^The signature of the answer in event 6 does not match/
  ],
  [
    'rebuilt',
    'a decision turned into its opposite after it was approved',
    'approvals',
    (content) => put(eventOf(content, 'decision.made').plain, 'decision', 'decline'),
    /^The answer in event 6 is to another request than event 5/
  ],
  [
    'rebuilt',
    'an answer to an event that is no request',
    'approvals',
    (content) => {
      for (const [turn, by] of ['second.person', 'third.person'].entries()) {
        const { plain } = eventOf(content, 'approval.received', turn)
        const {
          agrees,
          signer: key,
          signature
        } = answered(turn === 0 ? colleague : director, {
          scope: String(valueOf(plain, 'scope')),
          asked: ['x', 4, eventOf(content, 'decision.made').hash],
          agrees: true,
          at: 1,
          by
        })
        for (const [name, value] of Object.entries({
          asked: ['x', 4, eventOf(content, 'decision.made').hash],
          agrees,
          at: 1,
          signer: key,
          signature
        }))
          put(plain, name, value ?? null)
      }
    },
    /^The answer in event 6 is to another request than event 4/
  ],
  [
    'rebuilt',
    'an answer that says neither yes nor no',
    'approvals',
    (content) => put(eventOf(content, 'approval.received').plain, 'agrees', 'yes'),
    /^The answer to a request for approval in event 6 is not what it must be/
  ],
  [
    'rebuilt',
    'an answer without a signature in a full pack',
    'approvals',
    (content) => take(eventOf(content, 'approval.received').plain, 'signature'),
    /^The answer to a request for approval in event 6 is not what it must be/
  ],
  [
    'rebuilt',
    'an answer of which a full pack shows only that the colleague agrees',
    'approvals',
    (content) => {
      const { plain } = eventOf(content, 'approval.received')
      for (const [, name] of plain.shown) if (name !== 'agrees') take(plain, name)
    },
    /^The answer to a request for approval in event 6 is not what it must be/
  ],
  [
    'signed',
    'an answer that is withheld',
    'approvals-no-personal-data',
    (content) => withhold(eventOf(content, 'approval.received', 1).plain, 'agrees'),
    /^The answer to a request for approval in event 7 is not what it must be/
  ],
  [
    'rebuilt',
    'an answer without a signature under the name of a colleague',
    'approvals-no-personal-data',
    (content) => add(eventOf(content, 'approval.received').plain, 'by', 'Head of Compliance'),
    /^The answer to a request for approval in event 6 is not what it must be/
  ],
  [
    'rebuilt',
    'an answer without a signature that says neither yes nor no',
    'approvals-no-personal-data',
    (content) => put(eventOf(content, 'approval.received').plain, 'agrees', 'yes'),
    /^The answer to a request for approval in event 6 is not what it must be/
  ]
]
