/** The command line as a process, with its standard output redirected by a shell. */
import { spawn, type StdioOptions } from 'node:child_process'
import { commandLine } from './program.ts'

export interface CliRun {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

export interface CliOrder {
  /** The data folder; that of the system or of a policy if omitted. */
  readonly data?: string
  /** Standard input; empty if omitted. */
  readonly input?: string
  /**
   * Follows the command in a shell, such as `> /dev/full` or `| head -1`; the exit code is always the command's own.
   */
  readonly redirection?: string
  /** Added to the environment: another user's keychain. */
  readonly env?: Readonly<Record<string, string>>
  /** Called with everything printed so far; `kill` sends a signal to the command itself. */
  readonly onText?: (text: string, kill: (signal: NodeJS.Signals) => void) => void
  /** Called once the process has started. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void
}

/** Runs one command to its end. */
export function runCommand(
  words: readonly string[],
  { data, input = '', redirection, env, onText, onStart }: CliOrder
): Promise<CliRun> {
  return new Promise((resolve) => {
    const command = [process.execPath, commandLine, ...words, ...(data === undefined ? [] : ['--data', data])]
    // The shell reports the command's own exit code on descriptor 3, whatever reads its output.
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', 'pipe']
    const options = { stdio, env: { ...process.env, ...env } }
    const child =
      redirection === undefined
        ? spawn(command[0] ?? '', command.slice(1), options)
        : spawn('sh', ['-c', `{ "$@"; echo $? >&3; } ${redirection}`, 'sh', ...command], options)
    const text = { out: '', error: '', code: '' }
    const kill = (signal: NodeJS.Signals): void => void child.kill(signal)
    const read = (index: 1 | 2 | 3, name: keyof typeof text): void => {
      const stream = child.stdio[index]
      if (stream && 'setEncoding' in stream)
        stream.setEncoding('utf8').on('data', (part: string) => {
          text[name] += part
          onText?.(text.out + text.error, kill)
        })
    }
    read(1, 'out')
    read(2, 'error')
    read(3, 'code')
    child.on('close', (code) =>
      resolve({ code: redirection === undefined ? code : Number(text.code), out: text.out, error: text.error })
    )
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    onStart?.(kill)
  })
}
