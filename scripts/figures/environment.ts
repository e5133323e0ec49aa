/** The machine and the commit of a measurement. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figures } from './format.ts'

type Machine = Figures['machine']

/** The machine without its name, and its load, since other work slows the measurement. */
export function machineNow(): Omit<Machine, 'loadAtEnd'> {
  const all = cpus()
  return {
    processor: all[0]?.model.trim() ?? 'unknown processor',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    loadAtStart: loadNow()
  }
}

/** Processes running or waiting for a processor, averaged over the last minute; 0 if the system does not report it. */
export const loadNow = (): number => Number((loadavg()[0] ?? 0).toFixed(2))

/** Files that a run writes do not count as changed code. */
const written = [':(exclude)docs/figures', ':(exclude)docs/benchmarks.md', ':(exclude)docs/proof.md']

/** The version, the commit that is checked out, and whether all files match it. */
export function codeNow(root: string): Pick<Figures, 'version' | 'commit' | 'committedOn' | 'clean'> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const [commit = '', committedOn = ''] = git('show', '-s', '--format=%H %cs').split(' ')
    return { version, commit, committedOn, clean: git('status', '--porcelain', '--', '.', ...written) === '' }
  } catch {
    // An archive of the sources, or a machine without git.
    return { version, commit: null, committedOn: null, clean: false }
  }
}
