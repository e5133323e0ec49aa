/** Genuine packs from made-up histories. */
import { sign, type KeyObject } from 'node:crypto'
import {
  canonical,
  contentOf,
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
/** What was asked with a review, and is answered by it. */
const checklist: Told = {
  kind: 'checklist.noted',
  plain: {
    ref: 1,
    text: '{"kind":"review","items":[{"code":"values-match","label":"The values match","required":true,"answer":"yes-no"}]}'
  }
}
const decision = (subject: number, more: Record<string, Json> = {}): Told => ({
  kind: 'decision.made',
  subject,
  plain: { operator: 'first.person', decision: 'approve', evidence: 9, records: [1, 2], readings: [], ...more },
  sealed: { reasons: ['reviewed-by-hand'], note: 'Looks right \ufffd' }
})
const erasureOf = (subjects: readonly number[]): Told => ({
  kind: 'subject.erased',
  subject: 9,
  plain: { id: recordId(90), cause: 'request', subjects, records: 1, batchRows: 0, documents: 2, ...byHand },
  sealed: { reason: 'Asked for by letter' }
})
/** Of a backup that was restored. */
const erasedBefore = (subjects: readonly number[]): Told => ({
  kind: 'subject.erased',
  plain: { id: recordId(91), cause: 'restore', subjects, records: 1, batchRows: 1 }
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
  checklist,
  {
    kind: 'review.recorded',
    subject: person,
    plain: {
      ...byHand,
      on: '2025-10-09',
      class: 'medium',
      next: '2027-05-31',
      due: '2025-10-09',
      outcome: 'unchanged',
      checklist: { ref: 1, complete: true }
    },
    sealed: { note: 'Nothing new', checks: { 'values-match': 'yes' } }
  },
  ...check({ ...mine, record: 2, answer: 'Accepted' }),
  {
    kind: 'document.kept',
    subject: person,
    record: 2,
    plain: { ...byHand, field: 'document_url', when: 'before' },
    sealed: { type: 'jpeg', bytes: 6879, sha256: sha256('card'), name: sha256('file') }
  },
  {
    kind: 'document.missed',
    subject: person,
    record: 2,
    plain: { field: 'photo_url', reason: 'document-not-fetched' }
  },
  {
    kind: 'document.kept',
    subject: person,
    record: 2,
    plain: { ...byHand, field: 'photo_url', when: 'file' },
    sealed: { type: 'png', bytes: 4120, sha256: sha256('photo'), name: sha256('other file') }
  }
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
export const attachment = Buffer.from('%PDF-1.7 for reading')

const applicantTold = packOf(history, aboutApplicant).told

/** What happened in a team: one colleague agrees with the decision, another does not; and a request of a third one is answered. */
const [here, there] = ['1a'.repeat(16), '2b'.repeat(16)]
const checkedOnce: readonly Told[] = [connection, ...check({ ...mine, record: 1, answer: 'Accepted' })]
/** The name of the last of these events. */
const nameOfLast = (told: readonly Told[]): Json => [
  here,
  told.length,
  packOf(told, aboutApplicant).leaves[told.length - 1] ?? ''
]
/** Events that end with a decision, and then a request for approval of it. */
const asking = (decided: readonly Told[], scope = sha256('the team')): readonly Told[] => [
  ...decided,
  {
    kind: 'approval.asked',
    subject: person,
    plain: { ...byHand, scope, decision: nameOfLast(decided), evidence: [[there, 4, sha256('their evidence')]] },
    sealed: { note: 'Please look' }
  }
]
const beforeAsking = asking([...checkedOnce, decision(person)])
const request = nameOfLast(beforeAsking)
/** An answer to that request as a colleague signs it. */
export function answered(
  reviewer: KeyObject,
  answer: {
    readonly scope: string
    readonly asked: Json
    readonly agrees: boolean
    readonly at: number
    readonly by: string
  }
): Record<string, Json> {
  const { scope, asked: to, agrees, at, by } = answer
  const salt = '5a'.repeat(16)
  const line = canonical(['veridesk/approval', 1, scope, to, agrees, at, sha256(canonical([salt, 'by', by]))])
  return {
    ...answer,
    salt,
    signer: publicOf(reviewer),
    signature: sign(null, Buffer.from(line), reviewer).toString('hex')
  }
}
const received = (
  reviewer: KeyObject,
  by: string,
  agrees: boolean,
  asked: Json = request,
  scope = sha256('the team')
): Told => ({
  kind: 'approval.received',
  subject: person,
  sealed: { note: 'Compared both images' },
  plain: {
    ...byHand,
    answer: [there, 9, sha256(by)],
    ...answered(reviewer, { scope, asked, agrees, at: 1_760_000_030_000, by })
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
      scope: sha256('the team'),
      salt: '5b'.repeat(16),
      asked: [there, 7, sha256('their request')],
      agrees: true,
      signer: publicOf(signer),
      signature: sign(null, Buffer.from('another team’s line'), signer).toString('hex')
    }
  }
]

/** A decision that needs a second person, and what was asked of one. */
const proposal = decision(person, {
  seen: { answers: [1, 1], documents: [0, 2] },
  requires: 1,
  rule: sha256('the rule')
})
const proposed = asking([...checkedOnce, proposal])
const toProposal = nameOfLast(proposed)
const agreed = received(colleague, 'second.person', true, toProposal)
/** The same without a team: the request and the answer were files, and are for this audit trail. */
const origin = packOf(checkedOnce, aboutApplicant).leaves[0] ?? ''
const proposedByFile = asking([...checkedOnce, proposal], origin)
const approvedByFile: readonly Told[] = [
  ...proposedByFile,
  received(colleague, 'second.person', true, nameOfLast(proposedByFile), origin)
]
/** The same request answered, and then another decision. */
const decidedAgain: readonly Told[] = [...proposed, agreed, proposal]

/** The applicant contradicts the decision, and another one answers that. */
const challenged: readonly Told[] = [
  ...checkedOnce,
  decision(person, { decision: 'decline' }),
  { kind: 'challenge.recorded', subject: person, plain: byHand, sealed: { text: 'That is not my photo' } },
  decision(person, { evidence: 5 })
]

/** By name. All but those that begin with `foreign` are signed with one key. */
export const genuinePacks = {
  'applicant': genuine(history, aboutApplicant),
  'applicant-no-personal-data': genuine(history, { ...aboutApplicant, profile: 'no-personal-data' }),
  'record': genuine(history, aboutRecord),
  'record-no-personal-data': genuine(history, { ...aboutRecord, profile: 'no-personal-data' }),
  'record-unanswered': genuine(history, { ...aboutRecord, about: { kind: 'record', id: recordId(3) }, record: 3 }),
  'record-erased': genuine([...history, erasureOf([person, 8])], { ...aboutRecord, gone: [person] }),
  'applicant-linked-erased': genuine([...history, erasureOf([third])], { ...aboutApplicant, gone: [third] }),
  'applicant-linked-erased-no-personal-data': genuine([...history, erasureOf([third])], {
    ...aboutApplicant,
    gone: [third],
    profile: 'no-personal-data'
  }),
  'record-first-pack': genuine(history.slice(0, 5), aboutRecord),
  'other-applicant': genuine(history, {
    ...aboutApplicant,
    about: { kind: 'applicant', id: 'APP-OTHER' },
    subject: other
  }),
  'batch': genuine(batchHistory, aboutBatch),
  'batch-no-personal-data': genuine(batchHistory, { ...aboutBatch, profile: 'no-personal-data' }),
  'batch-half-erased': genuine([...batchHistory, erasedBefore([erasedPerson])], {
    ...aboutBatch,
    gone: [erasedPerson]
  }),
  'approvals': genuine(approvals, aboutApplicant),
  'approvals-no-personal-data': genuine(approvals, { ...aboutApplicant, profile: 'no-personal-data' }),
  'approved': genuine([...proposed, agreed], aboutApplicant),
  'approved-after-all': genuine(
    [...proposed, received(colleague, 'second.person', false, toProposal), agreed],
    aboutApplicant
  ),
  'approved-by-file': genuine(approvedByFile, aboutApplicant),
  'approved-no-personal-data': genuine([...proposed, agreed], { ...aboutApplicant, profile: 'no-personal-data' }),
  'reviewed': genuine(reviewed, aboutApplicant),
  'challenged': genuine(challenged, aboutApplicant),
  'challenged-no-personal-data': genuine(challenged, { ...aboutApplicant, profile: 'no-personal-data' }),
  'attachment': genuine(history, {
    ...aboutRecord,
    attachments: [{ bytes: attachment.length, name: 'record.pdf', sha256: sha256(attachment) }]
  }),
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

/** Genuine, but their decision needs a second person, and none who counts agrees, or one does not. */
export const proposedPacks = {
  'proposed': genuine(proposed, aboutApplicant),
  'proposed-returned': genuine(
    [...proposed, agreed, received(director, 'third.person', false, toProposal)],
    aboutApplicant
  ),
  'proposed-own-key': genuine([...proposed, received(signer, 'second.person', true, toProposal)], aboutApplicant),
  'proposed-after-newer-evidence': genuine(
    [...proposed, { ...agreed, plain: { ...agreed.plain, void: true } }],
    aboutApplicant
  ),
  'proposed-again': genuine(decidedAgain, aboutApplicant)
} as const satisfies Readonly<Record<string, Genuine>>

export const contentNamed = (name: GenuineName) => contentOf(genuinePacks[name].file)
