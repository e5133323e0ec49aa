/** The exchange of events, as the console sees it: a worker that runs while this installation is in a team. */
import type { RunRules } from '#core/team/batches/rules.ts'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { TeamSharing, TeamState } from '#contract/team/team.ts'
import type { TeamExchange } from '#contract/team/activity.ts'
import type { Hand } from '#wire/history/applicants.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import { teamFolder } from '#team/log/received-schema.ts'
import type { Membership, TeamHost, TeamOpening, TeamWorker } from '#team/thread/thread.ts'
import { connect, serve, type Connected } from '#wire/rpc.ts'
import { within } from '#kit/async/within.ts'
import { noteTeam, type Answer, type TeamParts } from './actions.ts'
import { teamState } from './joining.ts'
import { renewTeamKeys } from './members.ts'
import { readSecrets, readTeam, saveSecrets, saveTeam } from './saved.ts'
import { withKeys } from './session.ts'
import type { TeamPeriod } from '#contract/team/overview.ts'
import type { OwnOverview } from '#team/thread/asked.ts'

/** What the exchange needs besides the membership. */
export interface ExchangePorts {
  readonly launch: LaunchWorker
  /** Whether a change of the membership starts the worker; a command that ends at once starts it for its own questions only. */
  readonly starts: boolean
  readonly operator: string
  /** Of this console, for what it records. */
  readonly version: string
  /** Times of shared batches; those of the product, if absent. */
  readonly batchRules?: RunRules
  /** The history on file; a failure for one that lasts as long as the session, of which nothing may leave. */
  history(): Promise<Result<HistoryStore, Failure>>
  /** The connections of this installation. Failure: their file cannot be read. */
  connections(): Promise<Result<readonly { readonly id: string }[], Failure>>
  /** Something that a window shows has changed. */
  changed(): void
  /** Something about applicants was recorded here. */
  recorded(): void
}

export interface TeamExchanging {
  /**
   * The worker’s interface; undefined without a team. Starts the worker if it does not run. Failures: those of `readTeam`,
   * of the keychain and of the worker’s `open`.
   */
  worker(): Answer<TeamWorker | undefined>
  /** How it goes; null without a team. Failures: those of `worker`. */
  state(): Answer<TeamExchange | null>
  /** The membership has changed: a team was created or joined, a member admitted or removed. */
  refresh(): void
  /** Something was recorded here. Starts nothing. */
  readonly look: () => void
  /** Chooses what is shared; the first time, sharing begins. Failures: `team-missing`, those of `readTeam` and `saveTeam`. */
  share(sharing: TeamSharing): Answer<TeamState | null>
  /** Shares nothing of a connection that is new, if what is shared was chosen before. Failures: those of `readTeam` and `saveTeam`. */
  keep(connectionId: string): Answer<null>
  /** Does something while no worker runs and none can start. */
  whileStopped<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Milliseconds that a worker has to end. */
const closeLimit = 6000
/**
 * Milliseconds between two announcements, between two looks at the database because of what is recorded here, and
 * before a worker that ended is started again.
 */
const rests = { announcement: 250, look: 500, start: 10_000 } as const

/** Runs at once, and during a rest afterwards at most once at its end. */
function sparingly(milliseconds: number, run: () => void): () => void {
  let isResting = false
  let isAwaited = false
  const now = (): void => {
    isResting = true
    isAwaited = false
    run()
    setTimeout(() => {
      isResting = false
      if (isAwaited) now()
    }, milliseconds).unref()
  }
  return () => {
    if (isResting) isAwaited = true
    else now()
  }
}

/** What the worker asks of this installation: its membership and its own history. */
function hostOf(parts: TeamParts, ports: ExchangePorts, inTurn: InTurn, changed: () => void): TeamHost {
  const { dataFolder, clock } = parts
  const { history, recorded } = ports
  const inHistory = async <T>(ask: (store: HistoryStore) => Answer<T>): Answer<T> => {
    const store = await history()
    return store.ok ? ask(store.value) : store
  }
  const hand = (): Hand => ({ at: clock.now(), operator: ports.operator })
  return {
    membership: () => inTurn(() => membership(parts)),
    async read(task) {
      const saved = readTeam(dataFolder)
      if (!saved.ok) return saved
      const store = await history()
      if (!store.ok) return store
      const kept = saved.value?.kept
      // Without a choice, nothing is read that could leave.
      return kept || task.events === 0
        ? store.value.exchange.read({ ...task, kept: kept ?? [] })
        : failed('team-missing')
    },
    anchor: (heads) => inHistory(({ audit }) => audit.note({ kind: 'team.anchored', ...hand(), plain: { heads } })),
    subjects: (numbers) => inHistory(({ exchange }) => exchange.subjects(numbers)),
    async claims(after) {
      const saved = readTeam(dataFolder)
      if (!saved.ok) return saved
      const store = await history()
      if (!store.ok) return store
      // Before a choice, nothing of this installation is claimed for the team.
      return saved.value?.kept ? store.value.exchange.claims({ after, kept: saved.value.kept }) : ok([])
    },
    present: (applicantIds) => inHistory(({ exchange }) => exchange.present(applicantIds)),
    records: (which) => inHistory(({ exchange }) => exchange.records(which)),
    withdraw: (subjects) =>
      inHistory(({ audit }) => audit.note({ kind: 'team.withdrawn', ...hand(), plain: { subjects } })),
    acknowledge: (erasures) =>
      inHistory(({ audit }) => audit.note({ kind: 'team.acknowledged', ...hand(), plain: { erasures } })),
    own: (period) => inHistory((store) => ownOverview(store, period, clock.now())),
    decisions: (applicantIds) => inHistory(({ applicants }) => applicants.decisionsOf(applicantIds)),
    renewKeys: (epoch) => inTurn(() => renewTeamKeys(parts, epoch)),
    approvals: (task) => inHistory(({ approvals }) => approvals.own(task)),
    async keepAnswers(answers) {
      const store = await history()
      if (!store.ok) return store
      const kept = await store.value.approvals.receive(answers, hand())
      if (!kept.ok) return kept
      if (kept.value.kept > 0) recorded()
      return ok(kept.value.kept)
    },
    begun: (id, from, to) => inHistory(({ sharedBatches }) => sharedBatches.begun(id, from, to)),
    async changed() {
      changed()
      return ok(null)
    }
  }
}

/** Keeps connections here: those that a person chose, and those that nobody can choose any more. */
async function chooseKept(parts: TeamParts, ports: ExchangePorts | undefined, chosen: readonly string[]): Answer<null> {
  const saved = readTeam(parts.dataFolder)
  if (!saved.ok) return saved
  if (saved.value?.team === undefined) return failed('team-missing')
  const gone = await removedConnections(ports)
  if (!gone.ok) return gone
  const kept = [...new Set([...chosen, ...gone.value])]
  const done = await saveTeam(parts.dataFolder, { ...saved.value, kept })
  if (!done.ok) return done
  await noteTeam(parts, { action: 'team.sharing-chosen', except: chosen.length })
  return ok(null)
}

/** Keeps one more connection here. */
async function keepAlso(parts: TeamParts, connectionId: string): Answer<null> {
  const saved = readTeam(parts.dataFolder)
  if (!saved.ok) return saved
  const kept = saved.value?.kept
  if (!saved.value || !kept) return ok(null)
  const done = await saveTeam(parts.dataFolder, { ...saved.value, kept: [...new Set([...kept, connectionId])] })
  return done.ok ? ok(null) : done
}

/** @param ports Undefined where nothing is exchanged. */
export function createExchanging(parts: TeamParts, ports: ExchangePorts | undefined, inTurn: InTurn): TeamExchanging {
  let running: Answer<Connected<TeamWorker> | undefined> | undefined
  /** How many reasons there are not to start. */
  let stopped = 0
  /** Why the last worker ended, until another one may start. */
  let resting: Failure | undefined
  const changed = sparingly(rests.announcement, () => ports?.changed())

  async function launch(found: ExchangePorts): Answer<Connected<TeamWorker> | undefined> {
    const opening = await inTurn(() => openingOf(parts))
    if (!opening.ok) return opening
    if (!opening.value || stopped > 0) return ok(undefined)
    const line = found.launch('team')
    const worker = connect<TeamWorker>(line)
    serve<TeamHost>(hostOf(parts, found, inTurn, changed), line)
    const opened = await worker.api.open({ ...opening.value, operator: found.operator })
    if (opened.ok) {
      void worker.ended.then(() => {
        running = undefined
        changed()
        if (stopped === 0) startLater(found, failure('internal', { reason: 'worker-ended', ending: 'team' }))
      })
      return ok(worker)
    }
    worker.end()
    startLater(found, opened.failure)
    return opened
  }

  /** A worker that ended by itself, or could not open its file, is not started again with every request. */
  function startLater({ starts }: ExchangePorts, why: Failure): void {
    resting = why
    setTimeout(() => {
      resting = undefined
      if (starts && stopped === 0) void refresh()
    }, rests.start).unref()
  }

  async function worker(): Answer<TeamWorker | undefined> {
    if (!ports || stopped > 0) return ok(undefined)
    if (!running && resting) return fail(resting)
    const mine = (running ??= launch(ports))
    const launched = await mine
    if (running === mine && (!launched.ok || !launched.value)) running = undefined
    return launched.ok ? ok(launched.value?.api) : launched
  }

  async function stop(): Promise<void> {
    const launched = await running
    running = undefined
    if (!launched?.ok || !launched.value) return
    await within(closeLimit, launched.value.api.close())
    launched.value.end()
  }

  async function refresh(): Promise<void> {
    if (ports?.starts) await worker()
    const launched = await running
    if (launched?.ok) await launched.value?.api.refresh()
  }

  return {
    worker,
    async state() {
      const launched = await worker()
      return launched.ok ? (launched.value?.exchange() ?? ok(null)) : launched
    },
    refresh: () => void refresh(),
    look: sparingly(
      rests.look,
      () => void running?.then((launched) => void (launched.ok && launched.value?.api.look()))
    ),
    share: ({ kept }) =>
      inTurn(async () => {
        const done = await chooseKept(parts, ports, kept)
        if (!done.ok) return done
        void refresh()
        return teamState(parts)
      }),
    keep: (connectionId) => inTurn(() => keepAlso(parts, connectionId)),
    async whileStopped(work) {
      stopped += 1
      try {
        await stop()
        return await work()
      } finally {
        stopped -= 1
      }
    },
    async close() {
      stopped += 1
      await stop()
    }
  }
}

/** Connections that the history knows and that were removed since: nobody can choose them any more, so they stay here. */
async function removedConnections(ports: ExchangePorts | undefined): Answer<readonly string[]> {
  if (!ports) return ok([])
  const [store, present] = [await ports.history(), await ports.connections()]
  if (!store.ok) return store
  if (!present.ok) return present
  const known = await store.value.exchange.connections()
  if (!known.ok) return known
  const ids = new Set(present.value.map(({ id }) => id))
  return ok(known.value.filter((id) => !ids.has(id)))
}

/** What the worker opens; undefined without a team. The first time, the file gets its key. Failures: those of `readTeam` and of the keychain. */
async function openingOf({ dataFolder, keychain }: TeamParts): Answer<Omit<TeamOpening, 'operator'> | undefined> {
  const saved = readTeam(dataFolder)
  if (!saved.ok) return saved
  if (saved.value?.team === undefined || !saved.value.database) return ok(undefined)
  const {
    installation,
    team,
    database: { host: server }
  } = saved.value
  const secrets = await readSecrets(keychain, installation)
  if (!secrets.ok) return secrets
  const key = secrets.value.received ?? randomBytes(32).toString('hex')
  if (secrets.value.received === undefined) {
    // A file of an earlier membership opens with no key any more, and is received again.
    await rm(teamFolder(dataFolder), { recursive: true, force: true })
    const kept = await saveSecrets(keychain, installation, { ...secrets.value, received: key })
    if (!kept.ok) return kept
  }
  return ok({ folder: teamFolder(dataFolder), key, team, installation, server })
}

/** Signs in and reads the list of members, with the keys of this installation. Failures: those of `withKeys`; `team-missing`. */
const membership = (parts: TeamParts): Answer<Membership> =>
  withKeys(parts, async ({ roster, keys, author, saved, secrets }) => {
    if (!saved.database) return failed('team-missing')
    return ok({
      roster,
      keys: { number: keys.number, content: keys.content.toString('hex'), vault: keys.vault.toString('hex') },
      signingKey: author.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      database: saved.database,
      password: secrets.password,
      isSharing: saved.kept !== undefined
    })
  })

/** Failures: the history's. */
async function ownOverview(
  { exchange, queue }: Pick<HistoryStore, 'exchange' | 'queue'>,
  { from, until }: TeamPeriod,
  now: number
): Answer<OwnOverview> {
  const people = await exchange.work(from, until)
  if (!people.ok) return people
  const page = await queue.page({ limit: 1 }, now)
  if (!page.ok) return page
  const { counts, facets } = page.value
  return ok({
    people: people.value,
    unknown: counts.unresolved,
    waiting: counts.open,
    queue: facets?.assignees.map(({ value: person, count }) => ({ person, count })) ?? []
  })
}
