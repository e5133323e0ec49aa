/** Reads a file that only an administrator can have written. */
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '#wire/files/write.ts'
import type { PolicyFault } from '#core/ports/policies.ts'
import { maxPolicyBytes } from '#core/policies/json-file.ts'

/** Permission to write for the group and for all others. */
const writableByOthers = 0o022

export type TrustedFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'unusable'; readonly fault: PolicyFault }

const unusable = (fault: PolicyFault): TrustedFile => ({ kind: 'unusable', fault })

/**
 * The bytes of a file that belongs to one of `owners` and that nobody else can change, nor the folder that it is in. What
 * is opened is what was examined: the path is not resolved again, and links are not followed. Never rejects.
 *
 * @param owners User IDs; root is 0.
 */
export async function readTrusted(path: string, owners: readonly number[]): Promise<TrustedFile> {
  try {
    const folder = await lstat(dirname(path))
    if (!folder.isDirectory() || !owners.includes(folder.uid) || (folder.mode & writableByOthers) !== 0) {
      // An empty folder of somebody else says nothing; a file in it could be anybody's.
      return (await isThere(path)) ? unusable({ reason: 'folder' }) : { kind: 'none' }
    }
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const found = await handle.stat()
      if (!found.isFile()) return unusable({ reason: 'not-a-file' })
      if (!owners.includes(found.uid)) return unusable({ reason: 'owner' })
      if ((found.mode & writableByOthers) !== 0) return unusable({ reason: 'writable' })
      if (found.size > maxPolicyBytes) return unusable({ reason: 'too-large' })
      return { kind: 'bytes', bytes: await handle.readFile() }
    } finally {
      await handle.close()
    }
  } catch (error) {
    const errno = codeOf(error)
    if (errno === 'ENOENT') return { kind: 'none' }
    // A link that `O_NOFOLLOW` did not open; a pipe or socket without a reader.
    if (errno === 'ELOOP' || errno === 'EMLINK') return unusable({ reason: 'link' })
    return errno === 'ENXIO' ? unusable({ reason: 'not-a-file' }) : unusable({ errno })
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: unknown) => codeOf(error) !== 'ENOENT'
  )
