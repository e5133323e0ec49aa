/** The examples of a session with sample data: invented applicants, what is asked about them, and what is decided. */
import type { Decision, ReadingMeaning } from '#contract/applicants/applicants.ts'
import type { OperationId } from '#contract/verification/operations.ts'

/** A verification, and the answer that the practice service is asked for, by the name of its trigger. */
export interface ExampleCheck {
  readonly operation: OperationId
  readonly trigger: string
  /** Sent this many times in all, to compare the answers. */
  readonly times?: number
  /** Cancelled before it is sent. */
  readonly cancelled?: true
}

export interface ExampleDecision {
  readonly decision: Decision
  readonly reasons: readonly string[]
  readonly note: string
  /** Days from today to the due date of an escalation. */
  readonly dueIn?: number
}

export interface ExampleApplicant {
  readonly id: string
  /** What the batch asks about the identity document; absent if the batch has no row of the applicant. */
  readonly inBatch?: string
  readonly checks: readonly ExampleCheck[]
  readonly tags?: readonly string[]
  readonly note?: string
  /** Days from today to the due date; negative if it has passed. */
  readonly dueIn?: number
  readonly assignee?: string
  readonly decision?: ExampleDecision
  /** Who decided asks a second person for approval, with this note. */
  readonly fourEyes?: string
  /** The unknown outcome is resolved; another one's waits for it. */
  readonly resolved?: true
  /** Verifications after the decision, which make it outdated. */
  readonly afterwards?: readonly ExampleCheck[]
}

const photoAndId: OperationId = 'validate-applicant-documents'
/** The operation of the examples' batch. */
export const batchOperation: OperationId = 'validate-applicant-id-document'
const applicantDetails: OperationId = 'get-applicant-details'
const kycPhoto: OperationId = 'validate-kyc-photo'
const kycPassport: OperationId = 'validate-passport'
const kycId: OperationId = 'validate-kyc-id'

export const documents = (trigger = 'pass'): ExampleCheck => ({ operation: photoAndId, trigger })
export const details = (): ExampleCheck => ({ operation: applicantDetails, trigger: 'pass' })
export const photo = (trigger = 'pass'): ExampleCheck => ({ operation: kycPhoto, trigger })
export const passport = (trigger = 'pass'): ExampleCheck => ({ operation: kycPassport, trigger })
export const card = (trigger = 'pass'): ExampleCheck => ({ operation: kycId, trigger })

const approve = (note: string): ExampleDecision => ({ decision: 'approve', reasons: ['documents-in-order'], note })
/** Who has worked with the sample data: nobody of this name. */
export const colleagues = [
  { name: 'Jonas Berg', account: 'sample-berg' },
  { name: 'Lena Vogt', account: 'sample-vogt' },
  { name: 'Tomas Ruiz', account: 'sample-ruiz' }
] as const
/** Who works with them now, as the name in decisions. */
export const ownName = 'Sample Operator'
const [{ name: first }, { name: second }] = colleagues

/** What is different about each applicant, in the order of their numbers. */
const courses: readonly Omit<ExampleApplicant, 'id'>[] = [
  {
    inBatch: 'pass',
    checks: [details(), documents(), photo()],
    tags: ['renewal'],
    decision: approve('Photo, document and details agree.')
  },
  { inBatch: 'pass', checks: [details(), documents()], decision: approve('Everything in order.') },
  { inBatch: 'pass', checks: [details(), passport()], decision: approve('Passport and ID document validated.') },
  { inBatch: 'pass', checks: [details(), card(), photo()], decision: approve('Card and photo validated.') },
  {
    inBatch: 'pass',
    checks: [details(), documents()],
    tags: ['priority'],
    decision: approve('Priority case, everything in order.'),
    fourEyes: 'A priority case: please look at the documents, too.'
  },
  {
    inBatch: 'unclear',
    checks: [details(), documents()],
    note: 'The first image was too dark. The second one is clear.',
    decision: { decision: 'approve', reasons: ['reviewed-by-hand'], note: 'Compared the images by hand.' }
  },
  { inBatch: 'pass', checks: [details(), documents()], dueIn: 3, assignee: ownName },
  { inBatch: 'pass', checks: [details(), passport()], dueIn: 1, tags: ['priority'], assignee: first },
  { inBatch: 'pass', checks: [details()], dueIn: -1, note: 'Waiting for a newer photo.', assignee: second },
  { inBatch: 'pass', checks: [details(), photo()] },
  {
    inBatch: 'fail',
    checks: [details(), documents('fail')],
    decision: {
      decision: 'decline',
      reasons: ['document-not-accepted'],
      note: 'Both verifications reject the document.'
    }
  },
  {
    inBatch: 'fail',
    checks: [details(), passport('fail')],
    decision: {
      decision: 'decline',
      reasons: ['document-not-accepted', 'evidence-incomplete'],
      note: 'No other document was provided.'
    }
  },
  {
    inBatch: 'pass',
    checks: [details(), documents('fail'), photo('fail')],
    decision: { decision: 'decline', reasons: ['identity-not-matched'], note: 'The photo does not match the document.' }
  },
  {
    inBatch: 'fail',
    checks: [details(), card('fail')],
    tags: ['follow-up'],
    decision: { decision: 'escalate', reasons: ['suspected-fraud'], note: 'The card looks edited.', dueIn: 1 }
  },
  { inBatch: 'fail', checks: [details()], tags: ['follow-up'], dueIn: 0, assignee: first },
  {
    inBatch: 'unclear',
    checks: [details(), photo('unclear')],
    decision: { decision: 'escalate', reasons: ['answer-unclear'], note: 'Two inconclusive answers.', dueIn: 0 }
  },
  {
    inBatch: 'unclear',
    checks: [details(), documents()],
    decision: {
      decision: 'escalate',
      reasons: ['second-opinion'],
      note: 'One answer is inconclusive, the other one is not.',
      dueIn: 4
    },
    assignee: second
  },
  {
    inBatch: 'unclear',
    checks: [details()],
    note: 'Asked for a new image of the document.',
    dueIn: 1,
    assignee: ownName
  },
  { inBatch: 'pass', checks: [details(), card('unclear')] },
  { inBatch: 'pass', checks: [details(), passport('cut')], dueIn: 0, assignee: ownName },
  { inBatch: 'pass', checks: [details(), documents()], tags: ['priority'], assignee: second },
  { inBatch: 'pass', checks: [details(), photo('cut-body')], resolved: true },
  {
    inBatch: 'pass',
    checks: [details(), documents('html')],
    note: 'A sign-in page came instead of an answer. Reported to the provider.'
  },
  { inBatch: '500', checks: [details(), card('502')] },
  { inBatch: '400', checks: [details(), { ...passport(), cancelled: true }] },
  { checks: [details(), { operation: photoAndId, trigger: 'changes', times: 3 }], tags: ['renewal'] },
  {
    inBatch: 'pass',
    checks: [details(), documents()],
    decision: approve('Everything in order.'),
    afterwards: [photo('fail')]
  },
  {
    inBatch: 'pass',
    checks: [details(), documents()],
    tags: ['renewal'],
    decision: approve('Everything in order.'),
    afterwards: [passport('unclear')]
  },
  { checks: [details(), documents('404')] },
  { checks: [{ ...details(), cancelled: true }], tags: ['priority'], dueIn: 2 }
]

/** Made-up IDs that no service issues. */
export const idOf = (number: number): string => `SAMPLE-${String(number).padStart(4, '0')}`

export const exampleApplicants: readonly ExampleApplicant[] = courses.map((course, at) => ({
  id: idOf(at + 1),
  ...course
}))

/** Verifications that belong to nobody, like those of a walk-in customer. */
export const checksOfNobody: readonly ExampleCheck[] = [photo(), passport(), card('fail')]

/** Interpretations of messages, by a part of the message. Others stay unreviewed. */
export const exampleReadings: readonly {
  readonly of: string
  readonly means: ReadingMeaning
  readonly note: string
}[] = [
  { of: 'successfully', means: 'good', note: 'The wording of a success.' },
  { of: 'does not meet the criteria', means: 'bad', note: 'The image was rejected.' },
  { of: 'inconclusive', means: 'unclear', note: 'Somebody has to look at it.' }
]

/** The practice service's specimen image for a field; others are of the operation's document. */
const imageOf: Readonly<Record<string, string>> = {
  photo_document_url: 'portrait.png',
  photo_url: 'portrait.png',
  id_document_url: 'id-card.png',
  document_url: 'id-card.png'
}

/** A link to one of the practice service's own specimen images, in whose path it finds the answer to give. */
export function imageLink(
  baseUrl: string,
  operation: OperationId,
  field: string,
  trigger: string,
  subject: string
): string {
  const image = imageOf[field] ?? (operation === kycPassport ? 'passport.png' : 'id-card.png')
  return `${baseUrl}/samples/trigger/${trigger}/${subject}/${image}`
}

/** A file for a batch: a row for most applicants, and a few with the errors that files have. */
export function exampleBatch(baseUrl: string): string {
  const link = (trigger: string, subject: string): string =>
    imageLink(baseUrl, batchOperation, 'document_url', trigger, subject)
  const rows = exampleApplicants.flatMap(({ id, inBatch }) =>
    inBatch === undefined ? [] : [`${id},${link(inBatch, id)}`]
  )
  const again = rows.slice(0, 2)
  const invalid = [`${idOf(301)},`, `,${link('pass', idOf(302))}`, `${idOf(303)},id-card.png`]
  return ['applicant_id,document_url', ...rows, ...again, ...invalid, ''].join('\n')
}
