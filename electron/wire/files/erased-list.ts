/**
 * The list of erasures, stored outside every copy of the history: digests of destroyed keys, one per line, so that
 * restoring a copy does not restore erased data. The file is append-only and outlives each history.
 *
 * An erasure is listed before its keys are destroyed: `begun ID DIGEST …`. A restore therefore knows about it,
 * whatever ends the process afterwards or happens to the history. `ended ID` means that it was decided: either the
 * keys were destroyed and their digests have lines of their own, or they were not.
 *
 * `receipt JSON` contains a receipt without its operator and the numbers of subjects. Its event is lost with a
 * history that a restore replaces, but the erasure can still be proved.
 */
import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Failure } from '#contract/failures/failures.ts'
import type { ErasureReceipt } from '#contract/data-management/data-management.ts'
import type { Result } from '#contract/failures/result.ts'
import { ownFiles } from './own-names.ts'
import { assertRegular, openRegular, readRegular } from './regular.ts'
import { codeOf, syncFolder } from './write.ts'

export const erasedListPath = (dataFolder: string): string => join(dataFolder, ownFiles.erasedKeys)

/** An erasure for which the list does not say whether its keys were destroyed. */
export interface BegunErasure {
  readonly id: string
  /** Digests of the keys, hex. */
  readonly digests: readonly string[]
}

const receiptSchema = z.strictObject({
  id: z.uuid(),
  at: z.int(),
  cause: z.enum(['request', 'retention']),
  records: z.int(),
  batchRows: z.int(),
  documents: z.int().optional(),
  documentsNotDeleted: z.int().optional(),
  backupsRewritten: z.int(),
  copiesNotReached: z.array(z.string()),
  copiesPending: z.boolean().optional(),
  event: z.int(),
  head: z.string()
})
export type ListedReceipt = z.output<typeof receiptSchema>

/** The part of a receipt that outlives its audit trail. */
export const listedReceipt = ({
  by: _by,
  subjects: _subjects,
  replaced: _replaced,
  ...receipt
}: ErasureReceipt): ListedReceipt => receiptSchema.parse(receipt)

export interface ErasedList {
  /** Digests of all keys ever destroyed here. */
  readonly digests: readonly string[]
  readonly begun: readonly BegunErasure[]
  /** By id, the latest version of each. */
  readonly receipts: ReadonlyMap<string, ListedReceipt>
}

/** The list grows with each erasure: these are seven million. */
const maxListBytes = 512 * 1024 * 1024

const isDigest = (word: string): boolean => /^[0-9a-f]{64}$/.test(word)

/**
 * Parses the list. Incomplete lines, left by a power cut, are ignored. Throws if the file exists but cannot be read.
 */
export async function readErased(dataFolder: string): Promise<ErasedList> {
  const text = await readRegular(erasedListPath(dataFolder), maxListBytes).then(String, (error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    return ''
  })
  const digests: string[] = []
  const begun = new Map<string, string[]>()
  const receipts = new Map<string, ListedReceipt>()
  for (const line of text.split('\n')) {
    const [word = '', id = '', ...more] = line.split(' ')
    if (isDigest(line)) digests.push(line)
    else if (word === 'begun') begun.set(id, [...(begun.get(id) ?? []), ...more.filter(isDigest)])
    else if (word === 'ended') begun.delete(id)
    else if (word === 'receipt') {
      const receipt = receiptIn(line.slice(word.length))
      if (receipt) receipts.set(receipt.id, receipt)
    }
  }
  return { digests, begun: [...begun].map(([id, some]) => ({ id, digests: some })), receipts }
}

function receiptIn(json: string): ListedReceipt | undefined {
  try {
    return receiptSchema.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

/**
 * Erasures that may have destroyed their keys: all except those whose keys the current history still holds (`alive`).
 */
export async function undecided(
  begun: readonly BegunErasure[],
  alive: (digests: readonly string[]) => Promise<Result<number, Failure>>
): Promise<BegunErasure[]> {
  const gone: BegunErasure[] = []
  for (const one of begun) {
    const there = await alive(one.digests)
    if (!there.ok || there.value === 0) gone.push(one)
  }
  return gone
}

/** Appends lines durably; without lines, tests whether it is possible. Throws the file system's errors. */
async function append(dataFolder: string, lines: readonly string[]): Promise<void> {
  const file = await openRegular(
    erasedListPath(dataFolder),
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT
  )
  try {
    // The leading line break ends a line that a power cut left incomplete.
    if (lines.length > 0) await file.appendFile(`\n${lines.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dataFolder)
}

/** Adds digests of destroyed keys; without any, tests whether it is possible. Throws the file system's errors. */
export const rememberErased = (dataFolder: string, digests: readonly string[]): Promise<void> =>
  append(dataFolder, digests)

/**
 * Records that an erasure was decided; the digests of destroyed keys are listed already. Throws the file system's
 * errors.
 */
export const rememberEnded = (dataFolder: string, id: string): Promise<void> => append(dataFolder, [`ended ${id}`])

/** Adds receipts or their new versions. Throws the file system's errors. */
export const rememberReceipts = (dataFolder: string, receipts: readonly ListedReceipt[]): Promise<void> =>
  append(
    dataFolder,
    receipts.map((receipt) => `receipt ${JSON.stringify(receipt)}`)
  )

/**
 * Records an erasure before its keys are destroyed. Synchronous, so that nothing can come between; durable on return.
 * Throws the file system's errors.
 */
export function listBegun(path: string, { id, digests }: BegunErasure): void {
  assertRegular(path)
  const file = openSync(path, 'a', 0o600)
  try {
    writeSync(file, `\n${['begun', id, ...digests].join(' ')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
