/** Changes of settings or a connection as the audit trail records them: names, before and after, no secrets. */
import { createHash } from 'node:crypto'
import { checklistKinds, type ChecklistItem } from '#contract/applicants/checklists.ts'
import type { Connection, ConnectionStatus } from '#contract/connections/connection.ts'
import { credentials, type CredentialId } from '#contract/connections/credentials.ts'
import { forwardingText } from '#contract/forwarding/forwarding.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { feedText } from '#contract/updates/updates.ts'
import type { CredentialChange } from '#wire/history/audit-notes.ts'
import type { NoteDraft } from './audit-trail.ts'

/** Window state that nobody decided, and what the change of the reasons already says. */
const remembered: readonly (keyof Settings)[] = [
  'lastConnection',
  'lastOperation',
  'lastPage',
  'firstRunDone',
  'updateDismissed',
  'savedViews',
  'queueViews',
  'columnProfiles',
  'recipes',
  'tables',
  'paneSizes',
  'removedReasons'
]

/** An address without user name and password, which a user may have entered. */
function withoutPassword(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\/\/[^/@]*@/, '//…@') : value
}

/** The authority and which certificates it must have; they are too long for an event. */
function authorityText(authority: Settings['timestampAuthority']): string {
  if (!authority) return ''
  const { name, url, certificates } = authority
  return `${name} (${String(withoutPassword(url))}, certificates ${createHash('sha256').update(certificates).digest('hex').slice(0, 16)})`
}

/** The list of reasons as readable text: “Documents in order (documents-in-order: approve)”, in order. */
function noted(name: keyof Settings, settings: Settings): unknown {
  if (name === 'timestampAuthority') return authorityText(settings.timestampAuthority)
  if (name === 'nameFields')
    return Object.entries(settings.nameFields)
      .map(([role, fields]) => `${role}: ${fields.join(', ') || '…'}`)
      .join('; ')
  if (name === 'riskClasses')
    return settings.riskClasses
      .map(({ code, label, months, enhanced }) => `${label} (${code}: ${months}${enhanced ? ', enhanced' : ''})`)
      .join('; ')
  if (name === 'requireApproval')
    return Object.entries(settings.requireApproval)
      .map(([decision, from]) => `${decision}: ${from}`)
      .join('; ')
  if (name === 'checklists')
    return checklistKinds
      .flatMap((kind) =>
        settings.checklists[kind].map(({ code, label, required, answer, decisions = [] }: ChecklistItem) => {
          const more = [answer, ...(required ? ['required'] : []), ...decisions].join(', ')
          return `${kind}: ${label} (${code}: ${more})`
        })
      )
      .join('; ')
  if (name === 'logForwarding') return forwardingText(settings.logForwarding)
  if (name === 'updateFeed') return feedText(settings.updateFeed)
  if (name !== 'decisionReasons') return withoutPassword(settings[name])
  return settings.decisionReasons
    .map(
      ({ code, label, decisions, wording }) =>
        `${label} (${code}: ${decisions.join(', ')})${wording === undefined ? '' : ` “${wording}”`}`
    )
    .join('; ')
}

/** Settings that differ. */
export function settingChanges(
  before: Settings,
  after: Settings
): { readonly name: string; readonly from: unknown; readonly to: unknown }[] {
  return (Object.keys(after) as (keyof Settings)[])
    .filter((name) => !remembered.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name, from: noted(name, before), to: noted(name, after) }))
}

/** What a team is told of recipes when settings change: those that are shared anew or otherwise, and those that are not any more. */
export function recipeNotes(before: Settings, after: Settings): readonly NoteDraft[] {
  const [was, is] = [before, after].map(
    ({ recipes }) => new Map(recipes.filter(({ shared }) => shared).map(({ name, operations }) => [name, operations]))
  ) as [Map<string, readonly OperationId[]>, Map<string, readonly OperationId[]>]
  const gone = [...was.keys()].filter((name) => !is.has(name)).map((name) => ({ name, operations: [] }))
  const told = [...is].filter(([name, operations]) => was.get(name)?.join() !== operations.join())
  return [...gone, ...told.map(([name, operations]) => ({ name, operations }))].map((plain) => ({
    kind: 'recipe.shared',
    plain
  }))
}

const properties: Readonly<Record<string, (connection: Connection) => unknown>> = {
  name: ({ name }) => name,
  baseUrl: ({ baseUrl }) => baseUrl,
  mode: ({ mode }) => mode,
  colour: ({ colour }) => colour,
  mark: ({ mark }) => mark,
  privateAddresses: ({ documents }) => documents.privateAddresses,
  openAutomatically: ({ documents }) => documents.openAutomatically,
  copies: ({ copies = 'off' }) => copies,
  price: ({ price }) => (price ? `${price.amount} ${price.currency}` : '')
}

/** Properties of a connection that differ. */
function connectionChanges(before: Connection, after: Connection): Record<string, readonly [unknown, unknown]> {
  const pairs = Object.entries(properties).map(([name, read]) => [name, [read(before), read(after)]] as const)
  return Object.fromEntries(pairs.filter(([, [was, is]]) => was !== is))
}

/** The note for a connection that was added or changed; undefined if nothing visible differs. */
export function connectionNote(
  before: Connection | undefined,
  after: Connection,
  credentialsCleared = false
): NoteDraft | undefined {
  const fields = before && connectionChanges(before, after)
  if (fields && Object.keys(fields).length === 0) return undefined
  return {
    kind: 'connection.changed',
    plain: {
      connectionId: after.id,
      connection: after.name,
      change: fields ? 'changed' : 'added',
      fields,
      credentialsCleared
    }
  }
}

/**
 * The note for a credential that was set, cleared or restored: which header of which connection, and where it is
 * stored.
 */
export function credentialNote(
  connection: ConnectionStatus,
  credential: CredentialId,
  change: CredentialChange
): NoteDraft {
  const header = credentials.find(({ id }) => id === credential)?.header ?? credential
  return {
    kind: 'credential.changed',
    plain: { connectionId: connection.id, connection: connection.name, header, change, kept: connection.kept }
  }
}
