/** Channels of the signing key (its certificates, its revocation and its replacement), and of time-stamps. */
import { certificateImportSchema, certificateRequestSchema, type SigningCertificate } from './certificates.ts'
import { replaceKeySchema, revokeSchema, type OwnKey } from './keys.ts'
import { channel, kibibyte, nothing, type SavedFile } from '../ipc/channel.ts'
import type { StampedPack } from './evidence.ts'
import type { ChosenAuthorities, TimestampTest } from './timestamps.ts'
import { z } from 'zod'
import { trustMakeSchema, trustTextSchema } from './trust-file.ts'
import {
  maxTrustText,
  type ChosenTrustFile,
  type OpenedTrustFile,
  type SavedTrustFile,
  type TrustInForce
} from './trust-view.ts'
import { auditQuerySchema, visitSchema, type AuditHead, type AuditPage, type AuditVerdict } from './audit.ts'

export const evidenceChannels = {
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
  }),
  /** A new version of the trust file, signed with this installation's key; null if cancelled. */
  'trust.make': channel<SavedTrustFile | null>()({
    input: trustMakeSchema,
    maxBytes: 2 * maxTrustText,
    late: 'take',
    leaves: { none: 'The trust file itself says who signed which version.' }
  }),
  /** A trust file with this installation's signature; null if cancelled. */
  'trust.sign': channel<SavedTrustFile | null>()({
    input: trustTextSchema,
    maxBytes: 2 * maxTrustText,
    late: 'take',
    leaves: { none: 'The trust file itself says who signed which version.' }
  }),
  /** The trust file that a policy names, as far as it counts, and the key of this installation. */
  'trust.inForce': channel<TrustInForce>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A trust file contains nothing about applicants.' }
  }),
  /** A file that the user chooses; null if cancelled. */
  'trust.choose': channel<ChosenTrustFile | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A trust file contains nothing about applicants.' }
  }),
  /** What a trust file says, and how it stands to the one in force. */
  'trust.read': channel<OpenedTrustFile>()({
    input: trustTextSchema,
    maxBytes: 2 * maxTrustText,
    late: 'take',
    leaves: { none: 'A trust file contains nothing about applicants.' }
  }),
  /** The certificates of a file that the user chooses; null if cancelled. */
  'timestamps.chooseAuthorities': channel<ChosenAuthorities | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It only reads the chosen certificate file; using it is a change of settings.' }
  }),
  /** Adds a time-stamp to a pack that the user chooses, and replaces its file. */
  'evidence.timestamp': channel<StampedPack | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['export.made']
  }),
  /** Asks the authority for a time-stamp of random bytes, and verifies it. */
  'timestamps.test': channel<TimestampTest>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It sends a hash of random bytes.' }
  })
}

/** The audit trail: its events, its head, proofs, and its verification. */
export const auditChannels = {
  'audit.page': channel<AuditPage>()({
    input: auditQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 4 * kibibyte,
    leaves: ['view.opened']
  }),
  'audit.head': channel<AuditHead>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: { none: 'It returns a number and hashes.' }
  }),
  /** A C2SP text (https://c2sp.org/tlog-proof), signed with this installation's key. */
  'audit.prove': channel<string>()({
    input: z.strictObject({ seq: z.number().int().positive(), size: z.number().int().positive().optional() }),
    maxBytes: kibibyte,
    leaves: { none: 'It returns hashes only.' }
  }),
  /** Verifies the whole audit trail; reports progress by events. */
  'audit.verify': channel<AuditVerdict>()({ input: nothing, maxBytes: kibibyte, leaves: ['evidence.verified'] })
}
