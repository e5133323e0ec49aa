/**
 * Batches: a file of rows for an operation, or for several in order, which is checked, stored, sent once for each row and
 * operation, and returned with results.
 * All times are Unix milliseconds. The number of a row is that of the line of the file on which it begins, from 1: headings and
 * empty lines count.
 */
import type { BatchLookAlikes } from './look-alikes.ts'
import { z } from 'zod'
import { maxCellLength, maxCorrections, rowStates, type CorrectedCell, type RowState } from './rows.ts'
import { maxChosenMessages } from '../applicants/queue-kinds.ts'
import { messageMeanings, type ApplicantState, type MessageMeaning } from '../applicants/applicants.ts'
import type { FieldFault, FieldFaultCode, Failure } from '../failures/failures.ts'
import { rule } from '../verification/field-issues.ts'
import { operationIds, type OperationId } from '../verification/operations.ts'
import { operationsSchema } from '../verification/saved-recipes.ts'
import type { RecordConnection } from '../history/records.ts'

/**
 * Encodings of texts, by the names of the WHATWG's "Encoding", which has ISO 8859-1, -9 and -11 within Windows-1252, -1254
 * and -874. Unicode and ASCII are recognised for certain; the others are proposed, and a person chooses.
 */
export const batchEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'iso-8859-16',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'x-mac-cyrillic',
  'ibm866',
  'gbk',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr'
] as const
export type BatchEncoding = (typeof batchEncodings)[number]
export const batchDelimiters = [',', ';', '\t', '|'] as const
export type BatchDelimiter = (typeof batchDelimiters)[number]

/** What to do with IDs that look like numbers which a spreadsheet has rounded: an error of their row, or kept as they are. */
export const roundedChoices = ['refuse', 'keep'] as const
export type RoundedChoice = (typeof roundedChoices)[number]

export const apostropheChoices = ['keep', 'remove'] as const
export type ApostropheChoice = (typeof apostropheChoices)[number]

/** A cell that a person corrects before the batch is created. The file stays as it is. */
export const batchCorrectionSchema = z.strictObject({
  row: z.number().int().min(1),
  /** From 0. */
  column: z.number().int().min(0).max(9999),
  /** What the file says; filled in by core. A correction of another text is not applied. */
  said: z.string().max(maxCellLength).optional(),
  /** What is sent instead. The same text keeps a cell as it is that would stop its row. */
  value: z.string().max(maxCellLength),
  /** When it was made, in Unix milliseconds; filled in by core. */
  at: z.number().int().optional()
})
export type BatchCorrection = z.output<typeof batchCorrectionSchema>

/** How a file is read. Omitted values are detected, and the check reports them. */
export const batchReadingSchema = z.strictObject({
  /** What is sent for each row, in order. */
  operations: operationsSchema,
  encoding: z.enum(batchEncodings).optional(),
  delimiter: z.enum(batchDelimiters).optional(),
  /** Field name to column number from 0; -1 for none. Omitted: matched by name and alias. */
  mapping: z.record(z.string().max(100), z.number().int().min(-1).max(9999)).optional(),
  /** Column with the applicant of verifications that name none; linked in Veridesk only. */
  applicantColumn: z.number().int().min(-1).max(9999).optional(),
  /**
   * What to do with apostrophes before possible formulas in rows without a mark from Veridesk; keeps them if omitted.
   */
  apostrophes: z.enum(apostropheChoices).optional(),
  /** The line of the headings. Omitted: the line whose cells fit the fields best. */
  headingRow: z.number().int().min(1).optional(),
  /** Refuses them if omitted. */
  rounded: z.enum(roundedChoices).optional(),
  corrections: z.array(batchCorrectionSchema).max(maxCorrections).optional(),
  /** Lines that a person leaves out, with the time in Unix milliseconds at which that was said; filled in by core. */
  skipped: z
    .array(z.strictObject({ row: z.number().int().min(1), at: z.number().int().optional() }))
    .max(maxCorrections)
    .optional(),
  /** The sheet of a workbook, by its name. Omitted or empty: the first that is visible. Texts have none. */
  sheet: z.string().max(255).optional()
})
export type BatchReading = z.output<typeof batchReadingSchema>

/** An error and its position. `column` is the heading; empty if the error concerns the whole row. */
export interface RowFault {
  readonly row: number
  readonly column: string
  readonly fault: FieldFault
  /** What the cell says: its beginning, a link without its signature; absent where it is empty or could be a credential. */
  readonly value?: string
}

/** An error or a note of a check. `cell`: the whole cell, to correct it; absent if it is very long, could be a credential, or is none. */
export interface CheckedFault extends RowFault {
  readonly cell?: string
}

/** What stops a row only until a person keeps the cell as it is. */
export const keepable: ReadonlySet<FieldFaultCode> = new Set<FieldFaultCode>(['cell-scientific', 'cell-error'])

/** The errors of one row. */
export type RowFaults = readonly Omit<RowFault, 'row'>[]

/** Apostrophes before possible formulas. CSV files written by Veridesk have them, with a mark in each row. */
export interface FoundApostrophes {
  /** Rows from files written by Veridesk whose added apostrophes were removed. */
  readonly restored: number
  /**
   * Other rows with an apostrophe in a cell that is sent or names an applicant; part of the value, or removed by
   * choice.
   */
  readonly rows: number
  /** The first positions of these. */
  readonly places: readonly Pick<RowFault, 'row' | 'column'>[]
}

/** A row as an example. */
export interface SampleRow {
  readonly row: number
  readonly cells: readonly string[]
}

/** What a workbook has besides the rows of the sheet that was read. */
export interface CheckedWorkbook {
  /** All sheets with cells, in their order; `very-hidden`: only a macro can show it. */
  readonly sheets: readonly { readonly name: string; readonly state: 'visible' | 'hidden' | 'very-hidden' }[]
  /** Hidden lines with values, and headings of hidden columns: they are read as all others are. */
  readonly hiddenRows: number
  readonly hiddenColumns: readonly string[]
  /** Merged ranges: only the first cell of each has a value. */
  readonly merged: number
}

/** An encoding that a text could have, and its first lines with letters beyond ASCII as they are in this encoding. */
export interface EncodingChoice {
  readonly encoding: BatchEncoding
  readonly rows: readonly SampleRow[]
}

/** The result of checking a file. Nothing was sent or stored. */
export interface BatchCheck {
  readonly checkId: string
  readonly fileName: string
  readonly bytes: number
  /** Of the file as read, hex; compared again when the batch is created. */
  readonly sha256: string
  readonly reading: Required<BatchReading>
  readonly columns: readonly string[]
  /** Rows whose cell is not empty, by column. */
  readonly filled: readonly number[]
  /** The first rows, cells as text. */
  readonly sample: readonly SampleRow[]
  readonly rows: number
  readonly good: number
  readonly invalid: number
  /** Total number of errors; a row may have several. */
  readonly faultCount: number
  /** Valid rows whose input also occurs in an earlier row; the first occurrence does not count. */
  readonly duplicates: number
  readonly faults: readonly CheckedFault[]
  /** True if there are more errors than the list holds. */
  readonly moreFaults: boolean
  /** Cells of valid rows that a person should look at: the first of them, and their number. */
  readonly notes: readonly CheckedFault[]
  readonly noteCount: number
  /** Cells that stop their rows unless they are kept (`keepable`), kept or not. */
  readonly keepableCount: number
  /** Encodings to choose from, the likeliest first, in which the file was read; empty if its encoding is certain or chosen. */
  readonly encodings: readonly EncodingChoice[]
  /** The name of the column profile that was made from the same headings. */
  readonly profile?: string
  /** Corrections whose cell now says something else: they were left out. */
  readonly lostCorrections: number
  /** The first lines of the file, from which the line of the headings is chosen. */
  readonly firstLines: readonly SampleRow[]
  readonly apostrophes: FoundApostrophes
  readonly lookAlikes: BatchLookAlikes
  /** Absent for a text. */
  readonly workbook?: CheckedWorkbook
}

export const maxAtOnce = 16
export const batchOrderSchema = z.strictObject({
  checkId: z.uuid(),
  connectionId: z.uuid(),
  name: z.string().trim().min(1, rule('name-missing')).max(120),
  /** Maximum requests in progress. */
  atOnce: z.number().int().min(1).max(maxAtOnce).default(2),
  /** Requests per minute; 0 for no limit. */
  pace: z.number().int().min(0).max(60_000).default(0),
  /** Skip valid rows whose input is in an earlier row. */
  skipDuplicates: z.boolean().default(true),
  /** Skip rows whose verification was recently answered (within the spend guard's minutes). */
  skipRecent: z.boolean().default(true),
  /** Leave out rows in whose links a check found something. */
  skipFound: z.boolean().optional(),
  /** Create it although a batch of the same file, operations and connection is unfinished. */
  another: z.boolean().optional()
})
export type BatchOrder = z.output<typeof batchOrderSchema>

/**
 * `made`: saved, not started. `stopped`: by repeated failures, a full disk, a lost history or a policy, with the reason;
 * continues when started again. `paused`: by a user, because the application closed, or
 * because something that its requests are sent with was taken away, with the reason. `cancelled` is final. A
 * `finished` batch may still contain unknown rows: resolved as "again" they wait, and the batch becomes `paused`.
 */
export const batchStates = ['made', 'running', 'paused', 'stopped', 'cancelled', 'finished'] as const
export type BatchState = (typeof batchStates)[number]

export interface BatchSummary {
  readonly id: string
  readonly name: string
  readonly fileName: string
  readonly sha256: string
  /** What is sent for each row, in order. */
  readonly operations: readonly OperationId[]
  readonly connection: RecordConnection
  readonly state: BatchState
  /** Why it stopped. */
  readonly reason?: Failure
  readonly createdAt: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly atOnce: number
  readonly pace: number
  readonly rows: number
  readonly counts: Readonly<Record<RowState, number>>
  /** Unknown rows that are not resolved. */
  readonly unresolved: number
  /** Documents of its rows of which no copy was kept because it could not be stored; absent without. */
  readonly copiesMissed?: number
  /** Pausing or cancelling; rows in progress are still finishing. */
  readonly ending?: 'pausing' | 'cancelling'
  /** While running: rows per second over the last seconds, and seconds left at that rate. */
  readonly rate?: number
  readonly secondsLeft?: number
  /** The batch of whose rows this one sends some again. */
  readonly rerunOf?: string
  /** A team shares it. Its rows are those that are here: at the installation that made it, all of them. */
  readonly shared?: true
}

/** Rows that an unfinished batch may still send, or that a person has to resolve. */
export const toFinish = ({ counts, unresolved }: Pick<BatchSummary, 'counts' | 'unresolved'>): number =>
  counts.waiting + counts.open + counts.shared + unresolved

export interface BatchRow {
  readonly row: number
  readonly state: RowState
  /** How a user resolved an unknown row. */
  readonly resolved?: BatchResolution
  readonly cells: readonly string[]
  readonly fault?: RowFaults
  readonly corrections?: readonly CorrectedCell[]
  /** The history's record of the last attempt. */
  readonly recordId?: string
  readonly status?: number
  readonly message?: string
  readonly tries: number
  /** What the organisation makes of the message of an answer; of several, the gravest. */
  readonly meaning?: MessageMeaning
  /** Of a batch with several operations: each in order. The row's own record is that of the one that tells its state. */
  readonly calls?: readonly BatchCall[]
  readonly applicantId?: string
  /** The state of the row's applicant. */
  readonly decision?: ApplicantState
}

/** One operation of a row. */
export interface BatchCall extends Pick<BatchRow, 'recordId' | 'status' | 'message' | 'meaning'> {
  readonly operation: OperationId
  /** `recently-answered`: the answer that its record has was used, and nothing was sent. */
  readonly state: RowState
}

/** A message of the answers of a batch. */
export interface BatchMessage {
  /**
   * Its number in the catalogue, or the status below zero of answers that the catalogue does not hold; `messageNumber` makes
   * one for each operation of a batch with several.
   */
  readonly id: number
  /** Of a batch with several operations. */
  readonly operation?: OperationId
  /** The service's message verbatim, up to 300 characters; of answers without a number, that of the first. */
  readonly message: string
  readonly meaning: MessageMeaning
  readonly count: number
}

export interface BatchMessages {
  /** By operation, the most frequent first. */
  readonly messages: readonly BatchMessage[]
  /** Rows with an answer by what the organisation makes of them: the gravest of their messages. */
  readonly rows: Readonly<Record<MessageMeaning, number>>
}

const perOperation = 1e12
/** The number of a message among the answers of the operation at a place, from 0: that of the message, moved by the place. */
export const messageNumber = (place: number, id: number): number =>
  id < 0 ? id - place * perOperation : id + place * perOperation
/** The number of the message itself. */
export const messageOfNumber = (number: number): number => number % perOperation

/** What rows are sorted by: a fact of the row, what came of an operation, or `c` and the number of one of the file's columns. */
const rowSortSchema = z.union([
  z.enum(['line', 'applicant', 'state', 'message', 'interpretation', 'status', 'decision', 'tries']),
  z.enum(operationIds),
  z.string().regex(/^c\d{1,4}$/)
])
export const batchRowsQuerySchema = z.strictObject({
  id: z.uuid(),
  states: z.array(z.enum(rowStates)).max(rowStates.length).optional(),
  /** Numbers of messages, see `BatchMessage`. */
  messages: z.array(z.int()).max(maxChosenMessages).optional(),
  meanings: z.array(z.enum(messageMeanings)).max(messageMeanings.length).optional(),
  /** In a row's line, cells or message. */
  search: z.string().max(200).optional(),
  /** As in the file if absent. */
  order: z.strictObject({ by: rowSortSchema, reversed: z.boolean().optional() }).optional(),
  /** Number of rows before the page. */
  offset: z.number().int().nonnegative(),
  limit: z.number().int().min(1).max(500)
})
export type BatchRowsQuery = z.output<typeof batchRowsQuerySchema>
export interface BatchRowsPage {
  readonly rows: readonly BatchRow[]
  /** Number of rows that match. */
  readonly total: number
}

/** The layout of a batch's file: its headings and the field mapping. */
export interface BatchColumns {
  readonly columns: readonly string[]
  /** Field name to column number from 0; -1 for none. */
  readonly mapping: Readonly<Record<string, number>>
  /** Column of the applicant that rows are linked to in Veridesk only; -1 for none. */
  readonly applicantColumn: number
}

/**
 * Rows that a new batch can send again, by why: an invalid response, not sent, answered with another status than 2xx, or an unknown
 * outcome that was resolved as "again".
 */
export const againKinds = ['invalid-response', 'not-sent', 'status-3xx', 'status-4xx', 'status-5xx', 'unknown'] as const
export type AgainKind = (typeof againKinds)[number]
/** How many there are. Counted on request, because it looks up each row's status. */
export type BatchAgain = Readonly<Record<AgainKind, number>>

/** Valid rows of a checked file whose verification was recently answered. */
export interface RecentDuplicates {
  /** Rows that occur in the file for the first time. */
  readonly rows: number
  /** Rows whose input also occurs in an earlier row. */
  readonly duplicates: number
}

/** How a user resolves rows with an unknown outcome: count them as sent, or send them again. */
export const batchResolutions = ['sent', 'again'] as const
export type BatchResolution = (typeof batchResolutions)[number]

/** What batches are sorted by: facts of a batch, or the number of its rows in a state. */
export const batchSorts = [
  'name',
  'state',
  'operation',
  'connection',
  'rows',
  'answered',
  'invalid-response',
  'not-sent',
  'unknown',
  'created',
  'ended'
] as const
export type BatchSort = (typeof batchSorts)[number]
/** Ascending; one that has not ended is last in either direction. Equal ones: newest first. */
export const batchListOrderSchema = z.strictObject({ by: z.enum(batchSorts), reversed: z.boolean().optional() })
export type BatchListOrder = z.output<typeof batchListOrderSchema>
export const batchListQuerySchema = z.strictObject({
  /** In the batch's name, file name, connection name or id. */
  search: z.string().max(200).optional(),
  /** Newest first if absent. */
  order: batchListOrderSchema.optional(),
  /** The last batch of the previous page. */
  after: z.uuid().optional(),
  limit: z.number().int().min(1).max(200)
})
export type BatchListQuery = z.output<typeof batchListQuerySchema>

/** Forms of tables that are saved; a path says which by its extension. */
export const tableFormats = ['csv', 'xlsx'] as const
export type TableFormat = (typeof tableFormats)[number]

/** Rows as they were saved. `cut`: texts that were longer than a cell of a workbook. */
export interface SavedRows {
  readonly path: string
  readonly rows: number
  readonly cut: number
}

/** Files that can be saved from a batch. `results` and its subsets are tables; `lossless` is JSON lines. */
export const batchFiles = ['results', 'unsuccessful', 'unknown', 'invalid', 'lossless'] as const
export type BatchFile = (typeof batchFiles)[number]
