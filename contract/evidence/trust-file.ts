/** Requests about the company's trust file. All times are Unix milliseconds. */
import { z } from 'zod'
import { readFingerprint } from './evidence.ts'
import { revocationReasons } from './keys.ts'
import { maxAuthorityCertificates } from './timestamps.ts'
import { maxTrustDays, maxTrustText, trustRoles } from './trust-view.ts'

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
/** A draft as a keeper writes it, with times as text. */
export type TrustDraftInput = z.input<typeof trustDraftSchema>

const text = z.string().max(maxTrustText)
export const trustMakeSchema = z.strictObject({
  draft: trustDraftSchema,
  /** The file with the versions before; absent for the first version. */
  before: text.optional()
})
export const trustTextSchema = z.strictObject({ text })
