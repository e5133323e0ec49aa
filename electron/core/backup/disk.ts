/** Files and folders that must be on disk before the next step. */
import { copyFile, open, stat } from 'node:fs/promises'
import { assertRegular } from '#core/files/regular.ts'

/** Bytes of a file. */
export const sizeOf = async (path: string): Promise<number> => (await stat(path)).size

/** Copies a regular file; the copy is its owner's alone. Throws the file system's errors, `EFTYPE` for anything else. */
export async function copyAndSync(from: string, to: string): Promise<void> {
  assertRegular(from)
  await copyFile(from, to)
  const file = await open(to, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
}
