/** Documents behind the links of forms and records. */
import { z } from 'zod'
import { documentFields, type OpenedDocument } from '../documents.ts'
import { linkCheckOrderSchema, type LinkCheck } from '../link-checks.ts'
import { maxUrlLength } from '../verification.ts'
import { channel, kibibyte } from './channel.ts'

const field = z.string().refine((name) => documentFields.includes(name))

/** A link that a form contains, or one that a record contains: the window never names the address of a record's. */
const documentSourceSchema = z.union([
  z.strictObject({ connectionId: z.uuid(), field, url: z.string().max(maxUrlLength), applicantId: z.string().max(1024).optional() }),
  z.strictObject({ recordId: z.uuid(), field })
])
export type DocumentSource = z.output<typeof documentSourceSchema>

export const documentChannels = {
  /** Fetches a document, without credentials; the answer can have some 27 MiB. */
  'documents.open': channel<OpenedDocument>()({ input: documentSourceSchema, maxBytes: 64 * kibibyte }),
  /** Asks the server of each link of a form whether a document is there; nothing is sent to the eKYC service. */
  'documents.check': channel<readonly LinkCheck[]>()({ input: linkCheckOrderSchema, maxBytes: 64 * kibibyte })
}
