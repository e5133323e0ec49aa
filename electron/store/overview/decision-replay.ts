/** What was decided about an applicant and when it waited, from its events in their order. Pure. */
import type { DecidedSet, Decision } from '#contract/applicants/applicants.ts'
import type { Seen } from '#contract/applicants/seen.ts'
import { lookedOf } from '#contract/overview/rates.ts'
import { never } from './row-table.ts'

/** Bits of a decision: what it was, and of which rates it is a part. */
export const flags = {
  overturned: 1,
  timed: 2,
  open: 4,
  withDocuments: 8,
  unopened: 16,
  withAnswers: 32,
  unshown: 64
} as const
/** The bits that say what was looked at before a decision. */
export function lookedBits(seen: Seen | undefined, set: Pick<DecidedSet, 'share'> | undefined): number {
  const { unopened, unshown } = lookedOf(seen, set)
  return (
    (unopened ? flags.withDocuments : 0) |
    (unopened === 'yes' ? flags.unopened : 0) |
    (unshown ? flags.withAnswers : 0) |
    (unshown === 'yes' ? flags.unshown : 0)
  )
}

/** The newest evidence; `message` 0: none that the catalogue knows. */
export interface Newest {
  readonly connection: number
  readonly message: number
}
interface Event {
  /** The event; they are in this order, which the clock is not. */
  readonly seq: number
  readonly at: number
}
export type CaseEvent = Event &
  (
    | { readonly kind: 'evidence'; readonly record: number; readonly newest: Newest }
    /** A record was linked, or its link removed. */
    | { readonly kind: 'linked' | 'unlinked'; readonly record: number }
    | {
        readonly kind: 'decided'
        readonly decision: Decision
        readonly reviewer: number
        /** The last event of the evidence that was seen. */
        readonly evidence: number
        readonly due: number | null
        readonly set: number
        /** What was missed before it, in bits of `flags`. */
        readonly looked: number
        /** It counts once a second person agrees. */
        readonly proposed: boolean
      }
    /** By a second person, to the decision with this number. */
    | { readonly kind: 'answered'; readonly decision: number; readonly agrees: boolean; readonly signer: string }
    | { readonly kind: 'due'; readonly due: number | null }
    /** The decision is outdated from then on. */
    | { readonly kind: 'challenged' }
    /** 0: nobody. */
    | { readonly kind: 'assigned'; readonly assignee: number }
  )

export interface Decided {
  readonly at: number
  readonly event: number
  readonly decision: Decision
  readonly reviewer: number
  readonly connection: number
  readonly message: number
  readonly set: number
  readonly looked: number
  /** Milliseconds from the first evidence, for the first decision that is no escalation. */
  readonly took: number | undefined
  readonly overturned: boolean
  readonly open: boolean
}

/** From a time until another, an item waited with this due date, for this person, because of this connection. */
export interface Waited {
  readonly from: number
  readonly until: number
  /** Since when it waits, whatever has changed in between. */
  readonly since: number
  readonly due: number
  readonly connection: number
  readonly message: number
  readonly assignee: number
}

type Made = Extract<CaseEvent, { kind: 'decided' }>
type State = Decision | 'none' | 'outdated' | 'no-evidence' | 'proposed' | 'returned'

const nothing: Newest = { connection: 0, message: 0 }

/** One applicant: a state and what holds in it. The states are those of the projection of applicants. */
class Case {
  readonly decided: Decided[] = []
  readonly waited: Waited[] = []
  private state: State = 'no-evidence'
  private due: number | null = null
  private assignee = 0
  private newest = nothing
  private firstEvidence: number | undefined
  private isDecided = false
  /** The last decision, if a second person must agree, and the last answer of each. */
  private proposal: Made | undefined
  private readonly answers = new Map<string, boolean>()
  private waitsSince: number | undefined
  /** Records that are evidence now, and all that ever were, linked or not. */
  private readonly evidence = new Map<number, Newest>()
  private readonly known = new Map<number, Newest>()
  private readonly seen: number[] = []
  /** The records that are linked by hand, now or later; others are the applicant's own. */
  private readonly byHand: ReadonlySet<number>
  private readonly linked = new Set<number>()

  constructor(byHand: ReadonlySet<number>) {
    this.byHand = byHand
  }

  apply(event: CaseEvent): void {
    const before = this.stretch()
    this.change(event)
    const after = this.stretch()
    if (before && after && same(before, after)) return
    this.end(event.at)
    if (!after) this.waitsSince = undefined
    else {
      const reopened = !before || (event.kind === 'decided' && this.state === 'escalate')
      const since = reopened || this.waitsSince === undefined ? event.at : this.waitsSince
      this.waitsSince = since
      this.waited.push({ ...after, since, from: event.at, until: never })
    }
  }

  private end(at: number): void {
    const last = this.waited.at(-1)
    if (last?.until === never) this.waited[this.waited.length - 1] = { ...last, until: at }
  }

  private stretch(): Pick<Waited, 'due' | 'connection' | 'message' | 'assignee'> | undefined {
    const { state, due } = this
    const waits =
      ['none', 'escalate', 'outdated', 'returned'].includes(state) || (state === 'no-evidence' && due !== null)
    return waits ? { due: due ?? never, ...this.newest, assignee: this.assignee } : undefined
  }

  private change(event: CaseEvent): void {
    switch (event.kind) {
      case 'evidence':
        this.known.set(event.record, event.newest)
        if (this.byHand.has(event.record) && !this.linked.has(event.record)) return
        this.hold(event.record, event.at)
        break
      case 'linked':
        this.linked.add(event.record)
        if (this.known.has(event.record)) this.hold(event.record, event.at)
        break
      case 'unlinked':
        this.unlink(event)
        break
      case 'decided':
        this.decide(event)
        break
      case 'answered':
        this.answer(event)
        break
      case 'challenged':
        if (this.state !== 'none' && this.state !== 'no-evidence') this.state = 'outdated'
        break
      case 'due':
        this.due = event.due
        break
      case 'assigned':
        this.assignee = event.assignee
        break
    }
  }

  private hold(record: number, at: number): void {
    this.evidence.set(record, this.known.get(record) ?? nothing)
    this.firstEvidence ??= at
    this.moved()
  }

  private unlink({ record }: { readonly record: number }): void {
    this.linked.delete(record)
    if (!this.known.has(record)) return
    this.evidence.delete(record)
    this.moved()
    if (this.evidence.size === 0 && this.state === 'none') this.state = 'no-evidence'
  }

  /** Evidence has changed. */
  private moved(): void {
    this.newest = this.evidence.get(Math.max(...this.evidence.keys())) ?? nothing
    this.state = this.state === 'none' || this.state === 'no-evidence' ? 'none' : 'outdated'
  }

  private decide(made: Made): void {
    this.proposal = made.proposed ? made : undefined
    this.answers.clear()
    if (!made.proposed) this.count(made)
    this.state = made.proposed ? 'proposed' : made.decision
    this.due = made.due
  }

  /** One who does not agree is enough to return it. */
  private answer({ decision, agrees, signer, at }: Extract<CaseEvent, { kind: 'answered' }>): void {
    const { proposal } = this
    if (proposal?.seq !== decision || !['proposed', 'returned', proposal.decision].includes(this.state)) return
    const held = this.state === proposal.decision
    this.answers.set(signer, agrees)
    this.state = [...this.answers.values()].includes(false) ? 'returned' : proposal.decision
    if (this.state === proposal.decision && !held) this.count({ ...proposal, at })
    if (this.state !== proposal.decision && held) {
      this.decided.pop()
      this.seen.pop()
    }
  }

  /** A decision that holds from now on. */
  private count({ seq, at, decision, reviewer, evidence, set, looked }: Made): void {
    const { firstEvidence, newest } = this
    const first = decision !== 'escalate' && !this.isDecided && firstEvidence !== undefined
    if (decision !== 'escalate') this.isDecided = true
    this.seen.push(evidence)
    this.decided.push({
      at,
      event: seq,
      decision,
      reviewer,
      ...newest,
      set,
      looked,
      took: first ? Math.max(0, at - firstEvidence) : undefined,
      overturned: false,
      open: false
    })
  }

  finish(): { readonly decided: readonly Decided[]; readonly waited: readonly Waited[] } {
    // Those on the same evidence that came later, as far as they hold.
    const later = new Map<number, Set<Decision>>()
    for (let index = this.decided.length - 1; index >= 0; index -= 1) {
      const [made, evidence] = [this.decided[index], this.seen[index] ?? 0]
      if (!made) continue
      const after = later.get(evidence) ?? new Set()
      const overturned = made.decision !== 'escalate' && [...after].some((other) => other !== made.decision)
      this.decided[index] = { ...made, overturned }
      later.set(evidence, after.add(made.decision))
    }
    const last = this.decided.at(-1)
    if (last && this.state === 'escalate') this.decided[this.decided.length - 1] = { ...last, open: true }
    return { decided: this.decided, waited: this.waited.filter(({ from, until }) => until > from) }
  }
}

const same = (
  a: Pick<Waited, 'due' | 'connection' | 'message' | 'assignee'>,
  b: Pick<Waited, 'due' | 'connection' | 'message' | 'assignee'>
): boolean => a.due === b.due && a.connection === b.connection && a.message === b.message && a.assignee === b.assignee

/** @param events In the order of their numbers. */
export function replay(events: readonly CaseEvent[]): ReturnType<Case['finish']> {
  const byHand = new Set(events.flatMap((event) => (event.kind === 'linked' ? [event.record] : [])))
  const replayed = new Case(byHand)
  for (const event of events) replayed.apply(event)
  return replayed.finish()
}
