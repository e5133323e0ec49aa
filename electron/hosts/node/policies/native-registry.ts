/** The registry, read in this process: the binary of `native-reg`, whose own loader would look for it in other folders as well. */
import { createRequire } from 'node:module'
import type { Value } from 'native-reg'
import type { StoredValue } from '#core/policies/registry.ts'

/** What is used of the binary: thin calls of Windows' own functions, which throw what these refuse. */
export interface NativeRegistry {
  /** Null if there is no such key. */
  openKey(hive: number, key: string, options: number, access: number): object | null
  enumValueNames(key: object): readonly string[]
  /** With the number of its type; null if it is gone. */
  queryValue(key: object, name: string): Value | null
  closeKey(key: object): void
}

/** `KEY_READ`, in the view of 64 bits. */
const readOnly = 0x20019 | 0x100

/** Undefined where there is none: on other systems, on an architecture without a binary, or if the system forbids to load it. */
export function loadNativeRegistry(): NativeRegistry | undefined {
  if (process.platform !== 'win32') return undefined
  try {
    return (
      process.arch === 'arm64'
        ? createRequire(import.meta.url)('native-reg/prebuilds/win32-arm64/node.napi.node')
        : createRequire(import.meta.url)('native-reg/prebuilds/win32-x64/node.napi.node')
    ) as NativeRegistry
  } catch {
    return undefined
  }
}

/** The values of a key; undefined if there is no such key. Throws if it cannot be read. */
export function valuesOf(registry: NativeRegistry, hive: number, key: string): readonly StoredValue[] | undefined {
  const opened = registry.openKey(hive, key, 0, readOnly)
  if (opened === null) return undefined
  try {
    return registry.enumValueNames(opened).flatMap((name) => {
      const value = registry.queryValue(opened, name)
      return value === null ? [] : [{ name, type: value.type, bytes: value }]
    })
  } finally {
    registry.closeKey(opened)
  }
}
