/** Many starts at once on one data folder: exactly one becomes the console, the others leave. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { hostEnvironment, previewProgram, type HostName, type Place } from '../../../tests/app/fixtures/hosts.ts'
import { electronRuntime } from '../../../tests/app/fixtures/runtime.ts'
import { inPlace } from '../../bench/window/place.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { hostsHere } from './electron-here.ts'

const atOnce = 20
/** Milliseconds until all but one must have left, and until the last one must have ended. */
const patience = 120_000

function start(host: HostName, place: Place): ChildProcess {
  const environment = hostEnvironment(place)
  if (host === 'preview')
    return spawn(process.execPath, [previewProgram, '--headless', '--data', place.dataFolder], { env: environment })
  const runtime = electronRuntime()
  if ('missing' in runtime) throw new Error(runtime.missing)
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return spawn(runtime.executablePath, [...runtime.args, '--disable-gpu', '--disable-dev-shm-usage', ...root], {
    env: { ...environment, ...runtime.environment, VERIDESK_DATA: place.dataFolder }
  })
}

interface Round {
  readonly writers: number
  readonly left: number
  readonly faults: readonly string[]
}

async function together(host: HostName, place: Place): Promise<Round> {
  const faults: string[] = []
  const children = Array.from({ length: atOnce }, () => start(host, place))
  const texts = children.map(() => '')
  for (const [at, child] of children.entries())
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (texts[at] += chunk.toString('utf8')))
  const alive = (): ChildProcess[] =>
    children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  const until = async (count: number): Promise<void> => {
    for (const end = Date.now() + patience; alive().length > count && Date.now() < end;) await delay(50)
  }
  await until(1)
  // Two writers would both still be here; a winner that leaves as well would be none.
  await delay(1000)
  const writers = alive()
  if (writers.length !== 1) faults.push(`${writers.length} processes stayed`)
  const code = host === 'electron' ? [0, 4] : [4]
  let left = 0
  for (const [at, child] of children.entries()) {
    if (writers.includes(child)) continue
    if (code.includes(child.exitCode ?? -1) && texts[at]?.includes('Veridesk is already running')) left += 1
    else
      faults.push(
        `a start ended with ${child.exitCode ?? child.signalCode} and said ${JSON.stringify(texts[at]?.slice(-200))}`
      )
  }
  for (const child of writers) child.kill('SIGTERM')
  await until(0)
  for (const child of alive()) {
    faults.push('the console did not end when it was asked to')
    child.kill('SIGKILL')
  }
  return { writers: writers.length, left, faults }
}

/** Starts 20 at once, repeatedly. Errors: another number of writers than one, and starts that leave without a word. */
export async function proveStarts({ sized, progress }: SectionRun): Promise<Measured> {
  const { hosts, notRun, versions } = hostsHere('starts of Electron')
  const rows: (string | number)[][] = []
  const faults: string[] = []
  for (const host of hosts) {
    const name = host === 'electron' ? 'Electron' : 'preview'
    let [starts, alone, left] = [0, 0, 0]
    for (let round = sized(10); round > 0; round -= 1)
      await inPlace({}, async ({ place }) => {
        mkdirSync(place.dataFolder, { recursive: true, mode: 0o700 })
        const found = await together(host, place)
        starts += atOnce
        left += found.left
        if (found.writers === 1) alone += 1
        faults.push(...found.faults.map((fault) => `${name}: ${fault}`))
        progress(`${name}: ${starts} starts`)
      })
    rows.push([name, starts / atOnce, starts, alone, left])
  }
  return {
    table: {
      columns: ['host', 'rounds', 'starts', 'rounds with one console', 'starts that left with a message'],
      rows
    },
    notRun,
    faults,
    versions
  }
}
