/**
 * The policies in the Windows registry: their values as `native-reg` returns them, and what `reg.exe` says about them. Pure.
 *
 * With `reg.exe` a key is exported and not queried: `reg query` prints in the code page of a console and separates columns by spaces,
 * while an exported file is UTF-16 with every value escaped. Whether there is a key is read from the list of its parent,
 * because the sentence that says “not found” is translated and has the exit code of “denied”.
 */
import { isPolicyName, policyOf, type PolicyKind } from '#contract/settings/policies.ts'
import type { PolicyFound } from '#core/ports/policies.ts'
import { maxPolicyBytes, unusable } from './json-file.ts'
import { ofKnownVersion } from './named-values.ts'

/**
 * Whether the list of a key names a subkey.
 *
 * @param listed What `reg query HIVE\KEY` printed: the full names of subkeys, each at the beginning of a line.
 * @param key Full name, such as `HKEY_LOCAL_MACHINE\SOFTWARE\Policies\Veridesk`; letter case does not matter in the registry.
 */
export const namesKey = (listed: string, key: string): boolean =>
  listed.split(/\r?\n/).some((line) => line.trimEnd().toLowerCase() === key.toLowerCase())

interface RegistryValue {
  readonly type: 'text' | 'number' | 'texts'
  readonly value: string | number | readonly string[]
}

const header = 'Windows Registry Editor Version 5.00'

/** `"name"=data`; a quotation mark and a backslash in a name or text are escaped by a backslash. */
const line = /^"((?:[^"\\]|\\.)*)"=(.*)$/
const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1')

function utf16(hex: string): string | undefined {
  const bytes = Buffer.from(hex.replaceAll(/[,\s]/g, ''), 'hex')
  return bytes.length % 2 === 0 ? bytes.toString('utf16le') : undefined
}

/** The data of a value as it stands in an exported file; undefined if its type has no use in policies. */
function dataOf(text: string): RegistryValue | undefined {
  const plain = /^"((?:[^"\\]|\\.)*)"$/.exec(text)
  if (plain) return { type: 'text', value: unescaped(plain[1] ?? '') }
  const number = /^dword:([0-9a-f]{8})$/i.exec(text)
  if (number) return { type: 'number', value: Number.parseInt(number[1] ?? '', 16) }
  // 1: a text with line breaks; 2: a text with variables, which are not replaced; 7: several texts.
  const bytes = /^hex\(([127])\):((?:[0-9a-f]{2}(?:,[0-9a-f]{2})*)?)$/i.exec(text)
  const decoded = bytes && utf16(bytes[2] ?? '')
  if (!bytes || decoded === undefined || decoded === null) return undefined
  if (bytes[1] !== '7') return { type: 'text', value: decoded.replace(/\0+$/, '') }
  return { type: 'texts', value: decoded.split('\0').filter((each) => each !== '') }
}

/** A value in the form of the JSON file; itself if it has another type, which the policy's schema then refuses. */
function valueFor(kind: PolicyKind | undefined, { value }: RegistryValue): unknown {
  if (kind === 'flag') return value === 1 ? true : value === 0 ? false : value
  // One entry may be entered as a text.
  if (kind === 'list' && typeof value === 'string') return value === '' ? [] : [value]
  if (kind !== 'json' || typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

/** A value as it is stored: its type as Windows numbers it, and its bytes. */
export interface StoredValue {
  readonly name: string
  readonly type: number
  readonly bytes: Uint8Array
}

function storedData({ type, bytes }: StoredValue): RegistryValue | undefined {
  const data = Buffer.from(bytes)
  // REG_DWORD
  if (type === 4) return data.length === 4 ? { type: 'number', value: data.readUInt32LE() } : undefined
  // REG_SZ, REG_EXPAND_SZ, REG_MULTI_SZ
  if (![1, 2, 7].includes(type) || data.length % 2 !== 0) return undefined
  const text = data.toString('utf16le')
  if (type !== 7) return { type: 'text', value: text.replace(/\0+$/, '') }
  return { type: 'texts', value: text.split('\0').filter((each) => each !== '') }
}

/** Values by name, or the first that no policy can have. */
function ofEntries(entries: Iterable<readonly [name: string, data: RegistryValue | undefined]>): PolicyFound {
  const values: Record<string, unknown> = {}
  for (const [name, data] of entries) {
    if (!data || Object.hasOwn(values, name) || name === '__proto__')
      return unusable({ reason: 'policy', policy: name })
    values[name] = valueFor(isPolicyName(name) ? policyOf(name).kind : undefined, data)
  }
  return ofKnownVersion(values)
}

/** The values of a key, as they are stored. The default value has no name, and is not a policy. */
export function policiesInValues(stored: readonly StoredValue[]): PolicyFound {
  if (stored.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) > 2 * maxPolicyBytes)
    return unusable({ reason: 'too-large' })
  return ofEntries(stored.filter(({ name }) => name !== '').map((each) => [each.name, storedData(each)] as const))
}

/**
 * The values of a key in an exported file.
 *
 * @param bytes What `reg export KEY FILE /y` wrote: UTF-16 little endian with a byte order mark.
 * @param key Full name. Values of its subkeys are not policies.
 */
export function policiesInRegistry(bytes: Uint8Array, key: string): PolicyFound {
  if (bytes.byteLength > 2 * maxPolicyBytes) return unusable({ reason: 'too-large' })
  let text: string
  try {
    text = new TextDecoder('utf-16le', { fatal: true }).decode(bytes)
  } catch {
    return unusable({ reason: 'not-registry' })
  }
  // A long value continues on the next line after a backslash.
  const lines = text.replaceAll(/\\\r?\n\s*/g, '').split(/\r?\n/)
  if (lines.shift() !== header) return unusable({ reason: 'not-registry' })
  const entries: (readonly [string, RegistryValue | undefined])[] = []
  let inKey = false
  let seen = false
  for (const each of lines) {
    if (each === '') continue
    if (each.startsWith('[') && each.endsWith(']')) {
      inKey = each.slice(1, -1).toLowerCase() === key.toLowerCase()
      seen ||= inKey
      continue
    }
    if (!inKey) {
      if (!seen) return unusable({ reason: 'not-registry' })
      continue
    }
    // The default value of a key has no name, and is not a policy.
    if (each.startsWith('@=')) continue
    const [, escaped, data] = line.exec(each) ?? []
    if (escaped === undefined || data === undefined) return unusable({ reason: 'not-registry' })
    entries.push([unescaped(escaped), dataOf(data)])
  }
  return seen ? ofEntries(entries) : unusable({ reason: 'not-registry' })
}
