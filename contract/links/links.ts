/**
 * Signed links: when a URL expires, and the same URL without its secrets.
 *
 * Anybody who has a signed link can fetch the image, so the signature is a secret that no history, export or log may
 * contain. The rest of the link is kept: it names the object that was verified.
 */
import { formOf, type ReadLink } from './providers.ts'
import { secretBy } from './secrets.ts'
import type { LinkTimes } from './times.ts'

/** What a link states about itself; its times if its form is known. */
export interface LinkFacts extends Partial<LinkTimes> {
  readonly provider?: string
  /** True once `expiresAt` has passed. */
  readonly expired: boolean
  /** The link contains a signature or a token. */
  readonly signed: boolean
}

/** Replaces a secret. */
export const removedMark = 'REMOVED'
/** The mark as it is written: with a tag where the value was removed for its look alone. */
const markPattern = /^REMOVED(?:-[\da-z]{11})?$/

/**
 * Tells removed values apart that may have been the name of an object, so that the guard against paying twice does not take one document for
 * another. 53 bits of a value that has at least 110 do not give it away.
 */
function tagOf(value: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36).padStart(11, '0')
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** One part of a query, a fragment or a path, verbatim and with its decoded name. */
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

function partOf(raw: string): Part {
  const at = raw.indexOf('=')
  return at < 0 ? { raw, name: raw, value: '' } : { raw, name: raw.slice(0, at), value: raw.slice(at + 1) }
}
const partsOf = (query: string): readonly Part[] => query.split('&').map(partOf)
const nameOf = (part: Part): string => decoded(part.name).trim().toLowerCase()

/** A text as a link: what is before the query, the query and the fragment, each with its mark. */
interface Pieces {
  /** Scheme, user and host; empty if the text is no link. */
  readonly front: string
  readonly path: string
  readonly query: string
  readonly fragment: string
}

function piecesOf(text: string): Pieces {
  const hashAt = text.indexOf('#')
  const beforeHash = hashAt < 0 ? text : text.slice(0, hashAt)
  const queryAt = beforeHash.indexOf('?')
  const base = queryAt < 0 ? beforeHash : beforeHash.slice(0, queryAt)
  const front = /^[a-z][a-z0-9+.-]*:[/\\]{2,}[^/\\]*/i.exec(base)?.[0] ?? ''
  return {
    front,
    path: base.slice(front.length),
    query: queryAt < 0 ? '' : beforeHash.slice(queryAt),
    fragment: hashAt < 0 ? '' : text.slice(hashAt)
  }
}

/** Where parameters are within a path: `/bcdn_token=…&expires=…/`, `;jsessionid=…`. */
const inPath = /([^/;&?#=]+=[^/;&]*)/

function readLink({ front, path, query }: Pieces): ReadLink {
  const parameters = new Map<string, string>()
  const pathParts = path.includes('=')
    ? path
        .split(/[/;&]/)
        .filter((text) => text.includes('='))
        .map(partOf)
    : []
  for (const part of [...partsOf(query.slice(1)), ...pathParts]) {
    const name = nameOf(part)
    // The first one counts, as on most servers.
    if (!parameters.has(name)) parameters.set(name, decoded(part.value))
  }
  return {
    host: front
      .replace(/^.*[/\\@]/, '')
      .replace(/:\d*$/, '')
      .toLowerCase(),
    path,
    parameters
  }
}

/**
 * What a link states about itself. `now` in Unix milliseconds. A text that is not a URL has no facts. Pure; it
 * contacts nobody, so a link may be dead although it has not expired.
 */
export function linkFacts(url: string, now: number): LinkFacts {
  if (!urlOf(url)) return { signed: false, expired: false }
  const link = readLink(piecesOf(url))
  const form = formOf(link)
  if (!form) return { signed: scrubLink(url).scrubbed, expired: false }
  const times = form.times?.((name) => link.parameters.get(name), link.path) ?? { damaged: false }
  return {
    provider: form.provider,
    ...times,
    expired: times.expiresAt !== undefined && times.expiresAt <= now,
    signed: true
  }
}

/**
 * The object that a link names, to compare whether two links refer to the same image: a signed link without the
 * parameters of its signature, any other text unchanged. Only for known forms: elsewhere a parameter called `se`
 * or `expires` may name the object.
 */
export function linkIdentity(url: string): string {
  // Most texts are not links, most links have no signature, and a parser that throws takes ten times as long to find out.
  if (!url.includes(':') || !/[?=,]|\/p\//.test(url)) return url
  const parsed = urlOf(url)
  const form = parsed && formOf(readLink(piecesOf(url)))
  if (!parsed || !form) return url
  const kept = partsOf(parsed.search.slice(1)).filter((part) => !form.terms.test(nameOf(part)))
  const path = scrubPath(parsed.pathname, [])
    .split('/')
    .filter((text) => !text.includes('=') || !form.terms.test(nameOf(partOf(text))))
    .join('/')
  return `${parsed.origin}${path}${kept.length > 0 ? `?${kept.map((part) => part.raw).join('&')}` : ''}`
}

/** Depth to which links within links are followed; deeper ones are removed completely. */
const maxDepth = 3

/** `also`: names that are secret in this link. */
function scrubPart(part: Part, depth: number, found: string[], also: readonly string[]): string {
  const bare = part.value === '' && !part.raw.includes('=')
  const raw = bare ? part.raw : part.value
  if (markPattern.test(raw)) return part.raw
  const value = decoded(raw)
  const by =
    !bare && raw !== '' && also.includes(nameOf(part)) ? 'name' : secretBy(bare ? '' : decoded(part.name).trim(), value)
  if (by !== undefined) {
    found.push(raw, value)
    const mark = by === 'name' ? removedMark : `${removedMark}-${tagOf(value)}`
    return bare ? mark : `${part.name}=${mark}`
  }
  if (bare || !/^https?:/i.test(value)) return part.raw
  if (depth >= maxDepth) return `${part.name}=${removedMark}`
  const inner = scrub(value, depth + 1, found)
  return inner === value ? part.raw : `${part.name}=${encodeURIComponent(inner.toWellFormed())}`
}

/** Secrets that are a part of a path by themselves; the first group stays. */
const inSegments: readonly RegExp[] = [
  // A pre-authenticated request of Oracle.
  /^(\/p\/)([^/]+)(?=\/n\/[^/]+\/b\/[^/]+\/o\/)/,
  // CDN77: a digest and its end.
  /^(\/)([^/]{16,})(?=,\d{10}\/)/,
  // A JSON Web Token, as Cloudflare Stream has it.
  /(\/)(eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)(?=\/|$)/,
  // Cloudinary.
  /(\/s--)([\w-]{8,})(?=--\/)/,
  // A bot of Telegram.
  /(\/bot\d+:)([\w-]{30,})(?=\/)/,
  // Akamai.
  /(~hmac=)([\da-f]{16,})/i
]

function scrubPath(path: string, found: string[]): string {
  let clean = path
  for (const pattern of inSegments)
    clean = clean.replace(pattern, (_, before: string, secret: string) => {
      if (secret !== removedMark) found.push(secret)
      return `${before}${removedMark}`
    })
  if (!clean.includes('=')) return clean
  return clean
    .split(inPath)
    .map((text, index) => {
      const part = partOf(text)
      if (
        index % 2 === 0 ||
        markPattern.test(part.value) ||
        secretBy(decoded(part.name), decoded(part.value)) !== 'name'
      )
        return text
      found.push(part.value, decoded(part.value))
      return `${part.name}=${removedMark}`
    })
    .join('')
}

/** The scrubbed link; removed values are added to `found`, as written and decoded. */
function scrub(url: string, depth: number, found: string[]): string {
  const pieces = piecesOf(url)
  const { front, path, query, fragment } = pieces
  const also = query.includes('=') ? (formOf(readLink(pieces))?.secret ?? []) : []
  const scrubParts = (text: string): string =>
    text === ''
      ? ''
      : text.slice(0, 1) +
        partsOf(text.slice(1))
          .map((part) => scrubPart(part, depth, found, also))
          .join('&')
  const user = front.replace(/^([a-z][a-z0-9+.-]*:[/\\]{2,}).*@/i, `$1${removedMark}@`)
  return user + (front === '' ? path : scrubPath(path, found)) + scrubParts(query) + scrubParts(fragment)
}

/**
 * The link with the value of every signature, credential and token replaced by `REMOVED`, in the path, the query and the
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
