/**
 * Signed links: when a URL expires, and the same URL without its secrets.
 *
 * Anybody who has a signed link can fetch the image, so the signature is a secret that no history, export or log may
 * contain. The rest of the link is kept: it names the object that was verified.
 */
import { linkTerms, type LinkTerms } from './link-terms.ts'

/** What a link states about itself; the terms of its signature if it is of a known provider. */
export interface LinkFacts extends Partial<LinkTerms> {
  /** True once `expiresAt` has passed. */
  readonly expired: boolean
  /** The link contains a signature or a token. */
  readonly signed: boolean
}

/** Replaces a secret. */
export const removedMark = 'REMOVED'

/**
 * Query parameters that are, or contain, a secret. Sources: AWS SigV4 and V2 query authentication, Google Cloud
 * Storage V4 and V2 signed URLs, Azure shared access signatures, CloudFront signed URLs (Policy contains the signed
 * terms), OAuth 2.0 bearer tokens in a query (RFC 6750).
 */
const secretParameters = new Set([
  'x-amz-signature', 'x-amz-credential', 'x-amz-security-token', 'awsaccesskeyid',
  'x-goog-signature', 'x-goog-credential', 'googleaccessid',
  'sig',
  'key-pair-id', 'policy',
  'signature', 'token', 'access_token', 'accesstoken', 'id_token', 'refresh_token', 'auth_token', 'authtoken',
  'auth', 'authorization', 'api_key', 'apikey', 'api-key', 'x-api-key', 'secret', 'client_secret',
  'password', 'passwd', 'pwd', 'jwt', 'bearer', 'sas', 'sign', 'hmac', 'session_token', '__token__', 'hdnts', 'hdnea'
])

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** One part of a query or fragment, verbatim and with its decoded name. */
interface Part {
  readonly raw: string
  readonly name: string
  readonly value: string
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function partsOf(query: string): Part[] {
  return query.split('&').map((raw) => {
    const at = raw.indexOf('=')
    return at < 0 ? { raw, name: raw, value: '' } : { raw, name: raw.slice(0, at), value: raw.slice(at + 1) }
  })
}

function isSecret(part: Part): boolean {
  if (part.value === '') return false
  const name = decoded(part.name).trim().toLowerCase()
  if (secretParameters.has(name)) return true
  const value = decoded(part.value)
  // `key` is an API key on some services and an object's name on others; an object's name contains a dot or a slash.
  if (name === 'key' && /^[\w-]{16,}$/.test(value)) return true
  // A JSON Web Token (RFC 7519) is recognisable under any name.
  return /^eyJ[\w-]{8,}\.[\w-]+\.[\w-]*$/.test(value)
}

/**
 * What a link states about itself. `now` in Unix milliseconds. A text that is not a URL has no facts. Pure; it
 * contacts nobody, so a link may be dead although it has not expired.
 */
export function linkFacts(url: string, now: number): LinkFacts {
  const parsed = urlOf(url)
  if (!parsed) return { signed: false, expired: false }
  const parameters = new Map<string, string>()
  for (const part of partsOf(parsed.search.slice(1))) {
    const name = decoded(part.name).toLowerCase()
    // The first one counts, as on most servers.
    if (!parameters.has(name)) parameters.set(name, decoded(part.value))
  }
  const terms = linkTerms((name) => parameters.get(name))
  if (!terms) return { signed: scrubLink(url).scrubbed, expired: false }
  return { ...terms, expired: terms.expiresAt !== undefined && terms.expiresAt <= now, signed: true }
}

/** Parameters of the signing schemes that change with each signature and do not name the object. */
const signingTerms = /^(x-amz-.*|x-goog-.*|awsaccesskeyid|googleaccessid|expires|signature|policy|key-pair-id|hash-algorithm|s[eiprtv]|sig|sk[a-z]*|spr)$/

/**
 * The object that a link names, to compare whether two links refer to the same image: a signed link without the
 * parameters of its signature, any other text unchanged. Only for known providers: elsewhere a parameter called `se`
 * or `expires` may name the object.
 */
export function linkIdentity(url: string): string {
  // Most texts are not links, and a parser that throws takes ten times as long to find out.
  if (!url.includes(':')) return url
  const parsed = urlOf(url)
  if (!parsed || !linkFacts(url, 0).provider) return url
  const kept = partsOf(parsed.search.slice(1)).filter((part) => !signingTerms.test(decoded(part.name).toLowerCase()))
  return `${parsed.origin}${parsed.pathname}${kept.length > 0 ? `?${kept.map((part) => part.raw).join('&')}` : ''}`
}

/** Depth to which links within links are followed; deeper ones are removed completely. */
const maxDepth = 3

function scrubPart(part: Part, depth: number, found: string[]): string {
  if (isSecret(part)) {
    found.push(part.value, decoded(part.value))
    return `${part.name}=${removedMark}`
  }
  const value = decoded(part.value)
  if (!/^https?:/i.test(value)) return part.raw
  if (depth >= maxDepth) return `${part.name}=${removedMark}`
  const inner = scrub(value, depth + 1, found)
  return inner === value ? part.raw : `${part.name}=${encodeURIComponent(inner.toWellFormed())}`
}

const scrubParts = (text: string, depth: number, found: string[]): string =>
  partsOf(text)
    .map((part) => scrubPart(part, depth, found))
    .join('&')

/** The scrubbed link; removed values are added to `found`, as written and decoded. */
function scrub(url: string, depth: number, found: string[]): string {
  const hashAt = url.indexOf('#')
  const beforeHash = hashAt < 0 ? url : url.slice(0, hashAt)
  const queryAt = beforeHash.indexOf('?')
  const base = queryAt < 0 ? beforeHash : beforeHash.slice(0, queryAt)
  const query = queryAt < 0 ? '' : `?${scrubParts(beforeHash.slice(queryAt + 1), depth, found)}`
  const fragment = hashAt < 0 ? '' : `#${scrubParts(url.slice(hashAt + 1), depth, found)}`
  return base.replace(/^([a-z][a-z0-9+.-]*:[/\\]{2,})[^/\\]*@/i, `$1${removedMark}@`) + query + fragment
}

/**
 * The link with the value of every signature, credential and token replaced by `REMOVED`, in the query and the
 * fragment, and without user name and password. Everything else stays verbatim. `scrubbed` means that the stored link
 * no longer grants access. A text that is not a URL is searched too.
 */
export function scrubLink(url: string): { readonly url: string; readonly scrubbed: boolean } {
  const clean = scrub(url, 0, [])
  return { url: clean, scrubbed: clean !== url }
}

/** Shorter values occur in any text and protect nothing. */
const shortestLinkSecret = 8

/**
 * The secret values of a link, as written and decoded, to find them where a service echoes the link. Values shorter
 * than eight characters are omitted.
 */
export function linkSecrets(url: string): readonly string[] {
  const found: string[] = []
  scrub(url, 0, found)
  return [...new Set(found)].filter((value) => value.length >= shortestLinkSecret)
}
