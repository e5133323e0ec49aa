/** Default values of the settings; separate from the schema, so that the window's frame can be drawn without zod. */
import type { ReasonCode } from '../applicants/applicants.ts'
import type { RequireApproval } from '../applicants/four-eyes.ts'
import type { Checklists } from '../applicants/checklists.ts'
import type { RiskClass } from '../applicants/risk.ts'
import type { NameFields } from '../applicants/names.ts'
import type { ColumnProfile } from '../batches/profiles.ts'
import type { QueueView } from '../applicants/queue.ts'
import type { TimestampAuthority } from '../evidence/timestamps.ts'
import type { LogForwarding } from '../forwarding/forwarding.ts'
import type { OperationId } from '../verification/operations.ts'
import type { Tables } from '../history/tables.ts'
import type { UpdateFeed } from '../updates/updates.ts'
import type { SavedView } from '../app/views.ts'

export const defaultReasonCodes: ReasonCode[] = [
  { code: 'documents-in-order', label: 'Documents in order', decisions: ['approve'] },
  { code: 'reviewed-by-hand', label: 'Reviewed by hand', decisions: ['approve', 'decline'] },
  { code: 'document-not-accepted', label: 'Document not accepted', decisions: ['decline', 'escalate'] },
  { code: 'identity-not-matched', label: 'Identity not matched', decisions: ['decline', 'escalate'] },
  { code: 'evidence-incomplete', label: 'Evidence incomplete', decisions: ['decline', 'escalate'] },
  { code: 'suspected-fraud', label: 'Suspected fraud', decisions: ['decline', 'escalate'] },
  { code: 'answer-unclear', label: 'The service’s answer is unclear', decisions: ['escalate'] },
  { code: 'second-opinion', label: 'Second opinion needed', decisions: ['escalate'] }
]

export const defaultRiskClasses: RiskClass[] = [
  { code: 'low', label: 'Low', months: 60, enhanced: false },
  { code: 'medium', label: 'Medium', months: 36, enhanced: false },
  { code: 'high', label: 'High', months: 12, enhanced: true }
]

/** The recipes that come with Veridesk, in the order in which their requests are sent. */
const recipes: { name: string; operations: OperationId[] }[] = [
  { name: 'Photo, ID and details', operations: ['get-applicant-details', 'validate-applicant-documents'] },
  {
    name: 'Passport, photo and details',
    operations: ['get-applicant-details', 'validate-kyc-photo', 'validate-passport']
  },
  { name: 'Details only', operations: ['get-applicant-details'] }
]

const noChecklists: Checklists = { decision: [], review: [] }
const noDays: Record<string, number> = {}
const noReasons: ReasonCode[] = []
const noApproval: RequireApproval = {}
const noFields: NameFields = { name: [], birthDate: [], country: [] }
const noViews: SavedView[] = []
const noQueueViews: QueueView[] = []
const noProfiles: ColumnProfile[] = []
const noTables: Tables = {}
const noFeed: UpdateFeed | null = null as UpdateFeed | null
const noForwarding: LogForwarding | null = null as LogForwarding | null
const noAuthority: TimestampAuthority | null = null as TimestampAuthority | null

/** By name; `settings.ts` describes each. */
export const settingsDefaults = {
  displayName: '',
  startPage: 'automatic' as const,
  sideBar: 'automatic' as const,
  theme: 'system' as const,
  density: 'comfortable' as const,
  dateFormat: 'system' as const,
  timeZone: 'system' as const,
  connectTimeout: 5,
  totalTimeout: 30,
  maxReplyBytes: 1024 * 1024,
  proxyMode: 'system' as const,
  proxyUrl: '',
  proxyBypass: '',
  extraCaFile: '',
  timestampAuthority: noAuthority,
  updateFeed: noFeed,
  logForwarding: noForwarding,
  spendGuardMinutes: 1440,
  confirmLive: false,
  checkLinks: false,
  retryBusy: false,
  lockMinutes: 15,
  lockBatch: 'pause' as 'pause' | 'continue',
  backupHours: 24,
  backupCount: 7,
  retentionDays: noDays,
  retentionFrom: 'newest-record' as 'newest-record' | 'relationship',
  retentionYears: 5,
  decisionReasons: defaultReasonCodes,
  removedReasons: noReasons,
  decisionNoteNeeded: true,
  checklists: noChecklists,
  nameFields: noFields,
  riskClasses: defaultRiskClasses,
  requireApproval: noApproval,
  approvalHours: 24,
  reviewRemindDays: 30,
  sampleMinimumShare: 10,
  tagsDecidedAlone: ['PEP'],
  letterKeys: true,
  screenShareAtStart: false,
  clipboardSeconds: 30,
  notifyAssigned: true,
  notifyDue: true,
  notifyApproval: true,
  notifyBatch: true,
  notifyConnection: true,
  savedViews: noViews,
  queueViews: noQueueViews,
  columnProfiles: noProfiles,
  recipes,
  tables: noTables,
  paneSizes: {},
  lastConnection: '',
  lastOperation: '',
  lastPage: '',
  firstRunDone: false,
  updateDismissed: ''
}
