/** Runs a program of the operating system by its full path, without anything of the user's environment. */
import { execFile } from 'node:child_process'

/** Milliseconds after which a tool that hangs is ended. */
const timeout = 10_000

export interface ToolRun {
  /** Null if it did not start, or was ended. */
  readonly code: number | null
  readonly out: string
}

/** Never rejects. */
export function runTool(
  path: string,
  args: readonly string[],
  { input, env = {} }: { readonly input?: Uint8Array; readonly env?: Readonly<Record<string, string>> } = {}
): Promise<ToolRun> {
  return new Promise((resolve) => {
    const child = execFile(
      path,
      args,
      { env, timeout, windowsHide: true, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 },
      (error, out) => resolve({ code: error ? (typeof error.code === 'number' ? error.code : null) : 0, out })
    )
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
