/**
 * Builds packs from docs/evidence-format.md alone, independent of the product: genuine ones, and those of a
 * signer who lies and computes every hash anew.
 */
import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type Values = Readonly<Record<string, Json>>
export type Shown = [salt: string, name: string, value: Json]
export interface OpenPart {
  shown: Shown[]
  withheld: string[]
}
export interface ErasedPart {
  values: string
}
export type Part = OpenPart | ErasedPart
type Link = [n: number, before: number]
export interface PackEvent {
  version: 1
  seq: number
  at: number
  kind: string
  subject: number | null
  record: number | null
  links: { all?: Link; subject?: Link; record?: Link; batch?: Link }
  plain: OpenPart
  sealed: Part | null
  previous: string
  hash: string
  path: string[]
}
export type PackBody = Part & { record: number; version: 1 }
export interface Content {
  about: { kind: 'record' | 'batch' | 'applicant'; id: string | null }
  attachments: { bytes: number; name: string; sha256: string }[]
  bodies: PackBody[]
  consistency: { path: string[]; root: string; size: number } | null
  console: string
  events: PackEvent[]
  origin: { leaf: string; path: string[] }
  profile: 'full' | 'no-personal-data'
  root: string
  signer: { certificates: string[]; key: string }
  size: number
}
export interface Envelope {
  payload: string
  payloadType: string
  signatures: { keyid: string; sig: string }[]
}
export interface PackFile {
  envelope: Envelope
  format: string
  timestamps: string[]
  version: number
}

// --- bytes and keys ------------------------------------------------------------------------------

export const sha256 = (...parts: readonly (string | Uint8Array)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`)
    .join(',')}}`
}

/** A key that is the same in every run, from a name. */
export function keyNamed(name: string): KeyObject {
  const pkcs8 = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    bytes(sha256(`key of ${name}, only for tests`))
  ])
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
}
export const publicOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
export const fingerprintOf = (publicKey: string): string => sha256(bytes(publicKey))

// --- DSSE ----------------------------------------------------------------------------------------

export const packType = 'application/vnd.veridesk.evidence+json'

export const preAuthentication = (type: string, payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload])

export function envelopeOf(payloadType: string, text: string, key: KeyObject): Envelope {
  const payload = Buffer.from(text, 'utf8')
  return {
    payload: payload.toString('base64'),
    payloadType,
    signatures: [
      {
        keyid: fingerprintOf(publicOf(key)),
        sig: sign(null, preAuthentication(payloadType, payload), key).toString('base64')
      }
    ]
  }
}
export const textIn = ({ payload }: Envelope): string => Buffer.from(payload, 'base64').toString('utf8')
/** What time-stamps refer to. */
export const referredBytes = ({ payload, payloadType, signatures: [only] }: Envelope): Buffer =>
  Buffer.concat([
    preAuthentication(payloadType, Buffer.from(payload, 'base64')),
    Buffer.from(only?.sig ?? '', 'base64')
  ])

// --- the tree ------------------------------------------------------------------------------------

const leafHash = (hash: string): string => sha256(Buffer.of(0), bytes(hash))
const nodeHash = (left: string, right: string): string => sha256(Buffer.of(1), bytes(left), bytes(right))
const splitOf = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1)
export const rootOf = (leaves: readonly string[]): string =>
  leaves.length === 1
    ? leafHash(leaves[0]!)
    : nodeHash(rootOf(leaves.slice(0, splitOf(leaves.length))), rootOf(leaves.slice(splitOf(leaves.length))))
export function inclusionOf(leaves: readonly string[], index: number): string[] {
  if (leaves.length === 1) return []
  const middle = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)]
  return index < middle
    ? [...inclusionOf(left, index), rootOf(right)]
    : [...inclusionOf(right, index - middle), rootOf(left)]
}
export function consistencyOf(leaves: readonly string[], first: number, whole = true): string[] {
  if (first === leaves.length) return whole ? [] : [rootOf(leaves)]
  const middle = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)]
  return first <= middle
    ? [...consistencyOf(left, first, whole), rootOf(right)]
    : [...consistencyOf(right, first - middle, false), rootOf(left)]
}

export function checkpointOf(origin: string, size: number, root: string, key: KeyObject): string {
  const note = `${origin}\n${size}\n${bytes(root).toString('base64')}\n`
  const id = bytes(sha256(`${origin}\n`, Buffer.of(1), bytes(publicOf(key)))).subarray(0, 4)
  return `${note}\n— ${origin} ${Buffer.concat([id, sign(null, Buffer.from(note), key)]).toString('base64')}\n`
}

// --- values and events ---------------------------------------------------------------------------

export const valueDigest = (shown: readonly unknown[]): string => sha256(canonical(shown))
export const isErased = (part: Part): part is ErasedPart => 'values' in part
export const valuesOf = (part: Part): string =>
  isErased(part) ? part.values : sha256(canonical([...part.shown.map(valueDigest), ...part.withheld].sort()))

export function hashOfEvent(event: PackEvent): string {
  const { at, kind, links, plain, previous, record, sealed, seq, subject, version } = event
  return sha256(
    canonical({
      at,
      kind,
      links,
      plain: valuesOf(plain),
      previous,
      record,
      sealed: sealed && valuesOf(sealed),
      seq,
      subject,
      version
    })
  )
}

/** A part; `hides` says which of its values are withheld. */
export function partOf(secret: string, values: Values, hides: (name: string) => boolean = () => false): OpenPart {
  const flat = Object.entries(values).flatMap(([name, value]): [string, Json][] =>
    name === 'input'
      ? Object.entries(value as Values).map(([field, each]) => [`input.${field}`, each])
      : [[name, value]]
  )
  const all = flat
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]): Shown => [sha256(`salt ${secret} ${name}`).slice(0, 32), name, value])
  return {
    shown: all.filter(([, name]) => !hides(name)),
    withheld: all
      .filter(([, name]) => hides(name))
      .map(valueDigest)
      .sort()
  }
}
export const erased = (part: OpenPart): ErasedPart => ({ values: valuesOf(part) })

// --- telling a history ---------------------------------------------------------------------------

/** An event of a history, as it is told to the builder. */
export interface Told {
  readonly kind: string
  readonly at?: number
  readonly subject?: number
  readonly record?: number
  readonly batch?: string
  readonly plain?: Values
  readonly sealed?: Values
  /** What the response of a `record.ended` contains. */
  readonly response?: Values
}

const listed = [
  'record.begun',
  'record.ended',
  'record.resolved',
  'document.kept',
  'document.missed',
  'batch.made',
  'batch.changed',
  'batch.resolved',
  'decision.made',
  'note.made',
  'tags.changed',
  'due.changed',
  'relationship.changed',
  'risk.rated',
  'expiry.noted',
  'review.recorded',
  'challenge.recorded',
  'link.made',
  'link.removed',
  'approval.asked',
  'approval.answered',
  'approval.received',
  'pack.made'
]
const staff = [
  'operator',
  'credentialFingerprint',
  'signer',
  'snapshot',
  'connection',
  'evidence',
  'records',
  'readings',
  'supersedes'
]

/** Whether a profile withholds a value. */
function hides(profile: Content['profile'], kind: string, sealed: boolean, name: string): boolean {
  if (kind === 'subject.erased' && sealed) return true
  if (profile === 'full') return false
  if (!sealed && kind.startsWith('approval.')) return name !== 'agrees'
  return sealed || staff.includes(name)
}

export interface Order {
  readonly about: Content['about']
  readonly key: KeyObject
  readonly profile?: Content['profile']
  /** Subject or record of `pack.made`. */
  readonly subject?: number
  readonly record?: number
  /** Subjects that were erased. */
  readonly gone?: readonly number[]
  readonly attachments?: Content['attachments']
  readonly certificates?: readonly string[]
  readonly operator?: string
  readonly at?: number
}

const startsAt = 1_760_000_000_000

/** Everything of a history, with a pack recorded at its end: events with their hashes, and which belong to the pack. */
export function packOf(
  told: readonly Told[],
  order: Order
): { readonly content: Content; readonly leaves: readonly string[]; readonly told: readonly Told[] } {
  const { about, key, profile = 'full', gone = [], operator = 'first.person' } = order
  const isGone = (subject: number | null | undefined): boolean => gone.includes(subject ?? -1)
  const series = new Map<string, number[]>()
  const linkOf = (name: string, seq: number): Link => {
    const members = series.get(name) ?? []
    series.set(name, [...members, seq])
    return [members.length + 1, members.at(-1) ?? 0]
  }
  const bodies = new Map<number, PackBody>()
  const made: Told = {
    kind: 'pack.made',
    ...(order.subject !== undefined && { subject: order.subject }),
    ...(order.record !== undefined && { record: order.record }),
    ...(about.kind === 'batch' && { batch: about.id ?? '' }),
    ...(order.at !== undefined && { at: order.at }),
    ...(about.kind === 'applicant' && { sealed: { applicantId: about.id } })
  }
  const linked = new Set<number>()
  for (const { kind, subject, record } of told) {
    if (subject !== order.subject || record === undefined) continue
    if (kind === 'link.made') linked.add(record)
    if (kind === 'link.removed') linked.delete(record)
  }
  const contained: string[] =
    about.kind === 'record'
      ? [`record ${order.record}`]
      : about.kind === 'batch'
        ? [`batch ${about.id}`]
        : [`subject ${order.subject}`, ...[...linked].sort((a, b) => a - b).map((each) => `record ${each}`)]
  let statement: Values = {}
  const events = [...told, made].map((each, index): PackEvent => {
    const seq = index + 1
    const { kind, at = startsAt + seq * 1000, subject = null, record = null, batch } = each
    const links: PackEvent['links'] = {}
    if (listed.includes(kind)) {
      const add = (name: keyof PackEvent['links'], id: number | string): void =>
        void (links[name] = linkOf(`${name} ${id}`, seq))
      if (kind === 'decision.made' || kind === 'record.begun') add('all', kind)
      if (subject !== null) add('subject', subject)
      if (record !== null && kind.startsWith('record.')) add('record', record)
      if (batch !== undefined) add('batch', batch)
    }
    let plain = each.plain ?? {}
    if (each === made) {
      const listedSeries = contained.map((name) => {
        const [of = '', id = ''] = [name.slice(0, name.indexOf(' ')), name.slice(name.indexOf(' ') + 1)]
        const members = series.get(name) ?? []
        return [of, of === 'batch' ? id : Number(id), members.length, members.at(-1) ?? 0]
      })
      plain = statement = {
        operator,
        about: about.kind,
        ...(about.kind !== 'applicant' && { id: about.id }),
        profile,
        series: listedSeries
      }
    }
    if (kind === 'record.ended') {
      const body =
        each.response && partOf(`body ${record}`, each.response, (name) => hides(profile, 'response', true, name))
      if (body) bodies.set(record ?? 0, { ...(isGone(subject) ? erased(body) : body), record: record ?? 0, version: 1 })
      plain = {
        ...plain,
        reply: body ? { status: 200, bytes: 2, truncated: false, values: valuesOf(body) } : null
      }
    }
    const sealed = each.sealed && partOf(`sealed ${seq}`, each.sealed, (name) => hides(profile, kind, true, name))
    return {
      version: 1,
      seq,
      at,
      kind,
      subject,
      record,
      links,
      plain: partOf(`plain ${seq}`, plain, (name) => hides(profile, kind, false, name)),
      sealed: sealed ? (isGone(subject) ? erased(sealed) : sealed) : null,
      previous: '',
      hash: '',
      path: []
    }
  })
  const leaves: string[] = []
  for (const event of events) {
    event.previous = leaves.at(-1) ?? '0'.repeat(64)
    event.hash = hashOfEvent(event)
    leaves.push(event.hash)
  }
  const inPack = new Set(contained.flatMap((name) => series.get(name) ?? []))
  const records = new Set(
    events.filter(({ seq, kind }) => inPack.has(seq) && kind === 'record.begun').map(({ record }) => record)
  )
  const added = ['connection.noted', 'checklist.noted', 'subject.erased']
  const shown = events.filter(({ seq, kind }) => inPack.has(seq) || seq === events.length || added.includes(kind))
  const earlier = told.findLastIndex(({ kind }) => kind === 'pack.made') + 1
  const content: Content = {
    about: about.kind === 'applicant' && profile === 'no-personal-data' ? { kind: 'applicant', id: null } : about,
    attachments: [...(order.attachments ?? [])],
    bodies: [...bodies.values()].filter(({ record }) => records.has(record)).sort((a, b) => a.record - b.record),
    consistency: earlier > 0 ? { path: [], root: '', size: earlier } : null,
    console: '1.2.3',
    events: shown,
    origin: { leaf: '', path: [] },
    profile,
    root: '',
    signer: { certificates: [...(order.certificates ?? [])], key: publicOf(key) },
    size: 0
  }
  return { content: withTree(content, leaves), leaves, told: [...told, { ...made, plain: statement }] }
}

/** The content with paths, root and consistency for these leaves. */
export function withTree(content: Content, leaves: readonly string[]): Content {
  const made = structuredClone(content)
  for (const event of made.events) event.path = inclusionOf(leaves, event.seq - 1)
  made.origin = { leaf: leaves[0]!, path: inclusionOf(leaves, 0) }
  Object.assign(made, { root: rootOf(leaves), size: leaves.length })
  if (made.consistency) {
    const { size } = made.consistency
    made.consistency = { size, root: rootOf(leaves.slice(0, size)), path: consistencyOf(leaves, size) }
  }
  return made
}

/**
 * What a signer can do who lies: every hash of the events shown is computed anew, and so is the tree;
 * events that are not shown can be anything.
 *
 * @param first What event 1 calls the hash before it.
 */
export function rebuilt(content: Content, leaves: readonly string[], first = '0'.repeat(64)): Content {
  const size = Math.max(leaves.length, content.events.at(-1)?.seq ?? 0)
  const events = new Map(content.events.map((event) => [event.seq, event]))
  const anew: string[] = []
  for (let seq = 1; seq <= size; seq += 1) {
    const event = events.get(seq)
    if (event) {
      event.previous = anew.at(-1) ?? first
      event.hash = hashOfEvent(event)
    }
    anew.push(event?.hash ?? leaves[seq - 1] ?? sha256(`hidden ${seq}`))
  }
  return withTree(content, anew)
}

// --- files ---------------------------------------------------------------------------------------

export function fileOf(content: Content, key: KeyObject): PackFile {
  return {
    envelope: envelopeOf(packType, canonical(content), key),
    format: 'veridesk-evidence',
    timestamps: [],
    version: 1
  }
}
export const fileText = (file: PackFile): string => `${canonical(file)}\n`
export const contentOf = (file: PackFile): Content => JSON.parse(textIn(file.envelope)) as Content
