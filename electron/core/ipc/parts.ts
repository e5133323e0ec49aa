/** The dependencies of the handlers. */
import type { Failure } from '#contract/failures/failures.ts'
import type { AppState } from '#contract/app/app-state.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Attention } from '#core/attention/attention.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { Batches } from '#core/batches/batches.ts'
import type { Clipboard } from '#core/data-removal/clipboard.ts'
import type { Connections } from '#core/connections/connections.ts'
import type { Diagnoses } from '#core/diagnosis/diagnoses.ts'
import type { CopyChecks } from '#core/documents/copy-checks.ts'
import type { OtherFilesAccess } from '#core/documents/other-files.ts'
import type { Documents } from '#core/documents/documents.ts'
import type { Drift } from '#core/documents/drift.ts'
import type { LaterCopies } from '#core/documents/later-copies.ts'
import type { LinkChecks } from '#core/documents/link-checks.ts'
import type { CurrentHistory } from '#core/history/current.ts'
import type { Drafts } from '#core/drafts/drafts.ts'
import type { Backups } from '#core/backup/backups.ts'
import type { Recoveries } from '#core/backup/recoveries.ts'
import type { Retention } from '#core/erasure/retention.ts'
import type { Cases } from '#core/evidence/cases.ts'
import type { SigningCertificates } from '#core/evidence/certificates.ts'
import type { OwnKeys } from '#core/evidence/own-keys.ts'
import type { TrustMaking } from '#core/evidence/trust-making.ts'
import type { TrustReading } from '#core/evidence/trust-reading.ts'
import type { EvidencePacks } from '#core/evidence/evidence.ts'
import type { ApplicantDataAccess } from '#core/exports/applicant-data.ts'
import type { AuthorityPacks } from '#core/exports/authority.ts'
import type { Exports } from '#core/exports/exports.ts'
import type { Forwarding } from '#core/forwarding/forwarding.ts'
import type { Network } from '#core/client/network.ts'
import type { Admission } from '#core/lock/admission.ts'
import type { Lock } from '#core/lock/lock.ts'
import type { Masker } from '#core/masking/masker.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { Policies } from '#core/policies/policies.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import type { Practice } from '#core/connections/practice.ts'
import type { ClearedCredentials } from '#core/secrets/cleared.ts'
import type { ProxySignIns } from '#core/secrets/proxy-sign-ins.ts'
import type { BoundCredentials } from '#core/secrets/bound.ts'
import type { ScreenShare } from '#core/screen-share/screen-share.ts'
import type { SettingsFile } from '#core/settings/settings.ts'
import type { Team } from '#core/team/team.ts'
import type { Timestamps } from '#core/timestamps/timestamps.ts'
import type { Updates } from '#core/updates/updates.ts'
import type { Checks } from '#core/verification/checks.ts'
import type { Runs } from '#core/verification/runs.ts'

export interface HandlerParts {
  readonly host: HostPorts
  /** What finds the credentials of all connections in a text, with the values of now. */
  readonly own: () => Promise<Masker>
  readonly lock: Lock
  readonly admission: Admission
  /** Somebody uses the window. */
  active(): void
  readonly clipboard: Clipboard
  readonly keychain: SecretStore
  readonly credentials: BoundCredentials
  /** What *Undo* can still restore. */
  readonly cleared: ClearedCredentials
  readonly connections: Connections
  readonly settings: SettingsFile
  readonly forwarding: Pick<Forwarding, 'look'>
  readonly policies: Policies
  readonly history: CurrentHistory
  readonly network: Network
  readonly diagnoses: Diagnoses
  readonly proxySignIns: ProxySignIns
  readonly practice: Practice
  readonly runs: Runs
  readonly attention: Attention
  readonly checks: Checks
  readonly timestamps: Timestamps
  readonly updates: Updates
  /** Loaded when it is first asked for. */
  readonly team: () => Promise<Team>
  /** Whether this installation has anything of a team. Costs nothing: without one, the team is never loaded. */
  readonly inTeam: () => boolean
  readonly documents: Documents
  /** The copy that a record has of a document. */
  readonly keptCopy: ApplicantDataAccess['copy']
  readonly laterCopies: LaterCopies
  readonly linkChecks: LinkChecks
  readonly drift: Drift
  readonly copyChecks: Pick<CopyChecks, 'condition' | 'verify'>
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
  /** Tests at once whether a backup is due. */
  lookAtSchedule(): void
  /** After the setting of the fields was changed. */
  mapNames(): Promise<void>
  readonly batches: Batches
  readonly drafts: Drafts
  readonly auditTrail: AuditTrail
  readonly screenShare: ScreenShare
  /** Registers a function that drops personal data from memory when such data is removed. */
  readonly onRemoval: (empty: () => void) => void
  /** The current state with the next number; send it, do not store it. */
  state(): AppState
  /** Notifies the windows that the state has changed. */
  stateChanged(): void
}

export const done = { ok: true, value: null } as const

/** Queries the open history, or returns why there is none. */
export async function withHistory<T>(
  { history }: Pick<HandlerParts, 'history'>,
  ask: (store: HistoryStore) => Promise<Result<T, Failure>>
): Promise<Result<T, Failure>> {
  const store = await history.ready()
  return store.ok ? ask(store.value) : store
}
