/** Writes an archive as a stream: sizes and checksums follow each part, so that nothing has to be known before. */
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface PartToWrite {
  readonly path: string
  readonly text: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

interface WrittenPart {
  readonly name: Buffer
  readonly offset: number
  readonly crc: number
  readonly packed: number
  readonly size: number
}

// Sizes follow; names are UTF-8; deflated; 1 January 1980, since a file of the same rows shall have the same bytes.
const common = Buffer.from('14000808080000002100', 'hex')

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  common.copy(header, 4)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function sizes({ crc, packed, size }: Omit<WrittenPart, 'name' | 'offset'>): Buffer {
  const all = Buffer.alloc(12)
  all.writeUInt32LE(crc, 0)
  all.writeUInt32LE(packed, 4)
  all.writeUInt32LE(size, 8)
  return all
}

function directory(parts: readonly WrittenPart[], offset: number): Buffer {
  const entries = parts.map((part) => {
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    common.copy(entry, 6)
    sizes(part).copy(entry, 16)
    entry.writeUInt16LE(part.name.length, 28)
    entry.writeUInt32LE(part.offset, 42)
    return Buffer.concat([entry, part.name])
  })
  const all = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(all.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([all, end])
}

/** The bytes of an archive with these parts, each of which must stay below 4 GiB, as the whole must. */
export async function* archive(parts: AsyncIterable<PartToWrite>): AsyncGenerator<Uint8Array> {
  const written: WrittenPart[] = []
  let offset = 0
  for await (const { path, text } of parts) {
    const name = Buffer.from(path)
    const header = localHeader(name)
    yield header
    const part = { crc: 0, packed: 0, size: 0 }
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const piece of text) {
        const bytes =
          typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.length)
        part.crc = crc32(bytes, part.crc)
        part.size += bytes.length
        yield bytes
      }
    }
    const deflate = createDeflateRaw()
    const source = Readable.from(counted())
    source.on('error', (error) => deflate.destroy(error))
    source.pipe(deflate)
    try {
      for await (const chunk of deflate as AsyncIterable<Buffer>) {
        part.packed += chunk.length
        yield chunk
      }
    } finally {
      source.destroy()
      deflate.destroy()
    }
    const behind = Buffer.alloc(16)
    behind.writeUInt32LE(0x08074b50, 0)
    sizes(part).copy(behind, 4)
    yield behind
    written.push({ name, offset, ...part })
    offset += header.length + part.packed + behind.length
  }
  yield directory(written, offset)
}
