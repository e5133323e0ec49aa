/** Requests for approval as they arrive from colleagues with real histories, and from hostile ones. */
import { describe, expect, it } from 'vitest'
import { checklistText } from '#contract/applicants/checklists.ts'
import type { TeamRole } from '#contract/team/team.ts'
import type { TeamApproval } from '#contract/team/approvals.ts'
import type { NamedEvent, OwnApprovals } from '#wire/history/approvals.ts'
import { ApprovalReading, type ApprovalPlace } from '#exchange/approvals/approvals.ts'
import { approvalStatements } from '#exchange/approvals/received.ts'
import { isAnswerSignedBy, signAnswer } from '#wire/evidence/approval-signature.ts'
import { answer } from '../service/history-fixtures.ts'
import { by, colleague, here, hostile, type Colleague, type Here } from './support/team-activity.ts'
import { installed, team, valueOf, type Installation } from './support/team-log.ts'

const nothing: OwnApprovals = { asks: [], answers: [], received: [], newest: [], hashes: [] }
const self = '99'.repeat(16)

/** What an installation shows that has nothing of its own. */
function list(
  to: Here,
  people: readonly (readonly [Installation, string, TeamRole])[],
  query: { readonly applicantId?: string; readonly limit?: number; readonly overdueBefore?: number } = {},
  own: OwnApprovals = nothing
) {
  const reading = new ApprovalReading(to.db)
  return reading.list({ limit: 50, ...query }, reading.wanted(query, self), placeOf(people), own)
}
const placeOf = (people: readonly (readonly [Installation, string, TeamRole])[]): ApprovalPlace => ({
  team,
  installation: self,
  operator: 'self',
  shared: 0,
  members: new Map([
    ...people.map(
      ([{ installation, publicKey }, name, lastRole]) =>
        [installation, { name, lastRole, identity: publicKey }] as const
    ),
    [self, { name: 'Self', lastRole: 'reviewer', identity: '12'.repeat(32) }]
  ])
})
const decide = (one: Colleague, applicantId = 'APP-1'): number =>
  one.write((writer) =>
    one.engine.applicants.decide(
      writer,
      {
        applicantId,
        decision: 'approve',
        reasons: ['fine'],
        note: 'Seen',
        evidence: valueOf(one.engine.applicants.read.show(applicantId)).evidence
      },
      by(1, 'ada')
    )
  ).decision?.seq ?? 0
const request = (
  one: Colleague,
  decision: number,
  evidence: readonly NamedEvent[] = [],
  applicantId = 'APP-1'
): number =>
  one.write((writer) =>
    one.engine.approvals.ask(
      writer,
      { applicantId, decision, installation: one.installation, scope: team, evidence, note: 'Please' },
      by(2, 'ada')
    )
  ).seq
/** The name of an event of a colleague that was shared. */
const eventOf = ({ installation, events }: Installation, seq: number): NamedEvent => [
  installation,
  seq,
  events.all[seq - 1]?.hash ?? ''
]
const signed = (one: Installation, asked: NamedEvent, operator: string, agrees = true, at = 3) => ({
  operator,
  asked,
  agrees,
  scope: team,
  salt: '5a'.repeat(16),
  signer: one.publicKey,
  signature: signAnswer(one.signingKey, { scope: team, asked, agrees, at, by: operator, salt: '5a'.repeat(16) })
})
const answers = (one: Colleague, asked: NamedEvent, agrees = true, applicantId = 'APP-1'): void => {
  const { operator, ...words } = signed(one, asked, 'ben', agrees)
  one.write((writer) =>
    one.engine.approvals.answer(writer, { applicantId, ...words, note: 'Same face' }, by(3, operator))
  )
}
/** Ada checked, decided and asked. */
function asked(
  to: Here,
  applicantId = 'APP-1'
): { readonly ada: Colleague; readonly name: NamedEvent; readonly decision: number } {
  const ada = colleague('Ada')
  ada.check({ applicant: applicantId })
  const decision = decide(ada, applicantId)
  const seq = request(ada, decision, [], applicantId)
  ada.share(to)
  return { ada, name: eventOf(ada, seq), decision }
}
const states = (approvals: readonly TeamApproval[]): string[] => approvals.map(({ state }) => state)

describe('a request that has arrived', () => {
  it('is shown with its decision, and with a colleague’s answer', () => {
    const to = here()
    const { ada, name } = asked(to)
    const people = [[ada, 'Ada', 'analyst']] as const
    const [first] = list(to, people).approvals
    expect(first).toMatchObject({
      installation: ada.installation,
      seq: name[1],
      member: 'Ada',
      operator: 'ada',
      applicantId: 'APP-1',
      note: 'Please',
      state: 'waiting',
      unshared: 0,
      decision: { decision: 'approve', note: 'Seen', reasons: ['fine'] }
    })
    expect(first?.refusal).toBeUndefined()
    expect(list(to, people)).toMatchObject({ waiting: 1, more: false, role: 'reviewer', approvers: 0, evidence: [] })
    expect(list(to, people, { limit: 0 })).toMatchObject({ approvals: [], waiting: 1 })

    const ben = colleague('Ben')
    answers(ben, name)
    ben.share(to)
    const all = [...people, [ben, 'Ben', 'reviewer']] as const
    for (const query of [{}, { applicantId: 'APP-1' }])
      expect(list(to, all, query).approvals).toMatchObject([
        { state: 'agreed', answers: [{ member: 'Ben', note: 'Same face', agrees: true }] }
      ])
    expect(list(to, all).waiting).toBe(0)
    expect(list(to, all).approvers).toBe(1)
    // Somebody with the same name, or who was removed, could not answer.
    expect(list(to, [[ben, 'self', 'reviewer']]).approvers).toBe(0)
    // The answer alone makes nobody evidence, and an analyst's is none.
    expect(list(to, [...people, [ben, 'Ben', 'analyst']]).approvals).toMatchObject([
      { state: 'waiting', answers: [{ fault: 'role' }] }
    ])
  })

  it('shows the checklist of its decision as it was answered, and none without what was asked or answered', () => {
    const to = here()
    const ada = colleague('Ada')
    ada.check({ applicant: 'APP-1' })
    const item = (code: string, label: string, answer: 'tick' | 'yes-no', required = true) => ({
      ...{ code, label, answer, required },
      decisions: ['approve' as const]
    })
    const text = checklistText('decision', {
      decision: [item('photo', 'The photo matches', 'yes-no'), item('eid', 'Why no eID', 'tick', false)],
      review: []
    })
    const decided = ada.write((writer) =>
      ada.engine.applicants.decide(
        writer,
        {
          ...{ applicantId: 'APP-1', decision: 'approve', reasons: ['fine'], note: 'Seen' },
          evidence: valueOf(ada.engine.applicants.read.show('APP-1')).evidence
        },
        { ...by(1, 'ada'), checklist: { text, complete: false, checks: { photo: 'no' } }, focus: 'more' }
      )
    )
    request(ada, decided.decision?.seq ?? 0)
    ada.share(to)
    const [first] = list(to, [[ada, 'Ada', 'analyst']]).approvals
    expect(first?.decision?.checklist).toEqual({
      complete: false,
      items: [{ label: 'The photo matches', answer: 'no' }, { label: 'Why no eID' }]
    })
    // How long it was shown is in no answer here.
    expect(JSON.stringify(first)).not.toContain('more')

    const other = here()
    const one = installed()
    const made = one.events.append({
      kind: 'decision.made',
      plain: { operator: 'm', decision: 'approve', evidence: 1, records: [], checklist: { ref: 1, complete: true } },
      sealed: { reasons: [], note: '', checks: { photo: 'yes' } }
    })
    one.events.append({
      kind: 'approval.asked',
      plain: { operator: 'm', scope: team, decision: eventOf(one, made.seq), evidence: [] },
      sealed: { note: '' }
    })
    other.take(one)
    other.subject(one, 7, { key: one.events.key, applicant: 'APP-9' })
    const [unknown] = list(other, [[one, 'Mallory', 'analyst']]).approvals
    expect(unknown?.decision).toMatchObject({ decision: 'approve', note: '' })
    expect(unknown?.decision).not.toHaveProperty('checklist')
  })

  it('stays approved when both join the team again, under new numbers', () => {
    const to = here()
    const { ada, name } = asked(to)
    const ben = colleague('Ben')
    answers(ben, name)
    ben.share(to)
    const people: (readonly [Installation, string, TeamRole])[] = [
      [ada, 'Ada', 'analyst'],
      [ben, 'Ben', 'reviewer']
    ]
    for (const [former, own, role] of [...people]) {
      const again = { ...former, installation: former.installation.replace(/^0/, 'f') }
      for (const [each, removed] of [
        [former, 1],
        [again, 0]
      ] as const)
        to.db
          .prepare('INSERT INTO member VALUES (?, ?, ?, ?, ?)')
          .run(each.installation, own, role, removed, each.publicKey)
      to.take(again)
      to.db
        .prepare(
          'INSERT OR REPLACE INTO subject (ref, number, key, applicant, state) SELECT n.ref, s.number, s.key, s.applicant, s.state FROM subject s JOIN installation f USING (ref), installation n WHERE f.id = ? AND n.id = ?'
        )
        .run(former.installation, again.installation)
      people.push([again, own, role])
    }
    expect(list(to, people).approvals).toMatchObject([
      { state: 'agreed', installation: ada.installation, answers: [{ agrees: true }] }
    ])
  })

  it('is not shown while its key is awaited, nor after an erasure', () => {
    const to = here()
    const { ada } = asked(to)
    expect(list(to, [[ada, 'Ada', 'analyst']]).approvals).toHaveLength(1)
    for (const state of [0, 2] as const) {
      to.db.prepare('UPDATE subject SET state = ?, key = NULL, applicant = NULL').run(state)
      expect(list(to, [[ada, 'Ada', 'analyst']])).toMatchObject({ approvals: [], waiting: 0 })
      expect(list(to, [[ada, 'Ada', 'analyst']], { applicantId: 'APP-1' }).approvals).toEqual([])
    }
  })

  it('is void with later evidence, a link or a decision, of its author or of a colleague, and with nothing else', () => {
    const more: readonly (readonly [string, (one: Colleague) => void, string])[] = [
      ['an answer', (one) => void one.check({ applicant: 'APP-1' }), 'void'],
      [
        'an invalid response',
        (one) =>
          void one.check({ applicant: 'APP-1' }, {
            state: 'not-sent',
            endedAt: 5,
            failure: { code: 'internal' }
          } as never),
        'waiting'
      ],
      ['an answer about somebody else', (one) => void one.check({ applicant: 'APP-2' }), 'waiting'],
      [
        'a note',
        (one) => void one.write((writer) => one.engine.applicants.note(writer, 'APP-1', 'Called', by(9))),
        'waiting'
      ],
      ['a decision', (one) => void decide(one), 'void']
    ]
    for (const [what, act, expected] of more) {
      const to = here()
      const { ada } = asked(to)
      act(ada)
      ada.share(to)
      expect(states(list(to, [[ada, 'Ada', 'analyst']]).approvals), what).toEqual([expected])
    }
    const to = here()
    const { ada } = asked(to)
    const ben = colleague('Ben')
    ben.check({ applicant: 'APP-1' })
    ben.share(to)
    expect(
      list(to, [
        [ada, 'Ada', 'analyst'],
        [ben, 'Ben', 'reviewer']
      ]).approvals
    ).toMatchObject([{ state: 'void', newer: ['Ben'] }])
  })

  it('stands on colleagues’ evidence that it names, also once more has been recorded about others', () => {
    const to = here()
    const [ada, ben] = [colleague('Ada'), colleague('Ben')]
    ben.check({ applicant: 'APP-1' })
    ben.share(to)
    const known = new ApprovalReading(to.db).evidence('APP-1')
    expect(known).toHaveLength(1)
    ada.check({ applicant: 'APP-1' })
    request(ada, decide(ada), known)
    ada.share(to)
    const people = [
      [ada, 'Ada', 'analyst'],
      [ben, 'Ben', 'reviewer']
    ] as const
    expect(states(list(to, people).approvals)).toEqual(['waiting'])
    ben.check({ applicant: 'APP-2' })
    ben.share(to)
    expect(states(list(to, people).approvals)).toEqual(['waiting'])
    ben.check({ applicant: 'APP-1' })
    ben.share(to)
    expect(states(list(to, people).approvals)).toEqual(['void'])
  })

  it('is overdue while it waits for longer than people want, and never once it is answered', () => {
    const to = here()
    const { ada, name } = asked(to)
    const people = [[ada, 'Ada', 'analyst']] as const
    const [{ at = 0 } = {}] = list(to, people).approvals
    // Not by the clock of its author, which may be wrong, when nobody has waited yet.
    for (const overdueBefore of [at - 1, at])
      expect(list(to, people, { overdueBefore })).toMatchObject({ waiting: 1, overdue: 0 })
    const late = { overdueBefore: at + 1 }
    expect(list(to, people, late)).toMatchObject({ waiting: 1, overdue: 1, approvals: [{ overdue: true }] })
    expect(list(to, people, { ...late, limit: 0 })).toMatchObject({ approvals: [], overdue: 1 })
    expect(list(to, people)).toMatchObject({ waiting: 1, overdue: 0 })
    const ben = colleague('Ben')
    answers(ben, name)
    ben.share(to)
    const answered = list(to, [...people, [ben, 'Ben', 'reviewer']], late)
    expect(answered).toMatchObject({ waiting: 0, overdue: 0 })
    expect(answered.approvals[0]).not.toHaveProperty('overdue')
  })

  it('is void where this installation has evidence of its own, and says so', () => {
    const to = here()
    const { ada } = asked(to)
    const own = { ...nothing, newest: [{ applicantId: 'APP-1', seq: 3, hash: 'ab'.repeat(32), subject: 1 }] }
    expect(list(to, [[ada, 'Ada', 'analyst']], {}, own)).toMatchObject({
      waiting: 0,
      approvals: [{ state: 'void', newer: [null], refusal: { details: { reason: 'void' } } }]
    })
  })

  it('is replaced by a later one of its author, by number', () => {
    const to = here()
    const { ada, decision } = asked(to)
    request(ada, decision)
    ada.share(to)
    const found = list(to, [[ada, 'Ada', 'analyst']])
    expect(found.approvals.map(({ replaced }) => replaced)).toEqual([undefined, true])
    expect(found.waiting).toBe(1)
  })

  it('counts what was linked, and what was linked no more, by the one who linked it', () => {
    const to = here()
    const ada = colleague('Ada')
    ada.check({ applicant: 'APP-1' })
    const photo = ada.check({ operation: 'validate-kyc-photo', applicant: undefined } as never, answer())
    request(ada, decide(ada))
    ada.share(to)
    const people = [[ada, 'Ada', 'analyst']] as const
    expect(states(list(to, people).approvals)).toEqual(['waiting'])
    ada.write((writer) => ada.engine.applicants.link(writer, photo, 'APP-1', by(8)))
    ada.share(to)
    expect(states(list(to, people).approvals)).toEqual(['void'])
    request(ada, decide(ada))
    ada.share(to)
    expect(states(list(to, people).approvals)).toEqual(['waiting', 'void'])
    ada.write((writer) => ada.engine.applicants.unlink(writer, photo, by(9)))
    ada.share(to)
    expect(states(list(to, people).approvals)).toEqual(['void', 'void'])
  })
})

describe('an answer to a request of this installation', () => {
  const name: NamedEvent = [self, 5, 'ab'.repeat(32)]
  const own: OwnApprovals = {
    ...nothing,
    asks: [
      {
        seq: 5,
        hash: name[2],
        at: 1,
        operator: 'self',
        applicantId: 'APP-1',
        scope: team,
        decision: [self, 4, 'cd'.repeat(32)],
        evidence: [],
        note: '',
        decided: { operator: 'self', decision: 'approve', reasons: [], note: '' }
      }
    ]
  }
  const arrived = (to: Here, people: readonly (readonly [Installation, string, TeamRole])[], mine = own) =>
    new ApprovalReading(to.db).arrived(placeOf(people), mine)

  it('is kept in the order of its author’s chain, whatever it was changed to while nobody here looked', () => {
    const to = here()
    const ben = colleague('Ben')
    for (const agrees of [true, false, true, false]) answers(ben, name, agrees)
    ben.share(to)
    const kept = arrived(to, [[ben, 'Ben', 'reviewer']])
    expect(kept.map(({ agrees }) => agrees)).toEqual([true, false, true, false])
    expect(kept.map(({ answer: [, seq] }) => seq)).toEqual(kept.map(({ answer: [, seq] }) => seq).sort((a, b) => a - b))
  })

  it('is kept once it counts, and once only', () => {
    const to = here()
    const ben = colleague('Ben')
    answers(ben, name)
    ben.share(to)
    const [answer, ...rest] = arrived(to, [[ben, 'Ben', 'reviewer']])
    expect(rest).toEqual([])
    expect(answer).toMatchObject({
      applicantId: 'APP-1',
      scope: team,
      asked: name,
      agrees: true,
      by: 'ben',
      at: 3,
      note: 'Same face',
      signer: ben.publicKey
    })
    expect(answer && isAnswerSignedBy(answer.signer, answer, answer.signature)).toBe(true)
    expect(arrived(to, [[ben, 'Ben', 'analyst']])).toEqual([])
    expect(
      arrived(to, [[ben, 'Ben', 'reviewer']], { ...own, received: [[ben.installation, answer?.answer[1] ?? 0, false]] })
    ).toEqual([])
    expect(arrived(to, [[ben, 'Ben', 'reviewer']], nothing)).toEqual([])

    // In the history, however often it arrives; of nobody who was erased or is not known.
    const ada = colleague('Ada')
    ada.check({ applicant: 'APP-1' })
    const keep = (...given: readonly (typeof answer)[]): number =>
      ada.write((writer) =>
        ada.engine.approvals.receive(
          writer,
          given.flatMap((each) => each ?? []),
          by(9)
        )
      ).kept
    expect([keep(answer, answer), keep(answer)]).toEqual([1, 0])
    expect(keep(answer && { ...answer, applicantId: 'APP-404' })).toBe(0)
    const task = { evidenceOf: ['APP-1'], hashesOf: [] }
    expect(ada.engine.approvals.own(task).received).toEqual([[ben.installation, answer?.answer[1], false]])
    expect(ada.engine.applicants.read.timeline({ applicantId: 'APP-1', limit: 1 })).toMatchObject({
      value: { entries: [{ kind: 'approval', agrees: true, by: 'ben', note: 'Same face' }] }
    })
  })
})

describe('a hostile member', () => {
  const digest = 'ab'.repeat(32)
  it('cannot answer for a reviewer, for itself, or with what a reviewer signed for another request', () => {
    const to = here()
    const { ada, name } = asked(to)
    const other = asked(to, 'APP-2')
    const ben = installed()
    // What Ben signed about APP-2, word for word in Mallory's own chain and for APP-1.
    const copied = signed(ben, other.name, 'ben')
    const mallory = hostile(to, [
      { kind: 'approval.answered', plain: copied, sealed: { applicantId: 'APP-1', note: '' }, at: 3 },
      {
        kind: 'approval.answered',
        plain: { ...copied, asked: name },
        sealed: { applicantId: 'APP-1', note: '' },
        at: 3
      }
    ])
    for (const role of ['analyst', 'reviewer', 'supervisor'] as const) {
      const found = list(to, [
        [ada, 'Ada', 'analyst'],
        [other.ada, 'Ada', 'analyst'],
        [ben, 'Ben', 'reviewer'],
        [mallory, 'Mallory', role]
      ])
      expect(found.approvals.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
      expect(found.approvals.flatMap((each) => each.answers.map(({ fault }) => fault))).toEqual(['signature'])
    }
    // Its own signature, as the analyst that it is.
    const to2 = here()
    const second = asked(to2)
    const eve = installed()
    eve.events.append({
      kind: 'approval.answered',
      plain: { ...signed(eve, second.name, 'eve'), role: 'supervisor' },
      sealed: { applicantId: 'APP-1', role: 'supervisor' },
      at: 3
    })
    to2.take(eve)
    to2.subject(eve, 7, { key: eve.events.key, applicant: 'APP-1' })
    expect(
      list(to2, [
        [second.ada, 'Ada', 'analyst'],
        [eve, 'Eve', 'analyst']
      ]).approvals
    ).toMatchObject([{ state: 'waiting', answers: [{ fault: 'role' }] }])
    // Whoever is no member any more, and was never known here.
    expect(list(to2, [[second.ada, 'Ada', 'analyst']]).approvals).toMatchObject([
      { state: 'waiting', answers: [{ fault: 'stranger' }] }
    ])
  })

  it('cannot ask for a decision that is about somebody else, or of somebody else, nor name the future', () => {
    const to = here()
    const { ada, name, decision } = asked(to)
    const one = installed()
    const made = one.events.append({
      kind: 'decision.made',
      plain: { operator: 'mallory', decision: 'approve', evidence: 1, records: [] },
      sealed: { reasons: [], note: '' }
    })
    const elsewhere = one.events.append({
      kind: 'decision.made',
      subject: 8,
      plain: { operator: 'mallory', decision: 'approve', evidence: 1, records: [] },
      sealed: { reasons: [], note: '' }
    })
    const ask = (plain: object): void =>
      void one.events.append({
        kind: 'approval.asked',
        plain: { operator: 'mallory', scope: team, evidence: [], ...plain },
        sealed: { note: '' }
      })
    ask({ decision: [ada.installation, decision, ada.events.all[decision - 1]?.hash ?? ''] })
    ask({ decision: eventOf(one, elsewhere.seq) })
    ask({ decision: [one.installation, made.seq, digest] })
    ask({ decision: eventOf(one, made.seq), evidence: [[ada.installation, 9999, digest]] })
    ask({ decision: eventOf(one, made.seq), evidence: [[name[0], name[1], digest]] })
    to.take(one)
    to.subject(one, 7, { key: one.events.key, applicant: 'APP-9' })
    const found = list(
      to,
      [
        [ada, 'Ada', 'analyst'],
        [one, 'Mallory', 'reviewer']
      ],
      { applicantId: 'APP-9' }
    )
    expect(
      found.approvals.toSorted((a, b) => a.seq - b.seq).map(({ state, decision: shown }) => [state, shown?.decision])
    ).toEqual([
      ['invalid', undefined],
      ['invalid', undefined],
      ['invalid', undefined],
      ['incomplete', 'approve'],
      ['invalid', 'approve']
    ])
    expect(found.waiting).toBe(0)
  })

  it('can write anything into an event, and nothing of another form is shown', () => {
    const to = here()
    const asks = [
      {},
      { decision: 'x', evidence: [] },
      { decision: ['a', 1, digest], evidence: [] },
      { decision: ['aa'.repeat(16), 1.5, digest], evidence: [] },
      { decision: ['aa'.repeat(16), 1, digest], evidence: [[1]] }
    ]
    const one = hostile(to, [
      ...asks.map((plain) => ({ kind: 'approval.asked' as const, text: JSON.stringify(plain), sealed: { note: 7 } })),
      ...[
        {},
        { asked: ['aa'.repeat(16), 1, digest] },
        { asked: ['aa'.repeat(16), 1, digest], agrees: 'yes', signer: digest, signature: digest }
      ].map((plain) => ({ kind: 'approval.answered' as const, plain, sealed: {} }))
    ])
    expect(list(to, [[one, 'Mallory', 'supervisor']]).approvals).toEqual([])
    expect(list(to, [[one, 'Mallory', 'supervisor']], { applicantId: 'APP-1' }).approvals).toEqual([])
  })

  it('cannot hide older requests of others behind its own, and whoever looks is told of more', () => {
    const to = here()
    const { ada } = asked(to)
    const one = installed()
    const made = one.events.append({
      kind: 'decision.made',
      plain: { operator: 'm', decision: 'approve', records: [] },
      sealed: { reasons: [] }
    })
    one.events.add(230, {
      kind: 'approval.asked',
      plain: { operator: 'm', scope: team, decision: eventOf(one, made.seq), evidence: [] },
      sealed: { note: '' }
    })
    to.take(one)
    to.subject(one, 7, { key: one.events.key, applicant: 'APP-3' })
    const found = list(
      to,
      [
        [ada, 'Ada', 'analyst'],
        [one, 'Mallory', 'analyst']
      ],
      { limit: 200 }
    )
    expect(found.more).toBe(true)
    // Its later ones replace the others: it takes one answer, not two hundred.
    expect(found.waiting).toBe(2)
    expect(
      list(
        to,
        [
          [ada, 'Ada', 'analyst'],
          [one, 'Mallory', 'analyst']
        ],
        { applicantId: 'APP-1' }
      ).approvals
    ).toHaveLength(1)
  })
})

it('is found by indexes alone', () => {
  const { db } = here()
  for (const [sql, values] of [
    [approvalStatements.ofSubject, [1, 1]],
    [approvalStatements.evidence, [1, 1]]
  ] as const) {
    const plan = (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { readonly detail: string }[])
      .map(({ detail }) => detail)
      .join('; ')
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/)
  }
})
