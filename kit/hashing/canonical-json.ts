/** Canonical JSON (RFC 8785): one representation per value, so that it can be hashed and signed. */

/**
 * Keys sorted by UTF-16 code units, no spaces, texts and numbers as JSON.stringify writes them, which is what RFC 8785
 * requires. An unpaired surrogate, which it excludes, is written as its escape. Entries that are undefined are left
 * out. Throws on anything else, which is a bug of the caller.
 */
export function canonical(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('canonical JSON has no such number')
    // Writes -0 as 0 (RFC 8785, 3.2.2.3).
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
  }
  throw new TypeError(`no canonical JSON for ${typeof value}`)
}
