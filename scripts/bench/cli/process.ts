/** The command line as a whole process with a separate keyring and data folder, and its baselines. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How `npm run cli` starts Node; a JavaScript module without types, because it also runs before the tools are installed. */
export async function commandLineStart(): Promise<{
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}> {
  const module = new URL('../../setup/command-line.mjs', import.meta.url).href
  const { commandLineStart: start } = (await import(module)) as {
    readonly commandLineStart: Awaited<ReturnType<typeof commandLineStart>>
  }
  return start
}

const watcher = new URL('./watch-memory.mjs', import.meta.url).href

export interface ProcessRun {
  /** Milliseconds from the start of the process to its end. */
  readonly took: number
  /** Peak resident memory of the process in MB, including its threads. */
  readonly memory: number
  readonly out: string
}

export interface ProcessOrder {
  /** Node's arguments: a script and its arguments. */
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  /** Whether its memory is measured, which adds some milliseconds to its start. */
  readonly watched?: boolean
}

/**
 * The environment without additions from a developer's shell or a test run: a compile cache would improve the figures.
 */
const usual = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:NODE_|VERIDESK_|npm_)/.test(name))
)

/** Runs Node to its end. Throws if it fails, since nothing was measured. */
export function runNode({ args, environment = {}, input = '', watched = false }: ProcessOrder): Promise<ProcessRun> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-bench-memory-'))
  return new Promise((resolve, reject) => {
    const from = performance.now()
    const child = spawn(process.execPath, [...(watched ? ['--import', watcher] : []), ...args], {
      env: { ...usual, ...environment, ...(watched && { BENCH_MEMORY: folder }) },
      stdio: ['pipe', 'pipe', 'pipe']
    })
    let [out, errors] = ['', '']
    child.stdout.on('data', (part: Buffer) => (out += part.toString()))
    child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
    child.once('error', reject)
    child.once('close', (code) => {
      const took = performance.now() - from
      const seen = readdirSync(folder).map((name) => Number(readFileSync(join(folder, name), 'utf8')))
      rmSync(folder, { recursive: true, force: true })
      if (code === 0) resolve({ took, memory: Math.max(0, ...seen), out })
      else reject(new Error(`${args.slice(0, 4).join(' ')} ended with ${code}: ${errors}${out.slice(-500)}`))
    })
    child.stdin.end(input)
  })
}

/** A temporary folder with a data folder in it. */
export function newPlace(): { readonly folder: string; readonly dataFolder: string; dispose(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-bench-cli-'))
  const dataFolder = join(folder, 'data')
  mkdirSync(dataFolder, { mode: 0o700 })
  return {
    folder,
    dataFolder,
    dispose: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
