/** The state of a request for approval: by events alone, whoever writes them. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { teamRoles, type TeamRole } from '#contract/team/team.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import type { NamedEvent } from '#wire/history/approvals.ts'
import { sha256 } from '#kit/bytes.ts'
import { signAnswer } from '#wire/evidence/approval-signature.ts'
import {
  approvalOf,
  approverFault,
  nameOfAsk,
  secondAnswers,
  type ApprovalFacts,
  type Approver,
  type KnownAnswer,
  type KnownAsk
} from '#exchange/approvals/state.ts'

const team = 'c0'.repeat(32)
const hash = (installation: string, seq: number): string => sha256(`${installation} ${seq}`).toString('hex')
const named = (installation: string, seq: number, digest = hash(installation, seq)): NamedEvent => [
  installation,
  seq,
  digest
]

interface Person {
  readonly installation: string
  readonly key: KeyObject
  readonly member: Approver
}
const person = (byte: string, name: string, lastRole: TeamRole): Person => {
  const key = generateKeyPairSync('ed25519').privateKey
  return { installation: byte.repeat(16), key, member: { name, lastRole, identity: keyOfSigner(key) } }
}
const author = person('aa', 'Ada', 'analyst')
const reviewer = person('bb', 'Ben', 'reviewer')
const supervisor = person('cc', 'Cleo', 'supervisor')
const analyst = person('dd', 'Dan', 'analyst')
const auditor = person('ee', 'Eve', 'auditor')
const all = [author, reviewer, supervisor, analyst, auditor]

/** The author decided with event 5 after evidence 4 of the reviewer, and asked with event 6. */
const ask: KnownAsk = {
  installation: author.installation,
  seq: 6,
  hash: hash(author.installation, 6),
  operator: 'ada',
  decision: named(author.installation, 5),
  evidence: [named(reviewer.installation, 4)]
}
const facts = (more: Partial<ApprovalFacts> = {}): ApprovalFacts => ({
  team,
  members: new Map(all.map(({ installation, member }) => [installation, member])),
  decision: { hash: ask.decision[2], operator: 'ada' },
  newest: new Map([
    [author.installation, 5],
    [reviewer.installation, 4]
  ]),
  hashOf: (installation, seq) => (seq <= 100 ? hash(installation, seq) : undefined),
  ...more
})
const answered = (
  { installation, key, member }: Person,
  agrees = true,
  more: Partial<KnownAnswer> & { readonly of?: KnownAsk } = {}
): KnownAnswer => {
  const { of = ask, ...rest } = more
  const words = {
    scope: team,
    salt: '5a'.repeat(16),
    asked: nameOfAsk(of),
    agrees,
    at: 1000,
    operator: member.name.toLowerCase(),
    ...rest
  }
  return {
    installation,
    seq: 9,
    ...words,
    signer: member.identity,
    signature: signAnswer(key, { ...words, by: words.operator }),
    ...rest
  }
}
const state = (answers: readonly KnownAnswer[] = [], more: Partial<ApprovalFacts> = {}, of = ask): string =>
  approvalOf(of, answers, facts(more)).state
const faults = (answers: readonly KnownAnswer[], more: Partial<ApprovalFacts> = {}): (string | undefined)[] =>
  approvalOf(ask, answers, facts(more)).answers.map(({ fault }) => fault)

describe('a request for approval', () => {
  it('waits until a reviewer or supervisor answers, and one who does not agree outweighs those who do', () => {
    expect(state()).toBe('waiting')
    for (const one of [reviewer, supervisor]) {
      expect(state([answered(one)])).toBe('agreed')
      expect(state([answered(one, false)])).toBe('disagreed')
    }
    for (const answers of [
      [answered(reviewer), answered(supervisor, false)],
      [answered(supervisor, false), answered(reviewer)]
    ])
      expect(state(answers)).toBe('disagreed')
  })

  it('has of each member the last answer in their own chain, whatever their clock says', () => {
    const [first, last] = [
      answered(reviewer, false, { seq: 9, at: 5000 }),
      answered(reviewer, true, { seq: 10, at: 1 })
    ]
    for (const answers of [
      [first, last],
      [last, first]
    ])
      expect(state(answers)).toBe('agreed')
    // An answer that does not count takes the place of one that did: its author wrote both.
    expect(state([answered(reviewer), answered(reviewer, true, { seq: 10, signature: '00'.repeat(64) })])).toBe(
      'waiting'
    )
  })

  it('is void with evidence that it does not name, of anybody, and however it was answered', () => {
    const newer = (installation: string, seq: number): Partial<ApprovalFacts> => ({
      newest: new Map([...facts().newest, [installation, seq]])
    })
    for (const answers of [[], [answered(reviewer)], [answered(reviewer, false)]]) {
      expect(state(answers, newer(reviewer.installation, 5))).toBe('void')
      expect(state(answers, newer(supervisor.installation, 1))).toBe('void')
      expect(state(answers, newer(author.installation, 7))).toBe('void')
    }
    expect(approvalOf(ask, [], facts(newer(supervisor.installation, 1))).newer).toEqual([supervisor.installation])
    // Before it, its author had seen all of their own.
    expect(state([], newer(author.installation, 6))).toBe('waiting')
  })

  it('is not covered by naming its own events, or several of one colleague', () => {
    const newest = new Map([[author.installation, 9]])
    expect(state([], { newest }, { ...ask, evidence: [named(author.installation, 50)] })).toBe('void')
    const twice = {
      ...ask,
      evidence: [named(reviewer.installation, 2), named(reviewer.installation, 4), named(reviewer.installation, 3)]
    }
    expect(state([], {}, twice)).toBe('waiting')
    expect(state([], { newest: new Map([[reviewer.installation, 5]]) }, twice)).toBe('void')
  })

  it('cannot be agreed to before what it names has arrived: a name for the future covers nothing', () => {
    const future = { ...ask, evidence: [named(reviewer.installation, 101)] }
    expect(state([], {}, future)).toBe('incomplete')
    expect(state([answered(supervisor, true, { of: future })], {}, future)).toBe('incomplete')
    // What is named has arrived, and is another event.
    expect(state([], {}, { ...ask, evidence: [named(reviewer.installation, 4, '00'.repeat(32))] })).toBe('invalid')
    expect(state([answered(reviewer, true, { of: future })], { hashOf: () => 'ff'.repeat(32) }, future)).toBe('invalid')
  })

  it('is not valid for a decision of somebody else, a later one, or another than the one here', () => {
    const colleague = named(reviewer.installation, 4)
    expect(state([], { decision: { hash: colleague[2], operator: 'ben' } }, { ...ask, decision: colleague })).toBe(
      'invalid'
    )
    for (const seq of [6, 7])
      expect(
        state(
          [],
          { decision: { hash: hash(author.installation, seq), operator: 'ada' } },
          { ...ask, decision: named(author.installation, seq) }
        )
      ).toBe('invalid')
    expect(state([answered(reviewer)], { decision: undefined })).toBe('invalid')
    expect(state([answered(reviewer)], { decision: { hash: '00'.repeat(32), operator: 'ada' } })).toBe('invalid')
  })
})

describe('an answer does not count', () => {
  it.each(teamRoles)('or does, by the role in the signed list: %s', (role) => {
    const one = person('f0', 'Fay', role)
    const members = new Map([...facts().members, [one.installation, one.member]])
    expect(state([answered(one)], { members })).toBe(['reviewer', 'supervisor'].includes(role) ? 'agreed' : 'waiting')
  })

  it('of an analyst, an auditor, or somebody who is no member', () => {
    expect(faults([answered(analyst)])).toEqual(['role'])
    expect(faults([answered(auditor)])).toEqual(['role'])
    const members = new Map([...facts().members].filter(([installation]) => installation !== reviewer.installation))
    expect(faults([answered(reviewer)], { members })).toEqual(['stranger'])
  })

  it('of who had lost the role before, though what they answered with it goes on counting', () => {
    const one = person('f0', 'Fay', 'analyst')
    const of = (member: Person['member']) => new Map([...facts().members, [one.installation, member]])
    const members = of({ ...one.member, approving: { earlier: [[0, 9]] } })
    expect(faults([answered(one, true, { seq: 9 })], { members })).toEqual([undefined])
    expect(faults([answered(one, true, { seq: 10 })], { members })).toEqual(['role'])
    // Promoted again: what was answered in between still counts for nothing.
    const again = of({ ...one.member, lastRole: 'reviewer', approving: { after: 20, earlier: [[0, 9]] } })
    const count = [9, 10, 20, 21].map((seq) => faults([answered(one, true, { seq })], { members: again })[0])
    expect(count).toEqual([undefined, 'role', 'role', undefined])
  })

  it('of its author, even as a supervisor, with a second installation under the same key', () => {
    const asSupervisor = { ...author, member: { ...author.member, lastRole: 'supervisor' as const } }
    const second = { ...asSupervisor, installation: 'f1'.repeat(16) }
    const members = new Map([
      ...facts().members,
      ...[asSupervisor, second].map(({ installation, member }) => [installation, member] as const)
    ])
    expect(faults([answered(asSupervisor), answered(second)], { members })).toEqual(['author', 'author'])
    expect(state([answered(asSupervisor), answered(second)], { members })).toBe('waiting')
  })

  it('under a name of somebody involved, or without a name', () => {
    expect(faults([answered(reviewer, true, { operator: ' ADA ' })])).toEqual(['same-person'])
    expect(faults([answered(reviewer, true, { operator: 'unknown' })])).toEqual(['unknown-person'])
    expect(
      faults([answered(reviewer, true, { operator: 'deciding' })], {
        decision: { hash: ask.decision[2], operator: 'Deciding' }
      })
    ).toEqual(['same-person'])
    const members = new Map([...facts().members, [reviewer.installation, { ...reviewer.member, name: 'ada' }]])
    expect(faults([answered(reviewer)], { members })).toEqual(['same-person'])
    expect(
      approverFault({ ...ask, operator: undefined }, { installation: reviewer.installation, operator: 'ben' }, facts())
    ).toBe('unknown-person')
  })

  it('with a signature of another key, for another request, decision, answer, time, name or team', () => {
    const good = answered(reviewer)
    expect(faults([good])).toEqual([undefined])
    const others: readonly Partial<KnownAnswer>[] = [
      { signer: supervisor.member.identity },
      { signature: answered(supervisor).signature },
      { agrees: false },
      { at: 1001 },
      { operator: 'benjamin' },
      { signature: '' },
      { signature: '00'.repeat(64) }
    ]
    for (const change of others) expect(faults([{ ...good, ...change }])).toEqual(['signature'])
    // Signed for another request, and said to be for this one.
    const other = { ...ask, seq: 7, hash: hash(author.installation, 7) }
    expect(faults([{ ...answered(reviewer, true, { of: other }), asked: nameOfAsk(ask) }])).toEqual(['signature'])
    // As it is, it is an answer to the other request alone.
    expect(faults([answered(reviewer, true, { of: other })])).toEqual([])
    for (const change of [
      [author.installation, 6, '00'.repeat(32)],
      [author.installation, 5, ask.hash],
      [analyst.installation, 6, ask.hash]
    ] as NamedEvent[])
      expect(faults([{ ...good, asked: change }])).toEqual([])
    const { signature } = answered(reviewer)
    expect(
      approvalOf(ask, [{ ...good, signature }], facts({ team: 'c1'.repeat(32) })).answers.map(({ fault }) => fault)
    ).toEqual(['signature'])
    // A copy of a reviewer's answer in somebody else's chain.
    expect(faults([{ ...good, installation: supervisor.installation }])).toEqual(['signature'])
  })

  it('never by its clock: times change nothing', () => {
    for (const at of [0, 1000, 8.64e15]) expect(state([answered(reviewer, true, { at })])).toBe('agreed')
  })
})

describe('what second persons said of a decision', () => {
  const again: KnownAsk = { ...ask, seq: 8, hash: hash(author.installation, 8) }
  const decided = facts().decision
  const asks = [ask, again].map((each) => ({ ...each, decided }))
  const given = [
    answered(reviewer, false, { seq: 9 }),
    answered(reviewer, true, { seq: 12, of: again }),
    answered(supervisor, true, { seq: 3 }),
    answered(analyst, false, { seq: 7 })
  ]
  const said = (order: readonly KnownAnswer[], of: readonly (typeof asks)[number][] = asks): unknown =>
    secondAnswers(ask.decision, of, order, facts())

  it('is the same in whatever order requests and answers arrived', () => {
    const expected = said(given)
    expect(expected).toMatchObject({ agrees: true, answers: [{ seq: 12 }, { seq: 3 }] })
    for (const [index] of given.entries()) {
      const order = [...given.slice(index), ...given.slice(0, index)]
      for (const each of [order, order.toReversed()])
        for (const of of [asks, asks.toReversed()]) expect(said(each, of)).toEqual(expected)
    }
  })

  it('is returned by one who does not agree, and nothing without an answer that counts', () => {
    expect(said([answered(supervisor), answered(reviewer, false)])).toMatchObject({ agrees: false })
    expect(said([])).toBeUndefined()
    expect(said([answered(analyst), answered(author)])).toBeUndefined()
    // To a request of somebody else, and one for another decision.
    const other = { ...ask, decision: named(author.installation, 4), decided }
    expect(said([answered(supervisor)], [other])).toBeUndefined()
    expect(said([answered(supervisor)], [{ ...ask, installation: analyst.installation, decided }])).toBeUndefined()
  })
})
