/** Whole sentences about numbers, each in one place, so that they can be translated. */
import { count, sentence } from './text.ts'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** Batches that a restore holds back. */
export const heldBatches = (batches: number, rows: number): string => {
  const unknown = sentence(rows, { one: '{n} unknown row', other: '{n} unknown rows' })
  return sentence(batches, {
    one: `{n} batch is held until you confirm, with ${unknown} to resolve.`,
    other: `{n} batches are held until you confirm, with ${unknown} to resolve.`
  })
}
export const backupsRewritten = (backups: number): string =>
  sentence(backups, {
    one: '{n} backup will be rewritten. The events stay in the audit trail, which stays verifiable.',
    other: '{n} backups will be rewritten. The events stay in the audit trail, which stays verifiable.'
  })
export const recordsThatRemain = (records: number): string =>
  sentence(records, {
    one: '{n} other record contains this ID in the request or the response, and would remain.',
    other: '{n} other records contain this ID in the request or the response, and would remain.'
  })
export const recordsPastRetention = (records: number): string => {
  const rest =
    'here and in the backups. The audit trail stays verifiable. Forms, results and drafts in this window are cleared as well.'
  return sentence(records, {
    one: `{n} record permanently loses its personal data, ${rest}`,
    other: `{n} records permanently lose their personal data, ${rest}`
  })
}
export const eventsBeforeBreak = (events: number): string => {
  const rest = 'before it verified. Keep the files unchanged, and restore the last valid backup to compare.'
  return sentence(events, { one: `{n} event ${rest}`, other: `{n} events ${rest}` })
}
export const valuesWithheld = (values: number): string =>
  sentence(values, { one: '{n} value withheld or erased.', other: '{n} values withheld or erased.' })
/** What a change of everyone who matches would concern. */
export const everyApplicant = (applicants: number): string =>
  sentence(applicants, {
    one: 'Change the {n} applicant that matches the search and the filters, also if it is not in view.',
    other: 'Change all {n} applicants that match the search and the filters, also those that are not in view.'
  })
export const countersignaturesRequired = (countersignatures: number): string =>
  sentence(countersignatures, {
    one: '{n} countersignature is required.',
    other: '{n} countersignatures are required.'
  })
export const messagesBeyondLimit = (answers: number): string => {
  const rest =
    'had messages beyond the limit for one operation. They are counted but not listed here; each one is in the history.'
  return sentence(answers, { one: `{n} answer ${rest}`, other: `{n} answers ${rest}` })
}
/** What else an interpretation of a message concerns. @param records Records with the message; `others`: besides the one that is open. */
export function interpretationImpact(records: number, others: boolean): string {
  if (records === 0) return 'No other record has this message.'
  return others
    ? sentence(records, {
        one: '{n} other record has this message and will show the new interpretation.',
        other: '{n} other records have this message and will show the new interpretation.'
      })
    : sentence(records, {
        one: '{n} record has this message and will show the new interpretation.',
        other: '{n} records have this message and will show the new interpretation.'
      })
}

/** Before a batch that was restored from a backup is started. */
export const restoredBatchStart = (rows: number): string => {
  const rest = 'only if you know that your provider has not processed them since.'
  return sentence(rows, {
    one: `This batch was restored from a backup. Send its {n} waiting row ${rest}`,
    other: `This batch was restored from a backup. Send its {n} waiting rows ${rest}`
  })
}
export const rowsNeverSent = (rows: number): string => {
  const rest =
    'will never be sent, and the batch cannot be started again. Rows in progress finish, and all results stay. To continue later, pause the batch instead.'
  return sentence(rows, { one: `{n} waiting row ${rest}`, other: `{n} waiting rows ${rest}` })
}
export const rowsQueuedAgain = (rows: number): string => {
  const rest =
    'If the service processed the first request, the row is processed, and may be billed, twice. Nothing is sent until you start the batch.'
  return sentence(rows, { one: `{n} row is queued again. ${rest}`, other: `{n} rows are queued again. ${rest}` })
}
export const sendAgainLabel = (rows: number): string =>
  sentence(rows, { one: 'Send it again', other: 'Send {n} rows again' })
export const apostrophesTaken = (rows: number): string => {
  const rest = 'the apostrophes that it had added for spreadsheets were removed.'
  return sentence(rows, {
    one: `This file was saved by Veridesk. In {n} row ${rest}`,
    other: `This file was saved by Veridesk. In {n} rows ${rest}`
  })
}
export const apostrophesKept = (rows: number): string => {
  const rest =
    'an apostrophe before a formula sign (=, +, -, @). It is sent as part of the value. Remove it if a spreadsheet or an earlier export added it.'
  return sentence(rows, { one: `{n} row has ${rest}`, other: `{n} rows have ${rest}` })
}
export const apostrophesRemoved = (rows: number): string => {
  const rest = 'the apostrophe before a formula sign (=, +, -, @) was removed. The value is sent without it.'
  return sentence(rows, { one: `In {n} row ${rest}`, other: `In {n} rows ${rest}` })
}
/** Fields that no column of a file is mapped to. */
export const unmappedFields = (labels: readonly string[]): string => {
  const named = list.format(labels.map((label) => `“${label}”`))
  return sentence(labels.length, {
    one: `No column is mapped to ${named}. No row can be sent until you choose one under “Column mapping” in step 2.`,
    other: `No column is mapped to ${named}. No row can be sent until you choose them under “Column mapping” in step 2.`
  })
}

/** The state of a check of a batch's links. */
export function linksChecked(
  {
    done,
    links,
    fine,
    found
  }: { readonly done: number; readonly links: number; readonly fine: number; readonly found: number },
  stopped: boolean
): string {
  const rows = sentence(found, { one: '{n} row with findings', other: '{n} rows with findings' })
  const rest = `${stopped ? 'checked, stopped' : 'checked'}, ${count(fine)} without findings, ${rows}.`
  return sentence(links, { one: `${count(done)} of {n} link ${rest}`, other: `${count(done)} of {n} links ${rest}` })
}
