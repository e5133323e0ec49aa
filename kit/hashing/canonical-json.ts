/** Canonical JSON (RFC 8785): one representation per value, so that it can be hashed and signed. */

/**
 * Keys sorted by UTF-16 code units, no spaces, texts and numbers as JSON.stringify writes them, which is what RFC 8785
 * requires. An unpaired surrogate, which it excludes, becomes U+FFFD, as in UTF-8: so a text that was read with one is
 * not in its canonical form. Entries that are undefined are left out. Throws on anything else, which is a bug of the
 * caller.
 */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed())
  if (value === null || typeof value === 'boolean') return JSON.stringify(value)
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
    return `{${entries.map(([key, each]) => `${canonical(key)}:${canonical(each)}`).join(',')}}`
  }
  throw new TypeError(`no canonical JSON for ${typeof value}`)
}

/**
 * The JSON of values that are recorded: U+FFFD for each unpaired surrogate. JSON.stringify writes no other surrogate as
 * an escape, and a backslash of a text as two.
 */
export function recordedJson(values: object): string {
  const text = JSON.stringify(values)
  return text.includes('\\ud')
    ? text.replace(/\\(?:(ud[89a-f][0-9a-f]{2})|.)/g, (escape, surrogate?: string) => (surrogate ? '\ufffd' : escape))
    : text
}
