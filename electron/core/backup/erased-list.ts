/**
 * The list of what was erased, beside every copy of the history: digests of destroyed keys, one a line, so that no copy
 * that comes back brings an erased person back. A file that is only ever appended to, and that outlives each history.
 *
 * An erasure is listed before its keys go: `begun ID DIGEST …`. Whatever ends the program behind that, and whatever
 * becomes of the history then, a restore knows of it. `ended ID` says that it was decided: the keys went, and their
 * digests stand in lines of their own, or they did not.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, syncFolder } from '#core/files/write.ts'

export const erasedListPath = (dataFolder: string): string => join(dataFolder, 'erased-keys.txt')

/** An erasure of which the list does not say whether its keys went. */
export interface BegunErasure {
  readonly id: string
  /** Digests of the keys, hex. */
  readonly digests: readonly string[]
}

export interface ErasedList {
  /** Of all keys that were ever destroyed here. */
  readonly digests: readonly string[]
  readonly begun: readonly BegunErasure[]
}

const isDigest = (word: string): boolean => /^[0-9a-f]{64}$/.test(word)

/** What the list says. A line that a power cut left half says nothing. Throws where it is there and cannot be read. */
export async function readErased(dataFolder: string): Promise<ErasedList> {
  const text = await readFile(erasedListPath(dataFolder), 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    return ''
  })
  const digests: string[] = []
  const begun = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [word = '', id = '', ...more] = line.split(' ')
    if (isDigest(line)) digests.push(line)
    else if (word === 'begun') begun.set(id, [...(begun.get(id) ?? []), ...more.filter(isDigest)])
    else if (word === 'ended') begun.delete(id)
  }
  return { digests, begun: [...begun].map(([id, some]) => ({ id, digests: some })) }
}

/** Adds lines, on disk before it settles; none to see whether some could be. Throws the file system's errors. */
async function append(dataFolder: string, lines: readonly string[]): Promise<void> {
  const file = await open(erasedListPath(dataFolder), 'a', 0o600)
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

/** Before the keys go, on their own thread, which nothing may come between: on disk when it returns. Throws the file system's errors. */
export function listBegun(path: string, { id, digests }: BegunErasure): void {
  const file = openSync(path, 'a', 0o600)
  try {
    writeSync(file, `\n${['begun', id, ...digests].join(' ')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
