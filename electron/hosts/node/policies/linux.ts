/** The policy file of Linux. */
import { policiesInFile } from '#core/policies/json-file.ts'
import type { PolicyReader } from '#core/ports/policies.ts'
import { readTrusted } from './trusted-file.ts'
import { watchFile } from './watch.ts'

/** @param owners Users who may have written the file, by ID. */
export function fileReader(path: string, owners: readonly number[]): PolicyReader {
  return {
    async read() {
      const file = await readTrusted(path, owners)
      return [{ place: path, by: 'Veridesk', found: file.kind === 'bytes' ? policiesInFile(file.bytes) : file }]
    },
    watch: (changed) => watchFile(path, changed),
    // A file is written within moments; its writer is not always atomic.
    confirmAfter: 250
  }
}
