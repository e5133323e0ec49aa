/** What is dropped on the window: core identifies a file by its first bytes, and a folder by the names in it. */
import { z } from 'zod'

/** Bytes of a file that are identified. */
export const droppedHead = 8 * 1024
/** Names of a folder that are identified. */
export const droppedNames = 200
/** Characters of a list of links and IDs; a longer one is a batch. */
export const maxDroppedList = 100_000

const name = z.string().max(255)
export const droppedSchema = z.union([
  z.strictObject({ name, head: z.base64().max(Math.ceil(droppedHead / 3) * 4) }),
  z.strictObject({ name, folder: z.array(name).max(droppedNames) })
])
export type Dropped = z.output<typeof droppedSchema>

/**
 * `rows`: a table for a batch. `pack`: an evidence pack. `list`: links, IDs or an object for the fields of a form.
 * `backup`: a backup or the recovery file of one.
 */
export const droppedKinds = ['rows', 'pack', 'list', 'backup'] as const
export type DroppedKind = (typeof droppedKinds)[number]
