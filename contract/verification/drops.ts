/** What is dropped on the window: core identifies a file by its first bytes, and a folder by the names in it. */

/** Bytes of a file that are identified. */
export const droppedHead = 8 * 1024
/** Names of a folder that are identified. */
export const droppedNames = 200
/** Characters of a list of links and IDs; a longer one is a batch. */
export const maxDroppedList = 100_000

/** A file's name and first bytes as base64, or a folder's name and the names in it. */
export type Dropped =
  | { readonly name: string; readonly head: string }
  | { readonly name: string; readonly folder: string[] }

/**
 * `rows`: a table for a batch. `pack`: an evidence pack. `approval`: an answer to a request for approval. `trust`: a trust file.
 * `list`: links, IDs or an object for the fields of a form. `backup`: a backup or the recovery file of one.
 */
export const droppedKinds = ['rows', 'pack', 'approval', 'trust', 'list', 'backup'] as const
export type DroppedKind = (typeof droppedKinds)[number]
