/**
 * Checks packaged applications: `packaged.ts FOLDER` with electron-builder's unpacked folders below it. Exits with 1 if
 * one is wrong.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { archivedFiles } from './archive.ts'
import { contentFaults } from './contents.ts'

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

async function fuseFaults(program: string): Promise<string[]> {
  const wire = await getCurrentFuseWire(program)
  return wanted
    .filter(([fuse, on]) => wire[fuse] !== (on ? FuseState.ENABLE : FuseState.DISABLE))
    .map(([fuse, on]) => `fuse ${FuseV1Options[fuse]} is not ${on ? 'on' : 'off'}`)
}

interface Packaged {
  readonly program: string
  readonly resources: string
  readonly system: string
}

/** The packaged applications below electron-builder's output folder. */
function packagedBelow(output: string): Packaged[] {
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

const output = process.argv[2] ?? 'dist'
const packaged = existsSync(output) ? packagedBelow(output) : []
if (packaged.length === 0) console.error(`There is no packaged program in ${output}. Type: npm run dist`)
let faults = packaged.length === 0 ? 1 : 0
for (const { program, resources, system } of packaged) {
  const archive = join(resources, 'app.asar')
  const files = existsSync(archive) ? archivedFiles(archive) : []
  const found = [...contentFaults(files, system), ...(await fuseFaults(program))]
  faults += found.length
  console.log(`${program} (${system}): ${files.length} files in the archive, ${wanted.length} fuses read, ${found.length} faults`)
  for (const fault of found) console.log(`  ${fault}`)
}
process.exit(faults === 0 ? 0 : 1)
