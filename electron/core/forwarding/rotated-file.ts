/** Appends events to a file of JSON lines, and begins a new one when it is full: `audit.jsonl`, then `audit.jsonl.1`, the oldest last. */
import { constants } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { makeFolder, openRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'

/** Files besides the one that is written, and bytes of each. */
export const rotation = { kept: 5, bytes: 10 * 1024 * 1024 } as const

/** Writes lines durably. Failure: `forwarding-file`. A line that a crash cut off is ended, so that the next one is whole. */
export async function appendLines(
  path: string,
  lines: readonly string[],
  limits: { readonly kept: number; readonly bytes: number } = rotation
): Promise<Result<null, Failure>> {
  try {
    await makeFolder(dirname(path))
    const size = (await stat(path).catch(() => undefined))?.size ?? 0
    const text = lines.map((line) => `${line}\n`).join('')
    if (size > 0 && size + text.length > limits.bytes)
      for (let number = limits.kept; number > 0; number -= 1)
        await rename(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`).catch((error: unknown) => {
          if (codeOf(error) !== 'ENOENT') throw error
        })
    const file = await openRegular(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT)
    try {
      const end = (await file.stat()).size
      const { buffer } = end === 0 ? { buffer: Buffer.from('\n') } : await file.read(Buffer.alloc(1), 0, 1, end - 1)
      await file.appendFile(buffer[0] === 0x0a ? text : `\n${text}`)
      await file.sync()
    } finally {
      await file.close()
    }
    return ok(null)
  } catch (error) {
    return failed('forwarding-file', { file: path, errno: codeOf(error) })
  }
}
