/** What a console does: verifications, batches, the team, and data management. */
import type { Connection } from '#contract/connections/connection.ts'
import type { CredentialValues } from '#contract/connections/credentials.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { BoundCredentials } from '#core/secrets/bound.ts'
import { createAttention } from '#core/attention/attention.ts'
import { createBatches } from '#core/batches/batches.ts'
import { withdrawn } from '#core/verification/access.ts'
import { createChecks } from '#core/verification/checks.ts'
import { createRuns, type RunParts } from '#core/verification/runs.ts'
import { createDataManagement } from './data-management.ts'
import type { Ground } from './ground.ts'
import type { Networking } from './network.ts'
import type { Records } from './records.ts'
import { createTeamAccess } from './team.ts'

export type Work = ReturnType<typeof createWork>

// Node's HTTP and axios take longer to load than everything else here, and are not needed before a form is submitted.
const client = () => import('#core/client/send.ts')

/** Credentials for requests, which the log hides from then on; notes whether the service accepts them. */
function createAcceptance(credentials: BoundCredentials, mask: (secret: string) => void, changed: () => void) {
  const taken = new WeakMap<CredentialValues, { readonly id: string; readonly revision: number }>()
  return {
    async values(connection: Connection): ReturnType<BoundCredentials['values']> {
      const of = { id: connection.id, revision: credentials.revision(connection.id) }
      const values = await credentials.values(connection)
      if (!values.ok) return values
      taken.set(values.value, of)
      Object.values(values.value).forEach(mask)
      return values
    },
    answered(values: CredentialValues, { outcome, reply }: RecordEnding): void {
      const of = taken.get(values)
      if (of && outcome === 'answered' && credentials.answered(of.id, of.revision, reply?.status === 401)) changed()
    }
  }
}

/** A host that notifies only if it is wanted. Examples are added by the program, so nothing reports the end of their batch. */
const notifying = (host: HostPorts, wanted: () => boolean): HostPorts => ({
  ...host,
  notify: (...told) => (host.sample || !wanted() ? undefined : host.notify(...told))
})

export function createWork(ground: Ground, records: Records, networking: Networking) {
  const { host, clock, policies, log, settings, stateChanged, files, removals, folderSecrets } = ground
  const { history, auditTrail, drafts } = records
  const { own, credentials, connections, practice, network, documents, copies, linkChecks, timestamps } = networking
  const team = createTeamAccess(ground, records, networking)

  const attention = createAttention({
    host,
    history,
    settings: settings.current,
    team: () => (ground.inTeam() ? team.load() : undefined)
  })
  if (host.kind !== 'cli') ground.events.on(attention.onEvent)
  const acceptance = createAcceptance(credentials, log.mask, () => host.announce({ kind: 'connections-changed' }))
  const sending = {
    clock,
    consoleVersion: host.version,
    get operator() {
      return host.operator
    },
    settings: settings.current,
    connection: practice.reachable,
    credentials: acceptance.values,
    fingerprint: credentials.fingerprint,
    standing(taken) {
      const revision = credentials.revision(taken.id)
      return () =>
        withdrawn(taken, connections.get(taken.id), credentials.revision(taken.id) !== revision) ??
        settings.sendingRefusal() ??
        connections.fault() ??
        policies.addressRefusal(taken)
    },
    seenDocuments: linkChecks.seen,
    copies,
    history: history.ready,
    colleagues: team.colleagues,
    own,
    // Loads the client before an intent is written.
    network: async (origin) => {
      await client()
      return network.to(origin)
    },
    async send(order) {
      const ending = await (await client()).sendVerification(order)
      attention.onSent(order.origin, ending)
      acceptance.answered(order.credentials, ending)
      return ending
    },
    announce: host.announce
  } satisfies RunParts
  const runs = createRuns(sending)
  const checks = createChecks(runs, host.announce)
  const batches = createBatches({
    ...sending,
    get operator() {
      return host.operator
    },
    host: notifying(host, () => settings.current().notifyBatch),
    policies,
    team: team.ofBatches,
    inTeam: ground.inTeam,
    documents,
    areCopiesOff: (id) => connections.get(id)?.copies === 'off',
    random: Math.random,
    files,
    auditTrail,
    drafts,
    onRemoval: removals.on
  })
  const dataManagement = createDataManagement({
    host,
    keychain: folderSecrets,
    settings,
    policies,
    history,
    auditTrail,
    removals,
    files,
    timestamps,
    noticed: () => stateChanged('backup-by-schedule'),
    team,
    copyFiles: networking.copyFiles,
    inProgress: () => (batches.busy() ? 'batch' : runs.busy() ? 'check' : undefined)
  })
  records.opened.on(() => void dataManagement.resume())
  if (host.kind !== 'cli') records.opened.on(batches.copyOn)
  return {
    attention,
    team,
    runs,
    checks,
    batches,
    dataManagement,
    /** Loads what sends requests. What cannot be loaded is reported by the verification that needs it. */
    preload: (): void =>
      void client()
        .then(network.trust)
        .catch(() => undefined)
  }
}
