/** The credentials of the connections, to be found in what a person enters and in what a service returns. */
import { credentials, type CredentialId } from '#contract/connections/credentials.ts'
import { invalidField, type FieldFault, type FieldFaults } from '#contract/failures/failures.ts'
import { looksLikeCredential, looksLikeRequest } from '#contract/text/unsafe-text.ts'
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
  return [
    { value, placeholder, prefix },
    { value: pair, placeholder },
    { value: password, placeholder }
  ]
}

export interface OwnSecretsParts {
  /** The IDs of all connections. */
  connections(): readonly string[]
  /** The values that can be read now. */
  held(connectionId: string): Promise<readonly (readonly [CredentialId, string])[]>
}

/**
 * What finds the credentials of all connections in entered texts, whatever their case, spaces and escapes. Whole
 * values, and parts of 24 characters and more: IDs of
 * applicants may begin like a key, since both name the organisation. Values that occur in any text by chance are not searched for.
 */
export async function ownSecrets({ connections, held }: OwnSecretsParts): Promise<Masker> {
  const values = (await Promise.all(connections().map(held))).flat()
  const placeholderOf = (id: CredentialId): string => credentials.find((each) => each.id === id)?.placeholder ?? ''
  const secrets = values
    .flatMap(([id, value]) => secretsOf(value, placeholderOf(id)))
    .map((secret): Secret => ({ ...secret, whole: true }))
  return createMasker(
    secrets.filter((secret) => patternsOf(secret).some(isKnown)),
    undefined,
    0
  )
}

/** Shorter texts have no credential, and IDs of Veridesk are none. */
const isSearched = (text: string): boolean =>
  text.length >= 8 && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** The texts of a request, each with the last name of its place. */
function* textsOf(value: unknown, name = ''): Generator<readonly [name: string, text: string]> {
  if (typeof value === 'string') yield [name, value]
  else if (Array.isArray(value)) for (const each of value) yield* textsOf(each, name)
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) yield* textsOf(each, key)
}

function faultOf(name: string, text: string, own: Masker): FieldFault | undefined {
  if (looksLikeCredential(text)) return invalidField('looks-like-credential')
  if (name === 'applicantId' && looksLikeRequest(text)) return invalidField('looks-like-request')
  return own.holds(text) ? invalidField('holds-credential') : undefined
}

/** The faults of texts that contain a credential, by the last name of their place; undefined if there are none. @param own See `ownSecrets`. */
export async function textFaults(input: unknown, own: () => Promise<Masker>): Promise<FieldFaults | undefined> {
  const texts = [...textsOf(input)].filter(([, text]) => isSearched(text))
  if (texts.length === 0) return undefined
  const masker = await own()
  const fields: Record<string, FieldFault> = {}
  for (const [name, text] of texts) {
    const fault = faultOf(name, text, masker)
    if (fault) fields[name] ??= fault
  }
  return Object.keys(fields).length === 0 ? undefined : fields
}
