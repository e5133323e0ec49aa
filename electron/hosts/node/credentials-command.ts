/** Runs the command that a policy names for the credentials of a connection. */
import { execFile } from 'node:child_process'
import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import { fail, ok } from '#contract/failures/result.ts'
import type { RunCredentialsCommand } from '#core/ports/secret-store.ts'

const seconds = 20
const maxOutput = 64 * 1024
/** Permission to write for the group and for all others. */
const writableByOthers = 0o022
/** Set on a folder in which nobody can replace what is another's, such as /tmp. */
const sticky = 0o1000

/**
 * The program's real path, if nobody but `owners` can change it or a folder that leads to it; undefined otherwise. Windows has no such
 * permissions: there the administrator chooses a folder that users cannot write to.
 */
async function trustedProgram(path: string, owners: readonly number[]): Promise<string | undefined> {
  if (!isAbsolute(path)) return undefined
  try {
    const real = await realpath(path)
    if (!(await stat(real)).isFile()) return undefined
    if (process.platform === 'win32') return real
    for (let each = real; ; each = dirname(each)) {
      const found = await stat(each)
      const open = (found.mode & writableByOthers) !== 0 && !(found.isDirectory() && (found.mode & sticky) !== 0)
      if (open || !owners.includes(found.uid)) return undefined
      if (dirname(each) === each) return real
    }
  } catch {
    return undefined
  }
}

/**
 * Runs commands without a shell, with nothing on standard input. What a program prints on standard error is dropped: it may contain
 * a secret.
 *
 * @param owners Users who may have written the program, by ID; root is 0.
 */
export const credentialsCommandRunner =
  (owners: readonly number[] = [0], limit = seconds): RunCredentialsCommand =>
  async ([path = '', ...args]) => {
    const program = await trustedProgram(path, owners)
    if (program === undefined) return fail({ reason: 'path' })
    return new Promise((resolve) => {
      const child = execFile(
        program,
        args,
        {
          timeout: limit * 1000,
          killSignal: 'SIGKILL',
          maxBuffer: maxOutput,
          windowsHide: true,
          shell: false,
          encoding: 'utf8'
        },
        (error, out) => {
          if (!error) return resolve(ok(out))
          if (typeof error.code === 'number') return resolve(fail({ reason: 'exit', exit: String(error.code) }))
          if (error.killed && error.signal === 'SIGKILL') return resolve(fail({ reason: 'timeout', seconds: limit }))
          if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return resolve(fail({ reason: 'output' }))
          resolve(fail({ reason: 'start', errno: error.code ?? error.signal ?? 'unknown' }))
        }
      )
      child.stdin?.on('error', () => undefined)
      child.stdin?.end()
    })
  }
