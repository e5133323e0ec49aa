/** The policies in the Windows registry: those of the machine before those of the user. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import { registryKey } from '#contract/settings/policies.ts'
import { namesKey, policiesInRegistry } from '#core/policies/registry.ts'
import type { PolicyFound, PolicyPlace, PolicyReader } from '#core/ports/policies.ts'
import { runTool } from './tool.ts'
import { poll } from './watch.ts'

const hives = ['HKEY_LOCAL_MACHINE', 'HKEY_CURRENT_USER'] as const

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

export function registryReader(): PolicyReader {
  const system = systemFolder()
  const env = { SystemRoot: win32.dirname(system) }
  const reg = (...args: string[]) => runTool(win32.join(system, 'reg.exe'), args, { env })
  const undetermined: PolicyFound = { kind: 'undetermined', fault: { reason: 'tool', tool: 'reg.exe' } }

  /** Whether each key down to the policies is listed by the one above it. */
  async function isThere(hive: string): Promise<boolean | undefined> {
    const names = registryKey.split('\\')
    for (let depth = 1; depth < names.length; depth += 1) {
      const listed = await reg('query', [hive, ...names.slice(0, depth)].join('\\'))
      if (listed.code !== 0) return undefined
      if (!namesKey(listed.out, [hive, ...names.slice(0, depth + 1)].join('\\'))) return false
    }
    return true
  }

  async function exported(key: string): Promise<PolicyFound> {
    const folder = await mkdtemp(join(tmpdir(), 'veridesk-policies-'))
    try {
      const file = join(folder, 'policies.reg')
      const done = await reg('export', key, file, '/y')
      return done.code === 0
        ? policiesInRegistry(await readFile(file), key)
        : { kind: 'unusable', fault: { reason: 'tool', tool: 'reg.exe' } }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async function placeIn(hive: string): Promise<PolicyPlace> {
    const place = `${hive}\\${registryKey}`
    try {
      const there = await isThere(hive)
      return { place, found: there === undefined ? undetermined : there ? await exported(place) : { kind: 'none' } }
    } catch {
      return { place, found: { kind: 'unusable', fault: { reason: 'not-registry' } } }
    }
  }
  return {
    read: () => Promise.all(hives.map(placeIn)),
    watch: poll,
    // A refresh of group policies removes all values and writes them again.
    confirmAfter: 5000
  }
}
