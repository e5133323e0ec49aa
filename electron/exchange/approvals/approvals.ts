/** Requests for approval as people see them: of colleagues and of this installation, with the state of each. */
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { TeamRole } from '#contract/team/team.ts'
import type {
  ApprovalAnswer,
  ApprovalsQuery,
  TeamApproval,
  TeamApprovals,
  TimedQuery
} from '#contract/team/approvals.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import type { ArrivedAnswer, NamedEvent, OwnAnswer, OwnApprovals, OwnAsk } from '#wire/history/approvals.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { decisionName } from '../activity/standing.ts'
import { ReceivedApprovals, type ReceivedAnswer, type ReceivedAsk } from './received.ts'
import {
  answerFault,
  approvalOf,
  approverFault,
  approversOf,
  nameOfAsk,
  secondAnswers,
  type Approver
} from './state.ts'

/** What an installation knows besides its events. */
export interface ApprovalPlace {
  readonly team: string
  readonly installation: string
  /** Who is signed in here. */
  readonly operator: string
  /** By installation, from the signed list as it was last read. */
  readonly members: ReadonlyMap<string, Approver>
  /** The last event of this installation that has left it; undefined before it shares anything. */
  readonly shared: number | undefined
}

export interface WantedApprovals {
  readonly asks: readonly ReceivedAsk[]
  /** There are older ones. */
  readonly more: boolean
  readonly evidenceOf: readonly string[]
  readonly hashesOf: readonly number[]
}

/** What became of a decision that needs a second person, once one has answered. */
export interface SecondAnswered {
  readonly agrees: boolean
  /** Newer evidence is known than what its last request names. */
  readonly outdated: boolean
  readonly answers: readonly {
    readonly at: number
    readonly agrees: boolean
    readonly installation: string
  }[]
}
/** By the name of the decision (`decisionName`). */
export type AnsweredDecisions = ReadonlyMap<string, SecondAnswered>

type Ask = ReceivedAsk
/** What is known about an applicant. */
interface About {
  readonly answers: readonly Answer[]
  readonly newest: ReadonlyMap<string, number>
}
type Answer = Omit<ReceivedAnswer, 'hash'>

/** Reads the file of received events. Throws SQLite's errors; `onReceived` turns them into failures. */
export class ApprovalReading {
  private readonly received: ReceivedApprovals

  constructor(db: Db) {
    this.received = new ReceivedApprovals(db)
  }

  /** Requests of colleagues, and what the history of this installation is asked for to evaluate them. */
  wanted({ applicantId }: Pick<ApprovalsQuery, 'applicantId'>, installation: string): WantedApprovals {
    const { asks, more } =
      applicantId === undefined ? this.received.asks() : { asks: this.received.asksAbout(applicantId), more: false }
    return {
      asks,
      more,
      evidenceOf: [
        ...new Set([...asks.map((ask) => ask.applicantId), ...(applicantId === undefined ? [] : [applicantId])])
      ],
      hashesOf: asks.flatMap(({ evidence }) =>
        evidence.flatMap(([named, seq]) => (named === installation ? [seq] : []))
      )
    }
  }

  /** Whether a colleague has asked for approval at all; without one, no decision of theirs can be answered. */
  hasAsks(): boolean {
    return this.received.hasAsks()
  }

  /** Likewise, for `decided`. */
  wantedOf(applicantIds: readonly string[], installation: string): WantedApprovals {
    const each = applicantIds.map((applicantId) => this.wanted({ applicantId }, installation))
    return {
      asks: each.flatMap(({ asks }) => asks),
      more: false,
      evidenceOf: applicantIds,
      hashesOf: each.flatMap(({ hashesOf }) => hashesOf)
    }
  }

  /** The decisions about some applicants that second persons have answered. */
  decided(theirs: WantedApprovals, place: ApprovalPlace, own: OwnApprovals): AnsweredDecisions {
    const known = new Set(theirs.evidenceOf)
    const mine = own.asks.filter(({ applicantId }) => known.has(applicantId))
    const asks = [...theirs.asks, ...mine.map((ask) => asReceived(ask, place.installation))].filter(inTeam(place.team))
    const states = new Map(
      this.shown(asks, place, own).map(({ installation, seq, state }) => [decisionName(installation, seq), state])
    )
    const voided = new Set(own.received.flatMap(([at, seq, isVoid]) => (isVoid ? [decisionName(at, seq)] : [])))
    const isVoid = (asker: string, answer: Answer): boolean =>
      asker === place.installation
        ? voided.has(decisionName(answer.installation, answer.seq))
        : this.received.isVoid(asker, answer)
    const found = new Map<string, SecondAnswered>()
    for (const [applicantId, about] of Map.groupBy(asks, (ask) => ask.applicantId)) {
      const { answers } = this.about(applicantId, place.installation, { newest: new Map(), answers: own.answers })
      for (const [name, naming] of Map.groupBy(about, ({ decision: [at, seq] }) => decisionName(at, seq))) {
        const last = naming.reduce((a, b) => (b.seq > a.seq ? b : a))
        const counting = answers.filter((answer) => !isVoid(last.installation, answer))
        const second = secondAnswers(last.decision, naming, counting, place)
        const outdated = states.get(decisionName(last.installation, last.seq)) === 'void'
        if (second) found.set(name, { ...second, outdated })
      }
    }
    return found
  }

  /** @param theirs What `wanted` said. @param own What the history of this installation answered to it. */
  list(
    { applicantId, limit, overdueBefore = -Infinity }: TimedQuery,
    theirs: WantedApprovals,
    place: ApprovalPlace,
    own: OwnApprovals
  ): NonNullable<TeamApprovals> {
    const asks = [...theirs.asks, ...own.asks.map((ask) => asReceived(ask, place.installation))]
      .filter(inTeam(place.team))
      .sort(byTime)
    const shown = this.shown(asks, place, own).map((each) =>
      each.state === 'waiting' && !each.replaced && each.at < overdueBefore ? { ...each, overdue: true as const } : each
    )
    const open = shown.filter((each) => isOpenHere(each))
    const role = place.members.get(place.installation)?.lastRole
    return {
      approvals: shown.slice(0, limit),
      more: theirs.more || shown.length > limit,
      waiting: open.length,
      overdue: open.filter(({ overdue }) => overdue).length,
      ...(role && { role }),
      approvers: approversOf(place.installation, place.members).length,
      evidence:
        applicantId === undefined
          ? []
          : this.received.newestEvidence(applicantId).map(([installation, seq]) => [installation, seq] as const)
    }
  }

  /** Answers of colleagues to requests of this installation that count and are not kept yet, those of each in the order of its chain: the last one counts. */
  arrived(place: ApprovalPlace, own: OwnApprovals): readonly ArrivedAnswer[] {
    const kept = new Set(own.received.map(([installation, seq]) => `${installation} ${seq}`))
    const all = own.asks.filter(inTeam(place.team)).flatMap((given) => {
      const ask = asReceived(given, place.installation)
      const { applicantId } = ask
      const answers = this.received
        .answersAbout(applicantId)
        .filter(({ installation, seq }) => !kept.has(`${installation} ${seq}`))
      const { team, members } = place
      const counting = answers.filter(
        (answer) =>
          answer.asked.every((part, index) => part === nameOfAsk(ask)[index]) &&
          answerFault(ask, answer, { team, members, decision: ask.decided }) === undefined
      )
      if (counting.length === 0) return []
      const isVoid = ['void', 'invalid'].includes(this.shown([ask], place, own)[0]?.state ?? 'invalid')
      return counting.map(({ installation, seq, hash, operator = '', note = '', ...signed }): ArrivedAnswer => ({
        applicantId,
        ...signed,
        answer: [installation, seq, hash],
        by: operator,
        note,
        ...(isVoid && { void: true as const })
      }))
    })
    return all.sort((a, b) => a.answer[1] - b.answer[1])
  }

  /** Colleagues' newest evidence about an applicant, as a request names it. */
  evidence(applicantId: string): readonly NamedEvent[] {
    return this.received.newestEvidence(applicantId)
  }

  /** The name of a request that this installation can answer. Failure: `team-answer-refused`. */
  answerable(
    {
      applicantId,
      installation,
      seq
    }: { readonly applicantId: string; readonly installation: string; readonly seq: number },
    place: ApprovalPlace,
    own: OwnApprovals
  ): Result<NamedEvent, Failure> {
    const asks = this.received.asksAbout(applicantId).filter(inTeam(place.team))
    const ask = asks.find((each) => each.installation === installation && each.seq === seq)
    const shown = this.shown([...asks].sort(byTime), place, own).find(
      (each) => each.installation === installation && each.seq === seq
    )
    if (!ask || !shown)
      return fail(
        failure('team-answer-refused', { reason: installation === place.installation ? 'author' : 'missing' })
      )
    return shown.refusal ? fail(shown.refusal) : ok(nameOfAsk(ask))
  }

  /** @param asks Newest first. */
  private shown(asks: readonly Ask[], place: ApprovalPlace, own: OwnApprovals): TeamApproval[] {
    const [about, last] = [new Map<string, About>(), new Map<string, number>()]
    const mine = {
      hashes: new Map(own.hashes),
      newest: new Map(own.newest.map(({ applicantId, seq }) => [applicantId, seq])),
      answers: own.answers
    }
    const known = (applicantId: string): About => {
      const found = about.get(applicantId) ?? this.about(applicantId, place.installation, mine)
      about.set(applicantId, found)
      return found
    }
    // By number, not by clock.
    const nameOf = ({ installation, applicantId }: Ask): string => `${installation} ${applicantId}`
    for (const ask of asks) last.set(nameOf(ask), Math.max(ask.seq, last.get(nameOf(ask)) ?? 0))
    return asks.map((ask) =>
      this.approval(
        ask,
        { ...known(ask.applicantId), isReplaced: ask.seq < (last.get(nameOf(ask)) ?? 0), hashes: mine.hashes },
        place
      )
    )
  }

  private about(
    applicantId: string,
    installation: string,
    mine: { readonly newest: ReadonlyMap<string, number>; readonly answers: readonly OwnAnswer[] }
  ): About {
    const newest = mine.newest.get(applicantId)
    return {
      answers: [
        ...this.received.answersAbout(applicantId),
        ...mine.answers
          .filter((answer) => answer.applicantId === applicantId)
          .map((answer) => ({ ...answer, installation }))
      ],
      newest: new Map([
        ...this.received.newestEvidence(applicantId).map(([id, seq]) => [id, seq] as const),
        ...(newest === undefined ? [] : [[installation, newest] as const])
      ])
    }
  }

  private approval(
    ask: Ask,
    {
      answers,
      newest,
      isReplaced,
      hashes
    }: About & { readonly isReplaced: boolean; readonly hashes: ReadonlyMap<number, string> },
    place: ApprovalPlace
  ): TeamApproval {
    const { team, installation: here, members, shared } = place
    const facts = {
      team,
      members,
      decision: ask.decided,
      newest,
      hashOf: (installation: string, seq: number) =>
        installation === here ? hashes.get(seq) : this.received.hashOf(installation, seq)
    }
    const found = approvalOf(ask, answers, facts)
    const nameOf = (installation: string): string | undefined =>
      installation === here ? undefined : (members.get(installation)?.name ?? installation)
    const isUnsent = (installation: string, seq: number): boolean => installation === here && seq > (shared ?? 0)
    const refusal = refusalOf(ask, found.state, isReplaced, place)
    const { installation, seq, at, applicantId, note, operator, decided, unshared } = ask
    const member = nameOf(installation)
    return {
      installation,
      seq,
      at,
      applicantId,
      unshared,
      state: found.state,
      newer: found.newer.map((each) => nameOf(each) ?? null),
      ...(member !== undefined && { member }),
      ...(operator !== undefined && { operator }),
      ...(note !== undefined && { note }),
      ...(decided &&
        decided.hash === ask.decision[2] && {
          decision: {
            seq: decided.seq,
            decision: decided.decision,
            ...(decided.proposed && { proposed: true as const }),
            ...(decided.reasons && { reasons: decided.reasons }),
            ...(decided.note !== undefined && { note: decided.note }),
            ...(decided.checklist && { checklist: decided.checklist })
          }
        }),
      answers: found.answers.map(({ answer, fault }): ApprovalAnswer => ({
        installation: answer.installation,
        seq: answer.seq,
        at: answer.at,
        agrees: answer.agrees,
        ...(nameOf(answer.installation) !== undefined && { member: nameOf(answer.installation) ?? '' }),
        ...(answer.operator !== undefined && { operator: answer.operator.slice(0, 250) }),
        ...(answer.note !== undefined && { note: answer.note }),
        ...(fault ? { fault } : {}),
        ...(fault !== 'signature' && fault !== 'stranger' && { key: fingerprintOf(answer.signer) }),
        ...admissionOf(answer.installation, ask.installation, members),
        ...(isUnsent(answer.installation, answer.seq) && { unsent: true as const })
      })),
      ...(isUnsent(installation, seq) && { unsent: true as const }),
      ...(isReplaced && { replaced: true as const }),
      ...(refusal && { refusal })
    }
  }
}

/** Who let a reviewer into the team, and whether that was who asks: nobody should approve through a member of their own making. */
function admissionOf(
  reviewer: string,
  asker: string,
  members: ReadonlyMap<string, Approver>
): Pick<ApprovalAnswer, 'admission'> {
  const { admittedBy, roleBy } = members.get(reviewer) ?? {}
  if (admittedBy === undefined) return {}
  const nameOf = (installation: string): string => members.get(installation)?.name ?? installation
  return {
    admission: {
      by: admittedBy === null ? null : nameOf(admittedBy),
      ...(admittedBy === reviewer && { byRecoveryKey: true as const }),
      ...(roleBy !== undefined && { roleBy: nameOf(roleBy) }),
      ...([admittedBy, roleBy].includes(asker) && { byAsker: true as const })
    }
  }
}

/** Waits for somebody here who may answer. Who has answered can still change the answer, but is not asked again. */
const isOpenHere = ({ state, refusal, answers }: TeamApproval): boolean =>
  state === 'waiting' && !refusal && !answers.some(({ member }) => member === undefined)

function refusalOf(
  ask: Ask,
  state: TeamApproval['state'],
  isReplaced: boolean,
  { installation, operator, members }: ApprovalPlace
): Failure | undefined {
  if (ask.installation === installation) return failure('team-answer-refused', { reason: 'author' })
  if (!members.has(installation)) return failure('team-answer-refused', { reason: 'members-unknown' })
  const fault = approverFault(ask, { installation, operator }, { members, decision: ask.decided })
  if (fault) return failure('team-answer-refused', { reason: fault === 'stranger' ? 'members-unknown' : fault })
  if (isReplaced) return failure('team-answer-refused', { reason: 'replaced' })
  return state === 'void' || state === 'incomplete' || state === 'invalid'
    ? failure('team-answer-refused', { reason: state })
    : undefined
}

/** Why a member cannot ask. @param isUnseen A colleague erased the applicant, so that nobody else sees what is asked. */
export function askFault(
  { members, installation }: Pick<ApprovalPlace, 'members' | 'installation'>,
  isUnseen: boolean
): Failure | undefined {
  const role: TeamRole | undefined = members.get(installation)?.lastRole
  if (role === undefined) return failure('team-approval-refused', { reason: 'members-unknown' })
  if (role === 'auditor') return failure('team-approval-refused', { reason: 'auditor' })
  return isUnseen ? failure('team-approval-refused', { reason: 'erased' }) : undefined
}

const byTime = (a: Ask, b: Ask): number => b.at - a.at || b.seq - a.seq

/** Not those by file, of a time before the team: they name another audit trail, and no colleague can answer them. */
const inTeam =
  (team: string) =>
  ({ scope }: Pick<OwnAsk, 'scope'>): boolean =>
    scope === team

/** A request of this installation in the form of a colleague's. */
function asReceived({ decided, ...ask }: OwnAsk, installation: string): Ask {
  const { operator, ...rest } = decided
  return {
    ...ask,
    installation,
    decided: { ...rest, operator, seq: ask.decision[1], hash: ask.decision[2] },
    unshared: 0
  }
}
