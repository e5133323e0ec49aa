/**
 * The list of what was erased, beside every copy of the history: digests of destroyed keys, one a line, so that no copy
 * that comes back brings an erased person back. A file that is only ever appended to, and that outlives each history.
 *
 * An erasure is listed before its keys go: `begun ID DIGEST …`. Whatever ends the program behind that, and whatever
 * becomes of the history then, a restore knows of it. `ended ID` says that it was decided: the keys went, and their
 * digests stand in lines of their own, or they did not.
 *
 * `receipt JSON` is what a receipt says without its operator and the numbers of subjects: its event goes with the
 * history that a restore replaces, and who has to show that something was erased still can.
 */
import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Failure } from '#contract/failures.ts'
import type { ErasureReceipt } from '#contract/data-management.ts'
import type { Result } from '#contract/result.ts'
import { assertRegular, openRegular, readRegular } from '#core/files/regular.ts'
import { codeOf, syncFolder } from '#core/files/write.ts'

export const erasedListPath = (dataFolder: string): string => join(dataFolder, 'erased-keys.txt')

/** An erasure of which the list does not say whether its keys went. */
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
  backupsRewritten: z.int(),
  copiesNotReached: z.array(z.string()),
  copiesPending: z.boolean().optional(),
  event: z.int(),
  head: z.string()
})
export type ListedReceipt = z.output<typeof receiptSchema>

/** What of a receipt outlives its audit trail. */
export const listedReceipt = ({ by: _by, subjects: _subjects, replaced: _replaced, ...receipt }: ErasureReceipt): ListedReceipt =>
  receiptSchema.parse(receipt)

export interface ErasedList {
  /** Of all keys that were ever destroyed here. */
  readonly digests: readonly string[]
  readonly begun: readonly BegunErasure[]
  /** By id, as they were last. */
  readonly receipts: ReadonlyMap<string, ListedReceipt>
}

const isDigest = (word: string): boolean => /^[0-9a-f]{64}$/.test(word)

/** What the list says. A line that a power cut left half says nothing. Throws where it is there and cannot be read. */
export async function readErased(dataFolder: string): Promise<ErasedList> {
  const text = await readRegular(erasedListPath(dataFolder)).catch((error: unknown) => {
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

/** Erasures that may have destroyed their keys: all but those whose keys the present history holds, as `alive` counts them. */
export async function undecided(begun: readonly BegunErasure[], alive: (digests: readonly string[]) => Promise<Result<number, Failure>>): Promise<BegunErasure[]> {
  const gone: BegunErasure[] = []
  for (const one of begun) {
    const there = await alive(one.digests)
    if (!there.ok || there.value === 0) gone.push(one)
  }
  return gone
}

/** Adds lines, on disk before it settles; none to see whether some could be. Throws the file system's errors. */
async function append(dataFolder: string, lines: readonly string[]): Promise<void> {
  const file = await openRegular(erasedListPath(dataFolder), constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
  try {
    // A line that a power cut left half is closed first.
    if (lines.length > 0) await file.appendFile(`\n${lines.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dataFolder)
}

/** Adds digests of destroyed keys; none to see whether some could be. Throws the file system's errors. */
export const rememberErased = (dataFolder: string, digests: readonly string[]): Promise<void> => append(dataFolder, digests)

/** The erasure was decided; one whose keys went has its digests in the list by now. Throws the file system's errors. */
export const rememberEnded = (dataFolder: string, id: string): Promise<void> => append(dataFolder, [`ended ${id}`])

/** Adds receipts, or what has become of them since. Throws the file system's errors. */
export const rememberReceipts = (dataFolder: string, receipts: readonly ListedReceipt[]): Promise<void> =>
  append(dataFolder, receipts.map((receipt) => `receipt ${JSON.stringify(receipt)}`))

/** Before the keys go, on their own thread, which nothing may come between: on disk when it returns. Throws the file system's errors. */
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
