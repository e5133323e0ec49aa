/**
 * Failures as data: a code, its details and its cause. Details contain no secrets and no sentences:
 * `contract/failures/sentences.ts` builds the sentences for display from the tables in `contract/failures/`.
 *
 * The details of a code follow from the names in its sentences: a missing or misspelt one does not compile.
 */
import type { auditBreakTable } from '../evidence/audit-sentences.ts'
import type { documentFindingTable, missingFindingTable } from '../documents/finding-sentences.ts'
import type { evidenceFindingTable } from '../evidence/finding-sentences.ts'
import type { fieldFaultTable } from '../verification/field-sentences.ts'
import type { linkFindingTable } from '../links/sentences.ts'
import type { FailureDeclaration } from './declaration.ts'
import type { failureTable } from './table.ts'
import { fail } from './result.ts'

type FailureTable = typeof failureTable
type FieldFaultTable = typeof fieldFaultTable

export type FailureCode = keyof FailureTable
export type FieldFaultCode = keyof FieldFaultTable

/** The names in a sentence. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Details that are numbers; all others are texts: file names, hosts, ids, error codes. */
type NumberName =
  | 'backupAt'
  | 'cells'
  | 'count'
  | 'datedAt'
  | 'runningSince'
  | 'event'
  | 'expected'
  | 'expiredAt'
  | 'files'
  | 'first'
  | 'folders'
  | 'found'
  | 'headings'
  | 'height'
  | 'length'
  | 'limit'
  | 'limitBytes'
  | 'line'
  | 'maximum'
  | 'minimum'
  | 'minutes'
  | 'number'
  | 'rows'
  | 'second'
  | 'seconds'
  | 'size'
  | 'status'
  | 'supported'
  | 'version'
  | 'width'

type Values<Name extends string> = { readonly [Each in Name]: Each extends NumberName ? number : string }

/** Names that do not refer to a detail of the same name. */
type Reserved = 'reason' | 'fields'

type NamesOf<Row> = Row extends FailureDeclaration ? NamesIn<Row['what'] | Row['impact'] | Row['nextStep']> : never

type ReasonsOf<Row> = Row extends { readonly reasons: infer Reasons }
  ? {
      [Reason in keyof Reasons]: { readonly reason: Reason } & Values<Exclude<NamesIn<Reasons[Reason]>, Reserved>>
    }[keyof Reasons]
  : never

/** Why it happened: one of the row's reasons, or a system error code; nothing if its sentences do not say why. */
type Why<Row> =
  'reason' extends NamesOf<Row>
    ? ReasonsOf<Row> | { readonly errno: string }
    : { readonly reason?: undefined; readonly cause?: undefined }

/** The details of a failure, without its cause. */
type Details<Code extends FailureCode> = Values<Exclude<NamesOf<FailureTable[Code]>, Reserved>>

/**
 * What `failure()` needs besides the code: details, and instead of a reason an error code or the failure that caused
 * it.
 */
export type FailureDetails<Code extends FailureCode> = Code extends FailureCode
  ? Details<Code> &
      (Why<FailureTable[Code]> | ('reason' extends NamesOf<FailureTable[Code]> ? { readonly cause: Failure } : never))
  : never

/** What is wrong with the value of one field. */
export type FieldFault = { [Code in FieldFaultCode]: FieldFaultOf<Code> }[FieldFaultCode]
type FieldFaultOf<Code extends FieldFaultCode> = { readonly code: Code } & ([NamesIn<FieldFaultTable[Code]>] extends [
  never
]
  ? { readonly details?: undefined }
  : { readonly details: Values<NamesIn<FieldFaultTable[Code]>> })
/** How the audit trail is broken at one place. */
export type AuditBreak = {
  [Code in keyof typeof auditBreakTable]: AuditBreakOf<Code, (typeof auditBreakTable)[Code]>
}[keyof typeof auditBreakTable]
type AuditBreakOf<Code, Row extends { readonly why: string; readonly what: string }> = {
  readonly code: Code
  readonly why: Row['why']
} & ([NamesIn<Row['what']>] extends [never]
  ? { readonly details?: undefined }
  : { readonly details: Readonly<Record<NamesIn<Row['what']>, number>> })

/** What a check of an evidence pack found, by its code. Numbers are counts and numbers of events and records. */
export type EvidenceFindingData = {
  [Code in EvidenceFindingCode]: EvidenceFindingOf<Code, (typeof evidenceFindingTable)[Code]>
}[EvidenceFindingCode]
export type EvidenceFindingCode = keyof typeof evidenceFindingTable
type EvidenceFindingText = 'digest' | 'kinds' | 'name' | 'names' | 'place' | 'series' | 'time'
export type EvidenceFindingDetails<Code extends EvidenceFindingCode> = {
  readonly [Name in NamesIn<(typeof evidenceFindingTable)[Code]>]: Name extends EvidenceFindingText ? string : number
}
type EvidenceFindingOf<Code extends EvidenceFindingCode, Text extends string> = { readonly code: Code } & ([
  NamesIn<Text>
] extends [never]
  ? { readonly details?: undefined }
  : { readonly details: EvidenceFindingDetails<Code> })

/** What stands out in a document, by its code. */
export type DocumentFinding = {
  [Code in keyof typeof documentFindingTable]: DocumentFindingOf<Code, (typeof documentFindingTable)[Code]>
}[keyof typeof documentFindingTable]
type DocumentFindingOf<Code, Text extends string> = { readonly code: Code } & ([NamesIn<Text>] extends [never]
  ? { readonly details?: undefined }
  : { readonly details: Values<NamesIn<Text>> })

/** What is not there in a document, or is there and not shown. */
export type MissingFinding = Extract<DocumentFinding, { readonly code: keyof typeof missingFindingTable }>

/** What stands out in a link or in the document behind it, by its code. */
export type LinkFinding =
  | MissingFinding
  | {
      [Code in keyof typeof linkFindingTable]: LinkFindingOf<Code, (typeof linkFindingTable)[Code]>
    }[keyof typeof linkFindingTable]
type LinkFindingOf<Code, Text extends string> = { readonly code: Code } & ([NamesIn<Text>] extends [never]
  ? { readonly details?: undefined }
  : { readonly details: Values<NamesIn<Text>> })

export type FieldFaults = Readonly<Record<string, FieldFault>>

export type DetailValue = string | number

/** A failure. Created only by `failure()`, which checks its details against the table. */
export interface Failure {
  readonly code: FailureCode
  readonly details?: Readonly<Record<string, DetailValue>>
  /** The failure that caused this one. */
  readonly cause?: Failure
  /** What is wrong with single fields, by name, for display at the field. */
  readonly fields?: FieldFaults
}

/** Makes the details optional if a code has none. */
type Arguments<Code extends FailureCode> =
  {} extends FailureDetails<Code>
    ? [details?: FailureDetails<Code>, fields?: FieldFaults]
    : [details: FailureDetails<Code>, fields?: FieldFaults]

/**
 * Creates a failure.
 *
 * @param given The details that its sentences name; for a {reason}: `reason`, one of the row's own, `errno`, a system
 * error code, or `cause`, another failure.
 * @param fields What is wrong with single fields.
 */
export function failure<Code extends FailureCode>(
  code: Code,
  ...[given = {} as never, fields]: Arguments<Code>
): Failure {
  const { cause, ...details } = given as Record<string, DetailValue> & { readonly cause?: Failure }
  return {
    code,
    ...(Object.keys(details).length > 0 && { details }),
    ...(cause && { cause }),
    ...(fields && { fields })
  }
}

/** `failure()` as a Result. */
export function failed<Code extends FailureCode>(
  code: Code,
  ...given: Arguments<Code>
): { readonly ok: false; readonly failure: Failure } {
  return fail(failure(code, ...given))
}

/** What is wrong with a field, by its code and the details that its sentence names. */
export function invalidField<Code extends FieldFaultCode>(
  code: Code,
  ...[details]: [NamesIn<FieldFaultTable[Code]>] extends [never]
    ? []
    : [details: Values<NamesIn<FieldFaultTable[Code]>>]
): FieldFault {
  return { code, ...(details && { details }) } as FieldFault
}
