/**
 * Sealed copies of documents: one file each, in `documents/` of the data folder. A file is durable under `NAME.new` before its event
 * is written, and gets its name after that; from then on it never changes, and only an erasure deletes it.
 *
 * Its name is an HMAC of the document's SHA-256 under a key of its subject: equal documents of one person are one file, and nobody
 * without the key learns which document it is or that two people sent the same.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, readdir, rename, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { maxDocumentBytes } from '#contract/documents/documents.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { ownFolders } from '#wire/files/own-names.ts'
import { openRegular } from '#wire/files/regular.ts'
import { codeOf, replaceFile, syncFolder } from '#wire/files/write.ts'
import type { CopyKeys } from '#wire/history/copies.ts'

/** Format and its version; authenticated. */
const magic = Buffer.from('VDCOPY01')
const nonceLength = 12
const tagLength = 16
const saltLength = 16
/** Sizes of files tell only the number of blocks. */
const block = 64 * 1024
/** The thread is free between two pieces of this size. */
const piece = 1024 * 1024
const largest = magic.length + nonceLength + saltLength + 4 + maxDocumentBytes + block + tagLength

/** Bytes that stay free on the disk for all that has to be written: records, answers, backups. */
const leftFree = 2_000_000_000

const nameForm = /^[0-9a-f]{64}$/
/** Ends the name of a file whose event is not known to be written. */
const pending = '.new'

export interface Vault {
  /** Seals a document and returns the name of its file, which is durable then. Failures: `disk-full`, `document-copy-failed`. */
  put(document: Buffer, sha256: string, keys: CopyKeys): Promise<Result<string, Failure>>
  /** Their events are written. */
  finish(names: readonly string[]): Promise<void>
  /** No event is written for them. */
  drop(names: readonly string[]): Promise<void>
  /** The document in a file. Failure: `document-copy-unusable`. */
  open(name: string, keys: CopyKeys): Promise<Result<Buffer, Failure>>
  /** After a start: names the files that were left without, as far as events have them, and deletes the others of these. */
  recover(named: (names: readonly string[]) => Promise<ReadonlySet<string> | undefined>): Promise<void>
}

function* sealed(document: Buffer, name: string, { content }: CopyKeys): Generator<Buffer> {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', content, nonce)
  cipher.setAAD(Buffer.concat([magic, Buffer.from(name)]))
  const head = Buffer.concat([randomBytes(saltLength), Buffer.alloc(4)])
  head.writeUInt32BE(document.length, saltLength)
  yield Buffer.concat([magic, nonce, cipher.update(head)])
  for (let at = 0; at < document.length; at += piece) yield cipher.update(document.subarray(at, at + piece))
  const rest = (head.length + document.length) % block
  yield cipher.update(Buffer.alloc(rest === 0 ? 0 : block - rest))
  cipher.final()
  yield cipher.getAuthTag()
}

/** The document in a sealed file; undefined if it is not the one that was sealed under this name and key. */
function unsealed(file: Buffer, name: string, { content }: CopyKeys): Buffer | undefined {
  const start = magic.length + nonceLength
  if (file.length < start + saltLength + 4 + tagLength || !file.subarray(0, magic.length).equals(magic))
    return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', content, file.subarray(magic.length, start))
    decipher.setAAD(Buffer.concat([magic, Buffer.from(name)]))
    decipher.setAuthTag(file.subarray(file.length - tagLength))
    const plain = decipher.update(file.subarray(start, file.length - tagLength))
    decipher.final()
    const from = saltLength + 4
    return plain.subarray(from, from + plain.readUInt32BE(saltLength))
  } catch {
    return undefined
  }
}

async function readFile(path: string): Promise<Buffer> {
  const handle = await openRegular(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const { size } = await handle.stat()
    const bytes = Buffer.alloc(Math.min(size, largest + 1))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

const folderIn = (dataFolder: string): string => join(dataFolder, ownFolders.documents)
const pathIn = (dataFolder: string, name: string): string => join(folderIn(dataFolder), name.slice(0, 2), name)
const gone = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    (error: unknown) => codeOf(error) === 'ENOENT'
  )

/** Deletes the files of copies whose keys are destroyed. @returns The number that could not be. */
export async function removeCopies(dataFolder: string, names: readonly string[]): Promise<number> {
  const done = await Promise.all(
    names.map(async (each) => {
      const path = pathIn(dataFolder, each)
      return (await gone(path)) && (await gone(`${path}${pending}`))
    })
  )
  return done.filter((each) => !each).length
}

/** Bytes of all copies. */
async function bytesIn(folder: string): Promise<number> {
  let sum = 0
  for (const part of await readdir(folder).catch(() => []))
    for (const name of await readdir(join(folder, part)).catch(() => []))
      sum += await stat(join(folder, part, name)).then(
        ({ size }) => size,
        () => 0
      )
  return sum
}

/** How much copies may take. */
export interface CopyLimits {
  /** Bytes of all copies together. */
  quota(): number
  /** Bytes that must be left on the disk. */
  readonly free?: number
}

/** Space for copies within their limits. Counts the files once, and again when they seem to be too many: an erasure may have deleted some. */
function createSpace(dataFolder: string, { quota, free = leftFree }: CopyLimits) {
  const folder = folderIn(dataFolder)
  let counted: number | undefined
  return {
    /** Takes space; or says why there is none. Failure: `document-copy-failed`. */
    async take(bytes: number): Promise<Failure | undefined> {
      const limitBytes = quota()
      counted ??= await bytesIn(folder)
      if (counted + bytes > limitBytes) counted = await bytesIn(folder)
      if (counted + bytes > limitBytes) return failure('document-copy-failed', { reason: 'quota', limitBytes })
      counted += bytes
      const disk = await statfs(dataFolder).catch(() => undefined)
      if (!disk || disk.bavail * disk.bsize - bytes >= free) return undefined
      this.giveBack(bytes)
      return failure('document-copy-failed', { reason: 'space', limitBytes: free })
    },
    giveBack: (bytes: number): void => void (counted = (counted ?? bytes) - bytes)
  }
}

export function createVault(dataFolder: string, limits: CopyLimits): Vault {
  const folder = folderIn(dataFolder)
  const space = createSpace(dataFolder, limits)
  const pathOf = (name: string): string => pathIn(dataFolder, name)
  /** How many verifications have a file under `.new`: the same document of one person may be copied for two at once. */
  const waiting = new Map<string, number>()

  const release = (name: string): boolean => {
    const left = (waiting.get(name) ?? 1) - 1
    if (left > 0) waiting.set(name, left)
    else waiting.delete(name)
    return left <= 0
  }
  /** False if another has named it meanwhile, or it cannot be: reading finds it all the same, and the next start tries again. */
  const name = (path: string): Promise<boolean> =>
    rename(`${path}${pending}`, path).then(
      () => true,
      () => false
    )
  async function open(fileName: string, keys: CopyKeys): Promise<Result<Buffer, Failure>> {
    const path = pathOf(fileName)
    try {
      const bytes = await readFile(path).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error
        return readFile(`${path}${pending}`)
      })
      const document = unsealed(bytes, fileName, keys)
      return document ? ok(document) : failed('document-copy-unusable', { reason: 'damaged' })
    } catch (error) {
      const errno = codeOf(error)
      // A folder, a pipe or a link in its place.
      if (errno === 'EFTYPE' || errno === 'ELOOP') return failed('document-copy-unusable', { reason: 'damaged' })
      return errno === 'ENOENT'
        ? failed('document-copy-unusable', { reason: 'missing' })
        : failed('document-copy-unusable', { errno })
    }
  }

  /** Writes a file under its name for now, durably. */
  async function write(path: string, parts: Iterable<Buffer>): Promise<Failure | undefined> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await Promise.all([folder, dataFolder].map(syncFolder))
    } catch (error) {
      return failure('document-copy-failed', { errno: codeOf(error) })
    }
    const fault = await replaceFile(`${path}${pending}`, parts)
    return fault === 'disk-full' ? failure('disk-full') : fault && failure('document-copy-failed', fault)
  }

  return {
    open,
    async put(document, sha256, keys) {
      const fileName = createHmac('sha256', keys.name).update(sha256).digest('hex')
      const path = pathOf(fileName)
      waiting.set(fileName, (waiting.get(fileName) ?? 0) + 1)
      const there = await open(fileName, keys)
      if (there.ok) return ok(fileName)
      const bytes = document.length + block
      const full = await space.take(bytes)
      const fault = full ?? (await write(path, sealed(document, fileName, keys)))
      if (fault === undefined) return ok(fileName)
      if (!full) space.giveBack(bytes)
      release(fileName)
      return fail(fault)
    },
    async finish(names) {
      await Promise.all(
        names.map(async (each) => {
          release(each)
          if (await name(pathOf(each))) await syncFolder(dirname(pathOf(each))).catch(() => undefined)
        })
      )
    },
    async drop(names) {
      await Promise.all(names.filter(release).map((each) => gone(`${pathOf(each)}${pending}`)))
    },
    async recover(named) {
      for (const part of await readdir(folder).catch(() => [])) {
        const files = await readdir(join(folder, part)).catch(() => [])
        const left = files.filter((each) => each.includes(pending) && !waiting.has(each.slice(0, -pending.length)))
        if (left.length === 0) continue
        const nameOf = (each: string): string | undefined => {
          const found = each.slice(0, -pending.length)
          return each.endsWith(pending) && nameForm.test(found) ? found : undefined
        }
        const known = await named(left.flatMap((each) => nameOf(each) ?? []))
        if (!known) return
        for (const each of left) {
          const found = nameOf(each)
          if (found !== undefined && waiting.has(found)) continue
          if (found !== undefined && known.has(found)) await name(join(folder, part, found))
          else await gone(join(folder, part, each))
        }
      }
    }
  }
}
