/** Packaged applications, and the state of their fuses. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'

/** The required state of each fuse, from the security requirements. */
const wanted: readonly [FuseV1Options, boolean][] = [
  [FuseV1Options.RunAsNode, false],
  [FuseV1Options.EnableCookieEncryption, true],
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable, false],
  [FuseV1Options.EnableNodeCliInspectArguments, false],
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation, true],
  [FuseV1Options.OnlyLoadAppFromAsar, true],
  [FuseV1Options.GrantFileProtocolExtraPrivileges, false]
]

export interface FuseReading {
  readonly fuse: string
  /** The required state. */
  readonly on: boolean
  /** The state read from the program; undefined if it has no such fuse. */
  readonly state: boolean | undefined
}

/** Reads each required fuse of a program. */
export async function fuseStates(program: string): Promise<FuseReading[]> {
  const wire = await getCurrentFuseWire(program)
  return wanted.map(([fuse, on]) => ({
    fuse: FuseV1Options[fuse],
    on,
    state: wire[fuse] === FuseState.ENABLE ? true : wire[fuse] === FuseState.DISABLE ? false : undefined
  }))
}

export interface Packaged {
  readonly program: string
  readonly resources: string
  readonly system: string
}

/** The packaged applications below electron-builder's output folder. */
export function packagedBelow(output: string): Packaged[] {
  return readdirSync(output).flatMap((name): Packaged[] => {
    const kind = /^(linux|win|mac)(?:-(arm64))?(?:-unpacked)?$/.exec(name)
    if (!kind) return []
    const arch = kind[2] ?? 'x64'
    const folder = join(output, name)
    if (kind[1] === 'mac') {
      const contents = join(folder, 'Veridesk.app', 'Contents')
      return [{ program: join(contents, '..'), resources: join(contents, 'Resources'), system: `darwin-${arch}` }]
    }
    const windows = kind[1] === 'win'
    return [
      {
        program: join(folder, windows ? 'Veridesk.exe' : 'veridesk'),
        resources: join(folder, 'resources'),
        system: `${windows ? 'win32' : 'linux'}-${arch}`
      }
    ]
  })
}
