/** A separate process for a measurement, so that its memory contains nothing of an earlier one. */
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs a script with one JSON argument and returns its JSON output. Throws if it fails. */
export function inChild<Answer>(script: URL, argument: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(script), JSON.stringify(argument)], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    let out = ''
    child.stdout.on('data', (part: Buffer) => (out += part.toString()))
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(out) as Answer) : reject(new Error(`${script.pathname} ended with ${code}`))
    )
  })
}

export interface Service {
  readonly baseUrl: string
  readonly process: ChildProcess
}

const practice = fileURLToPath(new URL('../../practice/main.ts', import.meta.url))

/** The practice service in a separate process, with this many milliseconds of latency. */
export function startService(latency: number): Promise<Service> {
  const child = spawn(process.execPath, [practice, '--port', '0', '--latency', String(latency)], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the practice service did not start')))
    child.stdout.on('data', (part: Buffer) => {
      const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(part.toString())?.[0]
      if (baseUrl) resolve({ baseUrl, process: child })
    })
  })
}
