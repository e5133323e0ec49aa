/** Canonical JSON (the part of RFC 8785 that packs need): one representation per value, so that it can be signed. */

/**
 * Keys sorted by UTF-16 code units, no spaces, strings as JSON.stringify writes them, integers within 2^53. Throws on
 * anything else, which is a bug of the caller.
 */
export function canonical(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new TypeError('a canonical number is a whole one')
    return String(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
  }
  throw new TypeError(`no canonical JSON for ${typeof value}`)
}
