/** The archive of a workbook: its parts by name, each read as a stream. Nothing is ever unpacked to a disk. */
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { fromBufferPromise, fromFdPromise, type Entry, type ZipFile } from 'yauzl'
import { asWorkbookError, WorkbookError, type WorkbookFault } from './fault.ts'
import { limits } from './limits.ts'

export interface Container {
  /** Held here as well: a handle that nobody holds is closed while its descriptor is read. */
  readonly from: FileHandle | Buffer
  has(path: string): boolean
  /** The bytes of a part. Throws `WorkbookError`: `damaged` if there is none, `bomb`, or `large` if it exceeds the limit. */
  read(path: string, limit: number, large: WorkbookFault): AsyncGenerator<Uint8Array>
}

const headOf = async (from: FileHandle | Buffer, length: number, at = 0): Promise<Buffer> => {
  if (Buffer.isBuffer(from)) return from.subarray(at, at + length)
  const { bytesRead, buffer } = await from.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const encryptedName = Buffer.from('EncryptedPackage', 'utf16le')
const scanned = 64 * 1024

/** Which kind of compound file (OLE2): an encrypted workbook is one, as every Excel file before 2007 was. */
async function compoundFault(from: FileHandle | Buffer): Promise<WorkbookFault> {
  for (let at = 0; ; at += scanned) {
    const piece = await headOf(from, scanned + encryptedName.length, at)
    if (piece.includes(encryptedName)) return 'encrypted'
    if (piece.length < scanned) return 'old-excel'
  }
}

/** Names that differ in case alone are the same to Excel. */
const keyOf = (path: string): string => path.toLowerCase()

/** Opens the archive. The handle stays the caller's to close, after the last part was read. Throws `WorkbookError`. */
export async function openContainer(from: FileHandle | Buffer): Promise<Container> {
  const head = await headOf(from, ole.length)
  if (head.equals(ole)) throw new WorkbookError(await compoundFault(from))
  if (head.toString('latin1', 0, 2) !== 'PK') throw new WorkbookError('not-a-workbook')
  const options = { lazyEntries: true, autoClose: false }
  try {
    const zip = Buffer.isBuffer(from) ? await fromBufferPromise(from, options) : await fromFdPromise(from.fd, options)
    if (zip.entryCount > limits.parts) throw new WorkbookError('many-parts')
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      const key = keyOf(entry.fileName)
      // Two parts of one name: readers would differ in which they take.
      if (entries.has(key)) throw new WorkbookError('damaged')
      entries.set(key, entry)
    }
    refuseOthers(entries)
    return {
      from,
      has: (path) => entries.has(keyOf(path)),
      read: (path, limit, large) => partOf(zip, entries.get(keyOf(path)), limit, large)
    }
  } catch (error) {
    throw asWorkbookError(error)
  }
}

function refuseOthers(entries: ReadonlyMap<string, Entry>): void {
  if ([...entries.values()].some((entry) => entry.isEncrypted())) throw new WorkbookError('encrypted')
  if (entries.has('xl/workbook.bin')) throw new WorkbookError('binary')
  if (entries.has('mimetype') && entries.has('content.xml')) throw new WorkbookError('open-document')
  if (!entries.has('[content_types].xml') || !entries.has('_rels/.rels')) throw new WorkbookError('not-a-workbook')
}

async function* partOf(
  zip: ZipFile,
  entry: Entry | undefined,
  limit: number,
  large: WorkbookFault
): AsyncGenerator<Uint8Array> {
  if (!entry || !entry.canDecodeFileData()) throw new WorkbookError('damaged')
  const { uncompressedSize: size, compressedSize } = entry
  if (size > limits.ratioFrom && size > limits.ratio * compressedSize) throw new WorkbookError('bomb')
  if (size > limit) throw new WorkbookError(large)
  let stream: Readable | undefined
  let sum = 0
  try {
    // It ends with an error if the part unpacks to more or less than it says.
    stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum)
      yield chunk
    }
    if (sum !== entry.crc32) throw new WorkbookError('damaged')
  } catch (error) {
    throw asWorkbookError(error)
  } finally {
    stream?.destroy()
  }
}
