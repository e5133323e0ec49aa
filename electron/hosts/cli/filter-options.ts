/** The options that filter the history, as data. */
import { outcomeIds } from '#contract/verification/outcomes.ts'
import type { Option } from './command.ts'

export const filterOptions: Record<string, Option> = {
  operation: { type: 'string', value: 'OPERATION', help: 'only this operation' },
  outcome: { type: 'string', value: outcomeIds.join('|'), help: 'only this outcome' },
  status: { type: 'string', value: 'CODE', help: 'only this HTTP status' },
  connection: { type: 'string', value: 'NAME', help: 'only this connection' },
  from: { type: 'string', value: 'DATE', help: 'from this date or time (ISO 8601)' },
  until: { type: 'string', value: 'DATE', help: 'up to, and not including, this date or time' }
}
