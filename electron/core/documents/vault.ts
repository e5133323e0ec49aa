/**
 * Sealed copies of documents: one file each, in `documents/` of the data folder. A file is durable under `NAME.new` before its event
 * is written, and gets its name after that; from then on it never changes, and only an erasure deletes it, or a person if nothing names it.
 *
 * Its name is an HMAC of the document's SHA-256 under a key of its subject: equal documents of one person are one file, and nobody
 * without the key learns which document it is or that two people sent the same.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, readdir, rename, stat, statfs, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { maxDocumentBytes, type CopyFault } from '#contract/documents/documents.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { setAsideSince } from '#core/history/copy-folders.ts'
import { ownFolders } from '#wire/files/own-names.ts'
import { openRegular } from '#wire/files/regular.ts'
import { codeOf, replaceFile, syncFolder } from '#wire/files/write.ts'
import { sealedBytes, sealedForm, type CheckedFile, type CopyKeys } from '#wire/history/copies.ts'

const { nonce: nonceLength, tag: tagLength, salt: saltLength, block } = sealedForm
/** Format and its version; authenticated. */
const magic = Buffer.from(sealedForm.magic)
/** The thread is free between two pieces of this size. */
const piece = 1024 * 1024
const largest = sealedBytes(maxDocumentBytes)

/** Bytes that stay free on the disk for all that has to be written: records, answers, backups. */
const leftFree = 2_000_000_000

const nameForm = /^[0-9a-f]{64}$/
/** Ends the name of a file whose event is not known to be written. */
const pending = '.new'

export interface Vault {
  /** Seals a document and returns the name of its file, which is durable then. Failures: `disk-full`, `document-copy-failed`. */
  put(document: Buffer, sha256: string, keys: CopyKeys): Promise<Result<string, Failure>>
  /** Bytes that copies may still take, by their quota and by the disk. */
  freeBytes(): Promise<number>
  /** Their events are written. */
  finish(names: readonly string[]): Promise<void>
  /** No event is written for them. */
  drop(names: readonly string[]): Promise<void>
  /** The document in a file. Failure: `document-copy-unusable`. */
  open(name: string, keys: CopyKeys): Promise<Result<Buffer, Failure>>
  /**
   * Deletes files that nothing names; not those that a copy in progress uses, which finds them there or waits until they are gone.
   *
   * @returns The names of those that were deleted.
   */
  remove(names: readonly string[]): Promise<readonly string[]>
  /** After a start: names the files that were left without, as far as events have them, and deletes those of these that no other history can have. */
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

/** Never through a link. */
export const openSealed = (path: string): Promise<FileHandle> =>
  openRegular(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))

/**
 * Whether a file is as it was sealed: its tag, and the SHA-256 of its document, by which it has its name. Reads it in pieces, so that others
 * are served in between. Throws the file system's errors.
 */
export async function isWhole(path: string, { name, keys }: CheckedFile): Promise<boolean> {
  const handle = await openSealed(path)
  try {
    const { size } = await handle.stat()
    const start = magic.length + nonceLength
    const end = size - tagLength
    if (size > largest || end <= start || (end - start) % block !== 0) return false
    const buffer = Buffer.alloc(piece)
    const read = async (at: number, length: number): Promise<Buffer> => {
      const { bytesRead } = await handle.read(buffer, 0, length, at)
      return buffer.subarray(0, bytesRead)
    }
    const head = Buffer.from(await read(0, start))
    const tag = Buffer.from(await read(end, tagLength))
    if (!head.subarray(0, magic.length).equals(magic) || tag.length !== tagLength) return false
    const decipher = createDecipheriv('aes-256-gcm', keys.content, head.subarray(magic.length))
    decipher.setAAD(Buffer.concat([magic, Buffer.from(name)]))
    decipher.setAuthTag(tag)
    const hash = createHash('sha256')
    let left: number | undefined
    for (let at = start; at < end;) {
      const sealedPiece = await read(at, Math.min(piece, end - at))
      if (sealedPiece.length === 0) return false
      at += sealedPiece.length
      let plain = decipher.update(sealedPiece)
      if (left === undefined) {
        left = plain.readUInt32BE(saltLength)
        plain = plain.subarray(saltLength + sealedForm.length)
      }
      hash.update(plain.subarray(0, left))
      left = Math.max(0, left - plain.length)
    }
    try {
      decipher.final()
    } catch {
      return false
    }
    return left === 0 && createHmac('sha256', keys.name).update(hash.digest('hex')).digest('hex') === name
  } finally {
    await handle.close()
  }
}

/** What is wrong with the file of a copy that has its name or waits for it; undefined if it is whole. */
export async function faultOf(dataFolder: string, file: CheckedFile): Promise<CopyFault | undefined> {
  const path = pathIn(dataFolder, file.name)
  // It may get its name between the two, or be written anew under it.
  for (const each of [path, `${path}${pending}`, path]) {
    try {
      if (await isWhole(each, file)) return undefined
      return 'damaged'
    } catch (error) {
      // Anything but a file in its place, and what the disk cannot read, is damage.
      if (!isGone(error)) return 'damaged'
    }
  }
  return 'missing'
}

const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error))

/** Whether there is anything under the name of a copy, or under the one before it. */
export async function isThere(dataFolder: string, name: string): Promise<boolean> {
  const path = pathIn(dataFolder, name)
  for (const each of [path, `${path}${pending}`, path]) {
    const found = await lstat(each).catch((error: unknown) => !isGone(error))
    if (found !== false) return true
  }
  return false
}

const hexDigits = [...'0123456789abcdef']
/** The parts in which the folder is compared: by the first digit of the names. A folder has one for each two digits. */
export const copyParts: readonly string[] = hexDigits

export interface FolderPart {
  /** Names that files have, and those that they wait for. */
  readonly names: readonly string[]
  readonly waiting: readonly string[]
  /** The number of anything else. */
  readonly others: number
}

/** What is in the folder under names that begin with a digit. */
export async function namesIn(dataFolder: string, digit: string): Promise<FolderPart> {
  const folders = hexDigits.map((second) => `${digit}${second}`)
  const found = await Promise.all(
    folders.map(async (folder) => {
      const all = await readdir(join(folderIn(dataFolder), folder)).catch(() => [])
      const names = all.filter((each) => nameForm.test(each) && each.startsWith(folder))
      const temporary = all.filter((each) => each.includes(pending))
      const waiting = temporary.filter((each) => each.endsWith(pending)).map((each) => each.slice(0, -pending.length))
      return { names, waiting, others: all.length - names.length - temporary.length }
    })
  )
  return {
    names: found.flatMap(({ names }) => names),
    waiting: found.flatMap(({ waiting }) => waiting),
    others: found.reduce((sum, { others }) => sum + others, 0)
  }
}

/** What is in the folder beside its parts. */
export async function othersBeside(dataFolder: string): Promise<number> {
  const all = await readdir(folderIn(dataFolder)).catch(() => [])
  return all.filter((each) => !/^[0-9a-f]{2}$/.test(each)).length
}

async function readFile(path: string): Promise<Buffer> {
  const handle = await openSealed(path)
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
export const pathIn = (dataFolder: string, name: string): string => join(folderIn(dataFolder), name.slice(0, 2), name)
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
  /** Bytes of all copies, where these are all files there are: looking at a hundred thousand takes seconds. Otherwise undefined. */
  kept?(): Promise<number | undefined>
}

/** Space for copies within their limits. Counts them once, and the files when they seem to be too many: an erasure may have deleted some. */
function createSpace(dataFolder: string, { quota, free = leftFree, kept }: CopyLimits) {
  const folder = folderIn(dataFolder)
  const first = async (): Promise<number> => (await kept?.()) ?? bytesIn(folder)
  let counted: number | undefined
  return {
    /** Takes space; or says why there is none. Failure: `document-copy-failed`. */
    async take(bytes: number): Promise<Failure | undefined> {
      const limitBytes = quota()
      counted ??= await first()
      if (counted + bytes > limitBytes) counted = await bytesIn(folder)
      if (counted + bytes > limitBytes) return failure('document-copy-failed', { reason: 'quota', limitBytes })
      counted += bytes
      const disk = await statfs(dataFolder).catch(() => undefined)
      if (!disk || disk.bavail * disk.bsize - bytes >= free) return undefined
      this.giveBack(bytes)
      return failure('document-copy-failed', { reason: 'space', limitBytes: free })
    },
    async left(): Promise<number> {
      counted ??= await first()
      const disk = await statfs(dataFolder).catch(() => undefined)
      return Math.max(0, Math.min(quota() - counted, disk ? disk.bavail * disk.bsize - free : Infinity))
    },
    giveBack: (bytes: number): void => void (counted = (counted ?? bytes) - bytes)
  }
}

/** Deletes files, all that may go at once: whoever asks for one afterwards waits until it is gone. */
function createRemoval(mayGo: (name: string) => boolean, pathOf: (name: string) => string) {
  const leaving = new Map<string, Promise<boolean>>()
  return {
    over: async (name: string): Promise<void> => void (await leaving.get(name)),
    async remove(names: readonly string[]): Promise<readonly string[]> {
      const going = names.filter(mayGo).map((name) => {
        const isGone = gone(pathOf(name)).finally(() => leaving.delete(name))
        leaving.set(name, isGone)
        return { name, isGone }
      })
      const done = await Promise.all(going.map(async ({ name, isGone }) => ((await isGone) ? [name] : [])))
      return done.flat()
    }
  }
}

/** Writes a file under its name for now, durably. Failures: `disk-full`, `document-copy-failed`. */
function createWriting(dataFolder: string) {
  const folder = folderIn(dataFolder)
  /** Folders that are durable themselves. */
  const durable = new Set<string>()
  return async (path: string, parts: Iterable<Buffer>): Promise<Failure | undefined> => {
    const part = dirname(path)
    try {
      const isNew = (await mkdir(part, { recursive: true, mode: 0o700 })) !== undefined
      if (isNew || !durable.has(part)) await Promise.all([folder, dataFolder].map(syncFolder))
      durable.add(part)
    } catch (error) {
      return failure('document-copy-failed', { errno: codeOf(error) })
    }
    const fault = await replaceFile(`${path}${pending}`, parts)
    return fault === 'disk-full' ? failure('disk-full') : fault && failure('document-copy-failed', fault)
  }
}

export function createVault(dataFolder: string, limits: CopyLimits): Vault {
  const folder = folderIn(dataFolder)
  const space = createSpace(dataFolder, limits)
  const write = createWriting(dataFolder)
  const pathOf = (name: string): string => pathIn(dataFolder, name)
  /** How many verifications have a file under `.new`: the same document of one person may be copied for two at once. */
  const waiting = new Map<string, number>()
  const removal = createRemoval((each) => !waiting.has(each), pathOf)

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

  /** A history that was set aside later than a file was written may have its event. */
  async function mayBeOfAnother(fileName: string): Promise<boolean> {
    const found = await stat(`${pathOf(fileName)}${pending}`).catch(() => undefined)
    return found !== undefined && (await setAsideSince(dataFolder, found.mtimeMs, Date.now())).length > 0
  }

  return {
    open,
    freeBytes: () => space.left(),
    async put(document, sha256, keys) {
      const fileName = createHmac('sha256', keys.name).update(sha256).digest('hex')
      const path = pathOf(fileName)
      waiting.set(fileName, (waiting.get(fileName) ?? 0) + 1)
      await removal.over(fileName)
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
    remove: removal.remove,
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
          else if (found === undefined || !(await mayBeOfAnother(found))) await gone(join(folder, part, each))
        }
      }
    }
  }
}
