/**
 * The thread that reads a workbook: it unpacks and parses what others made, so that neither the window's process nor the
 * batches wait for it. It reads one file from one sheet, piece by piece as it is asked, and ends with who asks.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { WorkbookError } from '#kit/workbook/fault.ts'
import { openWorkbook, type Workbook } from '#kit/workbook/read.ts'
import type { SheetFacts, SheetRow } from '#kit/workbook/sheet.ts'
import { openRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'
import { serve } from '#wire/rpc.ts'
import type { OpenedSheet, SheetBlock, WorkbookFile, WorkbookThread } from './workbook.ts'

/** Characters of a block, about: it is copied to the other thread at once. */
const blockLength = 64 * 1024
const chunkBytes = 256 * 1024

let reading: { readonly file: string; readonly rows: AsyncGenerator<SheetRow, SheetFacts> } | undefined

async function attempt<T>(file: string, work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WorkbookError) return failed('batch-workbook-refused', { reason: error.fault })
    return failed('batch-file-unreadable', { file, errno: codeOf(error) })
  }
}

async function digestOf(from: FileHandle | Buffer): Promise<Pick<OpenedSheet, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  if (Buffer.isBuffer(from)) return { bytes: from.length, sha256: hash.update(from).digest('hex') }
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let at = 0; ;) {
    const { bytesRead } = await from.read(chunk, 0, chunkBytes, at)
    if (bytesRead === 0) return { bytes: at, sha256: hash.digest('hex') }
    hash.update(chunk.subarray(0, bytesRead))
    at += bytesRead
  }
}

/** The number of a sheet: by its name, otherwise the first that people see. */
function sheetOf({ sheets }: Workbook, name: string | undefined): Result<number, Failure> {
  if (!name)
    return ok(
      Math.max(
        0,
        sheets.findIndex(({ state }) => state === 'visible')
      )
    )
  const found = sheets.findIndex((sheet) => sheet.name === name)
  const names = sheets.map((sheet) => `“${sheet.name}”`).join(', ')
  return found < 0 ? failed('batch-sheet-missing', { sheet: name, sheets: names }) : ok(found)
}

serve<WorkbookThread>({
  open: (file: WorkbookFile, sheet) =>
    attempt(file.name, async () => {
      const from = 'path' in file ? await openRegular(file.path, constants.O_RDONLY) : Buffer.from(file.bytes)
      const digest = await digestOf(from)
      const workbook = await openWorkbook(from)
      const chosen = sheetOf(workbook, sheet)
      if (!chosen.ok) return chosen
      reading = { file: file.name, rows: workbook.rows(chosen.value) }
      return ok({ ...digest, sheets: workbook.sheets, sheet: workbook.sheets[chosen.value]?.name ?? '' })
    }),
  read: async () => {
    if (!reading) throw new Error('no workbook is open')
    const { file, rows } = reading
    return attempt<SheetBlock>(file, async () => {
      const block: SheetRow[] = []
      for (let length = 0; length < blockLength;) {
        const next = await rows.next()
        if (next.done) return ok({ rows: block, facts: next.value })
        block.push(next.value)
        for (const cell of next.value.cells) length += cell.length + 4
      }
      return ok({ rows: block })
    })
  }
})
