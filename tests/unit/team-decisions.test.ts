/** Decisions of several installations about one applicant: which stand, which differ, and what a new one replaces. */
import { describe, expect, it } from 'vitest'
import { decisions as allDecisions, type Decision } from '#contract/applicants/applicants.ts'
import type { NamedDecision } from '#wire/history/applicants.ts'
import { sha256 } from '#kit/bytes.ts'
import { decisionsStatement } from '#exchange/activity/decisions.ts'
import { isConflict, nameOf, standingOf, type KnownDecision } from '#exchange/activity/standing.ts'
import { by, colleague, here, hostile, type Colleague, type Here } from './support/team-activity.ts'
import { hashText, installed, type Draft } from './support/team-log.ts'

const [a, b, c] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(16)) as [string, string, string]
const made = (
  installation: string,
  seq: number,
  supersedes: readonly KnownDecision[] = [],
  decision: Decision = 'approve',
  at = seq
): KnownDecision => ({
  installation,
  seq,
  at,
  decision,
  hash: sha256(`${installation} ${seq}`).toString('hex'),
  supersedes: supersedes.map(nameOf)
})
const names = (decisions: readonly KnownDecision[]): string =>
  decisions
    .map(({ installation, seq }) => `${installation.slice(0, 1)}${seq}`)
    .sort()
    .join(' ')
const stand = (...decisions: readonly KnownDecision[]): string => {
  const standing = names(standingOf(decisions))
  // In whatever order they arrived.
  for (const other of [decisions.toReversed(), decisions.toSorted((x, y) => x.seq - y.seq)])
    expect(names(standingOf(other))).toBe(standing)
  return standing
}

describe('a decision', () => {
  it('is replaced by a later one of its installation, or by one that names it', () => {
    const [a1, b1] = [made(a, 1), made(b, 1)]
    expect(stand()).toBe('')
    expect(stand(a1)).toBe('a1')
    expect(stand(a1, made(a, 2))).toBe('a2')
    expect(stand(a1, b1)).toBe('a1 b1')
    expect(stand(a1, made(b, 1, [a1]))).toBe('b1')
    expect(stand(a1, b1, made(c, 1, [a1]))).toBe('b1 c1')
    expect(stand(a1, b1, made(c, 1, [a1, b1]))).toBe('c1')
    // By number, not by clock.
    expect(stand(made(a, 1, [], 'approve', 900), made(a, 2, [], 'approve', 5))).toBe('a2')
  })

  it('stays replaced when the one that replaced it is replaced', () => {
    const a1 = made(a, 1)
    const b1 = made(b, 1, [a1])
    expect(stand(a1, b1, made(b, 2))).toBe('b2')
    expect(stand(a1, b1, made(c, 1, [b1]))).toBe('c1')
    expect(stand(a1, b1, made(b, 2), made(c, 1, [b1]))).toBe('b2 c1')
    // The one in between has not arrived: what is missing replaces nothing.
    expect(stand(a1, made(c, 1, [b1]))).toBe('a1 c1')
    // One that came after what was replaced.
    expect(stand(a1, b1, made(a, 2))).toBe('a2 b1')
  })

  it('replaces nothing and differs from nothing while it is proposed', () => {
    const a1 = made(a, 1, [], 'decline')
    const b1 = made(b, 1, [a1], 'approve')
    const proposed = { ...b1, proposed: true as const }
    const states = [proposed, { ...proposed, agrees: false }, { ...proposed, agrees: true }, b1].map((each) => [
      stand(a1, each),
      isConflict(standingOf([a1, { ...each, supersedes: [] }]))
    ])
    expect(states).toEqual([
      ['a1 b1', false],
      ['a1 b1', false],
      ['b1', true],
      ['b1', true]
    ])
  })

  it('replaces nothing of its own installation by naming it, and nothing with another hash or number', () => {
    const [a1, a2] = [made(a, 1), made(a, 2)]
    expect(stand(made(a, 1, [a1]))).toBe('a1')
    expect(stand(made(a, 1, [a2]), a2)).toBe('a2')
    for (const change of [{ hash: hashText('00') }, { seq: 7 }, { installation: c }])
      expect(stand(a1, made(b, 1, [{ ...a1, ...change }]))).toBe('a1 b1')
  })

  it('is listed with the strictest first, and differs from others or not', () => {
    const order = (...given: readonly KnownDecision[]): string =>
      standingOf(given)
        .map(({ decision }) => decision)
        .join()
    for (const first of allDecisions)
      for (const second of allDecisions)
        for (const third of allDecisions) {
          const given = [made(a, 1, [], first), made(b, 1, [], second), made(c, 1, [], third)]
          expect(order(...given)).toBe(
            [first, second, third]
              .sort(
                (x, y) => ['decline', 'escalate', 'approve'].indexOf(x) - ['decline', 'escalate', 'approve'].indexOf(y)
              )
              .join()
          )
          expect(isConflict(standingOf(given))).toBe(new Set([first, second, third]).size > 1)
        }
    expect(isConflict([])).toBe(false)
    expect(
      standingOf([made(a, 1, [], 'decline', 5), made(b, 1, [], 'decline', 9), made(c, 1, [], 'decline', 9)]).map(
        ({ installation }) => installation
      )
    ).toEqual([b, c, a])
  })
})

describe('three installations, in every way that they can know of each other', () => {
  const authors = [a, b, c]
  interface Step {
    readonly decision: KnownDecision
    /** Everything that its author knew of, however it learnt it. */
    readonly past: ReadonlySet<KnownDecision>
  }
  let seen = 0
  /** `has`: how many decisions of each installation have arrived at each. */
  function go(steps: readonly Step[], has: readonly (readonly number[])[], left: number): void {
    const stands = steps
      .filter(({ decision }) => !steps.some(({ past }) => past.has(decision)))
      .map(({ decision }) => decision)
    expect(names(standingOf(steps.map(({ decision }) => decision)))).toBe(names(stands))
    seen += 1
    if (left === 0) return
    const of = (author: number): Step[] => steps.filter(({ decision }) => decision.installation === authors[author])
    for (let author = 0; author < 3; author += 1) {
      const others = [0, 1, 2].filter((each) => each !== author) as [number, number]
      for (let first = has[author]![others[0]]!; first <= of(others[0]).length; first += 1)
        for (let second = has[author]![others[1]]!; second <= of(others[1]).length; second += 1) {
          const known = [...of(author), ...of(others[0]).slice(0, first), ...of(others[1]).slice(0, second)]
          // As the product does: the standing ones of others, of what has arrived.
          const named = standingOf(known.map(({ decision }) => decision)).filter(
            ({ installation }) => installation !== authors[author]
          )
          const decision = made(authors[author]!, of(author).length + 1, named)
          const past = new Set(known.flatMap((each) => [each.decision, ...each.past]))
          const counts = has.map((row, index) =>
            index === author ? row.with(others[0], first).with(others[1], second) : row
          )
          go([...steps, { decision, past }], counts, left - 1)
        }
    }
  }

  it('what stands is what nobody knew of who decided', () => {
    go(
      [],
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0]
      ],
      5
    )
    expect(seen).toBeGreaterThan(3000)
  })
})

describe('decisions of real histories', () => {
  interface Deciding extends Colleague {
    readonly here: Here
    decide(decision: Decision): void
    standing(): string
    conflict(): boolean
  }
  const atWork = (name: string): Deciding => {
    const one = colleague(name)
    const received = here()
    one.check({ applicant: 'APP-1' })
    const ownSide = () => ({ installation: one.installation, decisions: one.engine.applicants.read.decisions('APP-1') })
    const view = () =>
      received.reading.applicant({ applicantId: 'APP-1', limit: 10 }, { own: ownSide(), names: received.names })
    let time = 0
    return {
      ...one,
      here: received,
      decide(decision) {
        time += 1
        const hand = {
          ...by(time, name.toLowerCase()),
          supersedes: received.reading.superseded('APP-1', { own: ownSide() })
        }
        const evidence = one.engine.applicants.read.find('APP-1')?.evidence ?? 0
        one.write((writer) =>
          one.engine.applicants.decide(
            writer,
            { applicantId: 'APP-1', decision, reasons: [], note: '', evidence },
            hand
          )
        )
      },
      standing: () =>
        view()
          .decisions.map(({ member = 'own', decision }) => `${member} ${decision}`)
          .join(', '),
      conflict: () => view().conflict
    }
  }

  it('stand until somebody who knows them decides', () => {
    const [ada, ben, carla] = [atWork('Ada'), atWork('Ben'), atWork('Carla')]
    const meet = (...all: readonly Deciding[]): void => {
      for (const from of all) for (const to of all) if (from !== to) from.share(to.here)
    }
    ada.decide('approve')
    ben.decide('decline')
    expect([ada.standing(), ada.conflict()]).toEqual(['own approve', false])
    meet(ada, ben)
    expect([ada.standing(), ben.standing()]).toEqual(['Ben decline, own approve', 'own decline, Ada approve'])
    expect([ada.conflict(), ben.conflict(), carla.conflict()]).toEqual([true, true, false])
    meet(ben, carla)
    // Carla knows one of them alone.
    carla.decide('escalate')
    meet(ada, ben, carla)
    for (const each of [ada, ben, carla])
      expect(each.standing().replace(new RegExp(`${each.name} |own `, 'g'), '')).toMatch(
        /^(?:Carla )?escalate, (?:Ada )?approve$/
      )
    ben.decide('decline')
    meet(ada, ben, carla)
    expect([ada.standing(), ben.standing(), carla.standing()]).toEqual(['Ben decline', 'own decline', 'Ben decline'])
    expect([ada, ben, carla].map((each) => each.conflict())).toEqual([false, false, false])
    expect(ben.engine.applicants.read.decisions('APP-1')[0]?.supersedes).toHaveLength(2)
  })

  it('have the names of their members and operators', () => {
    const [ada, ben] = [atWork('Ada'), atWork('Ben')]
    ben.decide('decline')
    ben.share(ada.here)
    const [decision] = ben.engine.applicants.read.decisions('APP-1')
    const view = () => ada.here.reading.applicant({ applicantId: 'APP-1', limit: 1 }, { names: ada.here.names })
    expect(view()).toMatchObject({
      decisions: [
        {
          installation: ben.installation,
          member: 'Ben',
          operator: 'ben',
          seq: decision?.seq,
          at: 1,
          decision: 'decline'
        }
      ],
      conflict: false,
      entries: [{ what: { kind: 'check' } }],
      next: {}
    })
    ada.here.names.clear()
    expect(view().decisions[0]?.member).toBe(ben.installation)
    expect(ada.here.reading.applicant({ applicantId: 'APP-2', limit: 1 }, { names: ada.here.names })).toEqual({
      entries: [],
      decisions: [],
      conflict: false
    })
  })

  it('are kept by the history that made them, with their hashes', () => {
    const ben = atWork('Ben')
    ben.decide('decline')
    ben.decide('approve')
    const found = ben.engine.applicants.read.decisions('APP-1')
    expect(found.map(({ decision, operator, at, supersedes }) => [decision, operator, at, supersedes])).toEqual([
      ['approve', 'ben', 2, []],
      ['decline', 'ben', 1, []]
    ])
    for (const { seq, hash } of found) expect(hash).toBe(ben.engine.events.get(seq).hash.toString('hex'))
    expect(ben.engine.applicants.read.decisions('APP-9')).toEqual([])
    // Without others' decisions, an event is what it was before there were teams.
    const plain = ben.engine.dbs.history
      .prepare('SELECT plain FROM event WHERE seq = ?')
      .pluck()
      .get(found[0]?.seq) as string
    expect(Object.keys(JSON.parse(plain) as object)).toEqual([
      'operator',
      'decision',
      'evidence',
      'records',
      'readings',
      'requires'
    ])
    const named: NamedDecision = [a, 3, hashText('ab')]
    ben.write((writer) =>
      ben.engine.applicants.decide(
        writer,
        { applicantId: 'APP-1', decision: 'approve', reasons: [], note: '', evidence: found[0] ? 4 : 0 },
        { ...by(5), supersedes: [named] }
      )
    )
    expect(ben.engine.applicants.read.decisions('APP-1')[0]?.supersedes).toEqual([named])
  })
})

describe('a member who breaks the rules', () => {
  const decided = (decision: string, supersedes?: unknown): Draft => ({
    kind: 'decision.made',
    plain: { operator: 'm', decision, ...(supersedes !== undefined && { supersedes }) },
    sealed: { reasons: [], note: '' }
  })
  const standing = (ours: Here): readonly string[] =>
    ours.reading
      .applicant({ applicantId: 'APP-1', limit: 1 }, { names: ours.names })
      .decisions.map(({ seq, decision }) => `${seq} ${decision}`)

  it('replaces no decision that it could not know: its hash did not exist yet', () => {
    const ours = here()
    const ben = installed()
    hostile(ours, [
      decided(
        'approve',
        Array.from({ length: 50 }, (_, index) => [ben.installation, index + 1, hashText('00')])
      )
    ])
    ben.events.append(decided('decline'))
    ours.take(ben)
    ours.subject(ben, 7, { key: ben.events.key, applicant: 'APP-1' })
    expect(standing(ours)).toEqual(['1 decline', '1 approve'])
  })

  it('cannot let decisions replace each other, even together with another one', () => {
    const ours = here()
    const second = installed()
    const first = hostile(ours, [
      decided('approve', [
        [second.installation, 1, hashText('00')],
        [second.installation, 1, '']
      ])
    ])
    second.events.append(decided('escalate', [[first.installation, 1, first.events.head.hash]]))
    ours.take(second)
    ours.subject(second, 7, { key: second.events.key, applicant: 'APP-1' })
    expect(standing(ours)).toEqual(['1 escalate'])
  })

  it('decides, whatever it says that it replaces', () => {
    for (const supersedes of [
      null,
      'x',
      {},
      [null],
      [[]],
      [['x', 1, hashText('00')]],
      [[a, -1, hashText('00')]],
      [[a, 1]],
      [[a, 1, hashText('00'), 1]],
      { length: 3 },
      Array(5000).fill([a, 1, hashText('00')])
    ]) {
      const ours = here()
      hostile(ours, [decided('decline', supersedes)])
      expect(standing(ours)).toEqual(['1 decline'])
    }
    const ours = here()
    hostile(ours, [decided('constructor'), decided('__proto__')])
    expect(standing(ours)).toEqual([])
  })

  it('decides about an applicant once, and not without its key', () => {
    const ours = here()
    const one = hostile(
      ours,
      Array.from({ length: 130 }, (_, index) => decided(index === 129 ? 'decline' : 'approve'))
    )
    expect(standing(ours)).toEqual(['130 decline'])
    ours.subject(one, 7, { state: 2 })
    expect(standing(ours)).toEqual([])
  })

  it('keeps nobody from deciding by decisions of several megabytes', () => {
    const ours = here()
    hostile(
      ours,
      Array.from(
        { length: 6 },
        () => ({ kind: 'decision.made', plain: { decision: 'approve', operator: 'x'.repeat(3_000_000) } }) as const
      )
    )
    hostile(ours, [decided('decline')])
    expect(standing(ours)).toEqual(['1 decline', '6 approve'])
  })
})

it('the decisions of an applicant are found by an index', () => {
  const plan = here()
    .db.prepare(`EXPLAIN QUERY PLAN ${decisionsStatement}`)
    .all(1, 1)
    .map((each) => (each as { readonly detail: string }).detail)
  expect(plan).toEqual(['SEARCH entry USING INDEX entry_decision (ref=? AND subject=?)'])
})
