/**
 * Checks packaged applications: `packaged.ts FOLDER` with electron-builder's unpacked folders below it. Exits with 1 if
 * one is wrong.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { notices } from '../notices.ts'
import { builtInputs, sbom } from '../sbom.ts'
import { archivedFiles, type ArchivedFile } from './archive.ts'
import { componentFaults } from './components.ts'
import { contentFaults } from './contents.ts'
import { fuseStates, packagedBelow, type Packaged } from './fuses.ts'
import { launcherFaults } from './launcher.ts'
import type { SupplyPolicy } from './supply-chain.ts'

const root = join(import.meta.dirname, '..', '..')

/** What the list of components of this package gets wrong; only its own system can be asked for its versions. */
async function listFaults({ resources, system }: Packaged, files: readonly ArchivedFile[]): Promise<string[]> {
  if (system !== `${process.platform}-${process.arch}`) return []
  const { licences } = JSON.parse(
    readFileSync(join(root, 'scripts', 'checks', 'supply-chain.json'), 'utf8')
  ) as SupplyPolicy
  const list = sbom(await builtInputs(resources, system))
  const withDigests = files.map((file) =>
    file.unpacked ? { ...file, sha256: digestOf(join(resources, 'app.asar.unpacked', file.path)) } : file
  )
  return componentFaults({
    list,
    files: withDigests,
    noticed: notices().map(({ name, version }) => `${name}@${version}`),
    allowedLicences: licences
  })
}

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

const output = process.argv[2] ?? 'dist'
const packaged = existsSync(output) ? packagedBelow(output) : []
if (packaged.length === 0) console.error(`There is no packaged program in ${output}. Type: npm run dist`)
let faults = packaged.length === 0 ? 1 : 0
for (const each of packaged) {
  const { program, resources, system } = each
  const archive = join(resources, 'app.asar')
  const files = existsSync(archive) ? archivedFiles(archive) : []
  const fuses = await fuseStates(program)
  const wrong = fuses
    .filter(({ on, state }) => state !== on)
    .map(({ fuse, on }) => `fuse ${fuse} is not ${on ? 'on' : 'off'}`)
  const found = [...contentFaults(files, system), ...wrong, ...launcherFaults(each), ...(await listFaults(each, files))]
  faults += found.length
  console.log(
    `${program} (${system}): ${files.length} files in the archive, ${fuses.length} fuses read, ${found.length} faults`
  )
  for (const fault of found) console.log(`  ${fault}`)
}
process.exit(faults === 0 ? 0 : 1)
