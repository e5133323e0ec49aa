/** Opens sample data from a window: the host starts its own program again, with `--sample`. */
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { codeOf } from '#wire/files/write.ts'
import { askToRaise } from './data-lock.ts'

/** How this host was started, as the host itself knows it: nothing of it comes from a window. */
export interface OwnProgram {
  readonly program: string
  readonly args: readonly string[]
}

/** Opens sample data on behalf of a host whose own process must not start programs. */
export interface SampleStarter {
  open(own: OwnProgram): Promise<Result<null, Failure>>
}

/** What the second Veridesk prints once its window is open. */
export const sampleIsOpen = (folder: string): string => `Sample data is open in ${folder}`
const saidOpen = new RegExp(`^${sampleIsOpen('(.+)')}$`, 'm')

/** Milliseconds after which a second Veridesk that still runs counts as opened: it is slow, not broken. */
const patience = 30_000

/** Variables of tests and developers that belong to this process alone. */
const ownVariables = ['VERIDESK_DATA', 'VERIDESK_TEST_ATTACH']

/** Opens one at a time: while it is open, its window is brought to the front instead. */
export function sampleOpener({ program, args }: OwnProgram): () => Promise<Result<null, Failure>> {
  let running: ChildProcess | undefined
  let folder: string | undefined
  return async () => {
    if (running) return folder !== undefined && (await askToRaise(folder)) ? ok(null) : failed('sample-open-already')
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownVariables.includes(name)))
    // A group of its own: it stays open when this one closes.
    const child = spawn(program, [...args, '--sample'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: environment,
      windowsHide: true
    })
    running = child
    const ended = new Promise<Failure>((resolve) => {
      child.once('error', (error) => resolve(failure('sample-not-opened', { errno: codeOf(error) })))
      child.once('exit', (status) => resolve(failure('sample-not-opened', { reason: 'ended', status: status ?? 1 })))
    })
    void ended.then(() => (running = folder = undefined))
    const opened = folderOf(child).then((path) => void (folder = path))
    const refused = await Promise.race([ended, opened, delay(patience, undefined, { ref: false })])
    child.stdout?.destroy()
    child.unref()
    return refused ? { ok: false, failure: refused } : ok(null)
  }
}

/** The folder of its sample data, once its window is open. */
function folderOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-2000)
      const [, folder] = saidOpen.exec(text) ?? []
      if (folder !== undefined) resolve(folder)
    })
    child.stdout?.on('error', () => undefined)
  })
}
