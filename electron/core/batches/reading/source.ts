/**
 * Sources of rows: a file by its path, or a text that was pasted or dropped. Each reading starts from the beginning.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { stat, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { surrogateMisfit } from './position.ts'
import { openRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import { openWorkbookTable, type WorkbookTable } from './workbook.ts'

/** One reading of a source. */
export interface Reading {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Length and SHA-256 (hex) of what was read; valid once everything was read. */
  digest(): { readonly bytes: number; readonly sha256: string }
  /** Whether the source has stayed the same since the reading began. */
  unchanged(): Promise<boolean>
}

export interface Source {
  readonly name: string
  /** Fails with `batch-file-unreadable`, and for a text with `batch-file-encoding`. */
  open(): Promise<Result<Reading, Failure>>
  /** Reads a sheet of it as a workbook's; absent for what can be text only. */
  readonly workbook?: (sheet: string | undefined) => Promise<Result<WorkbookTable, Failure>>
}

/** A file system error during reading; becomes `batch-file-unreadable`. */
export class ReadingError extends Error {
  /** The system's error code. */
  readonly errno: string
  constructor(errno: string) {
    super(errno)
    this.errno = errno
  }
}

const chunkBytes = 64 * 1024

/** A file, read in chunks of 64 KiB; a workbook in a worker, if there is one to launch. */
export function fileSource(path: string, launch?: LaunchWorker): Source {
  const name = basename(path)
  const signature = async (): Promise<string> => {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true })
    return [dev, ino, size, mtimeNs].join('-')
  }
  return {
    name,
    ...(launch && { workbook: (sheet) => openWorkbookTable(launch, { name, path }, sheet) }),
    async open() {
      try {
        const before = await signature()
        const file = await openRegular(path, constants.O_RDONLY)
        return ok(reading(chunksOf(file), async () => (await signature().catch(() => '')) === before))
      } catch (error) {
        return failed('batch-file-unreadable', { file: name, errno: codeOf(error) })
      }
    }
  }
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } catch (error) {
    throw new ReadingError(codeOf(error))
  } finally {
    await file.close()
  }
}

/** A text, as UTF-8. */
export function textSource(name: string, text: string): Source {
  const misfit = surrogateMisfit(text)
  return misfit ? { name, open: async () => fail(misfit) } : bytesSource(name, Buffer.from(text, 'utf8'))
}

/** The content of a file that only the window has; a workbook in a worker, if there is one to launch. */
export function bytesSource(name: string, bytes: Uint8Array, launch?: LaunchWorker): Source {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      // Yields to the event loop between chunks, as a file does, so that a large content does not block the process.
      await new Promise((resolve) => setImmediate(resolve))
      yield bytes.subarray(at, at + chunkBytes)
    }
  }
  return {
    name,
    ...(launch && { workbook: (sheet) => openWorkbookTable(launch, { name, bytes }, sheet) }),
    open: async () => ok(reading(chunks(), async () => true))
  }
}

function reading(chunks: AsyncIterable<Uint8Array>, unchanged: () => Promise<boolean>): Reading {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  return { bytes: counted(), digest: () => ({ bytes, sha256: hash.copy().digest('hex') }), unchanged }
}
