/** The build in out/, rebuilt if a source has changed. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot, run, say, SetupProblem, tail } from './ground.mjs'
import { commandOf } from './packages.mjs'

const sources = [
  'contract',
  'electron',
  'kit',
  'practice',
  'renderer',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json'
]

/** Names, sizes and times of all sources, which show changes and deleted files. */
function sourceStamp() {
  const hash = createHash('sha256')
  const visit = (path) => {
    const found = statSync(path)
    if (found.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name))
    else hash.update(`${path}\0${found.size}\0${found.mtimeMs}\n`)
  }
  for (const name of sources) if (existsSync(inRoot(name))) visit(inRoot(name))
  return hash.digest('hex')
}

/**
 * Builds window, preload and main process if they are older than their sources, and the stand-alone verifier. Takes at most
 * five minutes.
 */
export async function ensureBuild() {
  // It takes milliseconds, so a change of it does not build everything.
  const { writeVerifier } = await import('../verifier.ts')
  writeVerifier()
  const stampFile = inRoot('out', '.sources')
  const stamp = sourceStamp()
  if (
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === stamp &&
    existsSync(inRoot('out', 'renderer', 'index.html'))
  )
    return
  say('Building the console …')
  const answer = await run(process.execPath, [commandOf('electron-vite'), 'build'], { seconds: 300 })
  if (answer.code !== 0) {
    throw new SetupProblem(
      `the build failed${answer.timedOut ? ' (no end within 5 minutes)' : ''}:\n${tail(answer.output, 25)}`,
      'If you changed a source, fix it; otherwise type: npm ci && npm run build'
    )
  }
  writeFileSync(stampFile, stamp)
}
