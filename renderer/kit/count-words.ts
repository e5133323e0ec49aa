/** Whole sentences about numbers, each in one place, so that they can be translated. */
import { inLanguage, listed, plural } from './language.ts'
import { count } from './text.ts'

export const {
  heldBatches,
  rowsToResolve,
  backupsRewritten,
  recordsThatRemain,
  recordsPastRetention,
  eventsBeforeBreak,
  valuesWithheld,
  everyApplicant,
  messagesBeyondLimit,
  interpretationImpact,
  restoredBatchStart,
  rowsNeverSent,
  rowsQueuedAgain,
  sendAgainLabel,
  apostrophesTaken,
  apostrophesKept,
  apostrophesRemoved,
  unmappedFields,
  linksChecked,
  linksCheckStopped,
  rowsWithoutFindings,
  rowsWithFindings
} = inLanguage({
  /** Batches that a restore holds back. */
  heldBatches: (batches: number): string =>
    plural(batches, {
      one: '{n} batch is held until you confirm.',
      other: '{n} batches are held until you confirm.'
    }),
  rowsToResolve: (rows: number): string =>
    plural(rows, { one: '{n} unknown row is to be resolved.', other: '{n} unknown rows are to be resolved.' }),
  backupsRewritten: (backups: number): string =>
    plural(backups, {
      one: '{n} backup will be rewritten. The events stay in the audit trail, which stays verifiable.',
      other: '{n} backups will be rewritten. The events stay in the audit trail, which stays verifiable.'
    }),
  recordsThatRemain: (records: number): string =>
    plural(records, {
      one: '{n} other record contains this ID in the request or the response, and would remain.',
      other: '{n} other records contain this ID in the request or the response, and would remain.'
    }),
  recordsPastRetention: (records: number): string =>
    plural(records, {
      one: '{n} record permanently loses its personal data, here and in the backups. The audit trail stays verifiable. Forms, results and drafts in this window are cleared as well.',
      other:
        '{n} records permanently lose their personal data, here and in the backups. The audit trail stays verifiable. Forms, results and drafts in this window are cleared as well.'
    }),
  eventsBeforeBreak: (events: number): string =>
    plural(events, {
      one: '{n} event before it verified. Keep the files unchanged, and restore the last valid backup to compare.',
      other: '{n} events before it verified. Keep the files unchanged, and restore the last valid backup to compare.'
    }),
  valuesWithheld: (values: number): string =>
    plural(values, { one: '{n} value withheld or erased.', other: '{n} values withheld or erased.' }),
  /** What a change of everyone who matches would concern. */
  everyApplicant: (applicants: number): string =>
    plural(applicants, {
      one: 'Change the {n} applicant that matches the search and the filters, also if it is not in view.',
      other: 'Change all {n} applicants that match the search and the filters, also those that are not in view.'
    }),
  messagesBeyondLimit: (answers: number): string => {
    return plural(answers, {
      one: '{n} answer had messages beyond the limit for one operation. They are counted but not listed here; each one is in the history.',
      other:
        '{n} answers had messages beyond the limit for one operation. They are counted but not listed here; each one is in the history.'
    })
  },
  /** What else an interpretation of a message concerns. @param records Records with the message; `others`: besides the one that is open. */
  interpretationImpact(records: number, others: boolean): string {
    if (records === 0) return 'No other record has this message.'
    return others
      ? plural(records, {
          one: '{n} other record has this message and will show the new interpretation.',
          other: '{n} other records have this message and will show the new interpretation.'
        })
      : plural(records, {
          one: '{n} record has this message and will show the new interpretation.',
          other: '{n} records have this message and will show the new interpretation.'
        })
  },
  /** Before a batch that was restored from a backup is started. */
  restoredBatchStart: (rows: number): string =>
    plural(rows, {
      one: 'This batch was restored from a backup. Send its {n} waiting row only if you know that your provider has not processed them since.',
      other:
        'This batch was restored from a backup. Send its {n} waiting rows only if you know that your provider has not processed them since.'
    }),
  rowsNeverSent: (rows: number): string =>
    plural(rows, {
      one: '{n} waiting row will never be sent, and the batch cannot be started again. Rows in progress finish, and all results stay. To continue later, pause the batch instead.',
      other:
        '{n} waiting rows will never be sent, and the batch cannot be started again. Rows in progress finish, and all results stay. To continue later, pause the batch instead.'
    }),
  rowsQueuedAgain: (rows: number): string =>
    plural(rows, {
      one: '{n} row is queued again. If the service processed the first request, the row is processed, and may be billed, twice. Nothing is sent until you start the batch.',
      other:
        '{n} rows are queued again. If the service processed the first request, the row is processed, and may be billed, twice. Nothing is sent until you start the batch.'
    }),
  sendAgainLabel: (rows: number): string => plural(rows, { one: 'Send it again', other: 'Send {n} rows again' }),
  apostrophesTaken: (rows: number): string =>
    plural(rows, {
      one: 'This file was saved by Veridesk. In {n} row the apostrophes that it had added for spreadsheets were removed.',
      other:
        'This file was saved by Veridesk. In {n} rows the apostrophes that it had added for spreadsheets were removed.'
    }),
  apostrophesKept: (rows: number): string =>
    plural(rows, {
      one: '{n} row has an apostrophe before a formula sign (=, +, -, @). It is sent as part of the value. Remove it if a spreadsheet or another program added it.',
      other:
        '{n} rows have an apostrophe before a formula sign (=, +, -, @). It is sent as part of the value. Remove it if a spreadsheet or another program added it.'
    }),
  apostrophesRemoved: (rows: number): string =>
    plural(rows, {
      one: 'In {n} row the apostrophe before a formula sign (=, +, -, @) was removed. The value is sent without it.',
      other: 'In {n} rows the apostrophe before a formula sign (=, +, -, @) was removed. The value is sent without it.'
    }),
  /** Fields that no column of a file is mapped to. */
  unmappedFields: (labels: readonly string[]): string => {
    const named = listed(labels.map((label) => `“${label}”`))
    return plural(labels.length, {
      one: `No column is mapped to ${named}. No row can be sent until you choose one.`,
      other: `No column is mapped to ${named}. No row can be sent until you choose them.`
    })
  },
  linksChecked: (done: number, links: number): string =>
    plural(links, { one: `${count(done)} of {n} link checked.`, other: `${count(done)} of {n} links checked.` }),
  linksCheckStopped: (done: number, links: number): string =>
    plural(links, {
      one: `${count(done)} of {n} link checked, then stopped.`,
      other: `${count(done)} of {n} links checked, then stopped.`
    }),
  rowsWithoutFindings: (rows: number): string =>
    plural(rows, { one: '{n} row without findings.', other: '{n} rows without findings.' }),
  rowsWithFindings: (rows: number): string =>
    plural(rows, { one: '{n} row with findings.', other: '{n} rows with findings.' })
})
