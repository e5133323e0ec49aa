/** Channels of the signing key: its certificates, its revocation and its replacement. */
import {
  certificateCreateSchema,
  certificateImportSchema,
  certificateRequestSchema,
  type SigningCertificate
} from './certificates.ts'
import { replaceKeySchema, revokeSchema, type OwnKey } from './keys.ts'
import { channel, kibibyte, nothing, type SavedFile } from '../ipc/channel.ts'

export const evidenceKeyChannels = {
  /** Those that packs contain, the signer's own first; none if there is no certificate for the current key. */
  'certificates.show': channel<readonly SigningCertificate[]>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'Certificates are public.' }
  }),
  'certificates.request': channel<SavedFile>()({
    input: certificateRequestSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A request contains the public key and a name that the user entered.' }
  }),
  'certificates.create': channel<SavedFile>()({
    input: certificateCreateSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'certificates.import': channel<readonly SigningCertificate[]>()({
    input: certificateImportSchema,
    maxBytes: 512 * kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'certificates.remove': channel<null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  /** The current key first. */
  'keys.list': channel<readonly OwnKey[]>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'Public keys contain no personal data.' }
  }),
  'keys.revoke': channel<SavedFile>()({
    input: revokeSchema,
    maxBytes: 16 * kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'keys.replace': channel<readonly OwnKey[]>()({
    input: replaceKeySchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  })
}
