/**
 * Checks packaged applications: `packaged.ts FOLDER` with electron-builder's unpacked folders below it. Exits with 1 if
 * one is wrong.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { archivedFiles } from './archive.ts'
import { contentFaults } from './contents.ts'
import { fuseStates, packagedBelow } from './fuses.ts'
import { launcherFaults } from './launcher.ts'

const output = process.argv[2] ?? 'dist'
const packaged = existsSync(output) ? packagedBelow(output) : []
if (packaged.length === 0) console.error(`There is no packaged program in ${output}. Type: npm run dist`)
let faults = packaged.length === 0 ? 1 : 0
for (const each of packaged) {
  const { program, resources, system } = each
  const archive = join(resources, 'app.asar')
  const files = existsSync(archive) ? archivedFiles(archive) : []
  const fuses = await fuseStates(program)
  const wrong = fuses.filter(({ on, state }) => state !== on).map(({ fuse, on }) => `fuse ${fuse} is not ${on ? 'on' : 'off'}`)
  const found = [...contentFaults(files, system), ...wrong, ...launcherFaults(each)]
  faults += found.length
  console.log(`${program} (${system}): ${files.length} files in the archive, ${fuses.length} fuses read, ${found.length} faults`)
  for (const fault of found) console.log(`  ${fault}`)
}
process.exit(faults === 0 ? 0 : 1)
