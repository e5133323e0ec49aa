/** How the full-text index merges its segments. */
import type { Db } from '#wire/sqlite/files.ts'

/**
 * Segments of a size that are merged into one. With FTS5's own number, 4, each text is written more often, and the last
 * rows of a long batch cost more than the first. With more, a search has to look into more segments.
 */
const mergedAtOnce = 8

/** Sets the index to it, also one that was created with another number. */
export function setMerging(search: Db): void {
  const present = search.prepare("SELECT v FROM trigram_config WHERE k = 'automerge'").pluck().get()
  if (present !== mergedAtOnce) search.exec(`INSERT INTO trigram(trigram, rank) VALUES ('automerge', ${mergedAtOnce})`)
}
