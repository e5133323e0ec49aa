/** Channels of the signing key: its certificates. */
import { certificateCreateSchema, certificateImportSchema, certificateRequestSchema, type SigningCertificate } from '../evidence-certificates.ts'
import { channel, kibibyte, nothing, type SavedFile } from './channel.ts'

export const evidenceKeyChannels = {
  /** Those that packs contain, the signer's own first; none if there is no certificate for the current key. */
  'certificates.show': channel<readonly SigningCertificate[]>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  'certificates.request': channel<SavedFile>()({ input: certificateRequestSchema, maxBytes: kibibyte, late: 'take' }),
  'certificates.create': channel<SavedFile>()({ input: certificateCreateSchema, maxBytes: kibibyte, late: 'take' }),
  'certificates.import': channel<readonly SigningCertificate[]>()({ input: certificateImportSchema, maxBytes: 512 * kibibyte, late: 'take' }),
  'certificates.remove': channel<null>()({ input: nothing, maxBytes: kibibyte, late: 'take' })
}
