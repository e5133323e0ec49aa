/** Documents behind the links of forms and records. */
import { z } from 'zod'
import {
  documentFields,
  type CopiesVerified,
  type CopyCondition,
  type DocumentComparison,
  type OpenedDocument,
  type OtherFiles,
  type OtherFilesDeleted
} from './documents.ts'
import { droppedHead, droppedNames, type DroppedKind } from '../verification/drops.ts'
import type { RecordDetail } from '../history/records.ts'
import type { LinkCheck } from '../links/checks.ts'
import { operationIds } from '../verification/operations.ts'
import { maxUrlLength } from '../verification/verification.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

const field = z.string().refine((name) => documentFields.includes(name))

const ofForm = z.strictObject({
  connectionId: z.uuid(),
  field,
  url: z.string().max(maxUrlLength),
  applicantId: z.string().max(1024).optional()
})
const ofRecord = z.strictObject({ recordId: z.uuid(), field })
/** `copy`: the SHA-256 (hex) of one of several copies; the first one without it. */
const shown = ofRecord.extend({
  copy: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
})
/** A link that a form contains, or one that a record contains: the window never names the address of that one. */
export type DocumentSource = z.output<typeof ofForm> | z.output<typeof shown>
/** Names one opening, to stop it. */
const opening = z.uuid().optional()

const droppedName = z.string().max(255)
const dropped = z.union([
  z.strictObject({ name: droppedName, head: z.base64().max(Math.ceil(droppedHead / 3) * 4) }),
  z.strictObject({ name: droppedName, folder: z.array(droppedName).max(droppedNames) })
])

const linkCheckOrder = z.strictObject({
  connectionId: z.uuid(),
  operation: z.enum(operationIds),
  input: z.record(z.string().max(100), z.string()),
  applicantId: z.string().max(1024).optional()
})

export const documentChannels = {
  /** What a dropped file is, by its first bytes. */
  'drops.identify': channel<DroppedKind>()({
    input: dropped,
    maxBytes: 128 * kibibyte,
    late: 'take',
    leaves: { none: 'It says what the operator’s own file is, by its first bytes.' }
  }),
  /** Opens the copy that a record has of a document, or fetches it, without credentials; the answer can have some 27 MiB. */
  'documents.open': channel<OpenedDocument>()({
    input: z.union([ofForm.extend({ opening }), shown.extend({ opening })]),
    maxBytes: 64 * kibibyte,
    leaves: ['document.viewed'],
    when: 'The document was fetched, or its copy opened, and can be shown.'
  }),
  /** Ends an opening that nobody waits for any more. False if it had ended. */
  'documents.stop': channel<boolean>()({
    input: z.strictObject({ opening: z.uuid() }),
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A document whose opening was stopped is not shown.' }
  }),
  /** Fetches the document behind a link of a record again, and compares it with what the record keeps. */
  'documents.compare': channel<DocumentComparison>()({
    input: ofRecord,
    maxBytes: kibibyte,
    leaves: ['document.compared'],
    when: 'The document was requested.'
  }),
  /** Fetches it and keeps its digest with the record, where the links were not checked before. */
  'documents.note': channel<RecordDetail>()({ input: ofRecord, maxBytes: kibibyte, leaves: ['document.noted'] }),
  /** Fetches the document behind a link of a record and keeps a copy of it; returns the record with it. */
  'documents.keep': channel<RecordDetail>()({ input: ofRecord, maxBytes: kibibyte, leaves: ['document.kept'] }),
  /** Keeps a file, which the user chooses, as a copy of a record’s document; null if the user cancelled. */
  'documents.addFile': channel<RecordDetail | null>()({
    input: ofRecord,
    maxBytes: kibibyte,
    leaves: ['document.kept'],
    when: 'The file was kept.'
  }),
  /** What is known of the files of all copies: numbers, and which records have one that is missing or damaged. */
  'documents.condition': channel<CopyCondition>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It returns numbers, and the fields and IDs of records.' }
  }),
  /** Checks the files of all copies, which can take long. */
  'documents.verify': channel<CopiesVerified>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['documents.verified']
  }),
  /** Files in the folder that this history does not name, and whether another history or a backup does. Opens each of these. */
  'documents.otherFiles': channel<OtherFiles>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It returns numbers, and names of folders.' }
  }),
  /** Deletes those that nothing names, if they are the ones that were shown. */
  'documents.deleteOtherFiles': channel<OtherFilesDeleted>()({
    input: z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) }),
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed'],
    when: 'A file was deleted.',
    announces: () => 'data-management-changed'
  }),
  /** Asks the server of each link of a form whether a document is there; nothing is sent to the eKYC service. */
  'documents.check': channel<readonly LinkCheck[]>()({
    input: linkCheckOrder,
    maxBytes: 64 * kibibyte,
    leaves: ['links.checked']
  })
}
