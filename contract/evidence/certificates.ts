/** X.509 certificates of the signing key. All times are Unix milliseconds. */
import { z } from 'zod'

export const certificateRequestSchema = z.strictObject({
  name: z.string().trim().min(1).max(64),
  organisation: z.string().trim().min(1).max(64).optional()
})
export const certificateImportSchema = z.strictObject({ pem: z.string().max(256 * 1024) })

export interface SigningCertificate {
  readonly subject: string
  readonly issuer: string
  readonly from: number
  readonly until: number
  /** Of the certificate, hex. */
  readonly sha256: string
}
