/** Challenges at two installations, as a third one sees them: random orders of events against a naive recount. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Decision } from '#contract/applicants/applicants.ts'
import { Colleagues } from '#store/overview/colleagues.ts'
import { replay } from '#store/overview/decision-replay.ts'
import { challengedStatement } from '#exchange/activity/decisions.ts'
import { waitingState } from '#team/log/waiting.ts'
import { answer } from '../service/history-fixtures.ts'
import { by, colleague, here } from './support/team-activity.ts'

const start = 1_760_000_000_000
const id = 'APP-1'
const step = fc.record({
  who: fc.constantFrom(0, 1),
  what: fc.constantFrom('check', 'approve', 'decline', 'escalate', 'challenge', 'challenge')
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** One of them has decided: otherwise most challenges would be refused. */
const begins: readonly Step[] = [
  { who: 0, what: 'check' },
  { who: 0, what: 'decline' }
]

/** What one installation did about the applicant, counted by hand. */
interface Side {
  state: 'none' | 'outdated' | Decision
  last: Decision | undefined
  challenged: boolean
  checked: boolean
}

it('are those of a naive recount, at whoever recorded them and at a colleague', { timeout: 120_000 }, () => {
  const seen = { challenges: 0, refused: 0, waiting: 0 }
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 14 }), (random) => {
      const steps = [...begins, ...random]
      const ours = here()
      const members = [colleague('Ben Okoro'), colleague('Carla Diaz')] as const
      const sides: Side[] = members.map(() => ({ state: 'none', last: undefined, challenged: false, checked: false }))
      const decided: { readonly decision: Decision; evidence: string; readonly at: number }[] = []
      let evidence = [0, 0]
      let lastNews = -1
      steps.forEach(({ who, what }: Step, index) => {
        const [member, side] = [members[who]!, sides[who]!]
        const at = start + index * 60_000
        if (what === 'check') {
          member.check({ applicant: id, startedAt: at }, { ...answer(), endedAt: at + 1000, took: 1000 })
          if (side.state !== 'none') side.state = 'outdated'
          side.checked = true
          evidence = evidence.map((each, other) => each + Number(other === who))
          lastNews = index
        } else if (what === 'challenge') {
          const made = member.engine.commit([
            (writer) => member.engine.applicants.challenge(writer, { applicantId: id, text: 'No' }, by(at))
          ])[0]
          // Who has not decided has nothing that could be challenged.
          expect(made?.ok).toBe(side.last !== undefined)
          seen[made?.ok ? 'challenges' : 'refused'] += 1
          if (!made?.ok) return
          side.state = 'outdated'
          side.challenged = true
          evidence = evidence.map((each, other) => each + Number(other === who))
          lastNews = index
        } else if (side.checked) {
          const shown = member.engine.applicants.read.show(id)
          const known = shown.ok ? shown.value.evidence : 0
          member.write((writer) =>
            member.engine.applicants.decide(
              writer,
              { applicantId: id, decision: what as Decision, reasons: [], note: '', evidence: known },
              by(at)
            )
          )
          Object.assign(side, { state: what, last: what, challenged: false })
          decided.push({ decision: what as Decision, evidence: `${who} ${evidence[who]}`, at: index })
        }
      })
      for (const member of members) member.share(ours)
      members.forEach((member, who) => {
        const side = sides[who]!
        const own = member.engine.applicants.read.show(id)
        expect(own.ok && own.value.state).toBe(side.checked && side.state)
        if (own.ok) expect(own.value.challenged === true).toBe(side.challenged && side.state === 'outdated')
        const [newest] = member.engine.applicants.read.decisions(id)
        expect(newest?.challenged === true).toBe(side.challenged)
        const row = ours.db
          .prepare(
            `SELECT w.state FROM waiting w JOIN installation i ON i.ref = w.ref JOIN subject s ON s.ref = w.ref AND s.number = w.number
             WHERE i.id = ? AND s.applicant = ? AND w.kind = 0`
          )
          .pluck()
          .get(member.installation, id) as number | undefined
        const expected = { none: 'open', outdated: 'outdated', escalate: 'escalated' } as const
        const waits = side.checked && side.state in expected ? expected[side.state as keyof typeof expected] : undefined
        expect(row === undefined ? undefined : waitingState(row)).toBe(waits)
        if (waits === 'outdated') seen.waiting += 1
      })
      // Both stand, for neither names the other.
      const { decisions } = ours.reading.applicant({ applicantId: id, limit: 1 }, { names: ours.names })
      const standing = members.flatMap((member, who) =>
        sides[who]!.last ? [[member.installation, sides[who]!.last, sides[who]!.challenged]] : []
      )
      expect(decisions.map((each) => [each.installation, each.decision, each.challenged === true]).sort()).toEqual(
        standing.sort()
      )
      // A later decision overturns one only on the same evidence: what followed a challenge is on another.
      const { cases } = ours.reading.cases.page(0)
      const counted = cases.flatMap((each) => {
        const colleagues = new Colleagues({ connections: new Map() } as never, { numberOf: () => undefined } as never)
        const { events } = colleagues.read(each, { reviewer: () => 0, message: () => 0 })
        return replay(events).decided.map(({ decision, overturned, open }) => ({ decision, overturned, open }))
      })
      expect(counted).toEqual(
        decided.map(({ decision, evidence: on, at }, index) => ({
          decision,
          overturned:
            decision !== 'escalate' &&
            decided.slice(index + 1).some((later) => later.evidence === on && later.decision !== decision),
          open:
            decision === 'escalate' &&
            index === decided.length - 1 &&
            // Nothing has followed it: neither evidence of anybody nor a challenge.
            lastNews < at
        }))
      )
      for (const member of members) member.engine.close()
    }),
    { numRuns: 30, endOnFailure: true }
  )
  expect(Math.min(seen.challenges, seen.refused, seen.waiting)).toBeGreaterThan(5)
})

it('are found by an index', () => {
  const plan = here().db.prepare(`EXPLAIN QUERY PLAN ${challengedStatement}`).all(1, 1, 1) as {
    readonly detail: string
  }[]
  expect(plan.filter(({ detail }) => /^SCAN/.test(detail))).toEqual([])
})
