/** The company's trust file: who signs packs and who approves, as its keepers say. All times are Unix milliseconds. */
import { z } from 'zod'
import { readFingerprint } from './evidence.ts'
import { revocationReasons } from './keys.ts'
import { maxAuthorityCertificates } from './timestamps.ts'

/** The ending of a trust file. */
export const trustEnding = 'veridesk-trust'
/** What a key may do: answer requests for approval, sign packs. In the order of the alphabet. */
export const trustRoles = ['approver', 'pack'] as const
/** Most characters of a trust file, with all its versions. */
export const maxTrustText = 16 * 1024 * 1024
/** Most days from the making of a version until it expires. */
export const maxTrustDays = 400

const fingerprint = z
  .string()
  .max(200)
  .transform((text, context) => {
    const read = readFingerprint(text)
    if (read === undefined) context.addIssue({ code: 'custom', message: 'value-invalid' })
    return read ?? z.NEVER
  })
/** A day, at its beginning in UTC, or a time with its zone. */
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).transform((text) => Date.parse(text))
const label = z.string().trim().min(1).max(200)
const certificates = z.array(z.string().max(maxAuthorityCertificates)).max(20)

/** What a keeper writes for a new version. What is absent stays as it is in the version before. */
export const trustDraftSchema = z.strictObject({
  organisation: label.optional(),
  days: z.int().min(1).max(maxTrustDays).default(365),
  /** Public keys: 64 hexadecimal digits, or PEM. */
  keepers: z.array(z.string().max(2000)).max(20).optional(),
  signers: z
    .array(
      z.strictObject({
        name: label,
        key: fingerprint,
        roles: z.array(z.enum(trustRoles)).min(1).max(2),
        /** The making of the version, or what the version before says, if absent. */
        from: moment.optional(),
        until: moment.nullable().default(null)
      })
    )
    .max(1000)
    .optional(),
  /** PEM of authorities of time-stamps. */
  timestamps: certificates.optional(),
  /** PEM of authorities that vouch for signers who are not listed. */
  ca: certificates.optional(),
  revocations: z
    .array(z.strictObject({ key: fingerprint, reason: z.enum(revocationReasons), since: moment.optional() }))
    .max(1000)
    .optional(),
  verifiers: z
    .array(z.strictObject({ version: z.string().min(1).max(50), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .max(200)
    .optional()
})
export type TrustDraft = z.output<typeof trustDraftSchema>

const text = z.string().max(maxTrustText)
export const trustMakeSchema = z.strictObject({
  draft: trustDraftSchema,
  /** The file with the versions before; absent for the first version. */
  before: text.optional()
})
export const trustSignSchema = z.strictObject({ text })

/** A trust file that was saved. */
export interface SavedTrustFile {
  readonly path: string
  readonly organisation: string
  readonly version: number
  readonly expires: number
  /** SHA-256 of the first keepers, hex: what readers compare. */
  readonly origin: string
  /** Signatures of keepers that it still needs. */
  readonly waitsFor: number
}
