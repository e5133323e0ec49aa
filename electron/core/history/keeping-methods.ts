/** What the history's worker offers to keep, to prove and to let go, by the names that `keeping-port.ts` calls. */
import { failed, type Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import { checkCopy, copyInto, forgetIn } from './backup.ts'
import type { Engine, EngineOptions } from './engine.ts'

type Answered = Result<unknown, Failure>
type Ask = (job: (open: Engine, options: EngineOptions) => Answered) => Promise<Answered>

export const keepingMethods = (read: Ask) => ({
  'backup.make': (folder: string) =>
    read((engine, { masterKey }) => (masterKey === undefined ? failed('keeping-not-on-file') : copyInto(engine.dbs, folder, masterKey))),
  // The two below are asked of a worker that has no history open: they work on files that are not the present ones.
  'copy.check': (folder: string, masterKey: string) => checkCopy(folder, masterKey),
  'copy.forget': (file: string, masterKey: string, digests: readonly string[]) => forgetIn(file, masterKey, digests)
})
