/** The policies in the Windows registry: those of the machine before those of the user. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import { registryKey } from '#contract/settings/policies.ts'
import { namesKey, policiesInRegistry, policiesInValues } from '#core/policies/registry.ts'
import type { PolicyFound, PolicyPlace, PolicyReader } from '#core/ports/policies.ts'
import { loadNativeRegistry, valuesOf, type NativeRegistry } from './native-registry.ts'
import { runTool, type ToolRun } from './tool.ts'
import { poll } from './watch.ts'

/** By name, with the number that Windows has for it. */
const hives = [
  ['HKEY_LOCAL_MACHINE', 0x80000002],
  ['HKEY_CURRENT_USER', 0x80000001]
] as const

/**
 * The folder of the system's programs: where the loader found its own library. The environment names it too, but whoever
 * starts the application can change that.
 */
function systemFolder(): string {
  // Without it, the report would look up the names of open connections, which takes seconds.
  Object.assign(process.report ?? {}, { excludeNetwork: true })
  const loaded =
    (process.report?.getReport() as { readonly sharedObjects?: readonly string[] } | undefined)?.sharedObjects ?? []
  const library = loaded.find((path) => win32.basename(path).toLowerCase() === 'ntdll.dll')
  return library === undefined ? 'C:\\Windows\\System32' : win32.dirname(library)
}

/** Runs the system's `reg.exe`. */
export type RunReg = (...args: string[]) => Promise<ToolRun>

function systemReg(): RunReg {
  const system = systemFolder()
  const env = { SystemRoot: win32.dirname(system) }
  return (...args) => runTool(win32.join(system, 'reg.exe'), args, { env })
}

/** Whether each key down to the policies is listed by the one above it; undefined if it is not known. */
async function isThere(reg: RunReg, hive: string): Promise<boolean | undefined> {
  const names = registryKey.split('\\')
  for (let depth = 1; depth < names.length; depth += 1) {
    const listed = await reg('query', [hive, ...names.slice(0, depth)].join('\\'))
    if (listed.code !== 0) return undefined
    if (!namesKey(listed.out, [hive, ...names.slice(0, depth + 1)].join('\\'))) return false
  }
  return true
}

const unreadable: PolicyFound = { kind: 'unusable', fault: { reason: 'unreadable' } }

/** What `reg.exe` finds. Never rejects. */
async function readByTool(reg: RunReg, hive: string): Promise<PolicyFound> {
  const place = `${hive}\\${registryKey}`
  let folder: string | undefined
  try {
    const there = await isThere(reg, hive)
    if (!there) return there === undefined ? unreadable : { kind: 'none' }
    folder = await mkdtemp(join(tmpdir(), 'veridesk-policies-'))
    const file = join(folder, 'policies.reg')
    const done = await reg('export', place, file, '/y')
    return done.code === 0 ? policiesInRegistry(await readFile(file), place) : unreadable
  } catch {
    return unreadable
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** The module, where there is one, and the tool; the system's if absent. */
export interface RegistryParts {
  readonly native?: NativeRegistry | undefined
  readonly reg?: RunReg
}

/**
 * Reads in this process, where `reg.exe` is often forbidden; by that tool where the module cannot read. What neither can read is
 * unusable: policies that may be there are not taken for none.
 */
export function registryReader({ native, reg }: RegistryParts = { native: loadNativeRegistry() }): PolicyReader {
  let tool = reg
  async function placeIn([hive, number]: (typeof hives)[number]): Promise<PolicyPlace> {
    const place = `${hive}\\${registryKey}`
    if (native) {
      try {
        const values = valuesOf(native, number, registryKey)
        return { place, by: 'native-reg', found: values ? policiesInValues(values) : { kind: 'none' } }
      } catch {
        // Denied, or a key that changes while it is read: the tool says what is there.
      }
    }
    return { place, by: 'reg.exe', found: await readByTool((tool ??= systemReg()), hive) }
  }
  return {
    read: () => Promise.all(hives.map(placeIn)),
    watch: poll,
    // A refresh of group policies removes all values and writes them again.
    confirmAfter: 5000
  }
}
