/** The team of a console, loaded when it is first needed and never without one; what other parts ask of it. */
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { failed } from '#contract/failures/failures.ts'
import { fail, ok } from '#contract/failures/result.ts'
import type { TeamOfBatches } from '#core/batches/shared/ports.ts'
import type { ErasureParts } from '#core/erasure/parts.ts'
import type { RetentionParts } from '#core/erasure/retention.ts'
import type { Team } from '#core/team/team.ts'
import type { RunParts } from '#core/verification/runs.ts'
import type { Ground } from './ground.ts'
import type { Networking } from './network.ts'
import type { Records } from './records.ts'

/** After these, the history has something new that a team may wait for. */
const recording: ReadonlySet<ConsoleEvent['kind']> = new Set<ConsoleEvent['kind']>([
  'history-changed',
  'evidence-changed',
  'batch-changed',
  'data-management-changed'
])

export interface TeamAccess {
  load(): Promise<Team>
  readonly colleagues: RunParts['colleagues']
  readonly ofBatches: TeamOfBatches
  /** Who in the team has acknowledged erasures; undefined without one. */
  readonly erasures: ErasureParts['inTeam']
  /** Applicants whom a colleague retains. */
  readonly retained: RetentionParts['retainedInTeam']
  /** What colleagues shared of them goes from here at once. If its file cannot be opened now, the same follows with the next exchange. */
  erased(applicantIds: readonly string[]): Promise<void>
  /** A command ends within seconds and exchanges nothing unless it is asked to. */
  start(): void
  /** Policies have changed: what is allowed is asked again, so the exchange begins anew. */
  policiesChanged(): Promise<void>
  /** Drops the team with its keys; it is loaded again when it is next needed. */
  drop(): Promise<void>
  close(): Promise<void>
}

export function createTeamAccess(
  { host, clock, folder, folderSecrets, files, inTeam, events, keychainStates, policies }: Ground,
  { history, lasting, auditTrail }: Records,
  { connections }: Networking
): TeamAccess {
  let team: Promise<Team> | undefined
  const load = (): Promise<Team> =>
    (team ??= import('#core/team/team.ts').then(({ createTeam }) =>
      createTeam(
        {
          dataFolder: folder,
          keychain: folderSecrets,
          clock,
          auditTrail,
          files,
          chooseSavePath: host.chooseSavePath,
          databaseRefusal: policies.teamRefusal
        },
        {
          launch: host.launchWorker,
          starts: host.kind !== 'cli',
          get operator() {
            return host.operator
          },
          version: host.version,
          /** Of a history in memory nothing may leave: its events would contradict those on file. */
          async history() {
            const store = await history.ready()
            return !store.ok || lasting() ? store : failed('history-not-on-file')
          },
          async connections() {
            const fault = connections.fault()
            return fault ? fail(fault) : ok(await connections.list())
          },
          changed: () => host.announce({ kind: 'team-changed' }),
          recorded: () => host.announce({ kind: 'evidence-changed' })
        }
      )
    ))
  events.on(({ kind }) => {
    if (recording.has(kind)) void team?.then((loaded) => loaded.look())
  })
  keychainStates.on((found) => {
    // It could not read its keys before.
    if (found === 'ready') void team?.then((loaded) => loaded.start())
  })

  const colleagues: RunParts['colleagues'] = async (same) => (inTeam() ? (await load()).earlier(same) : ok(undefined))
  const ofBatches: TeamOfBatches = {
    run: async (order) => (inTeam() ? (await load()).batches.run(order) : failed('team-missing')),
    results: async (found, own) =>
      inTeam() ? (await load()).batches.results(found, own) : ok({ ...found, source: own }),
    locate: async (id) => (inTeam() ? (await load()).batches.locate(id) : undefined)
  }
  const start = (): void => {
    if (host.kind !== 'cli' && inTeam()) void load().then((loaded) => loaded.start())
  }
  const drop = async (): Promise<void> => {
    const loaded = await team
    team = undefined
    await loaded?.close()
    // One that is left behind would meet those of the next team: each may replace the mailbox key.
    await loaded?.quiet()
  }
  const erasures: ErasureParts['inTeam'] = async (events) => (inTeam() ? (await load()).erasures(events) : undefined)
  const retained: RetentionParts['retainedInTeam'] = () =>
    inTeam() ? async (...of) => (await load()).retaining(...of) : undefined
  return {
    load,
    colleagues,
    ofBatches,
    erasures,
    retained,
    async erased(applicantIds) {
      if (inTeam()) await (await load()).eraseApplicants(applicantIds)
    },
    start,
    async policiesChanged() {
      if (!team) return
      await drop()
      start()
    },
    drop,
    async close() {
      await (await team)?.close()
    }
  }
}
