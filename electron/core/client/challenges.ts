/** Reads the schemes that a proxy accepts for signing in (RFC 9110, sections 11.6.1 and 11.7.1). */

export interface Challenge {
  readonly scheme: string
  readonly realm?: string
}

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+/i
/** Challenges that are read at most: a proxy can send any number. */
const most = 8

/** Splits at commas outside of quoted strings. */
const parts = (text: string): string[] =>
  (text.match(/(?:"(?:\\.|[^"\\])*"|[^,"])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '')

function realmIn(text: string): string | undefined {
  const found = /(?:^|[\s,])realm\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s,"]+))/i.exec(text)
  return found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2]
}

/**
 * The challenges of `Proxy-Authenticate` headers, in their order. A parameter of a challenge looks like `name=value`; anything
 * else begins a new one. Text that is neither is left out.
 */
export function challengesOf(headers: readonly string[]): readonly Challenge[] {
  const found: { scheme: string; realm?: string }[] = []
  for (const part of headers.flatMap(parts)) {
    const word = token.exec(part)?.[0]
    if (word === undefined) continue
    const rest = part.slice(word.length)
    const isParameter = /^\s*=/.test(rest) && found.length > 0
    if (!isParameter) found.push({ scheme: word })
    const realm = realmIn(isParameter ? part : rest)
    const last = found.at(-1)
    if (last && realm !== undefined) last.realm ??= realm
  }
  return found.slice(0, most)
}

/** The schemes, by name and once each. */
export const schemesOf = (challenges: readonly Challenge[]): readonly string[] => [
  ...new Set(challenges.map(({ scheme }) => scheme))
]

/** Whether a user name and a password are enough. */
export const acceptsBasic = (challenges: readonly Challenge[]): boolean =>
  challenges.some(({ scheme }) => scheme.toLowerCase() === 'basic')
