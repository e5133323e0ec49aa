/** Operations on files and folders that must be on disk before the next step. */
import { copyFile, open, stat } from 'node:fs/promises'
import { assertRegular } from '#wire/files/regular.ts'

/** Size of a file in bytes. */
export const sizeOf = async (path: string): Promise<number> => (await stat(path)).size

/**
 * Copies a regular file; only its owner may access the copy. Throws the file system's errors, `EFTYPE` for other
 * files.
 */
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
