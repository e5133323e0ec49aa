/**
 * Builds and packages the product a second time, from a copy of the sources in another folder, and compares the archives
 * (app.asar) byte for byte. `npm run dist -- --twice` calls it after the first build.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { handOver, inRoot } from '../setup/ground.mjs'
import { commandOf } from '../setup/packages.mjs'
import { packagedBelow } from './fuses.ts'

/** What the build reads, as git lists it: uncommitted changes included, ignored files not. */
const sources = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: inRoot(),
    encoding: 'utf8'
  })
    .split('\0')
    .filter((path) => path && existsSync(inRoot(path)) && !/^(?:docs|tests)\//.test(path))

const digest = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')

/**
 * @param output The folder of the first package.
 * @param pack Packages the sources of a folder into an output folder; resolves with the exit code.
 * @returns The exit code: 0 if both archives are the same.
 */
export async function compareTwice(output, pack) {
  const copy = mkdtempSync(join(tmpdir(), 'veridesk-reproduce-'))
  try {
    for (const path of sources()) {
      mkdirSync(dirname(join(copy, path)), { recursive: true })
      cpSync(inRoot(path), join(copy, path))
    }
    symlinkSync(inRoot('node_modules'), join(copy, 'node_modules'))
    const built = await handOver(process.execPath, [commandOf('electron-vite'), 'build'], { cwd: copy })
    if (built !== 0) return built
    mkdirSync(join(copy, 'out'), { recursive: true })
    cpSync(inRoot('out', 'THIRD-PARTY-NOTICES.txt'), join(copy, 'out', 'THIRD-PARTY-NOTICES.txt'))
    const packed = await pack(copy, join(copy, 'dist'))
    if (packed !== 0) return packed
    const [first, second] = [output, join(copy, 'dist')].map((folder) =>
      packagedBelow(folder)
        .map(({ resources }) => digest(join(resources, 'app.asar')))
        .join(' ')
    )
    console.log(
      first === second
        ? `Both archives are the same: SHA-256 ${first}`
        : `The archives differ: SHA-256 ${first} and ${second}`
    )
    return first === second ? 0 : 1
  } finally {
    if (!process.env['VERIDESK_KEEP_COPY']) rmSync(copy, { recursive: true, force: true })
  }
}
