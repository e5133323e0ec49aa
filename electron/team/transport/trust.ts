/** Which certificates a team’s database is checked against. */
import tls from 'node:tls'
import { isLoopbackHost } from '#contract/connections/connection.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { createTrustStore } from '#wire/trust.ts'

/**
 * Without a file: the authorities of this computer; no TLS for a database on this computer. Failure: `ca-file-invalid`.
 *
 * @param ca PEM of the authorities that are trusted instead.
 */
export async function trustOf(
  host: string,
  ca: string | undefined
): Promise<Result<tls.SecureContext | undefined, Failure>> {
  if (ca === undefined) {
    if (isLoopbackHost(host)) return ok(undefined)
    const trusted = await createTrustStore().trust('')
    return trusted.ok ? ok(trusted.value.secureContext) : trusted
  }
  try {
    return ok(tls.createSecureContext({ ca, minVersion: 'TLSv1.2' }))
  } catch {
    return failed('ca-file-invalid', { reason: 'no-certificate' })
  }
}
