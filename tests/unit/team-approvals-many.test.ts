/** More requests and answers of one installation than are listed: the older ones count all the same. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ok } from '#contract/failures/result.ts'
import type { ApprovalTask, ArrivedAnswer, NamedEvent } from '#wire/history/approvals.ts'
import { decisionName } from '#exchange/activity/standing.ts'
import { ApprovalReading } from '#exchange/approvals/approvals.ts'
import { KnownMembers } from '#exchange/log/known-members.ts'
import { openApprovals } from '#exchange/worker/approvals.ts'
import { mostOwnApprovals } from '#store/applicants/approvals.ts'
import { signAnswer } from '#wire/evidence/approval-signature.ts'
import { by, colleague, here, type Colleague, type Here } from './support/team-activity.ts'
import { team, valueOf, type Installation } from './support/team-log.ts'

const many = mostOwnApprovals + 1
const ids = Array.from({ length: many }, (_, index) => `APP-${index}`)

/** Somebody checked each applicant, decided and asked. @returns The number of each decision. */
function asks(one: Colleague, applicants: readonly string[]): readonly number[] {
  return applicants.map((applicantId) => {
    one.check({ applicant: applicantId })
    const { evidence } = valueOf(one.engine.applicants.read.show(applicantId))
    const draft = { applicantId, decision: 'approve' as const, reasons: ['fine'], note: '', evidence }
    const decision = one.write((writer) => one.engine.applicants.decide(writer, draft, by(1, 'ada'))).decision?.seq ?? 0
    const ask = { applicantId, decision, installation: one.installation, scope: team, evidence: [], note: '' }
    one.write((writer) => one.engine.approvals.ask(writer, ask, by(2, 'ada')))
    return decision
  })
}
function answers(one: Colleague, applicantId: string, asked: NamedEvent): void {
  const words = { scope: team, asked, agrees: true, salt: '5a'.repeat(16) }
  const signature = signAnswer(one.signingKey, { ...words, at: 3, by: 'ben' })
  const draft = { ...words, applicantId, note: '', signer: one.publicKey, signature }
  one.write((writer) => one.engine.approvals.answer(writer, draft, by(3, 'ben')))
}
/** What an installation works with: its history, and what it received. */
function at(one: Colleague, to: Here, members: readonly (readonly [Installation, string, string])[]) {
  const kept: ArrivedAnswer[] = []
  for (const [{ installation, publicKey }, name, role] of members)
    to.db.prepare('INSERT INTO member VALUES (?, ?, ?, 0, ?)').run(installation, name, role, publicKey)
  const approvals = openApprovals({
    reading: new ApprovalReading(to.db),
    store: to.store,
    names: new KnownMembers(to.db),
    host: {
      approvals: async (task) => ok(one.engine.approvals.own(task)),
      keepAnswers: async (given) => {
        kept.push(...given)
        return ok(one.write((writer) => one.engine.approvals.receive(writer, given, by(9))).kept)
      }
    },
    opening: { team, installation: one.installation, operator: 'self' }
  })
  return { kept, approvals }
}

describe(`${many} requests of this installation`, () => {
  let ada: Colleague
  beforeAll(() => {
    ada = colleague('Ada')
    asks(ada, ids)
  }, 60_000)
  const task = { evidenceOf: ['APP-0'], hashesOf: [] }

  it('are all found by their applicants, and all together; a list has the newest', () => {
    const about = (given: ApprovalTask): readonly string[] =>
      ada.engine.approvals.own(given).asks.map(({ applicantId }) => applicantId)
    expect(about(task)).toEqual(['APP-0'])
    expect(about({ evidenceOf: [], hashesOf: [], others: 'newest' })).toEqual(ids.slice(1).reverse())
    expect(about({ ...task, others: 'newest' })).toEqual([...ids].reverse())
    expect(about({ ...task, others: 'asks' })).toEqual([...ids].reverse())
    expect(about({ evidenceOf: [], hashesOf: [], others: 'answers' })).toEqual([])
  })

  it('let the answer to the oldest be kept, once', async () => {
    const [to, ben] = [here(), colleague('Ben')]
    const [ask] = ada.engine.approvals.own(task).asks
    answers(ben, 'APP-0', [ada.installation, ask?.seq ?? 0, ask?.hash ?? ''])
    ben.share(to)
    const { kept, approvals } = at(ada, to, [
      [ada, 'Ada', 'analyst'],
      [ben, 'Ben', 'reviewer']
    ])
    await approvals.keep()
    expect(kept).toMatchObject([{ applicantId: 'APP-0', by: 'ben', agrees: true }])
    expect(ada.engine.approvals.own(task).received).toHaveLength(1)
    await approvals.keep()
    expect(kept).toHaveLength(1)
  })
})

it(`${many} answers of this installation all count for colleagues’ decisions`, async () => {
  const [to, ada, ben] = [here(), colleague('Ada'), colleague('Ben')]
  const [decision = 0] = asks(ada, ['APP-0'])
  const [ask] = ada.engine.approvals.own({ evidenceOf: ['APP-0'], hashesOf: [] }).asks
  ada.share(to)
  for (const id of ids) answers(ben, id, [ada.installation, ask?.seq ?? 0, ask?.hash ?? ''])
  const { approvals } = at(ben, to, [
    [ada, 'Ada', 'analyst'],
    [ben, 'Ben', 'reviewer']
  ])
  const name = decisionName(ada.installation, decision)
  const second = { agrees: true, answers: [{ installation: ben.installation }] }
  expect(valueOf(await approvals.decided(['APP-0'])).get(name)).toMatchObject(second)
  expect(
    valueOf(await approvals.reader())
      ?.of('APP-0')
      .get(name)
  ).toMatchObject(second)
  const listed = valueOf(await approvals.list({ limit: 10 }))
  expect(listed).toMatchObject({ waiting: 0, approvals: [{ state: 'agreed' }] })
}, 60_000)
