/**
 * The six operations of the eKYC service, declared once.
 *
 * Everything about operations is derived from this table: the forms, the schemas of the IPC router, the HTTP call,
 * the history's columns and filters, the command line's flags, the CSV templates, the practice service and
 * `docs/operations.md`. A seventh operation is one new entry.
 *
 * Source: the service's interface description, version 1.0.0.
 */

/** What a field contains; determines its validation, its input element and how history treats it. */
export type FieldKind = 'applicant-id' | 'url'

/** One field of a request body. Every field of the interface is a required string. */
export interface FieldDeclaration {
  /** Exact name in the request body. */
  readonly name: string
  readonly kind: FieldKind
  readonly label: string
  /** One sentence shown below the field. */
  readonly help: string
  readonly example: string
  /** Other column headings that identify the field in a pasted object or a CSV file. */
  readonly aliases: readonly string[]
}

/** A status that the interface documents for an operation, and its meaning. */
export interface StatedStatus {
  readonly status: number
  readonly meaning: string
}

export interface OperationDeclaration {
  /** Last segment of the path; also the name on the command line, in addresses and in files. */
  readonly id: string
  /** Path below the base URL. The method is always POST. */
  readonly path: string
  readonly title: string
  /** At most three words, for tables and the side bar. */
  readonly shortTitle: string
  readonly group: 'Applicants Identity Verification' | 'Validate Photo & ID'
  readonly summary: string
  readonly fields: readonly FieldDeclaration[]
  /** Whether its answers hold an applicant’s details; one operation of the table has it. */
  readonly answersWithDetails?: true
  /** Empty if the interface documents none; statuses are treated the same for all operations. */
  readonly statedStatuses: readonly StatedStatus[]
}

const applicantId: FieldDeclaration = {
  name: 'applicant_id',
  kind: 'applicant-id',
  label: 'Applicant ID',
  help: 'As issued by your organisation or the service. Stored as text: leading zeros are kept.',
  example: 'APP-000123',
  aliases: ['applicant', 'applicant id', 'applicantid', 'id', 'customer_id']
}

const versionPath = '/kyc-api/v1.0/kyc'

export const operations = [
  {
    id: 'validate-applicant-documents',
    path: `${versionPath}/validate-applicant-documents`,
    title: 'Validate applicant photo and ID',
    shortTitle: 'Photo and ID',
    group: 'Applicants Identity Verification',
    summary: 'Validates an applicant’s photo together with the image of the applicant’s ID document.',
    fields: [
      applicantId,
      {
        name: 'photo_document_url',
        kind: 'url',
        label: 'Photo URL',
        help: 'URL of the applicant’s photo. The service fetches it; nothing is uploaded.',
        example: 'https://files.example.com/applicant/photo.jpg',
        aliases: ['photo', 'photo url', 'photo_url', 'selfie', 'selfie_url']
      },
      {
        name: 'id_document_url',
        kind: 'url',
        label: 'ID document URL',
        help: 'URL of the image of the applicant’s ID document.',
        example: 'https://files.example.com/applicant/id.jpg',
        aliases: ['id document', 'id_url', 'id url', 'document', 'document_url']
      }
    ],
    statedStatuses: [
      { status: 200, meaning: 'Successful validation' },
      { status: 400, meaning: 'Bad request' }
    ]
  },
  {
    id: 'validate-applicant-id-document',
    path: `${versionPath}/validate-applicant-id-document`,
    title: 'Validate applicant identity document',
    shortTitle: 'Identity document',
    group: 'Applicants Identity Verification',
    summary: 'Validates the image of an identity document of an applicant.',
    fields: [
      applicantId,
      {
        name: 'document_url',
        kind: 'url',
        label: 'Document URL',
        help: 'URL of the image of the identity document.',
        example: 'https://files.example.com/applicant/document.jpg',
        aliases: ['document', 'document url', 'id_document_url', 'id_url']
      }
    ],
    statedStatuses: []
  },
  {
    id: 'get-applicant-details',
    path: `${versionPath}/get-applicant-details`,
    title: 'Get applicant details',
    shortTitle: 'Applicant details',
    group: 'Applicants Identity Verification',
    summary: 'Retrieves the details of an applicant.',
    fields: [applicantId],
    answersWithDetails: true,
    statedStatuses: []
  },
  {
    id: 'validate-kyc-photo',
    path: `${versionPath}/validate-kyc-photo`,
    title: 'Validate KYC photo',
    shortTitle: 'KYC photo',
    group: 'Validate Photo & ID',
    summary: 'Validates a photo on its own. It is not linked to an applicant at the service.',
    fields: [
      {
        name: 'photo_url',
        kind: 'url',
        label: 'Photo URL',
        help: 'URL of the photo.',
        example: 'https://files.example.com/photo.jpg',
        aliases: ['photo', 'photo url', 'selfie', 'selfie_url', 'photo_document_url']
      }
    ],
    statedStatuses: []
  },
  {
    id: 'validate-passport',
    path: `${versionPath}/validate-passport`,
    title: 'Validate passport',
    shortTitle: 'Passport',
    group: 'Validate Photo & ID',
    summary: 'Validates the image of a passport on its own. It is not linked to an applicant at the service.',
    fields: [
      {
        name: 'id_url',
        kind: 'url',
        label: 'Passport URL',
        help: 'URL of the image of the passport’s data page.',
        example: 'https://files.example.com/passport.jpg',
        aliases: ['passport', 'passport url', 'passport_url', 'document', 'document_url']
      }
    ],
    statedStatuses: []
  },
  {
    id: 'validate-kyc-id',
    path: `${versionPath}/validate-kyc-id`,
    title: 'Validate KYC ID',
    shortTitle: 'KYC ID',
    group: 'Validate Photo & ID',
    summary: 'Validates the image of an ID document on its own. It is not linked to an applicant at the service.',
    fields: [
      {
        name: 'id_url',
        kind: 'url',
        label: 'ID document URL',
        help: 'URL of the image of the ID document.',
        example: 'https://files.example.com/id.jpg',
        aliases: ['id document', 'id url', 'document', 'document_url', 'id_document_url']
      }
    ],
    statedStatuses: []
  }
] as const satisfies readonly OperationDeclaration[]

export type OperationId = (typeof operations)[number]['id']

/** The operations' ids in the table's order, typed for zod's enum and the database. */
export const operationIds = operations.map((operation) => operation.id) as [OperationId, ...OperationId[]]

/** The operation at the top of the side bar: it is opened while none has been used. */
export const firstOperation: OperationId = operations[0].id

const byId = new Map<string, OperationDeclaration & { readonly id: OperationId }>(
  operations.map((operation) => [operation.id, operation])
)

/** The declaration of a known operation. Throws on an unknown id, which is a bug, not an input. */
export function operationOf(id: OperationId): OperationDeclaration & { readonly id: OperationId } {
  const found = byId.get(id)
  if (!found) throw new Error(`no operation ${id} in the table`)
  return found
}

const details = operations.find((operation) => 'answersWithDetails' in operation)
if (!details) throw new Error('no operation of the table answers with details')

/** The operation whose answers hold an applicant’s details. */
export const detailsOperation: OperationId = details.id

/** Whether a text is an operation's id. */
export function isOperationId(text: string): text is OperationId {
  return byId.has(text)
}

/** The name of the operation's applicant field, or undefined if it has none. */
export function applicantFieldOf(id: OperationId): string | undefined {
  return operationOf(id).fields.find((field) => field.kind === 'applicant-id')?.name
}
