/** Decisions that need a second person: proposed until somebody else answers, and returned by who does not agree. */
import { describe, expect, it } from 'vitest'
import type { Decision } from '#contract/applicants/applicants.ts'
import { needsApproval, type RequireApproval } from '#contract/applicants/four-eyes.ts'
import type { ReviewOutcome } from '#contract/applicants/reviews.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { heldRule } from '#core/applicants/rules.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { add, inFolder, opened } from './history-fixtures.ts'
import { seeded } from './support/random.ts'
import { counted, times } from './support/times.ts'

const riskClasses = ['low', 'medium', 'high'].map((code) => ({ code, label: code, months: 12, enhanced: false }))
const rule = heldRule({ requireApproval: { approve: 'medium', decline: 'high' }, riskClasses })
const by = { at: 1_760_000_100_000, operator: 'first.person' }
const day = 24 * 60 * 60 * 1000
const installation = '0'.repeat(32)

function value<T>(result: Result<T, Failure>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure))
  return result.value
}
const write = <T>(engine: Engine, job: (writer: Writer) => Result<T, Failure>): T =>
  value(engine.commit([job])[0] as Result<T, Failure>)
const shown = (engine: Engine, applicantId: string) => value(engine.applicants.read.show(applicantId))

function decide(
  engine: Engine,
  applicantId: string,
  decision: Decision,
  at = by.at,
  refusedOn?: string,
  review?: ReviewOutcome
): number {
  const { evidence } = shown(engine, applicantId)
  const draft = {
    applicantId,
    decision,
    reasons: [],
    note: 'checked',
    evidence,
    ...(refusedOn && { refusedOn }),
    ...(review && { review })
  }
  const made = write(engine, (writer) => engine.applicants.decide(writer, draft, { ...by, at, fourEyes: rule }))
  return made.decision?.seq ?? 0
}
const rate = (engine: Engine, applicantId: string, risk: string): void =>
  void write(engine, (writer) => engine.applicants.rate(writer, { applicantId, risk, months: 12, note: '' }, by))
const ask = (engine: Engine, applicantId: string, decision: number): number =>
  write(engine, (writer) =>
    engine.approvals.ask(writer, { applicantId, decision, installation, scope: 'team', evidence: [], note: '' }, by)
  ).seq
let answers = 0
function receive(
  engine: Engine,
  applicantId: string,
  asked: number,
  { agrees, who = 'a', at = by.at, isVoid = false }: { agrees: boolean; who?: string; at?: number; isVoid?: boolean }
): void {
  answers += 1
  const answer = {
    applicantId,
    scope: 'team',
    salt: '',
    asked: [installation, asked, ''] as const,
    answer: [who.repeat(32), answers, ''] as const,
    agrees,
    at,
    by: 'second.person',
    note: agrees ? '' : 'Another face',
    signer: who.repeat(64),
    signature: String(answers),
    ...(isVoid && { void: true as const })
  }
  write(engine, (writer) => engine.approvals.receive(writer, [answer], { ...by, at }))
}

it.each<[RequireApproval, string, string | undefined, boolean]>([
  [{}, 'approve', 'high', false],
  [{ approve: 'medium' }, 'approve', 'low', false],
  [{ approve: 'medium' }, 'approve', 'medium', true],
  [{ approve: 'medium' }, 'approve', 'high', true],
  [{ approve: 'medium' }, 'decline', 'high', false],
  [{ approve: 'medium' }, 'escalate', 'high', false],
  // Without a class, or with one that is not listed any more.
  [{ approve: 'high' }, 'approve', undefined, true],
  [{ approve: 'high' }, 'approve', 'gone', true],
  [{ approve: 'gone' }, 'approve', 'low', true]
])('the rule %j requires of %s at class %s: %s', (from, decision, risk, required) => {
  expect(needsApproval({ from, classes: ['low', 'medium', 'high'] }, decision, risk)).toBe(required)
})

it('a rule has one hash, which follows from what it says', () => {
  expect(heldRule({ requireApproval: {}, riskClasses })).toBeUndefined()
  expect(rule?.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(heldRule({ requireApproval: { decline: 'high', approve: 'medium' }, riskClasses })?.hash).toBe(rule?.hash)
  expect(heldRule({ requireApproval: { approve: 'medium' }, riskClasses })?.hash).not.toBe(rule?.hash)
})

describe('a decision that needs a second person', () => {
  it('is proposed everywhere, approved by an answer, and returned by one that does not agree', async () => {
    await inFolder((folder) => {
      const engine = opened(folder)
      add(engine, { applicant: 'APP-1' })
      rate(engine, 'APP-1', 'high')
      const decision = decide(engine, 'APP-1', 'approve')
      expect(shown(engine, 'APP-1')).toMatchObject({
        state: 'proposed',
        proposal: 'approve',
        decision: { decision: 'approve', proposed: true, answer: undefined }
      })
      // Nobody is approved yet, so no review is scheduled.
      expect(shown(engine, 'APP-1').review).toBeUndefined()
      expect(engine.queue.page({ limit: 10 }, by.at, 30).counts).toMatchObject({ open: 0, returned: 0 })
      const asked = ask(engine, 'APP-1', decision)
      receive(engine, 'APP-1', asked, { agrees: true, at: by.at + day })
      expect(shown(engine, 'APP-1')).toMatchObject({
        state: 'approve',
        proposal: undefined,
        decision: { answer: { agrees: true, by: 'second.person', at: by.at + day } },
        // A year after the answer.
        review: { at: '2026-10-10' }
      })
      // One who does not agree is enough, and the last answer of each counts.
      receive(engine, 'APP-1', asked, { agrees: false, who: 'b' })
      expect(shown(engine, 'APP-1')).toMatchObject({
        state: 'returned',
        decision: { answer: { agrees: false, note: 'Another face' } }
      })
      const queue = engine.queue.page({ limit: 10 }, by.at, 30)
      expect(queue.counts).toMatchObject({ returned: 1 })
      // Approved by nobody, although somebody agreed before.
      expect(shown(engine, 'APP-1').review).toBeUndefined()
      expect(queue.items).toMatchObject([{ kind: 'returned', applicant: { id: 'APP-1' }, meaning: 'unreviewed' }])
      receive(engine, 'APP-1', asked, { agrees: true, who: 'b' })
      expect(shown(engine, 'APP-1').state).toBe('approve')
      add(engine, { applicant: 'APP-1' })
      expect(shown(engine, 'APP-1').state).toBe('outdated')
      // It came too late.
      receive(engine, 'APP-1', asked, { agrees: true, who: 'c' })
      expect(shown(engine, 'APP-1').state).toBe('outdated')
      expect(engine.walk).toBeDefined()
      engine.close()
    })
  })

  it('counts no answer to an earlier decision, and none that came after newer evidence', async () => {
    await inFolder((folder) => {
      const engine = opened(folder)
      add(engine, { applicant: 'APP-1' })
      const first = ask(engine, 'APP-1', decide(engine, 'APP-1', 'approve'))
      const second = ask(engine, 'APP-1', decide(engine, 'APP-1', 'decline'))
      receive(engine, 'APP-1', first, { agrees: true })
      expect(shown(engine, 'APP-1')).toMatchObject({ state: 'proposed', proposal: 'decline' })
      receive(engine, 'APP-1', second, { agrees: true, isVoid: true })
      expect(shown(engine, 'APP-1').state).toBe('proposed')
      receive(engine, 'APP-1', second, { agrees: true })
      expect(shown(engine, 'APP-1').state).toBe('decline')
      // A request in a team is none by file. The third answer is the first that came before anything newer.
      expect(value(engine.applicants.read.timeline({ applicantId: 'APP-1', limit: 1 })).entries[0]).not.toHaveProperty(
        'byFile'
      )
      expect(engine.overview.month(by.at - day, by.at + day).approved).toBe(1)
      engine.close()
    })
  })

  it('counts in no figure before somebody agrees, and not while it is returned', async () => {
    await inFolder((folder) => {
      const engine = opened(folder)
      add(engine, { applicant: 'APP-1' })
      engine.columns.all()
      const made = () => {
        const period = { edges: [by.at - day, by.at, by.at + 3 * day], offsets: [{ from: 0, minutes: 0 }] }
        const found = engine.decisions.figures({ period, before: { from: 0, until: 1 } }, by.at + day, Infinity)
        if (found.kind !== 'counted') throw new Error('still counting')
        return [found.decisions.approve, found.waiting.total]
      }
      const inTeam = () => engine.outgoing.work(by.at - day, by.at + day).map(({ decisions }) => decisions)
      expect(made()).toEqual([0, 1])
      const asked = ask(engine, 'APP-1', decide(engine, 'APP-1', 'approve'))
      expect(made()).toEqual([0, 0])
      expect(inTeam()).not.toContain(1)
      receive(engine, 'APP-1', asked, { agrees: true })
      expect(made()).toEqual([1, 0])
      expect(inTeam()).toContain(1)
      receive(engine, 'APP-1', asked, { agrees: false, who: 'b' })
      expect(made()).toEqual([0, 1])
      receive(engine, 'APP-1', asked, { agrees: true, who: 'b', at: by.at + day })
      expect(made()).toEqual([1, 0])
      engine.close()
    })
  })

  it('refuses no relationship, is no review, and is left out of a decision about many', async () => {
    await inFolder((folder) => {
      const engine = opened(folder)
      add(engine, { applicant: 'APP-1' })
      expect(() => decide(engine, 'APP-1', 'decline', by.at, '2026-01-01')).toThrow('refused-while-proposed')
      expect(() => decide(engine, 'APP-1', 'approve', by.at, undefined, 'unchanged')).toThrow('review-while-proposed')
      expect(shown(engine, 'APP-1')).toMatchObject({ state: 'none', decision: undefined })
      const asked = ask(engine, 'APP-1', decide(engine, 'APP-1', 'approve'))
      const why = () => value(engine.applicants.weigh(['APP-1'], 'approve', by, [])).leftOut.map((each) => each.why)
      expect(why()).toEqual(['proposed'])
      receive(engine, 'APP-1', asked, { agrees: false })
      expect(why()).toEqual(['returned'])
      engine.close()
    })
  })

  it('says in its event what it requires and by which rule', async () => {
    await inFolder((folder) => {
      const engine = opened(folder)
      add(engine, { applicant: 'APP-1' })
      rate(engine, 'APP-1', 'low')
      decide(engine, 'APP-1', 'approve')
      rate(engine, 'APP-1', 'medium')
      decide(engine, 'APP-1', 'approve')
      decide(engine, 'APP-1', 'escalate')
      const made = engine.dbs.history
        .prepare("SELECT plain FROM event WHERE kind = 'decision.made' ORDER BY seq")
        .pluck()
        .all() as string[]
      expect(made.map((plain) => JSON.parse(plain) as object)).toMatchObject(
        [0, 1, 0].map((requires) => ({ requires, rule: rule?.hash }))
      )
      engine.close()
    })
  })

  it(
    'has the state that a recount of its events gives, in 300 random histories',
    async ({ task }) => {
      await inFolder((folder) => {
        const engine = opened(folder)
        // What is durable is not in question here.
        for (const db of [engine.dbs.history, engine.dbs.subjects, engine.dbs.search]) db.pragma('synchronous = OFF')
        const differing: string[] = []
        const pick = seeded(39)
        const histories = 300 * times
        for (let history = 0; history < histories; history += 1) {
          const id = `APP-${history}`
          add(engine, { applicant: id })
          let expected = 'none'
          let made: { readonly asked: number; readonly decision: Decision; readonly requires: boolean } | undefined
          const earlier: number[] = []
          let given = new Map<string, boolean>()
          const story: string[] = []
          for (let step = 0; step < 2 + pick(10); step += 1) {
            const what = pick(7)
            if (what === 0) {
              add(engine, { applicant: id })
              expected = expected === 'none' ? 'none' : 'outdated'
              story.push('evidence')
            } else if (what === 6) {
              const challenged = engine.commit([
                (writer) => engine.applicants.challenge(writer, { applicantId: id, text: 'Not my photo' }, by)
              ])[0]?.ok
              if (challenged !== (made !== undefined))
                differing.push(`${id}: challenged without a decision, or not with one`)
              if (challenged) expected = 'outdated'
              story.push('challenged')
            } else if (what === 1) {
              rate(engine, id, ['low', 'medium', 'high'][pick(3)] ?? 'low')
              story.push('rated')
            } else if (what <= 3) {
              const decision = (['approve', 'decline', 'escalate'] as const)[pick(3)] ?? 'approve'
              const requires = needsApproval(rule ?? { from: {}, classes: [] }, decision, shown(engine, id).risk)
              if (made) earlier.push(made.asked)
              made = { asked: ask(engine, id, decide(engine, id, decision)), decision, requires }
              given = new Map()
              expected = requires ? 'proposed' : decision
              story.push(`${decision}${requires ? ' proposed' : ''}`)
            } else if (made) {
              const stale = earlier.length > 0 && pick(4) === 0
              const [agrees, who, isVoid] = [pick(2) === 0, 'abc'[pick(3)] ?? 'a', pick(5) === 0]
              receive(engine, id, stale ? (earlier[0] ?? 0) : made.asked, { agrees, who, isVoid })
              story.push(`${stale ? 'stale ' : ''}${isVoid ? 'void ' : ''}${who} ${agrees}`)
              if (stale || isVoid || expected === 'outdated') continue
              given.set(who, agrees)
              if (made.requires) expected = [...given.values()].includes(false) ? 'returned' : made.decision
            }
          }
          const { state } = shown(engine, id)
          if (state !== expected) differing.push(`${id}: ${state}, not ${expected}, after ${story.join(', ')}`)
        }
        counted(task, { histories, differing: differing.length })
        expect(differing).toEqual([])
        engine.close()
      })
    },
    60_000 * times
  )
})
