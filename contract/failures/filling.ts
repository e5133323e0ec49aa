/**
 * The only module that turns failures into sentences. The window uses it to show them; hosts, and core where it writes a
 * text for people to a file (`.dependency-cruiser.cjs` lists these files), through `sentences.ts`.
 */
import type { RowFaults } from '../batches/batches.ts'
import {
  invalidField,
  type AuditBreak,
  type DetailValue,
  type DocumentFinding,
  type Failure,
  type FieldFault,
  type LinkFinding
} from './failures.ts'
import { auditBreakTable } from '../evidence/audit-sentences.ts'
import { documentFindingTable, missingFindingTable } from '../documents/finding-sentences.ts'
import { startFailures } from '../app/start-sentences.ts'
import type { FailureDeclaration, FailureRows } from './declaration.ts'
import { fieldFaultTable } from '../verification/field-sentences.ts'
import { linkFindingTable } from '../links/sentences.ts'
import { sizeOf } from '../text/amounts.ts'
import { oneLine } from '../text/hidden-text.ts'
import { systemPhrases } from './phrases.ts'

/** A failure for display. */
export interface Sentences {
  /** What happened. */
  readonly what: string
  /** What was and was not sent, changed or lost. */
  readonly impact: string
  /** What to do now. */
  readonly nextStep: string
}

type Details = Readonly<Record<string, DetailValue>>

const rows: Record<string, FailureDeclaration | undefined> = { ...startFailures }
/** Adds the sentences of more failures. */
export const addRows = (more: FailureRows): void => void Object.assign(rows, more)
/** Whether the sentences of a failure are there. */
export const hasSentences = (code: string): boolean => rows[code] !== undefined
const faults: Readonly<Record<string, string | undefined>> = fieldFaultTable
const ofSystem: Readonly<Record<string, string | undefined>> = systemPhrases

/** A failure of a later version, whose sentences this version does not have. */
const unknown: FailureDeclaration = {
  what: 'A failure that this version of Veridesk does not know ({code}).',
  impact: 'Its impact is not known here.',
  nextStep: 'Update Veridesk.'
}

/** A limit in the unit that was chosen for it; a size that is no round number of any is given in bytes. */
function bytesText(bytes: number): string {
  if (bytes % 1e9 === 0) return `${(bytes / 1e9).toLocaleString('en')} GB`
  if (bytes % 1024 ** 2 !== 0) return `${bytes.toLocaleString('en')} bytes`
  const { value, unit } = sizeOf(bytes)
  return `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}

/** Details that are Unix milliseconds. */
const times: ReadonlySet<string> = new Set(['backupAt', 'expiredAt', 'datedAt', 'runningSince'])

/** A detail for display: times in UTC to the minute, so that they are the same for every reader. */
function detailText(name: string, value: DetailValue): string {
  if (typeof value === 'string') return value
  if (times.has(name)) return `${new Date(value).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return name === 'limitBytes' ? bytesText(value) : value.toLocaleString('en')
}

/** Replaces {names}; an unknown one is removed with the space and brackets around it. */
const fill = (sentence: string, textOf: (name: string) => string | undefined): string =>
  sentence.replace(
    /(: | )?(\(?)\{(\w+)\}(\)?)/g,
    (_whole, space: string = '', open: string, name: string, close: string) => {
      const text = textOf(name)
      return text === undefined || text === '' ? '' : `${space}${open}${text}${close}`
    }
  )

function errnoPhrase(row: FailureDeclaration, errno: string): string {
  const { [errno]: own, other } = row.reasons ?? {}
  return fill(own ?? ofSystem[errno] ?? other ?? 'the system reported {errno}', () => errno)
}

function reasonPhrase(row: FailureDeclaration, { details = {}, cause }: Failure): string | undefined {
  if (cause) return phraseOf(cause)
  const { reason, errno } = details
  if (typeof reason === 'string') return row.reasons?.[reason] && fillDetails(row.reasons[reason], details)
  return typeof errno === 'string' ? errnoPhrase(row, errno) : undefined
}

/** A sentence with its details in it. */
export const fillDetails = (phrase: string, details: Details): string =>
  fill(phrase, (name) => {
    const value = details[name]
    if (value === undefined) return undefined
    return name === 'errno' ? (ofSystem[value] ?? `the system reported ${value}`) : detailText(name, value)
  })

/** The sentences of a failure. */
export function sentencesOf(failure: Failure): Sentences {
  const row = rows[failure.code] ?? unknown
  const filled = (sentence: string): string => fillRow(row, sentence, failure)
  return { what: filled(row.what), impact: filled(row.impact), nextStep: filled(row.nextStep) }
}

/** The heading of the guide's paragraph that helps with the next step of a failure. */
export const guideOf = ({ code }: Pick<Failure, 'code'>): string | undefined => rows[code]?.guide

function fillRow(row: FailureDeclaration, sentence: string, failure: Failure): string {
  return fill(sentence, (name) => {
    if (name === 'reason') return reasonPhrase(row, failure)
    if (name === 'fields')
      return Object.values(failure.fields ?? {})
        .map(fieldFaultSentence)
        .join(' ')
    if (name === 'code') return failure.code
    const value = failure.details?.[name]
    return value === undefined ? undefined : detailText(name, value)
  })
}

/** A failure within another sentence, without a full stop. */
export function phraseOf(failure: Failure): string {
  const row = rows[failure.code]
  const phrase = row?.phrase ? fillRow(row, row.phrase, failure) : ''
  return phrase || sentencesOf(failure).what.replace(/\.$/, '')
}

/** What is wrong with a field. */
export function fieldFaultSentence(fault: FieldFault): string {
  return fillDetails(faults[fault.code] ?? 'This value is invalid.', (fault.details ?? {}) as Details)
}

/** What is wrong with a cell, with what it says. */
export const cellFaultSentence = ({ fault, value }: Pick<RowFaults[number], 'fault' | 'value'>): string =>
  [fault, ...(value === undefined ? [] : [invalidField('cell-says', { value: oneLine(value) })])]
    .map(fieldFaultSentence)
    .join(' ')

/** What is wrong with a row, in one line: each error after its column. */
export function rowFaultsText(faults: RowFaults): string {
  return faults.map((fault) => `${fault.column === '' ? '' : `${fault.column}: `}${cellFaultSentence(fault)}`).join(' ')
}

/**
 * A `JSON.stringify` replacer for machine-readable output: adds English sentences to failures, and replaces field
 * errors with their sentence.
 */
export function withSentences(key: string, value: unknown): unknown {
  if (key === 'fault' && Array.isArray(value)) return rowFaultsText(value as RowFaults)
  if (typeof value !== 'object' || value === null || !('code' in value)) return value
  if (key === 'fault') return fieldFaultSentence(value as FieldFault)
  if (!failureKeys.includes(key)) return value
  const { what, impact, nextStep } = sentencesOf(value as Failure)
  return { ...value, what, impact, nextStep }
}

/** Keys of failures in machine-readable output. */
const failureKeys: readonly string[] = ['failure', 'lastFailure', 'reason', 'pdfFault', 'refusal']

/** The sentence for a break of the audit trail. */
export const auditBreakText = (found: AuditBreak): string =>
  fillDetails(auditBreakTable[found.code].what, found.details ?? {})

/** The sentence of what stands out in a document. */
export const documentFindingText = ({ code, details }: DocumentFinding): string =>
  fillDetails(documentFindingTable[code], details ?? {})

/** The sentence of what stands out in a link. */
export const linkFindingText = ({ code, details }: LinkFinding): string =>
  fillDetails({ ...missingFindingTable, ...linkFindingTable }[code], details ?? {})
