/** A decision that needs a second person: in whatever order and pieces the events of a team arrive, every installation shows the same. */
import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Decision } from '#contract/applicants/applicants.ts'
import type { TeamRole } from '#contract/team/team.ts'
import { heldRule } from '#core/applicants/rules.ts'
import { ApprovalReading, type ApprovalPlace } from '#exchange/approvals/approvals.ts'
import { receive } from '#exchange/log/receive.ts'
import type { NamedEvent, OwnApprovals } from '#wire/history/approvals.ts'
import { signAnswer } from '#wire/evidence/approval-signature.ts'
import { counted, times } from '../service/support/times.ts'
import { seeded, type Random } from '../service/support/random.ts'
import { by, colleague, here, type Colleague, type Here } from './support/team-activity.ts'
import { keys, membersOf, rowsOf, segment, team, valueOf, type Installation } from './support/team-log.ts'

const nothing: OwnApprovals = { asks: [], answers: [], received: [], newest: [], hashes: [] }
const riskClasses = ['low', 'high'].map((code) => ({ code, label: code, months: 12, enhanced: false }))
const fourEyes = heldRule({ requireApproval: { approve: 'low', decline: 'high' }, riskClasses })
const salt = '5a'.repeat(16)
const applicants = Array.from({ length: 5 }, (_, n) => `APP-${n}`)
const deliveries = 4
/** An installation that has done nothing. */
const bystander = '99'.repeat(16)

interface Story {
  readonly ada: Colleague
  /** With their roles: two may answer, two may not. */
  readonly people: readonly (readonly [Colleague, TeamRole])[]
  /** Ada’s last decision about each applicant. */
  readonly decided: ReadonlyMap<string, number>
  /** Where everything arrived as it happened. */
  readonly whole: Here
}

/** Ada decides and asks, others answer, change their answers and record evidence, in an order of chance. */
function story(pick: Random): Story {
  const whole = here()
  const [ada, ben, cara, dan] = [colleague('Ada'), colleague('Ben'), colleague('Cara'), colleague('Dan')]
  const people = [
    [ada, 'analyst'],
    [ben, 'reviewer'],
    [cara, 'supervisor'],
    [dan, 'analyst']
  ] as const
  const asks = new Map<string, NamedEvent[]>(applicants.map((each) => [each, []]))
  const decided = new Map<string, number>()
  let time = 0
  const next = (): number => (time += 1)
  const eventOf = ({ installation, events }: Installation, seq: number): NamedEvent => [
    installation,
    seq,
    events.all[seq - 1]?.hash ?? ''
  ]
  const ask = (applicantId: string): void => {
    // Of what newer evidence of her own has made outdated, nobody can ask.
    if (valueOf(ada.engine.applicants.read.show(applicantId)).state === 'outdated') return
    // Of what colleagues recorded, Ada knows all or nothing.
    const known = [ben, cara].flatMap((one) => (one.engine.last.seq > 0 ? [eventOf(one, one.engine.last.seq)] : []))
    const evidence = pick(2) === 0 ? known : []
    const decision = decided.get(applicantId) ?? 0
    const request = { applicantId, decision, installation: ada.installation, scope: team, evidence, note: '' }
    const { seq } = ada.write((writer) => ada.engine.approvals.ask(writer, request, by(next(), 'ada')))
    ada.share(whole)
    asks.get(applicantId)?.push(eventOf(ada, seq))
  }
  const decide = (applicantId: string): void => {
    const { evidence } = valueOf(ada.engine.applicants.read.show(applicantId))
    const decision: Decision = pick(3) === 0 ? 'decline' : 'approve'
    const draft = { applicantId, decision, reasons: [], note: 'Seen', evidence }
    const hand = { ...by(next(), 'ada'), ...(fourEyes && { fourEyes }) }
    const made = ada.write((writer) => ada.engine.applicants.decide(writer, draft, hand))
    decided.set(applicantId, made.decision?.seq ?? 0)
    ask(applicantId)
  }
  const answer = (applicantId: string, one: Colleague): void => {
    const made = asks.get(applicantId) ?? []
    const asked = pick(5) === 0 ? made[0] : made.at(-1)
    if (!asked) return
    const [at, agrees, operator] = [next(), pick(3) > 0, one.name.toLowerCase()]
    const words = { scope: team, asked, agrees, salt }
    const signature = signAnswer(one.signingKey, { ...words, at, by: operator })
    const answered = { applicantId, ...words, signer: one.publicKey, signature, note: '' }
    one.write((writer) => one.engine.approvals.answer(writer, answered, by(at, operator)))
  }
  for (const applicant of applicants) {
    ada.check({ applicant, startedAt: next() })
    decide(applicant)
  }
  for (let step = 0; step < applicants.length * 3; step += 1) {
    const applicant = applicants[pick(applicants.length)] ?? ''
    const what = pick(10)
    if (what === 0) decide(applicant)
    else if (what === 1) ask(applicant)
    else if (what === 2) [ben, ada][pick(2)]?.check({ applicant, startedAt: next() })
    else answer(applicant, (people[1 + pick(3)] ?? people[1])[0])
    for (const [one] of people) if (one.engine.last.seq > 0) one.share(whole)
  }
  return { ada, people, decided, whole }
}

/** The next events of an installation arrive, up to a number. */
function takeTo(to: Here, one: Colleague, until: number): void {
  const { installation } = one
  const rows = rowsOf(segment(one, to.store.head(installation).seq + 1, until))
  const { failure } = receive(rows, { store: to.store, team, installation, keys, members: membersOf(one) }, 0)
  if (failure) throw new Error(JSON.stringify(failure))
  to.names.set(installation, one.name)
}
function takeKeys(to: Here, one: Colleague): void {
  for (const { ref, key, applicant } of one.engine.dbs.subjects
    .prepare('SELECT ref, key, applicant FROM subject')
    .all() as { readonly ref: number; readonly key: Buffer; readonly applicant: string | null }[])
    to.subject(one, ref, { key, applicant })
}
/** All of them, in pieces of chance; keys come between them and, since an event may ask for one again, at the end. */
function arriveIn(to: Here, { people }: Story, pick: Random, onPiece: () => void = () => undefined): void {
  const all = people.map(([one]) => one).filter(({ events }) => events.head.seq > 0)
  const left = [...all]
  while (left.length > 0) {
    const one = left[pick(left.length)] as Colleague
    const from = to.store.head(one.installation).seq
    takeTo(to, one, from + 1 + pick(one.events.head.seq - from))
    if (to.store.head(one.installation).seq === one.events.head.seq) left.splice(left.indexOf(one), 1)
    if (pick(2) === 0) takeKeys(to, one)
    onPiece()
  }
  for (const one of all) takeKeys(to, one)
  onPiece()
}

const placeOf = ({ people }: Story, installation = bystander): ApprovalPlace => ({
  team,
  installation,
  operator: 'self',
  shared: 0,
  members: new Map([
    ...people.map(
      ([one, lastRole]) => [one.installation, { name: one.name, lastRole, identity: one.publicKey }] as const
    ),
    ...(installation === bystander
      ? [[bystander, { name: 'Eve', lastRole: 'auditor' as const, identity: '12'.repeat(32) }] as const]
      : [])
  ])
})
/** What somebody sees of an applicant who has nothing of their own. */
function seenAt(to: Here, told: Story, applicantId: string) {
  const [reading, place] = [new ApprovalReading(to.db), placeOf(told)]
  const wanted = reading.wanted({ applicantId }, place.installation)
  const answers = reading.decided(wanted, place, nothing)
  return {
    requests: reading.list({ applicantId, limit: 50 }, wanted, place, nothing),
    decisions: to.reading.applicant({ applicantId, limit: 50 }, { names: to.names, answers }).decisions,
    answers
  }
}
const allSeenAt = (to: Here, told: Story) => applicants.map((each) => seenAt(to, told, each))

/** The states at Ada’s own installation, which answers reach in an order of chance. */
function statesAtAuthor(told: Story, pick: Random): ReadonlyMap<string, string> {
  const { ada } = told
  const [to, place] = [here(), placeOf(told, ada.installation)]
  const reading = new ApprovalReading(to.db)
  arriveIn(to, { ...told, people: told.people.filter(([one]) => one !== ada) }, pick, () => {
    const arrived = reading.arrived(place, ada.engine.approvals.own({ evidenceOf: applicants, hashesOf: [] }))
    if (arrived.length > 0) ada.write((writer) => ada.engine.approvals.receive(writer, arrived, by(9999)))
  })
  to.db.close()
  return new Map(applicants.map((each) => [each, valueOf(ada.engine.applicants.read.show(each)).state]))
}

it(
  'is the same at two installations, and at its author’s, in random orders of the events',
  { timeout: 60_000 * times },
  ({ task }) => {
    // One in which an answer to a request came after newer evidence, and before the next request.
    const seed = times === 1 ? 1998586421 : randomInt(2 ** 31)
    const pick = seeded(seed)
    const counts = { approved: 0, returned: 0, unanswered: 0, outdated: 0 }
    for (let nth = 0; nth < times; nth += 1) {
      const told = story(pick)
      const expected = allSeenAt(told.whole, told)
      for (let delivery = 0; delivery < deliveries; delivery += 1)
        for (const one of [here(), here()]) {
          arriveIn(one, told, pick)
          expect(allSeenAt(one, told), `story ${nth}, seed ${seed}`).toEqual(expected)
          one.db.close()
        }
      const states = statesAtAuthor(told, pick)
      // What Ada made of the answers reaches colleagues, too.
      told.ada.share(told.whole)
      const known = allSeenAt(told.whole, told)
      applicants.forEach((applicant, index) => {
        const last = known[index]?.decisions.find(({ seq }) => seq === told.decided.get(applicant))
        const state = states.get(applicant)
        if (!last || last.outdated || state === 'outdated') counts.outdated += 1
        else {
          counts[last.agrees === undefined ? 'unanswered' : last.agrees ? 'approved' : 'returned'] += 1
          const expectedState = last.agrees === undefined ? 'proposed' : last.agrees ? last.decision : 'returned'
          expect(state, `${applicant} of story ${nth}, seed ${seed}`).toBe(expectedState)
        }
      })
      told.whole.db.close()
      for (const [{ engine }] of told.people) engine.close()
    }
    expect(counts.approved + counts.returned, JSON.stringify(counts)).toBeGreaterThan(0)
    counted(task, { orders: times * deliveries * applicants.length, ...counts, differing: 0 })
  }
)
