/** `team schema`. */
import { newestVersion, schemaSql } from '#core/team/database/schema.ts'
import { usage, type Ending } from './context.ts'
import type { OptionValues } from './parse.ts'

/** Prints the SQL of the team's database. Needs neither data nor a database. */
export function printSchema(options: OptionValues): Ending {
  const { from = '0' } = options
  if (typeof from !== 'string' || !/^\d{1,4}$/.test(from)) return usage('--from takes the version of the database, a whole number.')
  if (Number(from) >= newestVersion) return { exit: 'done', error: `Version ${newestVersion} is the newest that this console knows; there is nothing to apply.` }
  return { exit: 'done', out: schemaSql(Number(from)).trimEnd() }
}
