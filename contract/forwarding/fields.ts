/**
 * What of each kind of event leaves with log forwarding: names in its plain part. A kind that is not listed does not compile.
 * Everything else stays: IDs of applicants, texts that people type, names of connections and files, digests.
 */
import type { EventKind } from '../evidence/event-kinds.ts'
import { signerOf } from '../app/signatures.ts'

/**
 * `a.b` is a value within another, and leaves as `b`; a list of numbers or codes leaves with commas between them; `#a` is the number of
 * entries of a list; `@a` the names in an object, without their values.
 */
export const forwardedFields: Readonly<Record<EventKind, readonly string[]>> = {
  'connection.noted': [],
  'record.begun': ['id', 'operation', 'batchId', 'rerunOf'],
  'record.ended': ['outcome', 'reply.status', 'reply.bytes', 'took', 'failureCode'],
  'record.resolved': ['as'],
  'document.kept': ['when'],
  'document.missed': ['reason'],
  'document.noted': [],
  'batch.made': ['id', 'operations', 'rows', 'rerunOf'],
  'batch.changed': ['id', 'from', 'to', 'reason', 'by'],
  'batch.resolved': ['id', 'rows', 'as'],
  'batch.shared': ['id', 'row', 'rows'],
  'batch.taken': ['id'],
  'checklist.noted': ['ref'],
  'decision.made': [
    'decision',
    '#records',
    'checklist.complete',
    'set.id',
    'set.size',
    'set.share',
    'requires',
    'seen.answers',
    'seen.documents'
  ],
  'note.made': [],
  'tags.changed': [],
  'link.made': [],
  'link.removed': [],
  'due.changed': ['due'],
  'expiry.noted': [],
  'review.recorded': ['on', 'class', 'next', 'due', 'outcome', 'checklist.complete'],
  'challenge.recorded': [],
  'risk.rated': ['class', 'months'],
  'relationship.changed': ['state', 'on'],
  'assignee.changed': ['assigned', 'late'],
  'message.noted': ['operation', 'status'],
  'message.interpreted': ['message', 'version', 'means'],
  'subject.erased': ['id', 'cause', 'records', 'batchRows', 'documents'],
  'copies.cleared': ['id', 'backupsRewritten', '#copiesNotReached', 'documentsNotDeleted'],
  'hold.placed': ['since'],
  'hold.lifted': ['since'],
  'pack.made': ['about', 'id', 'profile'],
  'approval.asked': [],
  'approval.answered': ['agrees'],
  'approval.received': ['agrees', 'void'],
  'view.opened': ['what', 'search', 'batchId'],
  'document.viewed': ['type', 'bytes', 'source'],
  'document.compared': ['result'],
  'links.checked': ['of', 'operations', 'links', 'findings'],
  'text.copied': ['characters', 'whileHidden'],
  'screen-share.switched': ['on', 'by'],
  'value.revealed': ['field'],
  'evidence.verified': ['what', 'verified'],
  'export.made': ['what', 'format', 'rows', 'batchId', 'by'],
  // A setting's values may be the name of a person or an address.
  'setting.changed': ['name', 'action', 'role', 'epoch', 'fault'],
  'credential.changed': ['header', 'change', 'kept'],
  'connection.changed': ['change', '@fields', 'credentialsCleared'],
  'head.timestamped': ['size', 'time'],
  'documents.verified': ['checked', 'missing', 'damaged'],
  'team.anchored': ['@heads'],
  'team.withdrawn': ['@subjects'],
  'team.acknowledged': ['@erasures'],
  'finding.acknowledged': ['installation', 'finding'],
  'recipe.shared': ['#operations'],
  'policies.changed': ['@changes', 'inForce'],
  'policies.refused': ['reason', 'inForce'],
  'forwarding.changed': ['target', 'state', 'waiting', 'code'],
  'console.locked': ['why'],
  'console.unlocked': ['by'],
  'unlock.failed': ['tries'],
  'passphrase.changed': ['change'],
  'program.started': ['version', 'host'],
  'program.stopped': ['version']
}

/** An event of the audit trail as core has it before it leaves. */
export interface ForwardableEvent {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly record: number | null
  /** ID of the connection of its record. */
  readonly connectionId?: string
  /** The JSON of its plain part. */
  readonly plain: string
  /** Hex. */
  readonly hash: string
}

type Value = string | number | boolean

/** What leaves of an event, in the order in which it is written. */
export interface ForwardedEvent {
  /** Identifies the audit trail; with `number` and `hash` a collector drops doubles. */
  readonly source: string
  readonly number: number
  /** ISO 8601 in UTC. */
  readonly time: string
  readonly type: string
  /** The account of the operating system, without the person's name. */
  readonly operator?: string
  readonly connection?: string
  readonly record?: number
  readonly fields: Readonly<Record<string, Value>>
  readonly hash: string
}

/** A code, an ID, a version or a digest: what the program writes. A text that somebody typed has spaces, or is longer. */
const code = /^[A-Za-z0-9][\w.-]{0,79}$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const within = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

/** Numbers and codes; undefined if something else is among them. */
const listOf = (values: readonly unknown[]): string | undefined =>
  values.every((value) => typeof value === 'number' || (typeof value === 'string' && code.test(value)))
    ? values.join(',')
    : undefined

function fieldOf(plain: unknown, field: string): readonly [string, Value] | undefined {
  const path = field.replace(/^[#@]/, '').split('.')
  const found = path.reduce(within, plain)
  const value: unknown = field.startsWith('#')
    ? Array.isArray(found)
      ? found.length
      : undefined
    : field.startsWith('@')
      ? Object.keys((found ?? {}) as object)
          .filter((name) => code.test(name))
          .join(',')
      : Array.isArray(found)
        ? listOf(found)
        : found
  const name = path.at(-1) ?? field
  if (typeof value === 'number' || typeof value === 'boolean') return [name, value]
  if (typeof value !== 'string' || value === '') return undefined
  return field.startsWith('@') || Array.isArray(found) || code.test(value) ? [name, value] : undefined
}

/** The event without personal data. An event of a kind that is not listed leaves with its number, time and type alone. */
export function forwarded(
  { seq, at, kind, record, connectionId, plain: json, hash }: ForwardableEvent,
  source: string
): ForwardedEvent {
  const plain: unknown = JSON.parse(json)
  const listed: readonly string[] = Object.hasOwn(forwardedFields, kind) ? forwardedFields[kind as EventKind] : []
  const operator = within(plain, 'operator')
  const connection = [connectionId, within(plain, 'connectionId'), within(plain, 'connection')].find(
    (id) => typeof id === 'string' && uuid.test(id)
  ) as string | undefined
  return {
    source,
    number: seq,
    time: new Date(at).toISOString(),
    type: kind,
    ...(typeof operator === 'string' && operator !== '' && { operator: signerOf(operator).account }),
    ...(connection !== undefined && { connection }),
    ...(record !== null && { record }),
    fields: Object.fromEntries(
      listed.flatMap((field) => [fieldOf(plain, field) ?? []].filter((pair) => pair.length > 0)) as [string, Value][]
    ),
    hash
  }
}
