/** The authority that dates evidence packs, which is optional. All times are Unix milliseconds. */
import { z } from 'zod'
import { baseUrlFault } from '../connections/connection.ts'
import { invalidField, type FieldFault } from '../failures/failures.ts'
import { issueOf, rule } from '../verification/field-issues.ts'

/** Why the address of a time-stamp authority is invalid. The rules of a connection, but with a path and a query. */
export function authorityUrlFault(text: string): FieldFault | undefined {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return invalidField('base-url-incomplete')
  }
  if (url.username || url.password) return invalidField('base-url-credentials')
  if (url.hash || text.includes('#')) return invalidField('base-url-fragment')
  return text.length > 2048
    ? invalidField('base-url-too-long')
    : baseUrlFault(url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : text)
}

/** Maximum characters of the certificates. */
export const maxAuthorityCertificates = 24_000

/** The certificates are stored themselves: a file that changes later cannot change whom Veridesk trusts. */
export const timestampAuthoritySchema = z.strictObject({
  name: z.string().trim().min(1).max(100),
  url: z
    .string()
    .trim()
    .superRefine((text, context) => {
      const fault = authorityUrlFault(text)
      if (fault) context.addIssue(issueOf(fault))
    }),
  /** PEM of the certificate authorities that its time-stamps must lead to. */
  certificates: z
    .string()
    .max(maxAuthorityCertificates)
    .refine((text) => text.includes('-----BEGIN CERTIFICATE-----'), rule('certificate-file'))
})
export type TimestampAuthority = z.output<typeof timestampAuthoritySchema>

/** What the authority answered to a test. */
export interface TimestampTest {
  /** Subject of the certificate that signed. */
  readonly authority: string
  readonly time: number
  /** Milliseconds until its answer was verified. */
  readonly took: number
}
/** A file with certificate authorities that the user chose. */
export interface ChosenAuthorities {
  readonly certificates: string
  readonly count: number
}
