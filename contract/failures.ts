/**
 * Every failure that a person can meet, declared once: what happened, what is safe, what to do.
 *
 * One file for each noun; here they are one table, and a code stands in one of them only. Nothing secret is
 * ever a detail.
 */
import { appFailures } from './failures/app.ts'
import { applicantsFailures } from './failures/applicants.ts'
import { backupFailures } from './failures/backup.ts'
import { batchesFailures } from './failures/batches.ts'
import { callsFailures } from './failures/calls.ts'
import { connectionsFailures } from './failures/connections.ts'
import { erasureFailures } from './failures/erasure.ts'
import { evidenceFailures } from './failures/evidence.ts'
import { filesFailures } from './failures/files.ts'
import { historyFailures } from './failures/history.ts'
import { keychainFailures } from './failures/keychain.ts'
import { settingsFailures } from './failures/settings.ts'
import { fail } from './result.ts'

export const failureTable = {
  ...appFailures,
  ...connectionsFailures,
  ...keychainFailures,
  ...callsFailures,
  ...historyFailures,
  ...batchesFailures,
  ...backupFailures,
  ...erasureFailures,
  ...filesFailures,
  ...evidenceFailures,
  ...applicantsFailures,
  ...settingsFailures
} as const

export type FailureCode = keyof typeof failureTable

/** One failure with its three sentences filled in. */
export interface Failure {
  readonly code: FailureCode
  readonly what: string
  readonly safe: string
  readonly todo: string
  /** Faults of single fields, by field name, for display at the field. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Builds a failure from the table; an unfilled {name} is left out of the sentence. */
export function failure(
  code: FailureCode,
  details: Readonly<Record<string, string | number>> = {},
  fields?: Readonly<Record<string, string>>
): Failure {
  const fill = (sentence: string): string =>
    sentence.replace(/ ?\(?\{(\w+)\}\)?/g, (whole, name: string) =>
      name in details ? whole.replace(`{${name}}`, String(details[name])) : ''
    )
  const row = failureTable[code]
  return { code, what: fill(row.what), safe: fill(row.safe), todo: fill(row.todo), ...(fields && { fields }) }
}

/** `failure()` as a Result. */
export function failed(
  code: FailureCode,
  details?: Readonly<Record<string, string | number>>,
  fields?: Readonly<Record<string, string>>
): { readonly ok: false; readonly failure: Failure } {
  return fail(failure(code, details, fields))
}

