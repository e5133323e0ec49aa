/**
 * A process that serves one file by FUSE (the protocol of linux/fuse.h, 7.31) and records every write and sync in order.
 * With a loop device on the file, it is a disk whose every request is known:
 *
 *   node fuse-disk.ts IMAGE FOLDER
 *
 * Serves `FOLDER/disk` with the content of IMAGE. Answers messages of its parent: `length` with the number of recorded
 * requests, `save` by writing the record to a file. It must do nothing on the disk that it serves.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, read, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

const operations = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  setattr: 4,
  open: 14,
  read: 15,
  write: 16,
  statfs: 17,
  release: 18,
  fsync: 20,
  flush: 25,
  init: 26,
  opendir: 27,
  readdir: 28,
  releasedir: 29,
  interrupt: 36,
  destroy: 38,
  batchForget: 42
} as const
const [inHeader, outHeader] = [40, 16]
const maxWrite = 131_072
const [rootId, diskId] = [1n, 2n]
const [notFound, notKnown] = [-2, -38]
/** Of the init request: large writes, and more than one page each. */
const initFlags = (1 << 5) | (1 << 22)

export type DiskOrder = { readonly kind: 'length' } | { readonly kind: 'save'; readonly to: string }
export type DiskAnswer = { readonly kind: 'ready' | 'saved' } | { readonly kind: 'length'; readonly length: number }

/** Each recorded request: the offset and length of a write, or a sync with both -1. The data follow in their own file. */
export interface DiskRecord {
  readonly requests: readonly (readonly [number, number])[]
}

function attributes(id: bigint, size: number): Buffer {
  const attr = Buffer.alloc(88)
  const isRoot = id === rootId
  attr.writeBigUInt64LE(id, 0)
  attr.writeBigUInt64LE(BigInt(isRoot ? 4096 : size), 8)
  attr.writeBigUInt64LE(BigInt(Math.ceil(size / 512)), 16)
  attr.writeUInt32LE(isRoot ? 0o40700 : 0o100600, 60)
  attr.writeUInt32LE(1, 64)
  attr.writeUInt32LE(4096, 80)
  return attr
}

/** Serves until the file system is unmounted. */
async function serve(imagePath: string, folder: string): Promise<void> {
  const disk = readFileSync(imagePath)
  const requests: [number, number][] = []
  const data: Buffer[] = []
  const device = openSync('/dev/fuse', 'r+')

  const reply = (unique: bigint, body: Buffer = Buffer.alloc(0), error = 0): void => {
    const header = Buffer.alloc(outHeader)
    header.writeUInt32LE(outHeader + body.length, 0)
    header.writeInt32LE(error, 4)
    header.writeBigUInt64LE(unique, 8)
    writeSync(device, Buffer.concat([header, body]))
  }
  const attrOut = (id: bigint): Buffer => Buffer.concat([Buffer.alloc(16), attributes(id, disk.length)])
  function entryOut(): Buffer {
    const entry = Buffer.alloc(40)
    entry.writeBigUInt64LE(diskId, 0)
    return Buffer.concat([entry, attributes(diskId, disk.length)])
  }
  function initOut(): Buffer {
    const init = Buffer.alloc(64)
    init.writeUInt32LE(7, 0)
    init.writeUInt32LE(31, 4)
    init.writeUInt32LE(maxWrite, 8)
    init.writeUInt32LE(initFlags, 12)
    init.writeUInt16LE(16, 16)
    init.writeUInt16LE(12, 18)
    init.writeUInt32LE(maxWrite, 20)
    init.writeUInt32LE(1, 24)
    init.writeUInt16LE(maxWrite / 4096, 28)
    return init
  }
  function writeOut(body: Buffer): Buffer {
    const [offset, size] = [Number(body.readBigUInt64LE(8)), body.readUInt32LE(16)]
    const bytes = Buffer.from(body.subarray(40, 40 + size))
    bytes.copy(disk, offset)
    requests.push([offset, size])
    data.push(bytes)
    const out = Buffer.alloc(8)
    out.writeUInt32LE(size, 0)
    return out
  }
  function statOut(): Buffer {
    const stat = Buffer.alloc(80)
    stat.writeUInt32LE(4096, 40)
    stat.writeUInt32LE(255, 44)
    stat.writeUInt32LE(4096, 48)
    return stat
  }

  function answer(opcode: number, unique: bigint, node: bigint, body: Buffer): void {
    switch (opcode) {
      case operations.init:
        return reply(unique, initOut())
      case operations.lookup:
        return body.toString('latin1').startsWith('disk\0')
          ? reply(unique, entryOut())
          : reply(unique, undefined, notFound)
      case operations.getattr:
      case operations.setattr:
        return reply(unique, attrOut(node))
      case operations.open:
      case operations.opendir:
        return reply(unique, Buffer.alloc(16))
      case operations.read: {
        const from = Number(body.readBigUInt64LE(8))
        return reply(unique, disk.subarray(from, Math.min(disk.length, from + body.readUInt32LE(16))))
      }
      case operations.write:
        return reply(unique, writeOut(body))
      case operations.fsync:
        requests.push([-1, -1])
        return reply(unique)
      case operations.statfs:
        return reply(unique, statOut())
      case operations.readdir:
      case operations.release:
      case operations.releasedir:
      case operations.flush:
      case operations.destroy:
        return reply(unique)
      case operations.forget:
      case operations.batchForget:
      case operations.interrupt:
        return
      default:
        return reply(unique, undefined, notKnown)
    }
  }

  process.on('message', (order: DiskOrder) => {
    if (order.kind === 'length') process.send?.({ kind: 'length', length: requests.length } satisfies DiskAnswer)
    else {
      writeFileSync(order.to, JSON.stringify({ requests } satisfies DiskRecord))
      writeFileSync(`${order.to}.data`, Buffer.concat(data))
      process.send?.({ kind: 'saved' } satisfies DiskAnswer)
    }
  })

  // The device has no requests before it is mounted; the first one is answered after that.
  const mounting = spawn(
    'mount',
    ['-i', '-t', 'fuse', '-o', 'fd=3,rootmode=40000,user_id=0,group_id=0', 'veridesk-disk', folder],
    { stdio: ['ignore', 'ignore', 'inherit', device] }
  )
  const [code] = (await once(mounting, 'exit')) as [number | null]
  if (code !== 0) return
  process.send?.({ kind: 'ready' } satisfies DiskAnswer)
  const readDevice = promisify(read)
  const buffer = Buffer.alloc(maxWrite + 65_536)
  for (;;) {
    let bytesRead: number
    try {
      ;({ bytesRead } = await readDevice(device, buffer, 0, buffer.length, null))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // An interrupted request, or one that was withdrawn.
      if (code === 'ENOENT' || code === 'EINTR' || code === 'EAGAIN') continue
      return
    }
    answer(
      buffer.readUInt32LE(4),
      buffer.readBigUInt64LE(8),
      buffer.readBigUInt64LE(16),
      buffer.subarray(inHeader, bytesRead)
    )
  }
}

if (import.meta.main) {
  const [image = '', folder = ''] = process.argv.slice(2)
  await serve(image, folder)
  process.exit(0)
}
