/**
 * Stores notes of actions without an open history in a file until a permanent history contains them; otherwise they
 * would be lost when a start whose keychain stays locked ends. They contain no more than the settings and connections
 * files beside them: an audit note never contains personal data or a secret.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { openDataFile, type DataFile } from '#core/files/data-file.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import type { AuditNote } from '#wire/history/audit-notes.ts'

export interface EarlyNotes {
  /** Oldest first. */
  all(): Promise<readonly AuditNote[]>
  add(note: AuditNote): Promise<void>
  /** Removes them; call when they are in a permanent history. */
  clear(): Promise<void>
}

/** The oldest are dropped first: after so long without a history, the latest are the most useful. */
const maxNotes = 1000

const notesSchema = z.array(
  z.looseObject({ kind: z.string(), at: z.number(), operator: z.string(), plain: z.looseObject({}) })
)

/** For this session only. */
export function rememberEarlyNotes(): EarlyNotes {
  let notes: readonly AuditNote[] = []
  return {
    all: async () => notes,
    add: async (note) => void (notes = [...notes, note].slice(-maxNotes)),
    clear: async () => void (notes = [])
  }
}

/** In the data folder. Never fails: if the file is unusable, notes stay in memory, as do those that name a subject. */
export function keepEarlyNotes(folder: string, now: number): EarlyNotes {
  type Notes = readonly AuditNote[]
  const inMemory = rememberEarlyNotes()
  let opening: Promise<DataFile<Notes>> | undefined
  const opened = (): Promise<DataFile<Notes>> =>
    (opening ??= openDataFile<Notes>({
      path: join(folder, ownFiles.earlyNotes),
      format: 'veridesk-early-notes',
      version: 1,
      // Veridesk wrote them; whatever displays a note interprets its content.
      schema: notesSchema as unknown as z.ZodType<Notes>,
      defaults: [],
      now
    }))

  return {
    all: async () => [...(await opened()).data(), ...(await inMemory.all())],
    async add(note) {
      const file = await opened()
      const written =
        note.about === undefined && file.refresh().ok && (await file.write([...file.data(), note].slice(-maxNotes))).ok
      if (!written) await inMemory.add(note)
    },
    async clear() {
      await inMemory.clear()
      const file = await opened()
      if (file.data().length > 0 && file.refresh().ok) await file.write([])
    }
  }
}
