/** The command line as a user starts it: a separate process, its exit code and its output. */
import { spawn } from 'node:child_process'
import { commandLine } from './program.ts'

export interface CommandRun {
  /** Null if it was killed. */
  readonly code: number | null
  readonly out: string
  readonly error: string
}

/**
 * @param words What follows `veridesk`.
 * @param input Standard input.
 */
export function command(words: readonly string[], input = ''): Promise<CommandRun> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [commandLine, ...words])
    let out = ''
    let error = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
    child.on('close', (code) => resolve({ code, out, error }))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
