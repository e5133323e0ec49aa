/**
 * Notes of what was done while no history was open, in a file until a history of the file has them: a start whose
 * keychain stays locked would otherwise take them with it. They hold no more than the settings and connections beside
 * them do: an audit note never holds personal data or a secret.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { openDataFile, type DataFile } from '#core/files/data-file.ts'
import type { AuditNote } from '#core/history/api/audit-notes.ts'

export interface EarlyNotes {
  /** Oldest first. */
  all(): Promise<readonly AuditNote[]>
  add(note: AuditNote): Promise<void>
  /** They are in a history that lasts. */
  clear(): Promise<void>
}

/** The oldest go first: what is done without a history for that long is told best by the latest. */
const most = 1000

const notesSchema = z.array(z.looseObject({ kind: z.string(), at: z.number(), operator: z.string(), plain: z.looseObject({}) }))

/** For this session alone. */
export function rememberEarlyNotes(): EarlyNotes {
  let notes: readonly AuditNote[] = []
  return {
    all: async () => notes,
    add: async (note) => void (notes = [...notes, note].slice(-most)),
    clear: async () => void (notes = [])
  }
}

/**
 * In the data folder. Never fails: a file that cannot be read or written leaves them to memory. One that names whom it
 * concerns stays there as well.
 */
export function keepEarlyNotes(folder: string, now: number): EarlyNotes {
  type Notes = readonly AuditNote[]
  const inMemory = rememberEarlyNotes()
  let opening: Promise<DataFile<Notes>> | undefined
  const opened = (): Promise<DataFile<Notes>> =>
    (opening ??= openDataFile<Notes>({
      path: join(folder, 'early-notes.json'),
      format: 'veridesk-early-notes',
      version: 1,
      // This program wrote them; what each holds is for whoever shows it to read.
      schema: notesSchema as unknown as z.ZodType<Notes>,
      migrate: (data) => data,
      defaults: [],
      now
    }))

  return {
    all: async () => [...(await opened()).data(), ...(await inMemory.all())],
    async add(note) {
      const file = await opened()
      const written = note.about === undefined && file.refresh().ok && (await file.write([...file.data(), note].slice(-most))).ok
      if (!written) await inMemory.add(note)
    },
    async clear() {
      await inMemory.clear()
      const file = await opened()
      if (file.data().length > 0 && file.refresh().ok) await file.write([])
    }
  }
}
