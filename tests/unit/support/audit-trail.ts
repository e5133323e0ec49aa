/** A small audit trail in memory, and packs from it, made as the history makes them. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
import { contentOf, sealPack } from '#core/evidence/pack/make.ts'
import type { Content, Series } from '#core/evidence/pack/pack.ts'
import { consistencyPath, inclusionPath, leafHash, overLeaves, rootOf } from '#kit/hashing/merkle.ts'
import { hashOfEvent, saltedValues, valueDigest, valuesDigest, type EventLinks } from '#kit/hashing/values.ts'
import type { Evidence, ProvenBody, ProvenEvent, ProvenPart } from '#wire/history/evidence.ts'

type Values = Readonly<Record<string, unknown>>

export interface Draft {
  readonly kind: string
  readonly plain: Values
  readonly sealed?: Values
  readonly subject?: number | null
  readonly record?: number | null
  readonly batch?: string
  /** Content of the response of a `record.ended`. */
  readonly response?: Values
  /** Its links, if they are not the right ones. */
  readonly links?: EventLinks
}

export const signer = generateKeyPairSync('ed25519').privateKey
export const batchId = '11111111-1111-7111-8111-111111111111'
export const recordId = (record: number): string => `22222222-2222-7222-8222-00000000000${record}`
export const person = 'APP-7'

const sha256 = (...parts: readonly (string | Buffer)[]): string =>
  parts.reduce((hash, each) => hash.update(each), createHash('sha256')).digest('hex')
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
const linked =
  /^(record\.(begun|ended|resolved)|batch\.(made|changed|resolved)|decision\.made|note\.made|tags\.changed|due\.changed|link\.(made|removed)|pack\.made)$/

/** A verification of a record: begun and ended. */
export const verification = (
  record: number,
  subject: number,
  applicantId: string | undefined,
  more: Partial<Draft> = {},
  ending: Partial<Draft> = more
): Draft[] => [
  {
    kind: 'record.begun',
    record,
    subject,
    ...more,
    plain: {
      id: recordId(record),
      operation: 'get-applicant-details',
      operator: 'first.person',
      connection: 1,
      ...(more.batch !== undefined && { batchId: more.batch })
    },
    sealed: { input: { applicant_id: applicantId ?? 'none' }, applicantId }
  },
  {
    kind: 'record.ended',
    record,
    subject,
    ...ending,
    plain: { outcome: 'answered', took: 1.5, reply: { status: 200, bytes: 3, truncated: false } },
    sealed: { message: `Answer ${record}` },
    response: { body: `{"message":"Answer ${record}"}` }
  }
]

/** What happened in the audit trail that most tests use: of one person, of a linked record, and of a batch. */
export const happened = (): Draft[] => [
  { kind: 'program.started', plain: { version: '1' } },
  { kind: 'connection.noted', plain: { ref: 1, snapshot: '{"name":"One"}' } },
  ...verification(1, 1, person),
  { kind: 'note.made', subject: 1, plain: { operator: 'first.person' }, sealed: { text: 'Seen' } },
  ...verification(2, 2, undefined),
  { kind: 'batch.made', batch: batchId, plain: { id: batchId, rows: 1, operator: 'first.person' } },
  ...verification(3, 3, 'APP-BATCH', { batch: batchId }),
  { kind: 'batch.changed', batch: batchId, plain: { id: batchId, from: 'running', to: 'finished' } },
  { kind: 'link.made', subject: 1, record: 2, plain: { operator: 'first.person' }, sealed: { applicantId: person } },
  { kind: 'view.opened', plain: { what: 'record', operator: 'first.person' } },
  {
    kind: 'decision.made',
    subject: 1,
    plain: { operator: 'decider', decision: 'approve', evidence: 4, records: [1, 2], readings: [] },
    sealed: { reasons: [], note: '' }
  }
]

export class AuditTrail {
  readonly events: ProvenEvent[] = []
  private readonly bodies: Evidence['bodies'][number][] = []
  private readonly batches = new Map<number, string>()
  private readonly drafts: Draft[] = []

  constructor(drafts: readonly Draft[]) {
    for (const draft of drafts) this.add(draft)
  }

  private series(kind: keyof EventLinks, id: unknown): number[] {
    return this.drafts.flatMap((draft, index) => {
      const isRecord = draft.kind.startsWith('record.')
      if (!linked.test(draft.kind)) return []
      if (kind === 'all') return draft.kind === id ? [index + 1] : []
      const of =
        kind === 'subject' ? draft.subject : kind === 'record' ? (isRecord ? draft.record : undefined) : draft.batch
      return of !== undefined && of !== null && of === id ? [index + 1] : []
    })
  }

  private linksOf({ kind, subject, record, batch }: Draft): EventLinks {
    if (!linked.test(kind)) return {}
    const link = (of: keyof EventLinks, id: unknown) =>
      [this.series(of, id).length + 1, this.series(of, id).at(-1) ?? 0] as const
    return {
      ...((kind === 'decision.made' || kind === 'record.begun') && { all: link('all', kind) }),
      ...(batch !== undefined && { batch: link('batch', batch) }),
      ...(kind.startsWith('record.') && { record: link('record', record) }),
      ...(subject !== null && subject !== undefined && { subject: link('subject', subject) })
    }
  }

  private part(secret: string, values: Values): ProvenPart {
    const entries = saltedValues(secret, values)
    return {
      values: valuesDigest(entries.map(valueDigest)),
      entries
    }
  }

  add(draft: Draft): number {
    const seq = this.events.length + 1
    const { kind, subject = null, record = null, sealed, response } = draft
    const [at, previous] = [1_760_000_000_000 + seq * 1000, this.events.at(-1)?.hash ?? '0'.repeat(64)]
    const secret = (of: string): string => sha256(`${of} ${seq}`).slice(0, 32)
    const body = response && this.part(secret('body'), response)
    const reply = draft.plain['reply'] as Values | undefined
    const full =
      kind === 'record.ended'
        ? { ...draft.plain, reply: reply && body ? { ...reply, values: body.values } : null }
        : draft.plain
    const [plain, ofSealed] = [this.part(secret('plain'), full), sealed ? this.part(secret('sealed'), sealed) : null]
    const links = draft.links ?? this.linksOf(draft)
    const hash = hashOfEvent({
      seq,
      at,
      kind,
      subject,
      record,
      links,
      previous,
      plain: plain.values,
      sealed: ofSealed && ofSealed.values
    })
    this.events.push({
      version: 1,
      seq,
      at,
      kind,
      subject,
      record,
      links,
      plain,
      sealed: ofSealed,
      previous,
      hash,
      path: []
    })
    if (body && record !== null) this.bodies.push({ version: 1, record, part: body } satisfies ProvenBody)
    this.drafts.push(draft)
    if (record !== null && draft.batch !== undefined) this.batches.set(record, draft.batch)
    return seq
  }

  private get tree() {
    return overLeaves(this.events.map(({ hash }) => leafHash(bytes(hash))))
  }

  root(size: number): string {
    return rootOf(this.tree, size).toString('hex')
  }

  private linkedTo(subject: number): number[] {
    const records = new Set<number>()
    for (const draft of this.drafts) {
      if (draft.subject !== subject || draft.record === null || draft.record === undefined) continue
      if (draft.kind === 'link.made') records.add(draft.record)
      if (draft.kind === 'link.removed') records.delete(draft.record)
    }
    return [...records]
  }

  /** Records a pack and collects what it contains. @param change What the event says instead. */
  make(about: EvidenceAbout, profile: RedactionProfile, { change = {} }: { readonly change?: Values } = {}): Evidence {
    const seq = this.events.length + 1
    const earlier = this.events.findLast(({ kind }) => kind === 'pack.made')?.seq
    const record = about.kind === 'record' ? Number(about.id.slice(-1)) : null
    const subject =
      about.kind === 'applicant'
        ? 1
        : about.kind === 'record'
          ? (this.drafts.find((each) => each.kind === 'record.begun' && each.record === record)?.subject ?? null)
          : null
    const ofRecord = (of: number): Series => [
      'record',
      of,
      this.series('record', of).length,
      this.series('record', of).at(-1) ?? 0
    ]
    const series: Series[] =
      about.kind === 'applicant'
        ? [['subject', 1, this.series('subject', 1).length + 1, seq], ...this.linkedTo(1).map(ofRecord)]
        : about.kind === 'record'
          ? [ofRecord(record ?? 0)]
          : [['batch', about.id, this.series('batch', about.id).length + 1, seq]]
    this.add({
      kind: 'pack.made',
      subject,
      record,
      ...(about.kind === 'batch' && { batch: about.id }),
      plain: {
        operator: 'first.person',
        about: about.kind,
        id: about.kind === 'applicant' ? undefined : about.id,
        profile,
        series,
        ...change
      },
      ...(about.kind === 'applicant' && { sealed: { applicantId: about.id } })
    })
    const stated = Array.isArray(change['series']) ? (change['series'] as Series[]) : []
    const erasures = this.events.flatMap((event) => (event.kind === 'subject.erased' ? [event.seq] : []))
    const seqs = new Set([
      seq,
      2,
      ...erasures,
      ...[...series, ...stated].flatMap(([kind, id]) => this.series(kind, id))
    ])
    return this.collected(
      seq,
      this.events.filter((event) => seqs.has(event.seq)),
      earlier
    )
  }

  /** Events as they are proved in the tree up to an event. */
  collected(seq: number, events: readonly ProvenEvent[], earlier?: number): Evidence {
    const records = new Set(events.flatMap((event) => (event.kind === 'record.ended' ? [event.record] : [])))
    const root = this.root(seq)
    return {
      origin: {
        leaf: this.events[0]?.hash ?? '',
        path: inclusionPath(this.tree, 0, seq).map((each) => each.toString('hex'))
      },
      head: { seq, hash: this.events[seq - 1]?.hash ?? '', root },
      records: records.size,
      events: events.map((event) => ({
        ...event,
        path: inclusionPath(this.tree, event.seq - 1, seq).map((each) => each.toString('hex'))
      })),
      bodies: this.bodies.filter((body) => records.has(body.record)),
      earlier:
        earlier === undefined
          ? null
          : {
              size: earlier,
              root: this.root(earlier),
              path: consistencyPath(this.tree, earlier, seq).map((each) => each.toString('hex'))
            }
    }
  }

  /** Like `make`, as the signed content. */
  content(
    about: EvidenceAbout,
    profile: RedactionProfile = 'full',
    more: Parameters<AuditTrail['make']>[2] & { readonly attachments?: Content['attachments'] } = {}
  ): Content {
    return contentOf(
      this.make(about, profile, more),
      { about, profile, console: '1.2.3', attachments: more.attachments ?? [], certificates: [] },
      signer
    )
  }
}

export const sealed = (content: Content, key: KeyObject = signer): string => sealPack(content, key)
