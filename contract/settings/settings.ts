/** The settings: one schema; the file contains only differences from the defaults. */
import { z } from 'zod'
import { maxReasonCodes, maxRemovedReasons, maxTags, reasonCodeSchema, tagSchema } from '../applicants/applicants.ts'
import { checklistsSchema } from '../applicants/checklists.ts'
import { nameFieldsSchema } from '../applicants/names.ts'
import { maxReviewRemindDays } from '../applicants/queue-kinds.ts'
import { requireApprovalSchema } from '../applicants/four-eyes.ts'
import { maxApprovalHours } from '../team/approvals.ts'
import { riskClassesSchema } from '../applicants/risk.ts'
import { maxRetentionYears, retentionDaysSchema, retentionStarts } from '../data-management/data-management.ts'
import { rule } from '../verification/field-issues.ts'
import { lockBatchChoices, maxLockMinutes } from '../lock/lock.ts'
import { columnProfilesSchema } from '../batches/profiles.ts'
import { queueViewsSchema } from '../applicants/queue.ts'
import { logForwardingSchema } from '../forwarding/forwarding.ts'
import { settingsDefaults as defaults } from './defaults.ts'
import { timestampAuthoritySchema } from '../evidence/timestamps.ts'
import { tablesSchema } from '../history/tables.ts'
import { updateFeedSchema } from '../updates/updates.ts'
import { recipesSchema } from '../verification/saved-recipes.ts'
import { savedViewsSchema } from '../app/views.ts'

/** Maximum minutes that the spend guard looks back. */
export const maxSpendGuardMinutes = 43_200

/** Maximum seconds that copied text stays in the clipboard. */
const maxClipboardSeconds = 3600

const seconds = (least: number, most: number) => z.number().int().min(least).max(most)

/** Maximum characters of the name that a person has in decisions. */
export const maxDisplayName = 100
/** What the window opens with: `automatic` follows what there is to do. */
export const startPages = ['automatic', 'queue', 'overview', 'applicants', 'history', 'last'] as const

export const settingsSchema = z.strictObject({
  /** The person's name as the window shows it beside decisions; empty until it is given. Events name the account as well. */
  displayName: z.string().trim().max(maxDisplayName).default(defaults.displayName),
  startPage: z.enum(startPages).default(defaults.startPage),
  /** Whether the side bar shows words: by the window's width, always, or never. */
  sideBar: z.enum(['automatic', 'words', 'icons']).default(defaults.sideBar),
  theme: z.enum(['system', 'light', 'dark']).default(defaults.theme),
  density: z.enum(['comfortable', 'compact']).default(defaults.density),
  /** How the window shows dates and times: as the system does, or as ISO 8601. Exports and evidence are always ISO 8601. */
  dateFormat: z.enum(['system', 'iso']).default(defaults.dateFormat),
  /** The time zone of the dates and times that the window shows, and of its days. */
  timeZone: z.enum(['system', 'utc']).default(defaults.timeZone),
  /** Seconds allowed for opening a connection (DNS, TCP, proxy, TLS). */
  connectTimeout: seconds(1, 60).default(defaults.connectTimeout),
  /** Seconds allowed for the complete response. */
  totalTimeout: seconds(1, 600).default(defaults.totalTimeout),
  /** Maximum response size in bytes, after decompression. */
  maxReplyBytes: z
    .number()
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(defaults.maxReplyBytes),
  proxyMode: z.enum(['none', 'system', 'manual']).default(defaults.proxyMode),
  /** http://, https:// or socks5:// address of the proxy; used in manual mode. */
  proxyUrl: z.string().max(2048).default(defaults.proxyUrl),
  /** Hosts that bypass a manual proxy, separated by commas. */
  proxyBypass: z.string().max(4096).default(defaults.proxyBypass),
  /** PEM file with additional certificate authorities; empty for none. The system's store is always used. */
  extraCaFile: z.string().max(4096).default(defaults.extraCaFile),
  /** The authority that dates evidence packs and the audit trail; null for none. */
  timestampAuthority: timestampAuthoritySchema.nullable().default(defaults.timestampAuthority),
  /** The feed that says whether there is a newer release; null for none, so that nothing is fetched. */
  updateFeed: updateFeedSchema.nullable().default(defaults.updateFeed),
  /** Where the events of the audit trail go, without personal data; null for nowhere. */
  logForwarding: logForwardingSchema.nullable().default(defaults.logForwarding),
  /** Minutes during which an answered verification counts as recent; 0 switches the guard off. */
  spendGuardMinutes: z.number().int().min(0).max(maxSpendGuardMinutes).default(defaults.spendGuardMinutes),
  /** Whether a person confirms each single verification on a live connection; a live batch is always confirmed. */
  confirmLive: z.boolean().default(defaults.confirmLive),
  /**
   * Whether the links of a form are checked before it is sent. Off by default: each check asks the servers of the links.
   */
  checkLinks: z.boolean().default(defaults.checkLinks),
  /**
   * Whether a batch resends a row that was answered with 429 or 503. Nothing else is resent once bytes may have been
   * sent.
   */
  retryBusy: z.boolean().default(defaults.retryBusy),
  /** Minutes without input after which the console locks; 0 for never. */
  lockMinutes: z.number().int().min(0).max(maxLockMinutes).default(defaults.lockMinutes),
  /** Whether a lock pauses running batches. While one continues, the keys of the history stay in memory. */
  lockBatch: z.enum(lockBatchChoices).default(defaults.lockBatch),
  /** Hours between backups, created shortly after a start or when due; 0 for no schedule. */
  backupHours: z.number().int().min(0).max(8760).default(defaults.backupHours),
  /** Number of backups kept; the oldest is deleted when a newer one is verified. */
  backupCount: z.number().int().min(1).max(365).default(defaults.backupCount),
  /**
   * Days after which an applicant's records may be erased, by connection id. Nothing is erased without a user's
   * confirmation.
   */
  retentionDays: retentionDaysSchema.default(defaults.retentionDays),
  /** What an applicant's retention counts from. By the relationship, the days stand for records without an applicant only. */
  retentionFrom: z.enum(retentionStarts).default(defaults.retentionFrom),
  /** Years from the day on which a relationship ended, was refused or was for one occasion. */
  retentionYears: z.number().int().min(1).max(maxRetentionYears).default(defaults.retentionYears),
  /** Codes that can be given as reasons for a decision. */
  decisionReasons: z
    .array(reasonCodeSchema)
    .max(maxReasonCodes)
    .refine((codes) => new Set(codes.map(({ code }) => code)).size === codes.length, rule('codes-repeated'))
    .default(defaults.decisionReasons),
  /** Reasons removed from the list: decisions that used them stay readable, and they can be restored. */
  removedReasons: z.array(reasonCodeSchema).max(maxRemovedReasons).default(defaults.removedReasons),
  /** Whether a decision needs a note. */
  decisionNoteNeeded: z.boolean().default(defaults.decisionNoteNeeded),
  /** What is answered before a decision, and with a periodic review. */
  checklists: checklistsSchema.default(defaults.checklists),
  /** The fields of a details answer that are an applicant's name, date of birth and country; without any, they are guessed. */
  nameFields: nameFieldsSchema.default(defaults.nameFields),
  /** Risk classes, from the lowest to the highest. */
  riskClasses: riskClassesSchema.default(defaults.riskClasses),
  /** For each decision the risk class from which a second person must agree; none at first. */
  requireApproval: requireApprovalSchema.default(defaults.requireApproval),
  /** Hours after which a request for approval in a team is overdue; 0: never. */
  approvalHours: z.number().int().min(0).max(maxApprovalHours).default(defaults.approvalHours),
  /** Days before a review from which it waits in the queue. */
  reviewRemindDays: z.number().int().min(0).max(maxReviewRemindDays).default(defaults.reviewRemindDays),
  /** Per cent of many applicants that are reviewed one by one before the others are decided; 0 allows none. */
  sampleMinimumShare: z.number().int().min(0).max(100).default(defaults.sampleMinimumShare),
  /** Tags whose applicants are decided one by one, and never with many, in any case of letters. */
  tagsDecidedAlone: z.array(tagSchema).max(maxTags).default(defaults.tagsDecidedAlone),
  /** Whether keys of one character act in lists, cases and documents (WCAG 2.1.4). */
  letterKeys: z.boolean().default(defaults.letterKeys),
  /** Whether a session begins in screen-share mode, which hides personal data in the window. */
  screenShareAtStart: z.boolean().default(defaults.screenShareAtStart),
  /** Seconds after which text copied from Veridesk is cleared from the clipboard; 0 for never. */
  clipboardSeconds: seconds(0, maxClipboardSeconds).default(defaults.clipboardSeconds),
  /** Whether the system notifies this person: a case was assigned to them, cases are due, a decision waits for approval, a batch ended, a connection fails. */
  notifyAssigned: z.boolean().default(defaults.notifyAssigned),
  notifyDue: z.boolean().default(defaults.notifyDue),
  notifyApproval: z.boolean().default(defaults.notifyApproval),
  notifyBatch: z.boolean().default(defaults.notifyBatch),
  notifyConnection: z.boolean().default(defaults.notifyConnection),
  /** Saved views of the history, in the order they were saved. */
  savedViews: savedViewsSchema.default(defaults.savedViews),
  /** Saved views of the work queue, in the order they were saved. */
  queueViews: queueViewsSchema.default(defaults.queueViews),
  /** Column profiles of batches, in the order they were saved. */
  columnProfiles: columnProfilesSchema.default(defaults.columnProfiles),
  /** Recipes for checking an applicant, in the order they were saved. */
  recipes: recipesSchema.default(defaults.recipes),
  /** Columns of the tables, where they were changed. */
  tables: tablesSchema.default(defaults.tables),
  /** Pixels of panes whose border was dragged, by pane and class of the window's width. */
  paneSizes: z.record(z.string().max(40), z.number().int().min(100).max(4000)).default(defaults.paneSizes),
  /** The connection and operation to open at the next start. */
  lastConnection: z.string().max(64).default(defaults.lastConnection),
  lastOperation: z.string().max(64).default(defaults.lastOperation),
  /** The view that was open last, by the name of its route. */
  lastPage: z.string().max(64).default(defaults.lastPage),
  /** The three first steps were finished or dismissed. */
  firstRunDone: z.boolean().default(defaults.firstRunDone),
  /** The version whose notice was dismissed; empty for none. */
  updateDismissed: z.string().max(64).default(defaults.updateDismissed)
})
export type Settings = z.output<typeof settingsSchema>

export const defaultSettings: Settings = defaults

/**
 * A change of some settings; the others stay. Built without the defaults: zod fills in the default of a missing key
 * even if the key is optional, which would reset every setting that a patch omits.
 */
export const settingsPatchSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(settingsSchema.shape).map(([name, schema]) => [name, schema.unwrap().optional()])
  ) as { [Name in keyof Settings]: z.ZodOptional<ReturnType<(typeof settingsSchema.shape)[Name]['unwrap']>> }
)
