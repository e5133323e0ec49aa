/** What a set of policies means: the settings that it sets, its connections, and what it refuses. Pure. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ChannelName } from '#contract/ipc/ipc.ts'
import { normaliseBaseUrl, type Connection, type DocumentRules } from '#contract/connections/connection.ts'
import { failure, type Failure, type FailureCode } from '#contract/failures/failures.ts'
import type { ManagedState } from '#contract/settings/managed.ts'
import {
  policyNames,
  policyOf,
  settingsSetBy,
  type ManagedConnection,
  type PolicyName,
  type PolicyValues
} from '#contract/settings/policies.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { feedText } from '#contract/updates/updates.ts'
import { escrowKey } from '#core/backup/escrow.ts'
import type { PolicySet } from './understand.ts'

/** Who manages an installation, in sentences. */
export const organisationOf = ({ OrganisationName: name }: PolicyValues): string => name ?? 'your organisation'

/** Settings that policies set. */
export function settingsOf(values: PolicyValues): Partial<Settings> {
  const set = policyNames.flatMap((name) => {
    const { toSetting } = policyOf(name)
    const value: unknown = values[name]
    return value === undefined
      ? []
      : settingsSetBy(name).map((setting) => [setting, toSetting ? toSetting(value) : value] as const)
  })
  return Object.fromEntries(set) as Partial<Settings>
}

/** The title of the policy that sets a setting. */
export const titleOfSetting = (setting: keyof Settings): string =>
  policyNames.filter((name) => settingsSetBy(name).includes(setting)).map((name) => policyOf(name).title)[0] ?? setting

/** The place of the policy that locks each setting. */
function lockedBy({ values, places }: PolicySet): ManagedState['locked'] {
  return Object.fromEntries(
    policyNames.flatMap((name) =>
      values[name] === undefined ? [] : settingsSetBy(name).map((setting) => [setting, places[name] ?? ''])
    )
  )
}

/** `name` as in comparisons of names: case, width and composition do not distinguish them. */
const comparable = (name: string): string => name.normalize('NFKC').toLowerCase()

/** An ID that follows from the name (a UUID of version 8), so that credentials stay with the connection. */
function idOf(name: string): string {
  const hex = createHash('sha256')
    .update(`veridesk managed connection\n${comparable(name)}`)
    .digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const markOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 2)
    .toUpperCase() || '1'

function connectionOf({
  name,
  baseUrl,
  mode,
  colour,
  mark,
  privateAddresses,
  openAutomatically,
  keepDocuments
}: ManagedConnection): Connection {
  return {
    id: idOf(name),
    name,
    baseUrl,
    mode,
    colour,
    mark: mark ?? markOf(name),
    documents: { privateAddresses, openAutomatically },
    copies: keepDocuments,
    createdAt: 0,
    changedAt: 0,
    managed: true
  }
}

/** The ready-made connections, in the order of the policy. */
export const connectionsOf = ({ Connections: connections = [] }: PolicyValues): readonly Connection[] =>
  connections.map(connectionOf)

/** The command that prints the credentials of a ready-made connection. */
export const credentialsCommand = (
  { Connections: connections = [] }: PolicyValues,
  id: string
): readonly string[] | undefined => connections.find(({ name }) => idOf(name) === id)?.credentialsCommand

/** Addresses to which, and below which, connections may lead; undefined if any is allowed. */
export function allowedOrigins({
  AllowedBaseUrls: allowed,
  Connections: connections = []
}: PolicyValues): readonly string[] | undefined {
  return allowed && [...new Set([...allowed, ...connections.map(({ baseUrl }) => baseUrl)])]
}

/** Whether a policy turns something off, or requires it. */
export const isClosed = (values: PolicyValues, name: PolicyName): boolean =>
  values[name] !== undefined && isDeepStrictEqual(values[name], policyOf(name).closed)

/** What is said where a policy closes something. */
const closing = {
  OwnConnectionsAllowed: 'own-connections-off',
  PracticeAllowed: 'practice-off',
  TeamDatabases: 'team-off',
  ExportsAllowed: 'exports-off',
  ClipboardAllowed: 'clipboard-off',
  PassphraseRequired: 'passphrase-required',
  RecoveryKeyRequired: 'recovery-key-required'
} as const satisfies Partial<Record<PolicyName, FailureCode>>

/** Why something is refused that a policy closes. */
export const closedBy = (values: PolicyValues, name: keyof typeof closing): Failure | undefined =>
  isClosed(values, name) ? failure(closing[name], { organisation: organisationOf(values) }) : undefined

/** What protects the data of this installation now. */
export interface Protection {
  hasPassphrase(): boolean
  /** Whether somebody has confirmed a copy of the recovery key, and for whose public key it is sealed; undefined where none can be. */
  recoveryKey(): { readonly confirmed: boolean; readonly escrowedFor?: string } | undefined
}

/** Why nothing may be sent before a person has done something. */
export function requirements(values: PolicyValues, protection: Protection): readonly Failure[] {
  const { RecoveryKeyRequired: confirmed, RecoveryKeyEscrow: escrowTo } = values
  // The file is read only where a policy asks for it.
  const key = confirmed || escrowTo !== undefined ? protection.recoveryKey() : undefined
  const isSealed = escrowTo === undefined || key === undefined || key.escrowedFor === escrowKey(escrowTo)
  return [
    protection.hasPassphrase() ? undefined : closedBy(values, 'PassphraseRequired'),
    key === undefined || key.confirmed ? undefined : closedBy(values, 'RecoveryKeyRequired'),
    isSealed ? undefined : failure('recovery-key-not-sealed', { organisation: organisationOf(values) })
  ].filter((refusal) => refusal !== undefined)
}

/** The policy that decides about each rule of documents. */
const documentPolicies = {
  privateAddresses: 'PrivateAddressesAllowed',
  openAutomatically: 'AutomaticOpeningAllowed'
} as const satisfies Record<keyof DocumentRules, PolicyName>

/** Rules of documents that are closed: with their value in `from`; off if absent. */
export const closedRules = (values: PolicyValues, from?: DocumentRules): Partial<DocumentRules> =>
  Object.fromEntries(
    Object.entries(documentPolicies).flatMap(([rule, name]) =>
      isClosed(values, name) ? [[rule, from?.[rule as keyof DocumentRules] ?? false]] : []
    )
  )

/** Why a team must not use a database; undefined if it may. */
export function teamRefusal(
  values: PolicyValues,
  { host, port }: { readonly host: string; readonly port: number }
): Failure | undefined {
  const { TeamDatabases: allowed } = values
  if (!allowed) return undefined
  const name = host.toLowerCase()
  const bare = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name
  if (allowed.includes(bare) || allowed.includes(`${bare}:${port}`)) return undefined
  return (
    closedBy(values, 'TeamDatabases') ??
    failure('team-server-not-allowed', { server: `${bare}:${port}`, organisation: organisationOf(values) })
  )
}

/**
 * Why a connection must not be used, or not lead to an address; undefined if it may. `practice`: the bundled service, which is on
 * this computer.
 */
export function addressRefusal(
  values: PolicyValues,
  { baseUrl, practice, managed }: Pick<Connection, 'baseUrl' | 'practice' | 'managed'>
): Failure | undefined {
  if (practice) return closedBy(values, 'PracticeAllowed')
  const ownOff = managed ? undefined : closedBy(values, 'OwnConnectionsAllowed')
  if (ownOff) return ownOff
  const allowed = allowedOrigins(values)
  if (!allowed) return undefined
  const address = URL.canParse(baseUrl) ? normaliseBaseUrl(baseUrl) : baseUrl
  return allowed.some((each) => address === each || address.startsWith(`${each}/`))
    ? undefined
    : failure('address-not-allowed', { address, organisation: organisationOf(values) })
}

/** A batch's order within the maxima. A pace of 0 means no limit. */
export function limited<T extends { readonly atOnce: number; readonly pace: number }>(
  values: PolicyValues,
  order: T
): T {
  const { BatchConcurrencyMax: most = order.atOnce, BatchRateLimitMax: fastest = 0 } = values
  const pace = fastest === 0 ? order.pace : order.pace === 0 ? fastest : Math.min(order.pace, fastest)
  return { ...order, atOnce: Math.min(order.atOnce, most), pace }
}

/** Requests that write a file with personal data, or print it. */
export const exportChannels: readonly ChannelName[] = [
  'exports.history',
  'exports.applicants',
  'exports.batches',
  'exports.catalogue',
  'exports.audit',
  'exports.applicantData',
  'exports.letter',
  'batches.save',
  'batches.saveInvalid',
  'batches.saveLinks',
  'overview.report',
  'evidence.create',
  'evidence.authority',
  'cases.answer',
  'cases.ask',
  'prints.note'
]
/** Requests that put a text on the clipboard. The handler of `app.copied` also clears what the window could not prevent. */
const clipboardChannels: readonly ChannelName[] = ['app.copy']
/** Requests that start what is only for practising. */
const practiceChannels: readonly ChannelName[] = ['practice.start', 'sample.open']
/** Requests with which a team begins. */
const teamChannels: readonly ChannelName[] = ['team.access', 'team.create', 'team.join', 'team.recover']

/** Why no file with personal data may be written. */
export const exportRefusal = (values: PolicyValues): Failure | undefined => closedBy(values, 'ExportsAllowed')

/** Why a request of a window is refused whatever it says; undefined if it is not. */
export function channelRefusal(values: PolicyValues, channel: ChannelName): Failure | undefined {
  if (exportChannels.includes(channel)) return exportRefusal(values)
  if (clipboardChannels.includes(channel)) return closedBy(values, 'ClipboardAllowed')
  if (practiceChannels.includes(channel)) return closedBy(values, 'PracticeAllowed')
  return teamChannels.includes(channel) ? closedBy(values, 'TeamDatabases') : undefined
}

/** All that a ready-made connection says and that matters to whoever reads what changed. */
function connectionText(connection: ManagedConnection): string {
  const { name, baseUrl, mode, privateAddresses, openAutomatically, keepDocuments, credentialsCommand } = connection
  const parts = [
    baseUrl,
    mode,
    privateAddresses && 'documents from private addresses',
    openAutomatically && 'documents opened automatically',
    keepDocuments !== 'off' && `copies of documents ${keepDocuments}`,
    credentialsCommand && `credentials by ${credentialsCommand.join(' ')}`
  ]
  return `${name} (${parts.filter((part) => typeof part === 'string').join(', ')})`
}

const texts: Readonly<{ [Name in PolicyName]?: (value: NonNullable<PolicyValues[Name]>) => string }> = {
  Connections: (connections) => connections.map(connectionText).join('; '),
  RecoveryKeyEscrow: (pem) => `key ${escrowKey(pem)}`,
  UpdateFeed: (feed) => ('off' in feed ? 'off' : feedText(feed)),
  TimestampAuthority: ({ name, url, certificates }) =>
    `${name} (${url.replace(/\/\/[^/@]*@/, '//…@')}, certificates ${createHash('sha256').update(certificates).digest('hex').slice(0, 16)})`
}

/** A value as text, for the list of policies and the audit trail; undefined if it is not set. */
export function valueText(name: PolicyName, values: PolicyValues): string | undefined {
  const value: unknown = values[name]
  if (value === undefined) return undefined
  const text = texts[name] as ((value: unknown) => string) | undefined
  if (text) return text(value)
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Policies that differ: name, value before and after, as text; empty if it is not set. */
export const policyChanges = (
  before: PolicyValues,
  after: PolicyValues
): Readonly<Record<string, readonly [string, string]>> =>
  Object.fromEntries(
    policyNames.flatMap((name) => {
      const [was = '', is = ''] = [valueText(name, before), valueText(name, after)]
      return was === is ? [] : [[name, [was, is]]]
    })
  )

/** What a window may know of the policies; undefined if none is in force. */
export function managedState(set: PolicySet): ManagedState | undefined {
  const { values, places } = set
  const names = policyNames.filter((name) => values[name] !== undefined)
  if (names.length === 0) return undefined
  const allowedBaseUrls = allowedOrigins(values)
  return {
    organisation: organisationOf(values),
    policies: names.map((name) => ({ name, value: valueText(name, values) ?? '', place: places[name] ?? '' })),
    locked: lockedBy(set),
    closed: Object.fromEntries(
      names.filter((name) => isClosed(values, name)).map((name) => [name, places[name] ?? ''])
    ),
    ...(allowedBaseUrls && { allowedBaseUrls }),
    ...(values.BatchConcurrencyMax !== undefined && { concurrency: values.BatchConcurrencyMax }),
    ...(values.BatchRateLimitMax !== undefined && { rateLimit: values.BatchRateLimitMax })
  }
}
