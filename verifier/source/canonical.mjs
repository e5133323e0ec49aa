/** Refusals, canonical JSON, and how deep a text is nested. */
import { harmless } from './bytes.mjs'

export class Refusal extends Error {}
export const must = (holds, why) => {
  if (!holds) throw new Refusal(harmless(why))
}

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Canonical JSON (RFC 8785) of a value that was parsed from JSON. It has no unpaired surrogates: U+FFFD stands for one,
 * so the text that contained its escape is not canonical.
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(typeof value === 'string' ? value.toWellFormed() : value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key])}`).join(',')}}`
}

/** Maximum nesting of objects and lists: beyond some depth, programs differ in what they can read. */
export const deepest = 64
export function isTooDeep(text) {
  let [level, inString] = [0, false]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (inString) {
      if (sign === '\\') at += 1
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{' || sign === '[') level += 1
    else if (sign === '}' || sign === ']') level -= 1
    if (level > deepest) return true
  }
  return false
}

/** Parses JSON; refused if it is none. */
export function parsedJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('It is not JSON.')
  }
}
