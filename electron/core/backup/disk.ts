/** Files and folders that must be on disk before the next step. */
import { copyFile, open, stat } from 'node:fs/promises'

/** Bytes of a file. */
export const sizeOf = async (path: string): Promise<number> => (await stat(path)).size

export async function copyAndSync(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  const file = await open(to, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
