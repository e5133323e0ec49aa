/** The credentials of the connections, to be found in what a person enters and in what a service returns. */
import { credentials, type CredentialId } from '#contract/credentials.ts'
import { createMasker, type Masker } from './masker.ts'
import { isKnown, patternsOf, type Secret } from './pattern.ts'

/** The user name and password encoded in an Authorization value of the Basic scheme (RFC 7617). */
function basicPair(value: string): string | undefined {
  const token = /^Basic +([\w+/-]+=*)$/i.exec(value)?.[1]
  return token === undefined ? undefined : Buffer.from(token, 'base64').toString('latin1')
}

/** What is secret of a value: without its scheme, and as the user name and password of a Basic value. */
export function secretsOf(value: string, placeholder: string): readonly Secret[] {
  const prefix = /^\S+ +(?=\S+$)/.exec(value)?.[0].length ?? 0
  const pair = basicPair(value)
  if (pair === undefined) return [{ value, placeholder, prefix }]
  const password = pair.slice(pair.indexOf(':') + 1)
  return [{ value, placeholder, prefix }, { value: pair, placeholder }, { value: password, placeholder }]
}

export interface OwnSecretsParts {
  /** The IDs of all connections. */
  connections(): readonly string[]
  /** The values that can be read now. */
  held(connectionId: string): Promise<readonly (readonly [CredentialId, string])[]>
}

/**
 * What finds the credentials of all connections in entered texts, whatever their case, spaces and escapes. Whole values, and parts of 24 characters and more: IDs of
 * applicants may begin like a key, since both name the organisation. Values that occur in any text by chance are not searched for.
 */
export async function ownSecrets({ connections, held }: OwnSecretsParts): Promise<Masker> {
  const values = (await Promise.all(connections().map(held))).flat()
  const placeholderOf = (id: CredentialId): string => credentials.find((each) => each.id === id)?.placeholder ?? ''
  const secrets = values.flatMap(([id, value]) => secretsOf(value, placeholderOf(id))).map((secret): Secret => ({ ...secret, whole: true }))
  return createMasker(secrets.filter((secret) => patternsOf(secret).some(isKnown)), undefined, 0)
}
