/** Whole sentences about numbers, each in one place, so that they can be translated. */
import { inLanguage, plural } from './language.ts'
import { count } from './text.ts'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

export const {
  heldBatches,
  backupsRewritten,
  recordsThatRemain,
  recordsPastRetention,
  eventsBeforeBreak,
  valuesWithheld,
  everyApplicant,
  countersignaturesRequired,
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
  linksChecked
} = inLanguage({
  /** Batches that a restore holds back. */
  heldBatches: (batches: number, rows: number): string => {
    const unknown = plural(rows, { one: '{n} unknown row', other: '{n} unknown rows' })
    return plural(batches, {
      one: `{n} batch is held until you confirm, with ${unknown} to resolve.`,
      other: `{n} batches are held until you confirm, with ${unknown} to resolve.`
    })
  },
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
  recordsPastRetention: (records: number): string => {
    const rest =
      'here and in the backups. The audit trail stays verifiable. Forms, results and drafts in this window are cleared as well.'
    return plural(records, {
      one: `{n} record permanently loses its personal data, ${rest}`,
      other: `{n} records permanently lose their personal data, ${rest}`
    })
  },
  eventsBeforeBreak: (events: number): string => {
    const rest = 'before it verified. Keep the files unchanged, and restore the last valid backup to compare.'
    return plural(events, { one: `{n} event ${rest}`, other: `{n} events ${rest}` })
  },
  valuesWithheld: (values: number): string =>
    plural(values, { one: '{n} value withheld or erased.', other: '{n} values withheld or erased.' }),
  /** What a change of everyone who matches would concern. */
  everyApplicant: (applicants: number): string =>
    plural(applicants, {
      one: 'Change the {n} applicant that matches the search and the filters, also if it is not in view.',
      other: 'Change all {n} applicants that match the search and the filters, also those that are not in view.'
    }),
  countersignaturesRequired: (countersignatures: number): string =>
    plural(countersignatures, {
      one: '{n} countersignature is required.',
      other: '{n} countersignatures are required.'
    }),
  messagesBeyondLimit: (answers: number): string => {
    const rest =
      'had messages beyond the limit for one operation. They are counted but not listed here; each one is in the history.'
    return plural(answers, { one: `{n} answer ${rest}`, other: `{n} answers ${rest}` })
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
  restoredBatchStart: (rows: number): string => {
    const rest = 'only if you know that your provider has not processed them since.'
    return plural(rows, {
      one: `This batch was restored from a backup. Send its {n} waiting row ${rest}`,
      other: `This batch was restored from a backup. Send its {n} waiting rows ${rest}`
    })
  },
  rowsNeverSent: (rows: number): string => {
    const rest =
      'will never be sent, and the batch cannot be started again. Rows in progress finish, and all results stay. To continue later, pause the batch instead.'
    return plural(rows, { one: `{n} waiting row ${rest}`, other: `{n} waiting rows ${rest}` })
  },
  rowsQueuedAgain: (rows: number): string => {
    const rest =
      'If the service processed the first request, the row is processed, and may be billed, twice. Nothing is sent until you start the batch.'
    return plural(rows, { one: `{n} row is queued again. ${rest}`, other: `{n} rows are queued again. ${rest}` })
  },
  sendAgainLabel: (rows: number): string => plural(rows, { one: 'Send it again', other: 'Send {n} rows again' }),
  apostrophesTaken: (rows: number): string => {
    const rest = 'the apostrophes that it had added for spreadsheets were removed.'
    return plural(rows, {
      one: `This file was saved by Veridesk. In {n} row ${rest}`,
      other: `This file was saved by Veridesk. In {n} rows ${rest}`
    })
  },
  apostrophesKept: (rows: number): string => {
    const rest =
      'an apostrophe before a formula sign (=, +, -, @). It is sent as part of the value. Remove it if a spreadsheet or an earlier export added it.'
    return plural(rows, { one: `{n} row has ${rest}`, other: `{n} rows have ${rest}` })
  },
  apostrophesRemoved: (rows: number): string => {
    const rest = 'the apostrophe before a formula sign (=, +, -, @) was removed. The value is sent without it.'
    return plural(rows, { one: `In {n} row ${rest}`, other: `In {n} rows ${rest}` })
  },
  /** Fields that no column of a file is mapped to. */
  unmappedFields: (labels: readonly string[]): string => {
    const named = list.format(labels.map((label) => `“${label}”`))
    return plural(labels.length, {
      one: `No column is mapped to ${named}. No row can be sent until you choose one under “Column mapping” in step 2.`,
      other: `No column is mapped to ${named}. No row can be sent until you choose them under “Column mapping” in step 2.`
    })
  },
  /** The state of a check of a batch's links. */
  linksChecked(
    {
      done,
      links,
      fine,
      found
    }: { readonly done: number; readonly links: number; readonly fine: number; readonly found: number },
    stopped: boolean
  ): string {
    const rows = plural(found, { one: '{n} row with findings', other: '{n} rows with findings' })
    const rest = `${stopped ? 'checked, stopped' : 'checked'}, ${count(fine)} without findings, ${rows}.`
    return plural(links, { one: `${count(done)} of {n} link ${rest}`, other: `${count(done)} of {n} links ${rest}` })
  }
})
