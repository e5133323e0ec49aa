/**
 * The team of this installation: access to its database, its members, joining and leaving. The rest of core knows a team
 * by this module alone, and loads it when it is first asked for. Each action is documented where it is defined.
 */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import type {
  TeamAdmission,
  TeamConfirmation,
  TeamCreation,
  TeamEntryOrder,
  TeamFileKind,
  TeamJoining,
  TeamRecovery,
  TeamRemovalOrder,
  TeamRoleChange,
  TeamRule,
  TeamSharing
} from '#contract/team/team.ts'
import type {
  FindingOrder,
  TeamActivityQuery,
  TeamApplicant,
  TeamApplicantQuery,
  TeamCheck,
  TeamCheckQuery,
  TeamEntry
} from '#contract/team/activity.ts'
import type { TeamErasure } from '#contract/team/erasures.ts'
import type { TeamClaims, TeamClaimsQuery, TeamQueue, TeamQueueQuery } from '#contract/team/queue.ts'
import type { SavedTeamProof, TeamOverview, TeamPeriod } from '#contract/team/overview.ts'
import type { TeamRecipe } from '#contract/verification/saved-recipes.ts'
import type { RetentionRules } from '#wire/history/erasure.ts'
import type { NamedDecision, OwnDecision } from '#wire/history/applicants.ts'
import type { ColleagueCases } from '#wire/history/colleagues.ts'
import type { SameCheck } from '#team/thread/asked.ts'
import { createBatchSharing } from './batches/sharing.ts'
import type { Answer, TeamParts } from './installation/actions.ts'
import { createApproving } from './installation/approvals.ts'
import { readTeamFile } from './installation/chosen-file.ts'
import { acknowledgeFinding } from './installation/findings.ts'
import { type TeamExchanging, createExchanging, type ExchangePorts } from './installation/exchange.ts'
import { recoverOwnTeam } from './installation/recovering.ts'
import { createOwnTeam, joinTeam, leaveTeam, prepareAccess, teamState } from './installation/joining.ts'
import {
  admitToTeam,
  giveRole,
  inviteToTeam,
  listMembers,
  removeFromTeam,
  type ReceivedLast
} from './installation/members.ts'
import { readTeam } from './installation/saved.ts'
import { confirmEntry, setTwoPerson, withdrawWaiting } from './installation/two-person.ts'
import { teamFolder } from '#team/log/received-schema.ts'
import { createTurns } from '#kit/async/in-turn.ts'
import { within } from '#kit/async/within.ts'

/** Null if the user cancelled. Failures: those of writing a chosen file. @param proof As it was kept. */
async function saveProof(
  { chooseSavePath, files, auditTrail }: Pick<TeamParts, 'chooseSavePath' | 'files' | 'auditTrail'>,
  installation: string,
  proof: string
): Answer<SavedTeamProof> {
  const path = await chooseSavePath('Save evidence of the fork', `fork-${installation.slice(0, 8)}.json`, ['json'])
  if (path === undefined) return ok(null)
  const written = await files.write(path, `${JSON.stringify(JSON.parse(proof), null, 2)}\n`)
  if (!written.ok) return written
  await auditTrail.note({ kind: 'export.made', plain: { what: 'fork-proof', format: 'json', rows: 1 } })
  return ok({ path })
}

export type Team = ReturnType<typeof createTeam>

/** Milliseconds that a verification or a decision waits for what colleagues did: an installation works without its team. */
const patience = 2000

/** Shared batches, over the team's worker and the history. */
const batchSharing = (parts: TeamParts, ports: ExchangePorts | undefined, exchange: TeamExchanging) =>
  createBatchSharing({
    clock: { now: () => parts.clock.now(), monotonic: () => performance.now() },
    get operator() {
      return ports?.operator ?? ''
    },
    consoleVersion: ports?.version ?? '',
    newId: randomUUID,
    rules: ports?.batchRules,
    look: () => exchange.look(),
    history: async () => (await ports?.history()) ?? failed('team-missing'),
    async worker() {
      const worker = await exchange.worker()
      return worker.ok ? (worker.value ? ok(worker.value.batches) : failed('team-missing')) : worker
    },
    place() {
      const saved = readTeam(parts.dataFolder)
      if (!saved.ok) return saved
      return saved.value?.team === undefined
        ? failed('team-missing')
        : ok({ installation: saved.value.installation, team: saved.value.team, kept: saved.value.kept })
    }
  })

/** What arrived from colleagues. Without a team, there is nothing. */
function arrivals(ports: ExchangePorts | undefined, exchange: TeamExchanging) {
  const decisionsOf = async (applicantId: string): Promise<readonly OwnDecision[]> => {
    const store = await ports?.history()
    const made = store?.ok ? await store.value.applicants.decisions(applicantId) : undefined
    return made?.ok ? made.value : []
  }
  return {
    async activity(query: TeamActivityQuery) {
      const worker = await exchange.worker()
      return worker.ok ? (worker.value?.activity(query) ?? ok({ entries: [] })) : worker
    },
    async applicant(query: TeamApplicantQuery): Answer<TeamApplicant> {
      const worker = await exchange.worker()
      if (!worker.ok) return worker
      return (await worker.value?.applicant(query, await decisionsOf(query.applicantId))) ?? ok(null)
    },
    /** The decisions of colleagues that a new one replaces: those that have arrived. */
    async superseded(applicantId: string): Answer<readonly NamedDecision[]> {
      const asked = async (): Answer<readonly NamedDecision[]> => {
        const worker = await exchange.worker()
        if (!worker.ok) return worker
        return (await worker.value?.superseded(applicantId, await decisionsOf(applicantId))) ?? ok([])
      }
      return (await within(patience, asked())) ?? ok([])
    },
    /** Of some applicants, those that a colleague retains by these rules, or by a legal hold; nobody without a team. */
    async retaining(applicantIds: readonly string[], rules: RetentionRules | undefined, now: number) {
      const worker = await exchange.worker()
      return worker.ok ? ((await worker.value?.retaining(applicantIds, rules, now)) ?? ok([])) : worker
    },
    /** A check of a colleague that need not be paid for twice. */
    async earlier(same: SameCheck): Answer<TeamEntry | undefined> {
      const asked = async (): Answer<TeamEntry | undefined> => {
        const worker = await exchange.worker()
        return worker.ok ? ((await worker.value?.earlier(same)) ?? ok(undefined)) : worker
      }
      return (await within(patience, asked())) ?? ok(undefined)
    },
    /** What the team is doing; null without a team. Failures: `team-change-refused` for members who do not oversee it; those of the worker. */
    async overview(period: TeamPeriod): Answer<TeamOverview | null> {
      const worker = await exchange.worker()
      return worker.ok ? ((await worker.value?.overview(period)) ?? ok(null)) : worker
    },
    /** Colleagues' decisions that are new since a page; null without a team. @param version That of the page; 0 at the start. */
    async cases(version: number): Answer<ColleagueCases | null> {
      const worker = await exchange.worker()
      return worker.ok ? ((await worker.value?.cases(version)) ?? ok(null)) : worker
    },
    /** Who has carried out erasures of this installation, by the numbers of their events; undefined if it is not known now. */
    async erasures(events: readonly number[]): Promise<readonly TeamErasure[] | undefined> {
      const asked = async (): Answer<readonly TeamErasure[] | undefined> => {
        const worker = await exchange.worker()
        return worker.ok ? ((await worker.value?.erasures(events)) ?? ok(undefined)) : worker
      }
      const found = await within(patience, asked())
      return found?.ok ? found.value : undefined
    },
    /** One check of a colleague; null if there is none. */
    async check(query: TeamCheckQuery): Answer<TeamCheck | null> {
      const worker = await exchange.worker()
      return worker.ok ? ((await worker.value?.check(query)) ?? ok(null)) : worker
    },
    /** Recipes that colleagues share. */
    async recipes(): Answer<readonly TeamRecipe[]> {
      const worker = await exchange.worker()
      return worker.ok ? ((await worker.value?.recipes()) ?? ok([])) : worker
    },
    /** What waits at colleagues; null without a team. */
    async queue(query: TeamQueueQuery): Answer<TeamQueue> {
      const worker = await exchange.worker()
      return worker.ok ? ((await worker.value?.queue(query)) ?? ok(null)) : worker
    },
    /** Who has entries of the queue here; null without a team. */
    async claims(query: TeamClaimsQuery): Answer<TeamClaims> {
      const worker = await exchange.worker()
      return worker.ok ? ((await worker.value?.claims(query)) ?? ok(null)) : worker
    },
    /** What colleagues shared about applicants goes with an erasure here at once; the database follows with the exchange. */
    async eraseApplicants(applicantIds: readonly string[]): Answer<null> {
      const worker = await exchange.worker()
      return worker.ok ? ((await worker.value?.eraseApplicants(applicantIds)) ?? ok(null)) : worker
    }
  }
}

/** @param ports Absent where nothing is exchanged. */
export function createTeam(parts: TeamParts, ports?: ExchangePorts) {
  // Two at once could replace the mailbox key twice, and one of the new keys would be lost.
  const inTurn = createTurns()
  const exchange = createExchanging(parts, ports, inTurn)
  const approvals = createApproving(parts, ports, exchange)
  /** After a change of the list, the exchange goes on with what it says now. */
  const changing = async <T>(work: () => Promise<T>): Promise<T> => {
    const done = await inTurn(work)
    exchange.refresh()
    return done
  }
  /** Asked before it is this change's turn: the worker reads the membership in turn, too. */
  const knowingLasts = async <T>(work: (received: ReceivedLast) => Promise<T>): Promise<T> => {
    const asked = async () => {
      const worker = await exchange.worker()
      return worker.ok ? worker.value?.lasts() : undefined
    }
    const lasts = await within(patience, asked())
    return changing(() => work((installation) => (lasts?.ok ? (lasts.value[installation] ?? null) : null)))
  }
  return {
    /** Shared batches. */
    batches: batchSharing(parts, ports, exchange),
    ...arrivals(ports, exchange),
    state: () => teamState(parts),
    read: (path: string, kind: TeamFileKind) => readTeamFile(path, kind),
    access: () => inTurn(() => prepareAccess(parts)),
    create: (order: TeamCreation) => changing(() => createOwnTeam(parts, order)),
    invite: () => inTurn(() => inviteToTeam(parts)),
    join: (order: TeamJoining) => changing(() => joinTeam(parts, order)),
    recover: (order: TeamRecovery) => changing(() => recoverOwnTeam(parts, order)),
    admit: (order: TeamAdmission) => changing(() => admitToTeam(parts, order)),
    members: () => inTurn(() => listMembers(parts)),
    changeRole: (order: TeamRoleChange) => knowingLasts((received) => giveRole(parts, order, received)),
    remove: (order: TeamRemovalOrder) => knowingLasts((received) => removeFromTeam(parts, order, received)),
    changeRule: (order: TeamRule) => changing(() => setTwoPerson(parts, order)),
    confirm: (order: TeamConfirmation) => knowingLasts((received) => confirmEntry(parts, order, received)),
    withdraw: (order: TeamEntryOrder) => changing(() => withdrawWaiting(parts, order)),
    leave: () =>
      exchange
        .whileStopped(async () => {
          const left = await inTurn(() => leaveTeam(parts))
          // What is left cannot be opened any more: its key is gone.
          if (left.ok) await rm(teamFolder(parts.dataFolder), { recursive: true, force: true }).catch(() => undefined)
          return left
        })
        .finally(exchange.refresh),
    share: (sharing: TeamSharing) => exchange.share(sharing),
    keep: (connectionId: string) => exchange.keep(connectionId),
    exchange: () => exchange.state(),
    approvals,
    /** A supervisor has dealt with a finding: the team learns of it, and it holds no shared batch any more. */
    acknowledgeFinding: (order: FindingOrder) => acknowledgeFinding(parts, { ports, exchange, order }),
    /**
     * Saves the proof that an installation has signed two histories. Null if the user cancelled. Failures:
     * `team-proof-missing`, those of the worker and of writing the file.
     */
    async saveProof(installation: string): Answer<SavedTeamProof> {
      const worker = await exchange.worker()
      if (!worker.ok) return worker
      const proof = await worker.value?.fork(installation)
      if (proof?.ok === false) return proof
      return proof?.value === undefined ? failed('team-proof-missing') : saveProof(parts, installation, proof.value)
    },
    /** Starts the exchange, if this installation is in a team. */
    start: () => exchange.refresh(),
    look: () => exchange.look(),
    close: () => exchange.close(),
    /** Resolves when no visit to the database is in progress: each holds the team’s keys, and ends within the line’s own limits. */
    quiet: () => inTurn(() => Promise.resolve())
  }
}
