/** How Node is started for the built command line. */
import { inRoot } from './ground.mjs'

/**
 * The young generation of the main thread grows to 134 MB in a batch of 20,000 rows on a machine with much memory, and
 * glibc keeps an arena of freed memory for each thread: a third of the process's memory, for nothing in time.
 */
export const commandLineStart = {
  args: ['--max-semi-space-size=4', inRoot('out', 'preview', 'cli.js')],
  environment: { MALLOC_ARENA_MAX: '2' }
}
