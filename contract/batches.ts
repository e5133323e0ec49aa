/**
 * Batches: a file of rows for one operation, checked, kept, run once a row, and given back with results.
 * All times are Unix milliseconds; row numbers count data rows from 1, the header not counted.
 */
import { z } from 'zod'
import { rowStates, type RowState } from './batch-rows.ts'
import type { FieldFault, RecordedFailure } from './failures.ts'
import { rule } from './field-issues.ts'
import { operationIds, type OperationId } from './operations.ts'
import type { RecordConnection } from './records.ts'

/** Encodings that are told apart at reading, and that a person may choose instead. */
export const batchEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type BatchEncoding = (typeof batchEncodings)[number]
export const batchDelimiters = [',', ';', '\t', '|'] as const
export type BatchDelimiter = (typeof batchDelimiters)[number]

export const apostropheChoices = ['keep', 'remove'] as const
export type ApostropheChoice = (typeof apostropheChoices)[number]

/** How a file is read. What is left out is detected, and the check says what was found. */
export const batchReadingSchema = z.strictObject({
  operation: z.enum(operationIds),
  encoding: z.enum(batchEncodings).optional(),
  delimiter: z.enum(batchDelimiters).optional(),
  /** Field name to column number from 0; -1 for none. Left out: matched by name and alias. */
  mapping: z.record(z.string().max(100), z.number().int().min(-1).max(9999)).optional(),
  /** Column that names the applicant of a check that names no applicant, linked in Veridesk only. */
  applicantColumn: z.number().int().min(-1).max(9999).optional(),
  /** Of apostrophes before what a spreadsheet takes for a formula, where no mark of ours tells whose they are; kept where left out. */
  apostrophes: z.enum(apostropheChoices).optional()
})
export type BatchReading = z.output<typeof batchReadingSchema>

/** A fault at its place. `column` is the heading; empty where the fault is the whole row's. */
export interface RowFault {
  readonly row: number
  readonly column: string
  readonly fault: FieldFault
}

/** What is wrong with one row; a sentence where version 0.1 stored it. */
export type RowFaults = string | readonly Omit<RowFault, 'row'>[]

/** Apostrophes before what a spreadsheet takes for a formula. Our own CSV files have them, with a mark in each row. */
export interface FoundApostrophes {
  /** Rows of our own files that were given back as they were before those were added. */
  readonly restored: number
  /** Other rows in which one stands in a cell that is sent or names an applicant: part of the value, or removed by choice. */
  readonly rows: number
  /** Where those stand: the first ones. */
  readonly places: readonly Omit<RowFault, 'fault'>[]
}

/** What a check of a file found. Nothing was sent or stored. */
export interface BatchCheck {
  readonly checkId: string
  readonly fileName: string
  readonly bytes: number
  /** Of the file as it was read, hex; compared again when the batch is made. */
  readonly sha256: string
  readonly reading: Required<BatchReading>
  readonly columns: readonly string[]
  /** The first rows, cells as texts. */
  readonly sample: readonly (readonly string[])[]
  readonly rows: number
  readonly good: number
  readonly invalid: number
  /** Faults in all: a row may have several. */
  readonly faultCount: number
  /** Valid rows whose input stands in an earlier row too; the first of them does not count. */
  readonly duplicates: number
  readonly faults: readonly RowFault[]
  /** True where there are more faults than the list holds. */
  readonly moreFaults: boolean
  readonly apostrophes: FoundApostrophes
}

export const maxAtOnce = 16
export const batchOrderSchema = z.strictObject({
  checkId: z.uuid(),
  connectionId: z.uuid(),
  name: z.string().trim().min(1, rule('name-missing')).max(120),
  /** Requests in progress at once. */
  atOnce: z.number().int().min(1).max(maxAtOnce).default(2),
  /** Requests a minute; 0 for no limit. */
  pace: z.number().int().min(0).max(60_000).default(0),
  /** Skip valid rows whose input is in an earlier row. */
  skipDuplicates: z.boolean().default(true),
  /** Skip rows whose same request was recently answered (the spend guard's minutes). */
  skipRecent: z.boolean().default(true)
})
export type BatchOrder = z.output<typeof batchOrderSchema>

/**
 * `made`: kept, not started. `stopped`: by the breaker, a full disk or a lost history, with the reason;
 * goes on when started again. `paused`: by a person, or by the end of the program. `cancelled` is final.
 * A `finished` batch may still hold unknown rows: resolved as "again" they wait, and it is `paused` anew.
 */
export const batchStates = ['made', 'running', 'paused', 'stopped', 'cancelled', 'finished'] as const
export type BatchState = (typeof batchStates)[number]

export interface BatchSummary {
  readonly id: string
  readonly name: string
  readonly fileName: string
  readonly sha256: string
  readonly operation: OperationId
  readonly connection: RecordConnection
  readonly state: BatchState
  /** Why it stopped. */
  readonly reason?: RecordedFailure
  readonly createdAt: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly atOnce: number
  readonly pace: number
  readonly rows: number
  readonly counts: Readonly<Record<RowState, number>>
  /** Unknown rows that nobody has resolved. */
  readonly unresolved: number
  /** Told to pause or to cancel; rows in progress are still coming to their end. */
  readonly ending?: 'pausing' | 'cancelling'
  /** While running: rows a second over the last seconds, and seconds left at that rate. */
  readonly rate?: number
  readonly secondsLeft?: number
  /** The batch whose failed rows this one runs again. */
  readonly rerunOf?: string
}

/** Held after a restore: what may have been sent since the backup must not be sent again without a person's confirmation. */
export const isHeld = ({ state, reason }: Pick<BatchSummary, 'state' | 'reason'>): boolean =>
  (state === 'stopped' || state === 'made') && reason?.code.startsWith('batch-restored') === true

export interface BatchRow {
  readonly row: number
  readonly state: RowState
  /** What a person has said of an unknown row. */
  readonly resolved?: BatchResolution
  readonly cells: readonly string[]
  readonly fault?: RowFaults
  /** The history's record of the last try. */
  readonly recordId?: string
  readonly status?: number
  readonly message?: string
  readonly tries: number
}

export const batchRowsQuerySchema = z.strictObject({
  id: z.uuid(),
  states: z.array(z.enum(rowStates)).max(rowStates.length).optional(),
  /** Rows after this number. */
  after: z.number().int().nonnegative(),
  limit: z.number().int().min(1).max(500)
})
export type BatchRowsQuery = z.output<typeof batchRowsQuerySchema>
export interface BatchRowsPage {
  readonly rows: readonly BatchRow[]
  readonly more: boolean
}

/** How a batch's file is laid out: its headings, and which column holds what. */
export interface BatchColumns {
  readonly columns: readonly string[]
  /** Field name to column number from 0; -1 for none. */
  readonly mapping: Readonly<Record<string, number>>
  /** Column of the applicant that rows are linked to in Veridesk only; -1 for none. */
  readonly applicantColumn: number
}

/** Rows of a batch that failed. Counted when asked for: an answer's status is looked up for each row. */
export interface BatchFailed {
  /** Rows of the file `failed`: not sent, unreadable, or answered with a status other than 2xx. */
  readonly failed: number
  /** Rows that run again as a new batch: those, and unknown ones resolved as "again". */
  readonly again: number
}

/** Valid rows of a checked file whose same request was recently answered. */
export interface RecentDuplicates {
  /** Those that stand in the file for the first time. */
  readonly rows: number
  /** Those whose input stands in an earlier row, too. */
  readonly duplicates: number
}

/** What a person says of rows whose outcome is unknown: count them as sent, or send them again. */
export const batchResolutions = ['sent', 'again'] as const
export type BatchResolution = (typeof batchResolutions)[number]

export const batchListQuerySchema = z.strictObject({
  /** In the name, the file's name, the connection's name or the id. */
  search: z.string().max(200).optional(),
  /** Batches made before this time. */
  before: z.number().int().nonnegative().optional(),
  limit: z.number().int().min(1).max(200)
})
export type BatchListQuery = z.output<typeof batchListQuerySchema>

/** What can be saved of a batch. `results` and its subsets are CSV; `lossless` is JSON lines. */
export const batchFiles = ['results', 'failed', 'unknown', 'invalid', 'lossless'] as const
export type BatchFile = (typeof batchFiles)[number]
