/** Composes data management: backups, recovery key, erasure and retention, exports, evidence. */
import type { ExportProgress } from '#contract/data-management/data-management.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import type { CopyChecks } from '#core/documents/copy-checks.ts'
import { createOtherFiles, type OtherFilesAccess, type OtherFilesParts } from '#core/documents/other-files.ts'
import type { CurrentHistory } from '#core/history/current.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import type { Removals } from '#core/data-removal/removals.ts'
import type { Policies } from '#core/policies/policies.ts'
import type { SettingsFile } from '#core/settings/settings.ts'
import { createBackups, type Backups } from '#core/backup/backups.ts'
import { createRecoveries, type Recoveries } from '#core/backup/recoveries.ts'
import { createCases, type Cases } from '#core/evidence/cases.ts'
import { createSigningCertificates, type SigningCertificates } from '#core/evidence/certificates.ts'
import { createHeadTimestamps } from '#core/evidence/head-timestamps.ts'
import { createOwnKeys, type OwnKeys } from '#core/evidence/own-keys.ts'
import { createTrustMaking, type TrustMaking } from '#core/evidence/trust-making.ts'
import { createTrustReading, type TrustReading } from '#core/evidence/trust-reading.ts'
import { createEvidence, type EvidencePacks } from '#core/evidence/evidence.ts'
import type { Timestamps } from '#core/timestamps/timestamps.ts'
import { createTurns } from '#kit/async/in-turn.ts'
import { createSchedule, type Rhythm } from '#kit/async/schedule.ts'
import { exportForAuthority, type AuthorityPacks } from '#core/exports/authority.ts'
import { createExports, type Exports } from '#core/exports/exports.ts'
import { createRetention, type Retention } from '#core/erasure/retention.ts'
import type { TeamAccess } from './team.ts'

/** The first verification and search come first. */
const rhythm: Rhythm = { first: 30_000, every: 10 * 60_000 }

export interface DataManagementParts {
  readonly host: HostPorts
  readonly keychain: SecretStore
  readonly settings: SettingsFile
  readonly policies: Pick<Policies, 'exportRefusal' | 'unreadable' | 'values'>
  readonly history: CurrentHistory
  readonly auditTrail: AuditTrail
  readonly removals: Removals
  readonly files: ChosenFiles
  readonly timestamps: Timestamps
  /** Called when `notices` has changed. */
  readonly noticed: () => void
  readonly team: Pick<TeamAccess, 'erasures' | 'erased' | 'retained'>
  /** The files of copies of documents. */
  readonly copyFiles: Pick<OtherFilesParts, 'lasting' | 'vault'> & Pick<CopyChecks, 'compare'>
  /** What is using the history and could not continue in another one. */
  readonly inProgress: () => 'check' | 'batch' | undefined
}

export interface DataManagement {
  readonly backups: Backups
  readonly recoveries: Recoveries
  readonly retention: Retention
  readonly otherFiles: OtherFilesAccess
  readonly exports: Exports
  readonly evidence: EvidencePacks
  readonly authority: AuthorityPacks
  readonly cases: Cases
  readonly certificates: SigningCertificates
  readonly ownKeys: OwnKeys
  readonly trustMaking: TrustMaking
  readonly trustReading: TrustReading
  /** Notices for every window: a scheduled backup that failed. */
  notices(): readonly Failure[]
  /** Runs something while nothing uses the history by itself: no backup, no erasure that is resumed, no time-stamp of the audit trail. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /** Resumes what a crash has interrupted; call with each history that is opened. */
  resume(): Promise<void>
  /** Starts the schedule; call when the history is open. */
  start(): void
  /** Tests at once whether a backup is due. */
  lookAtSchedule(): void
  close(): Promise<void>
}

/** What packs, cases and exports need of the host. */
const evidenceParts = ({ version, resources, chooseFile, chooseSavePath, printPdf }: DataManagementParts['host']) => ({
  consoleVersion: version,
  resources,
  chooseFile,
  chooseSavePath,
  printPdf
})

/** What exports need of it besides. */
const exportParts = (host: DataManagementParts['host']) => ({
  ...evidenceParts(host),
  progress: (progress: ExportProgress): void => host.announce({ kind: 'export-progress', progress })
})

/** The path of the company's trust file; undefined without one. Failure: no policy can be read, so none is not known. */
const trustFileOf =
  ({ unreadable, values }: Pick<Policies, 'unreadable' | 'values'>) =>
  (): Result<string | undefined, Failure> => {
    const unknown = unreadable()
    return unknown ? fail(unknown) : ok(values().TrustFile)
  }

/** Records a backup in the audit trail. */
const noteBackup =
  (auditTrail: DataManagementParts['auditTrail']): Parameters<typeof createBackups>[0]['made'] =>
  ({ events: seq, head: hash, records: rows }, by) =>
    auditTrail.note({
      kind: 'export.made',
      plain: { what: 'backup', format: 'files', rows, head: { seq, hash }, ...(by === 'schedule' && { by }) }
    })

export function createDataManagement({
  host,
  keychain,
  settings,
  policies,
  history,
  auditTrail,
  removals,
  files,
  timestamps,
  noticed,
  team,
  copyFiles,
  inProgress
}: DataManagementParts): DataManagement {
  const { dataFolder, clock, launchWorker: launch } = host
  const { ready: store, whileClosed } = history
  const changed = (): void => host.announce({ kind: 'data-management-changed' })
  const common = { dataFolder, keychain, clock, launch, store, historyState: () => history.state(), changed }
  const backups = createBackups({
    ...common,
    whileClosed,
    documents: copyFiles.compare,
    noticed,
    inProgress,
    settings: settings.current,
    mayDeleteOld: () => settings.rulesRefusal() === undefined,
    made: noteBackup(auditTrail)
  })
  const recoveries = createRecoveries({
    ...common,
    whileClosed,
    escrowTo: () => policies.values().RecoveryKeyEscrow,
    open: () => history.open(),
    openWithKey: (key) => history.openWithKey(key)
  })
  const retention = createRetention({
    ...common,
    files,
    inTeam: team.erasures,
    retainedInTeam: team.retained,
    settings: settings.current,
    get operator() {
      return host.operator
    },
    exclusively: backups.exclusively,
    chooseSavePath: host.chooseSavePath,
    erased: async (applicantIds) => {
      removals.announce('erased')
      host.announce({ kind: 'history-changed' })
      await team.erased(applicantIds)
    }
  })
  const certificates = createSigningCertificates({ ...common, files, auditTrail, chooseSavePath: host.chooseSavePath })
  const shared = {
    ...common,
    ...evidenceParts(host),
    get operator() {
      return host.operator
    },
    timestamps,
    trustFile: trustFileOf(policies),
    certificates,
    files,
    auditTrail,
    onRemoval: removals.on
  }
  const headTimestamps = createHeadTimestamps({ ...common, auditTrail, timestamps })
  // An authority that does not answer must hold up no backup.
  const datingTurn = createTurns()
  const dating = createSchedule(() => datingTurn(() => headTimestamps.look()), rhythm)
  const schedule = createSchedule(() => backups.makeWhenDue(), rhythm)
  return {
    backups,
    recoveries,
    retention,
    otherFiles: createOtherFiles({
      ...common,
      ...copyFiles,
      auditTrail,
      history: store,
      exclusively: backups.exclusively
    }),
    exports: createExports({ ...common, ...exportParts(host), files, auditTrail, refusal: policies.exportRefusal }),
    evidence: createEvidence(shared),
    authority: (order, openCopy) => exportForAuthority(shared, order, openCopy),
    cases: createCases(shared),
    certificates,
    ownKeys: createOwnKeys(shared),
    trustMaking: createTrustMaking(shared),
    trustReading: createTrustReading(shared),
    // The command line ends after one command, so it has no schedule.
    notices: () => backups.notices(),
    exclusively: (work) => backups.exclusively(() => datingTurn(work)),
    resume: () => retention.resume(),
    lookAtSchedule: () => schedule.look(),
    start() {
      // Sample data is deleted at its end, together with every backup of it.
      if (host.kind !== 'cli' && !host.sample) for (const each of [schedule, dating]) each.start()
    },
    close: async () => void (await Promise.all([schedule.close(), dating.close()]))
  }
}
