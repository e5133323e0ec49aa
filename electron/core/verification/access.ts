/** What requests of a connection are sent with: the one place where a single verification and each row of a batch take it. */
import type { Connection } from '#contract/connections/connection.ts'
import type { CredentialValues } from '#contract/connections/credentials.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { SendOrder } from '#core/client/send.ts'

export type Network = Pick<SendOrder, 'route' | 'trust' | 'signIn'>

export interface AccessParts {
  settings(): Settings
  /** The values, if they were given for this connection's current destination. */
  credentials(connection: Connection): Promise<Result<CredentialValues, Failure>>
  fingerprint(values: CredentialValues): Promise<string>
  /** Network route and certificate authorities for an origin. */
  network(origin: string): Promise<Result<Network, Failure>>
  /** Returns a function that says why nothing may be sent any more with what is taken for this connection after the call. */
  standing?(connection: Connection): () => Failure | undefined
}

export interface Access {
  readonly credentialFingerprint: string
  readonly order: Pick<SendOrder, 'origin' | 'credentials'> & { refusal(): Failure | undefined }
  /** The way to the service, by the settings as they are: a proxy or an authority that was removed from them is not used any more. */
  way(): Promise<Result<Network, Failure>>
}

const wayKey = ({ proxyMode, proxyUrl, proxyBypass, extraCaFile }: Settings): string =>
  JSON.stringify([proxyMode, proxyUrl, proxyBypass, extraCaFile])

/** Takes what a request needs. Failures: those of the credentials and of the network. */
export async function takeAccess(parts: AccessParts, connection: Connection): Promise<Result<Access, Failure>> {
  // Before the values are read: a change during the reading counts as one after it.
  const refusal = parts.standing?.(connection) ?? (() => undefined)
  const values = await parts.credentials(connection)
  if (!values.ok) return values
  let [key, found] = [wayKey(parts.settings()), parts.network(connection.baseUrl)]
  const network = await found
  if (!network.ok) return network
  const credentialFingerprint = await parts.fingerprint(values.value)
  return ok({
    credentialFingerprint,
    order: { origin: connection.baseUrl, credentials: values.value, refusal },
    way() {
      const now = wayKey(parts.settings())
      if (now !== key) [key, found] = [now, parts.network(connection.baseUrl)]
      return found
    }
  })
}

/**
 * Why what was taken for a connection must not be used any more: the connection as it is now leads elsewhere, or its credentials were
 * changed, even if they are the same again.
 */
export function withdrawn(
  taken: Connection,
  now: Connection | undefined,
  areCredentialsChanged: boolean
): Failure | undefined {
  const { name } = taken
  if (!now) return failure('connection-withdrawn', { name, reason: 'removed' })
  if (now.baseUrl !== taken.baseUrl) return failure('connection-withdrawn', { name, reason: 'address' })
  if (now.mode !== taken.mode) return failure('connection-withdrawn', { name, reason: 'mode', now: now.mode })
  if (now.copies === 'required' && taken.copies !== 'required')
    return failure('connection-withdrawn', { name, reason: 'copies' })
  return areCredentialsChanged ? failure('connection-withdrawn', { name, reason: 'credentials' }) : undefined
}
