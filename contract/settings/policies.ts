/**
 * Every policy that an administrator can set for an installation. From this table come the reader's schema, the files for
 * administrators in build/policies/ and docs/policies.md. A policy is listed only if core enforces it.
 */
import { z } from 'zod'
import { reviewProofs } from '../applicants/seen.ts'
import { maxAtOnce } from '../batches/batches.ts'
import { connectionDraftSchema, copyRules, normaliseBaseUrl } from '../connections/connection.ts'
import { maxRetentionDays } from '../data-management/data-management.ts'
import { logForwardingSchema } from '../forwarding/forwarding.ts'
import { settingsDefaults } from './defaults.ts'
import { settingsSchema, type Settings } from './settings.ts'
import { updateFeedSchema } from '../updates/updates.ts'

/** How administrators enter a value, which decides its form in the registry, a template and a profile. */
export type PolicyKind = 'text' | 'number' | 'flag' | 'choice' | 'list' | 'json'

export const policyCategories = [
  'Organisation',
  'Connections',
  'Documents',
  'Team',
  'Network',
  'Verifications',
  'Batches',
  'Lock',
  'Screen sharing',
  'Data',
  'Notifications',
  'Updates',
  'Diagnostics'
] as const

export interface PolicyDeclaration<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  readonly kind: PolicyKind
  readonly category: (typeof policyCategories)[number]
  readonly title: string
  /** What it does, for administrators and for the people whom it concerns. */
  readonly help: string
  /** The settings that it sets and locks; absent if it is a rule of its own. */
  readonly setting?: keyof Settings | readonly (keyof Settings)[]
  /** The value that turns something off or requires it. It applies as well while policies cannot be read and were never valid. */
  readonly closed?: z.output<Schema>
  /** The value of the setting, if it is not the policy's own. */
  readonly toSetting?: (value: z.output<Schema>) => Settings[keyof Settings]
  /** What applies without it. */
  readonly without: string
  /** The first version that knows it. */
  readonly since: string
  /** A valid value, in the form of the JSON file. */
  readonly example: z.input<Schema>
}

const declare = <Schema extends z.ZodType>(declared: PolicyDeclaration<Schema>): PolicyDeclaration<Schema> => declared

type Described = Pick<PolicyDeclaration, 'category' | 'title' | 'help'>

/** A policy that can turn something off. */
const allowing = (described: Described): PolicyDeclaration<z.ZodBoolean> => ({
  ...described,
  schema: z.boolean(),
  kind: 'flag',
  closed: false,
  without: 'Allowed.',
  since: '1.0',
  example: false
})

/** A policy that can require something of each user. */
const requiring = (described: Described): PolicyDeclaration<z.ZodBoolean> => ({
  ...allowing(described),
  closed: true,
  without: 'Not required.',
  example: true
})

/** A policy that sets and locks a setting, by the rule of that setting. */
const ofSetting = <Name extends keyof Settings>(
  setting: Name,
  declared: Omit<PolicyDeclaration, 'schema' | 'setting' | 'toSetting' | 'without' | 'since' | 'example'> & {
    readonly without?: string
    readonly example: Settings[Name]
  }
) => ({
  ...declared,
  schema: settingsSchema.shape[setting].unwrap() as unknown as z.ZodType<Settings[Name], Settings[Name]>,
  setting,
  without: declared.without ?? `Each user decides; ${JSON.stringify(settingsDefaults[setting])} at first.`,
  since: '1.0'
})

/** A server of databases: `host` or `host:port`; an IPv6 address in brackets. */
const databaseServer = z
  .string()
  .trim()
  .max(260)
  .regex(/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i)
  .transform((text) => text.toLowerCase())

/** What may stand in the path of a data folder, and be replaced by what it is for each user. */
export const folderVariables = ['user_home', 'user_name', 'local_app_data'] as const
/** An absolute path of a local disk, on any system; a variable that makes one may begin it. */
const folderPath = z
  .string()
  .trim()
  .max(1024)
  .refine((path) => /^(?:\/(?!\/)|[a-z]:[\\/]|\$\{(?:user_home|local_app_data)\})/i.test(path))
  .refine((path) =>
    [...path.matchAll(/\$\{([^}]*)\}/g)].every(([, name]) => (folderVariables as readonly unknown[]).includes(name))
  )

/** Maximum entries of a list. */
const maxEntries = 200

const origin = connectionDraftSchema.shape.baseUrl.transform(normaliseBaseUrl)

/** A connection that users find ready-made. Its name identifies it: another name is another connection, with other credentials. */
const managedConnectionSchema = z.strictObject({
  name: connectionDraftSchema.shape.name,
  baseUrl: origin,
  mode: connectionDraftSchema.shape.mode,
  colour: connectionDraftSchema.shape.colour.default('blue'),
  mark: connectionDraftSchema.shape.mark.optional(),
  privateAddresses: z.boolean().default(false),
  openAutomatically: z.boolean().default(false),
  keepDocuments: z.enum(copyRules).default('off'),
  /** The program that prints the credentials, and its arguments. */
  credentialsCommand: z
    .array(z.string().min(1).max(4096))
    .min(1)
    .max(20)
    .refine(([program = '']) => /^(?:\/|[a-z]:\\)/i.test(program))
    .optional()
})
export type ManagedConnection = z.output<typeof managedConnectionSchema>

const comparable = (name: string): string => name.normalize('NFKC').toLowerCase()

export const policyTable = {
  OrganisationName: declare({
    schema: z.string().trim().min(1).max(100),
    kind: 'text',
    category: 'Organisation',
    title: 'Name of the organisation',
    help: 'Shown where Veridesk says who manages a setting.',
    without: '“your organisation” is shown.',
    since: '1.0',
    example: 'Example Bank'
  }),
  StartAtLogOn: declare({
    schema: z.boolean(),
    kind: 'flag',
    category: 'Organisation',
    title: 'Start at log-on',
    help: 'Whether Veridesk starts when the user signs in to the computer, from their first start on: by the list of programs of Windows and macOS, or an entry in ~/.config/autostart. false removes what true has set. Users can turn the entry off where their system lets them.',
    without: 'Nothing is changed.',
    since: '1.0',
    example: true
  }),
  AllowedBaseUrls: declare({
    schema: z.array(origin).max(maxEntries),
    kind: 'list',
    category: 'Connections',
    title: 'Allowed base URLs',
    help: 'Connections may lead only to these addresses (scheme, host and port, compared exactly) and to paths below them. Others can be neither saved nor used. Addresses of ready-made connections and the practice service are always allowed.',
    without: 'Any address is allowed.',
    since: '1.0',
    example: ['https://kyc.example.com', 'https://sandbox.kyc.example.com:8443']
  }),
  Connections: declare({
    schema: z
      .array(managedConnectionSchema)
      .max(maxEntries)
      .refine((all) => new Set(all.map(({ name }) => comparable(name))).size === all.length),
    kind: 'json',
    category: 'Connections',
    title: 'Ready-made connections',
    help: 'Connections that every user finds and cannot edit or remove. Each user enters the credentials, which never belong in a policy, or “credentialsCommand” prints them: the absolute path of a program and its arguments. A connection is recognised by its name.',
    without: 'Users add their own connections.',
    since: '1.0',
    example: [{ name: 'Example KYC', baseUrl: 'https://kyc.example.com', mode: 'live', colour: 'red', mark: 'EX' }]
  }),
  OwnConnectionsAllowed: allowing({
    category: 'Connections',
    title: 'Own connections',
    help: 'If false, users can neither add nor change a connection, nor send by one that they have added: only the ready-made ones are used, and the practice service.'
  }),
  PracticeAllowed: allowing({
    category: 'Connections',
    title: 'Practice service and sample data',
    help: 'If false, neither the practice service nor a window with sample data can be started.'
  }),
  PrivateAddressesAllowed: allowing({
    category: 'Documents',
    title: 'Documents from private addresses',
    help: 'If false, no document is fetched from this computer or from a private network, whatever a connection says.'
  }),
  AutomaticOpeningAllowed: allowing({
    category: 'Documents',
    title: 'Opening documents automatically',
    help: 'If false, documents are fetched only when somebody asks for them, whatever a connection says.'
  }),
  KeepDocuments: declare({
    schema: z.enum(copyRules),
    kind: 'choice',
    category: 'Documents',
    title: 'Copies of documents',
    help: 'The least that every connection does before it sends a verification with links: “off” leaves it to each connection, “possible” keeps a copy of each document and lets a person send without one that cannot be fetched, “required” sends nothing without. The practice service is left out.',
    without: 'Each connection decides; off at first.',
    since: '1.0',
    example: 'required'
  }),
  DocumentQuotaGB: declare({
    schema: z.number().int().min(1).max(100_000),
    kind: 'number',
    category: 'Documents',
    title: 'Space for copies of documents',
    help: 'Gigabytes (10⁹ bytes) that all copies of documents of a user may have together. No further copy is kept then, and none while less than 2 GB would be left on the disk.',
    without: '200.',
    since: '1.0',
    example: 200
  }),
  TeamDatabases: declare({
    schema: z.array(databaseServer).max(maxEntries),
    kind: 'list',
    category: 'Team',
    title: 'Database servers of teams',
    help: 'A team may only use a database on these servers: “host”, or “host:port” for one port. An empty list allows no team.',
    closed: [],
    without: 'Any server is allowed.',
    since: '1.0',
    example: ['team.example.com:5432']
  }),
  ProxyMode: ofSetting('proxyMode', {
    kind: 'choice',
    category: 'Network',
    title: 'Proxy',
    help: '“none” connects directly, “system” follows the system’s settings, “manual” uses the proxy address.',
    example: 'manual'
  }),
  ProxyUrl: ofSetting('proxyUrl', {
    kind: 'text',
    category: 'Network',
    title: 'Proxy address',
    help: 'http://, https:// or socks5:// address of the proxy, without user name and password. Used if the proxy is “manual”.',
    without: 'Each user decides.',
    example: 'http://proxy.example.com:8080'
  }),
  ProxyBypass: ofSetting('proxyBypass', {
    kind: 'text',
    category: 'Network',
    title: 'Bypass proxy for',
    help: 'Hosts that a manual proxy is not used for, separated by commas.',
    without: 'Each user decides.',
    example: 'localhost, .example.internal'
  }),
  ExtraCaFile: ofSetting('extraCaFile', {
    kind: 'text',
    category: 'Network',
    title: 'Extra certificate authorities',
    help: 'Path of a PEM file with certificate authorities that are trusted in addition to the system’s. If it cannot be read, nothing is sent.',
    without: 'Each user decides; none at first.',
    example: '/etc/ssl/certs/example-bank.pem'
  }),
  ConnectTimeout: ofSetting('connectTimeout', {
    kind: 'number',
    category: 'Network',
    title: 'Connection timeout',
    help: 'Seconds to establish a connection: DNS, TCP, proxy, TLS.',
    example: 10
  }),
  TotalTimeout: ofSetting('totalTimeout', {
    kind: 'number',
    category: 'Network',
    title: 'Response timeout',
    help: 'Seconds to receive the full response.',
    example: 60
  }),
  SampleMinimumShare: ofSetting('sampleMinimumShare', {
    kind: 'number',
    category: 'Verifications',
    title: 'Sample of many decisions',
    help: 'Per cent of the applicants who are reviewed one by one before many are decided in one step. 0 allows deciding without a sample.',
    example: 10
  }),
  TagsDecidedAlone: ofSetting('tagsDecidedAlone', {
    kind: 'list',
    category: 'Verifications',
    title: 'Tags that are decided one by one',
    help: 'Applicants with one of these tags are left out of decisions about many, in any case of letters.',
    example: ['PEP', 'Sanctions']
  }),
  RiskClasses: ofSetting('riskClasses', {
    kind: 'json',
    category: 'Verifications',
    title: 'Risk classes',
    help: 'The classes, from the lowest to the highest: code, label, months until an applicant is reviewed, and whether enhanced measures apply. More than 12 months with enhanced measures, or 60 without, make the policies invalid as a whole.',
    without: 'Each user decides; low (60 months), medium (36) and high (12, enhanced) at first.',
    example: [
      { code: 'standard', label: 'Standard', months: 60, enhanced: false },
      { code: 'high', label: 'High', months: 12, enhanced: true }
    ]
  }),
  RequireApproval: ofSetting('requireApproval', {
    kind: 'json',
    category: 'Verifications',
    title: 'Four eyes',
    help: 'For “approve” and “decline” the code of the risk class from which a second person must agree; a decision that is left out needs nobody. Applicants without a class count as the highest. Until then the decision is proposed, everywhere. {} requires it of no decision.',
    without: 'Each user decides; of no decision at first.',
    example: { approve: 'high', decline: 'low' }
  }),
  ApprovalHours: ofSetting('approvalHours', {
    kind: 'number',
    category: 'Verifications',
    title: 'Hours until a request for approval is overdue',
    help: 'Hours after which a request for approval in a team is overdue for whoever may answer it. 0: never. No time approves a decision.',
    example: 24
  }),
  Checklists: ofSetting('checklists', {
    kind: 'json',
    category: 'Verifications',
    title: 'Checklists',
    help: 'What is answered before a decision (“decision”) and with a periodic review (“review”), at most 20 items each: code, label, whether an answer is required, how it is answered (“tick”, or “yes-no” for yes, no and not applicable), and in the list for decisions those that it belongs to. A decision or review without an answer to a required item is refused. Each version is recorded in the audit trail and in evidence packs: no personal data belongs in it.',
    without: 'Each user decides; no checklists at first.',
    example: {
      decision: [
        {
          code: 'photo-matches',
          label: 'The photo matches the document',
          required: true,
          answer: 'yes-no',
          decisions: ['approve']
        }
      ],
      review: [{ code: 'values-match', label: 'The values are still right', required: true, answer: 'tick' }]
    }
  }),
  ReviewProof: declare({
    schema: z.enum(reviewProofs),
    kind: 'choice',
    category: 'Verifications',
    title: 'What was seen before a decision',
    help: 'What a decision records of what its author looked at: “documents” how many of the answers were in sight and how many of the documents were opened, and sealed which; “documents-and-time” also one of five classes of the time in which the applicant was shown in a focused, unlocked window, sealed; “off” nothing. Never recorded: keys, pointer, scrolling, seconds. A works council may have to agree first.',
    without: '“documents”.',
    since: '1.0',
    example: 'documents'
  }),
  ReviewRatesPerPerson: declare({
    schema: z.boolean(),
    kind: 'flag',
    category: 'Verifications',
    title: 'Review quality of each person',
    help: 'Shows supervisors in the overview, under “Review quality”, the rates of each person with at least 30 decisions, besides those of all together. They are a reason to talk, and no measure of work. A works council may have to agree first.',
    without: 'Off: rates of all together only.',
    since: '1.0',
    example: true
  }),
  SpendGuardMinutes: ofSetting('spendGuardMinutes', {
    kind: 'number',
    category: 'Verifications',
    title: 'Spend guard',
    help: 'Minutes during which an answered request is shown before it is sent again. 0 turns the guard off.',
    example: 1440
  }),
  ReviewRemindDays: ofSetting('reviewRemindDays', {
    kind: 'number',
    category: 'Verifications',
    title: 'Days before a review',
    help: 'Days before the periodic review of an applicant from which it waits in the queue. 0: from its day on.',
    example: 30
  }),
  ConfirmLive: ofSetting('confirmLive', {
    kind: 'flag',
    category: 'Verifications',
    title: 'Confirm live verifications',
    help: 'Whether each single verification on a live connection is confirmed before it is sent. A live batch is confirmed in any case; the command line requires --live.',
    example: true
  }),
  RetryBusy: ofSetting('retryBusy', {
    kind: 'flag',
    category: 'Batches',
    title: 'Resend rows answered with 429 or 503',
    help: 'Whether a batch sends a row again that a busy service answered. It may be billed twice.',
    example: false
  }),
  BatchConcurrencyMax: declare({
    schema: z.number().int().min(1).max(maxAtOnce),
    kind: 'number',
    category: 'Batches',
    title: 'Maximum concurrency of batches',
    help: 'A batch that asks for more requests in progress at the same time runs with this number.',
    without: `Up to ${maxAtOnce}.`,
    since: '1.0',
    example: 4
  }),
  BatchRateLimitMax: declare({
    schema: z.number().int().min(1).max(60_000),
    kind: 'number',
    category: 'Batches',
    title: 'Maximum rate of batches',
    help: 'Requests per minute of a batch. A batch that asks for more, or for no limit, runs with this number.',
    without: 'No limit.',
    since: '1.0',
    example: 600
  }),
  LockMinutes: ofSetting('lockMinutes', {
    kind: 'number',
    category: 'Lock',
    title: 'Lock after',
    help: 'Minutes without input after which the window locks. 0 means never.',
    example: 10
  }),
  PassphraseRequired: requiring({
    category: 'Lock',
    title: 'Passphrase required',
    help: 'If true, nothing is sent before the user has set a passphrase for the lock, and it cannot be removed. Without a keychain no passphrase can be set, so nothing is sent.'
  }),
  LockBatch: ofSetting('lockBatch', {
    kind: 'choice',
    category: 'Lock',
    title: 'Running batches while locked',
    help: '“pause” pauses running batches when the window locks; “continue” lets them go on, with the keys of the history in memory.',
    example: 'pause'
  }),
  ScreenShareAtStart: ofSetting('screenShareAtStart', {
    kind: 'flag',
    category: 'Screen sharing',
    title: 'Screen-share mode at start',
    help: 'Whether the window starts with personal data hidden. Users can still switch the mode off, which is recorded.',
    example: true
  }),
  ClipboardSeconds: ofSetting('clipboardSeconds', {
    kind: 'number',
    category: 'Screen sharing',
    title: 'Clear the clipboard after',
    help: 'Seconds after which a copy from Veridesk is removed from the clipboard, if it is still there. 0 means never.',
    example: 30
  }),
  DataFolder: declare({
    schema: folderPath,
    kind: 'text',
    category: 'Data',
    title: 'Data folder',
    help: 'Absolute path of the folder with the user’s data, on a local disk. ${user_home}, ${user_name} and ${local_app_data} (Windows) are replaced. It must be another folder for each user. Read at each start; data that are elsewhere are not moved. --data of the command line is refused.',
    without: 'The folder of the system for application data.',
    since: '1.0',
    example: '${user_home}/VerideskData'
  }),
  TrustFile: declare({
    schema: z
      .string()
      .trim()
      .max(1024)
      .refine((path) => /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(path)),
    kind: 'text',
    category: 'Data',
    title: 'Trust file',
    help: 'Absolute path of the company’s trust file, which says whose key signs packs and who approves. Packs are verified with it, and an approval by file is refused if its key is not that of an approver. While the file cannot be read or does not count, no pack is verified in the window and no approval by file is given or taken. Whoever can write the file, or replace it with one of other keepers, decides whom it names.',
    without: 'Readers compare fingerprints themselves, and any second person may approve by file.',
    since: '1.0',
    example: '/etc/veridesk/company.veridesk-trust'
  }),
  RecoveryKeyRequired: requiring({
    category: 'Data',
    title: 'Recovery key required',
    help: 'If true, nothing is sent before the user has created a recovery key and confirmed a copy of it.'
  }),
  RecoveryKeyEscrow: declare({
    schema: z
      .string()
      .trim()
      .max(4096)
      .regex(/^-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----$/),
    kind: 'text',
    category: 'Data',
    title: 'Escrow of the recovery key',
    help: 'The organisation’s public key, as PEM: X25519, or RSA of at least 2048 bits. Line breaks may be missing. Each recovery key is sealed for it when it is created, and nothing is sent while a user has none that is sealed for this key. Whoever has the private key and a user’s data folder can read the history.',
    without: 'Only the user has the recovery key.',
    since: '1.0',
    example:
      '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEAYB8ze9SqS8VFwNwUn3tZdU7xZlDNMP11sN3MOn5yUlo=\n-----END PUBLIC KEY-----'
  }),
  RetentionDays: declare({
    schema: z.number().int().min(1).max(maxRetentionDays),
    kind: 'number',
    category: 'Data',
    title: 'Retention period',
    help: 'Days after which records may be erased, for all connections. Nothing is erased without a person’s confirmation.',
    setting: 'retentionDays',
    toSetting: (days) => ({ '*': days }),
    without: 'Users decide for each connection; records are kept indefinitely at first.',
    since: '1.0',
    example: 1825
  }),
  RetentionFrom: ofSetting('retentionFrom', {
    kind: 'choice',
    category: 'Data',
    title: 'Start of retention',
    help: '“newest-record” counts the days of the retention period from an applicant’s newest record; “relationship” counts years from the day on which the relationship ended, was refused or was for one occasion, and the days then stand for records without an applicant only. Applicants without such a day are never proposed for erasure, and counted in the preview and on the overview.',
    example: 'relationship'
  }),
  RetentionYears: ofSetting('retentionYears', {
    kind: 'number',
    category: 'Data',
    title: 'Years after the relationship',
    help: 'Years after which an applicant may be erased, where retention starts with the relationship. Nothing is erased without a person’s confirmation.',
    example: 5
  }),
  BackupHours: ofSetting('backupHours', {
    kind: 'number',
    category: 'Data',
    title: 'Hours between backups',
    help: 'Hours between automatic backups; 0 for none.',
    example: 24
  }),
  BackupCount: ofSetting('backupCount', {
    kind: 'number',
    category: 'Data',
    title: 'Number of backups',
    help: 'Number of backups that are kept; the oldest is deleted when a newer one is verified.',
    example: 14
  }),
  TimestampAuthority: declare({
    schema: settingsSchema.shape.timestampAuthority.unwrap().unwrap(),
    kind: 'json',
    category: 'Data',
    title: 'Time-stamp authority',
    help: 'The authority (RFC 3161) that dates evidence packs and the audit trail: its name, its address, and the certificates (PEM) that its time-stamps must lead to.',
    setting: 'timestampAuthority',
    without: 'Each user decides; none at first.',
    since: '1.0',
    example: {
      name: 'Example TSA',
      url: 'https://timestamp.example.com/tsa',
      certificates: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n'
    }
  }),
  ExportsAllowed: allowing({
    category: 'Data',
    title: 'Exports, results, evidence packs and printing',
    help: 'If false, Veridesk writes no file with personal data and prints nothing: no exports, no results or invalid rows of a batch, no evidence packs, no requests for approval or answers to them in files. Backups stay, because they are encrypted.'
  }),
  ClipboardAllowed: allowing({
    category: 'Data',
    title: 'Copying to the clipboard',
    help: 'If false, nothing can be copied from Veridesk, neither with its buttons nor with the system’s commands.'
  }),
  Notifications: declare({
    schema: z.boolean(),
    kind: 'flag',
    category: 'Notifications',
    title: 'Notifications of the system',
    help: 'Whether the system notifies users: of cases that are assigned to them or due, of approvals, of a batch’s end, and of a failing connection. They contain no personal data.',
    setting: ['notifyAssigned', 'notifyDue', 'notifyApproval', 'notifyBatch', 'notifyConnection'],
    without: 'Each user decides for each kind; on at first.',
    since: '1.0',
    example: false
  }),
  UpdateFeed: declare({
    schema: z.union([updateFeedSchema, z.strictObject({ off: z.literal(true) })]),
    kind: 'json',
    category: 'Updates',
    title: 'Update feed',
    help: 'Where Veridesk learns of newer releases: the address of a signed notice, its channel (stable or beta), and the public keys of minisign that may sign it. Veridesk fetches it once a day, and never downloads or installs anything. {"off": true} turns notices off for everybody. Allowed base URLs do not limit it.',
    setting: 'updateFeed',
    toSetting: (feed) => ('off' in feed ? null : feed),
    without: 'Each user decides; none at first, so nothing is fetched.',
    since: '1.0',
    example: {
      url: 'https://updates.example.com/veridesk-stable.update',
      channel: 'stable',
      publicKeys: ['RWQIypLSjgqVgjPhMmV2OIXN8bV+AzarzeHtOVwKMO9phgU2EiXtjxav']
    }
  }),
  LogForwarding: declare({
    schema: z.union([logForwardingSchema, z.strictObject({ off: z.literal(true) })]),
    kind: 'json',
    category: 'Diagnostics',
    title: 'Log forwarding',
    help: 'Where the events of the audit trail go besides the history, without personal data: to a collector of syslog over TLS (host and port, with messages in JSON or CEF), to a rotated file of JSON lines (its path; "" for one in the data folder of each user), or both. Users are told if a target takes nothing for some minutes. {"off": true} turns it off for everybody. Allowed base URLs do not limit it.',
    setting: 'logForwarding',
    toSetting: (to) => ('off' in to ? null : to),
    without: 'Each user decides; nothing is forwarded at first.',
    since: '1.0',
    example: { collector: 'logs.example.com:6514', message: 'json', file: '', silentMinutes: 15 }
  }),
  LogLevel: declare({
    schema: z.enum(['off', 'errors', 'all']),
    kind: 'choice',
    category: 'Diagnostics',
    title: 'Diagnostic log',
    help: 'What Veridesk writes to its log file, which never contains personal data: nothing, errors only, or all events.',
    without: '“all”.',
    since: '1.0',
    example: 'errors'
  })
} as const satisfies Readonly<Record<string, PolicyDeclaration>>

export type PolicyName = keyof typeof policyTable
export const policyNames = Object.keys(policyTable) as PolicyName[]
export const isPolicyName = (name: string): name is PolicyName => Object.hasOwn(policyTable, name)
export const policyOf = (name: PolicyName): PolicyDeclaration => policyTable[name] as unknown as PolicyDeclaration
/** The settings that a policy sets and locks. */
export const settingsSetBy = (name: PolicyName): readonly (keyof Settings)[] => [policyOf(name).setting ?? []].flat()

/** The values of policies, each valid by its schema; absent ones are not set. */
export type PolicyValues = { readonly [Name in PolicyName]?: z.output<(typeof policyTable)[Name]['schema']> }

/** The version of the format in all sources. A file of a newer version is refused as a whole. */
export const policyVersion = 1
/** The name of the version where a source has names only: the registry and a profile. Absent: version 1. */
export const policyVersionName = 'PolicyVersion'
/** The format that a JSON file names. */
export const policyFormat = 'veridesk-policies'
/** Where the sources are. */
export const registryKey = 'SOFTWARE\\Policies\\Veridesk'
export const preferenceDomain = 'app.veridesk.console'
export const policyFilePath = '/etc/veridesk/policies.json'
