/** The form of a file: its tables, which are made once, and its version. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Db } from './files.ts'

export interface Schema {
  /** The file's `user_version`. The first change after a release raises it, and `prepare` then makes it to older files. */
  readonly version: number
  readonly tables: string
}

export const versionOf = (db: Db): number => db.pragma('user_version', { simple: true }) as number

/**
 * Makes the tables of a new file, in one transaction with its version.
 *
 * @param reading Read-only: a file without tables fails with `disk-full`.
 * @returns Fails with `history-newer` if the file has another version; it is then unchanged.
 */
export function prepare(db: Db, { version, tables }: Schema, reading = false): Result<null, Failure> {
  const present = versionOf(db)
  if (present === version) return ok(null)
  if (present !== 0) return failed('history-newer', { version: present, supported: version })
  if (reading) return failed('disk-full')
  db.transaction(() => {
    db.exec(tables)
    db.pragma(`user_version=${version}`)
  }).immediate()
  return ok(null)
}
