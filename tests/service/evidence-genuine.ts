/** Genuine packs from made-up histories. */
import { sign, type KeyObject } from 'node:crypto'
import {
  canonical,
  contentOf,
  countersigned,
  fileOf,
  keyNamed,
  packOf,
  publicOf,
  sha256,
  type Json,
  type Order,
  type PackFile,
  type Told
} from './evidence-builder.ts'

export const signer = keyNamed('the signer')
export const colleague = keyNamed('the colleague')
export const director = keyNamed('the director')
export const applicant = 'APP-\u00c9VIDENT'
const [person, other, third, erasedPerson] = [3, 4, 5, 6] as const
const batch = '01a200a5-0000-4000-8000-00000000ba7c'
export const recordId = (record: number): string => `01a200a5-0000-7000-8000-${String(record).padStart(12, '0')}`

interface Check {
  readonly subject: number
  readonly record: number
  readonly id?: string
  readonly batch?: string
  readonly answer?: string
}
export const connection: Told = { kind: 'connection.noted', plain: { ref: 1, snapshot: '{"name":"Sandbox"}' } }
const begun = ({ subject, record, id, batch: of }: Check): Told => ({
  kind: 'record.begun',
  subject,
  record,
  ...(of && { batch: of }),
  plain: {
    id: recordId(record),
    path: '/v1/applicants',
    operation: 'get-applicant-details',
    connection: 1,
    linksScrubbed: false,
    credentialFingerprint: '0011223344556677',
    consoleVersion: '1.2.3',
    operator: 'first.person',
    ...(of && { batchId: of })
  },
  sealed: {
    input: { applicant_id: id ?? 'none', id_url: 'https://files.example.com/id.jpg' },
    ...(id && { applicantId: id })
  }
})
const ended = ({ subject, record, batch: of, answer }: Check): Told => ({
  kind: 'record.ended',
  subject,
  record,
  ...(of && { batch: of }),
  plain: { outcome: answer === undefined ? 'unknown' : 'answered', took: 100.25 },
  sealed: { message: answer ?? '', statusText: 'OK', headers: [['content-type', 'application/json']] },
  ...(answer !== undefined && { response: { body: JSON.stringify({ message: answer }) } })
})
const resolved = ({ subject, record, batch: of }: Check): Told => ({
  kind: 'record.resolved',
  subject,
  record,
  ...(of && { batch: of }),
  plain: { as: 'processed', operator: 'first.person' },
  sealed: { note: 'Seen at the provider' }
})
export const check = (of: Check): Told[] => [begun(of), ended(of)]
const byHand = { operator: 'first.person' }
export const note = (subject: number, text: string): Told => ({
  kind: 'note.made',
  subject,
  plain: byHand,
  sealed: { text }
})
const link = (subject: number, record: number, id: string): Told => ({
  kind: 'link.made',
  subject,
  record,
  plain: byHand,
  sealed: { applicantId: id }
})
const unlink = (subject: number, record: number): Told => ({ kind: 'link.removed', subject, record, plain: byHand })
const decision = (subject: number): Told => ({
  kind: 'decision.made',
  subject,
  plain: { operator: 'first.person', decision: 'approve', evidence: 9, records: [1, 2], readings: [] },
  sealed: { reasons: ['reviewed-by-hand'], note: 'Looks right \ud83d' }
})
/** A pack about record 1, recorded earlier. */
const madeBefore: Told = {
  kind: 'pack.made',
  subject: person,
  record: 1,
  plain: {
    operator: 'first.person',
    about: 'record',
    id: recordId(1),
    profile: 'full',
    countersignatures: 0,
    series: [['record', 1, 2, 3]]
  }
}

const [mine, theirs, unnamed] = [
  { subject: person, id: applicant },
  { subject: other, id: 'APP-OTHER' },
  { subject: third }
] as const
const history: readonly Told[] = [
  connection,
  ...check({ ...mine, record: 1, answer: 'Accepted' }),
  ...check({ ...theirs, record: 2, answer: 'Theirs' }),
  note(person, 'Looked at by hand'),
  madeBefore,
  ...check({ ...mine, record: 3 }),
  note(other, 'Not yours'),
  resolved({ ...mine, record: 3 }),
  ...check({ ...unnamed, record: 4, answer: 'Valid passport' }),
  link(person, 4, applicant),
  { kind: 'tags.changed', subject: person, plain: byHand, sealed: { tags: ['urgent'] } },
  { kind: 'due.changed', subject: person, plain: { ...byHand, due: 1_770_000_000_000 } },
  link(other, 4, 'APP-OTHER'),
  link(person, 2, applicant),
  unlink(person, 2),
  decision(person),
  decision(other)
]
/** What the relationship with a person has of its own. */
const reviewed: readonly Told[] = [
  connection,
  ...check({ ...mine, record: 1, answer: 'Accepted' }),
  {
    kind: 'relationship.changed',
    subject: person,
    plain: { ...byHand, state: 'active', on: '2025-10-01' },
    sealed: { note: 'Signed at the branch' }
  },
  { kind: 'risk.rated', subject: person, plain: { ...byHand, class: 'medium', months: 36 }, sealed: { note: '' } },
  {
    kind: 'expiry.noted',
    subject: person,
    plain: byHand,
    sealed: { document: 'Passport', expires: '2027-05-31' }
  },
  {
    kind: 'review.recorded',
    subject: person,
    plain: { ...byHand, class: 'medium', next: '2027-05-31', due: '2026-10-01', outcome: 'unchanged' },
    sealed: { note: 'Nothing new' }
  },
  ...check({ ...mine, record: 2, answer: 'Accepted' }),
  {
    kind: 'document.kept',
    subject: person,
    record: 2,
    plain: { ...byHand, field: 'document_url', when: 'before' },
    sealed: { type: 'jpeg', bytes: 6879, sha256: sha256('card'), name: sha256('file') }
  },
  { kind: 'document.missed', subject: person, record: 2, plain: { field: 'photo_url', reason: 'document-not-fetched' } }
]
const batchHistory: readonly Told[] = [
  { ...connection, plain: { ref: 1, snapshot: '{"name":"Another audit trail"}' } },
  {
    kind: 'batch.made',
    batch,
    plain: {
      id: batch,
      operations: ['get-applicant-details'],
      connection: 'one',
      sha256: sha256('rows'),
      rows: 2,
      operator: 'first.person'
    }
  },
  ...check({ ...theirs, record: 1, answer: 'Before' }),
  { kind: 'batch.changed', batch, plain: { id: batch, from: 'draft', to: 'running', operator: 'first.person' } },
  ...check({ ...mine, record: 2, batch, answer: 'First row' }),
  begun({ subject: erasedPerson, id: 'APP-GONE', record: 3, batch }),
  ended({ subject: erasedPerson, record: 3, batch, answer: 'Second row' }),
  { kind: 'batch.changed', batch, plain: { id: batch, from: 'running', to: 'finished', by: 'console' } },
  { kind: 'batch.resolved', batch, plain: { id: batch, rows: 1, as: 'sent', operator: 'first.person' } }
]
export const aboutApplicant = {
  about: { kind: 'applicant', id: applicant },
  key: signer,
  subject: person
} as const satisfies Order
const aboutRecord = {
  about: { kind: 'record', id: recordId(1) },
  key: signer,
  subject: person,
  record: 1
} as const satisfies Order
const aboutBatch = { about: { kind: 'batch', id: batch }, key: signer } as const satisfies Order

export interface Genuine {
  readonly file: PackFile
  /** Hashes of all events of the audit trail. */
  readonly leaves: readonly string[]
}
const genuine = (told: readonly Told[], order: Order): Genuine => {
  const { content, leaves } = packOf(told, order)
  return { file: fileOf(content, order.key), leaves }
}
const also = (of: Genuine, change: (file: PackFile) => PackFile): Genuine => ({ ...of, file: change(of.file) })
const required = (count: number): Genuine => genuine(history, { ...aboutApplicant, countersignatures: count })
export const attachment = Buffer.from('%PDF-1.7 for reading')

const applicantTold = packOf(history, aboutApplicant).told

/** What happened in a team: one colleague agrees with the decision, another does not; and a request of a third one is answered. */
const [here, there] = ['1a'.repeat(16), '2b'.repeat(16)]
const decided: readonly Told[] = [connection, ...check({ ...mine, record: 1, answer: 'Accepted' }), decision(person)]
const asked: Told = {
  kind: 'approval.asked',
  subject: person,
  plain: {
    ...byHand,
    decision: [here, 4, packOf(decided, aboutApplicant).leaves[3] ?? ''],
    evidence: [[there, 4, sha256('their evidence')]]
  },
  sealed: { note: 'Please look' }
}
const beforeAsking = [...decided, asked]
const request: Json = [
  here,
  beforeAsking.length,
  packOf(beforeAsking, aboutApplicant).leaves[beforeAsking.length - 1] ?? ''
]
/** An answer to that request as a colleague signs it. */
export function answered(
  reviewer: KeyObject,
  answer: {
    readonly team: string
    readonly asked: Json
    readonly agrees: boolean
    readonly at: number
    readonly by: string
  }
): Record<string, Json> {
  const { team, asked: to, agrees, at, by } = answer
  const line = canonical(['veridesk/team/approval', 1, team, to, agrees, at, by])
  return { ...answer, signer: publicOf(reviewer), signature: sign(null, Buffer.from(line), reviewer).toString('hex') }
}
const received = (reviewer: KeyObject, by: string, agrees: boolean): Told => ({
  kind: 'approval.received',
  subject: person,
  sealed: { note: 'Compared both images' },
  plain: {
    ...byHand,
    answer: [there, 9, sha256(by)],
    ...answered(reviewer, { team: sha256('the team'), asked: request, agrees, at: 1_760_000_030_000, by })
  }
})
const approvals: readonly Told[] = [
  ...beforeAsking,
  received(colleague, 'second.person', true),
  received(director, 'third.person', false),
  {
    kind: 'approval.answered',
    subject: person,
    sealed: { applicantId: applicant, note: '' },
    plain: {
      ...byHand,
      asked: [there, 7, sha256('their request')],
      agrees: true,
      signer: publicOf(signer),
      signature: sign(null, Buffer.from('another team’s line'), signer).toString('hex')
    }
  }
]

/** By name. All but those that begin with `foreign` are signed with one key. */
export const genuinePacks = {
  'applicant': genuine(history, aboutApplicant),
  'applicant-no-personal-data': genuine(history, { ...aboutApplicant, profile: 'no-personal-data' }),
  'record': genuine(history, aboutRecord),
  'record-no-personal-data': genuine(history, { ...aboutRecord, profile: 'no-personal-data' }),
  'record-unanswered': genuine(history, { ...aboutRecord, about: { kind: 'record', id: recordId(3) }, record: 3 }),
  'record-erased': genuine(history, { ...aboutRecord, gone: [person] }),
  'record-first-pack': genuine(history.slice(0, 5), aboutRecord),
  'other-applicant': genuine(history, {
    ...aboutApplicant,
    about: { kind: 'applicant', id: 'APP-OTHER' },
    subject: other
  }),
  'batch': genuine(batchHistory, aboutBatch),
  'batch-no-personal-data': genuine(batchHistory, { ...aboutBatch, profile: 'no-personal-data' }),
  'batch-half-erased': genuine(batchHistory, { ...aboutBatch, gone: [erasedPerson] }),
  'approvals': genuine(approvals, aboutApplicant),
  'approvals-no-personal-data': genuine(approvals, { ...aboutApplicant, profile: 'no-personal-data' }),
  'reviewed': genuine(reviewed, aboutApplicant),
  'attachment': genuine(history, {
    ...aboutRecord,
    attachments: [{ bytes: attachment.length, name: 'record.pdf', sha256: sha256(attachment) }]
  }),
  'countersigned': also(required(1), (file) => countersigned(file, colleague, { note: 'Seen and agreed' })),
  'countersigned-twice': also(required(2), (file) =>
    countersigned(countersigned(file, colleague), director, { by: 'third.person' })
  ),
  'countersigned-not-agreed': also(required(0), (file) =>
    countersigned(file, colleague, { agrees: false, note: 'Another person' })
  ),
  // Of the same audit trail as the first one: the next pack, and the one after it.
  'next': genuine([...applicantTold, note(other, 'Later')], aboutApplicant),
  'after-next': genuine(
    [
      ...packOf([...applicantTold, note(other, 'Later')], aboutApplicant).told,
      note(person, 'Much later'),
      note(other, 'Yours')
    ],
    { ...aboutRecord }
  ),
  'stamped': also(genuine(history, aboutRecord), (file) => ({
    ...file,
    timestamps: [Buffer.from('not a time-stamp').toString('base64')]
  })),
  'foreign': genuine(history, { ...aboutRecord, key: keyNamed('another installation') })
} as const satisfies Readonly<Record<string, Genuine>>
export type GenuineName = keyof typeof genuinePacks

/** Genuine, but without the countersignatures that they must have. */
export const lackingPacks = {
  'lacking-all': required(1),
  'lacking-one': also(required(2), (file) => countersigned(file, colleague)),
  'lacking-second-person': also(required(1), (file) => countersigned(file, colleague, { by: ' FIRST.person' })),
  'lacking-two-keys-of-one': also(required(2), (file) => countersigned(countersigned(file, colleague), director)),
  'lacking-withdrawn': also(required(1), (file) =>
    countersigned(countersigned(file, colleague), colleague, { agrees: false, at: 1_770_000_000_000 })
  )
} as const satisfies Readonly<Record<string, Genuine>>

export const contentNamed = (name: GenuineName) => contentOf(genuinePacks[name].file)
