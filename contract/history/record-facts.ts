/**
 * What is known of a record, one fact after the other: the only list. The record page, the comparison of two records and the
 * command line show it in words; tables of exports have a column for each.
 */
import type { Failure } from '../failures/failures.ts'
import { operationOf, operations, type FieldDeclaration } from '../verification/operations.ts'
import { outcomeOf } from '../verification/outcomes.ts'
import type { RecordDetail } from './records.ts'
import { resolutionLabels } from '../verification/resolution-sentences.ts'

export type FactReader = 'page' | 'comparison' | 'command-line' | 'table'

/** How a reader writes times (Unix milliseconds), durations (milliseconds) and sizes (bytes). */
export interface FactForms {
  time(at: number): string
  duration(ms: number): string
  bytes(count: number): string
}

interface FactOf<Kind extends string, Value> {
  /** The column of a table. */
  readonly key: string
  readonly label: string
  readonly kind: Kind
  /** As it is stored; undefined if the record has none. */
  readonly value: (record: RecordDetail) => Value | undefined
  /** For people, where that is not the value in the reader’s form. */
  readonly words?: (record: RecordDetail, forms: FactForms) => string | undefined
  /** Readers that leave it out, because they show it elsewhere or for another purpose. */
  readonly notIn?: readonly FactReader[]
}

export type RecordFact =
  | FactOf<'text', string>
  | FactOf<'number', number>
  | FactOf<'time', number>
  | FactOf<'duration', number>
  | FactOf<'bytes', number>
  | FactOf<'failure', Failure>

const people: readonly FactReader[] = ['page', 'comparison', 'command-line']

/** Of the record’s operation, a field that has this name. */
const fieldOf = ({ operation }: RecordDetail, name: string): FieldDeclaration | undefined =>
  operationOf(operation).fields.find((field) => field.name === name)

/** A field of any operation; operations may label a field of one name differently. */
const fields: readonly FieldDeclaration[] = operations.flatMap(
  (operation): readonly FieldDeclaration[] => operation.fields
)
const inputs = [...new Map(fields.map((field) => [`${field.name} ${field.label}`, field])).values()].map(
  ({ name, label }): RecordFact => ({
    key: name,
    label,
    kind: 'text',
    value: ({ input }) => input[name],
    words: (record) =>
      fieldOf(record, name)?.label === label ? (record.erased ? 'erased' : (record.input[name] ?? '')) : undefined,
    notIn: ['page']
  })
)

/** What the file says in cells that a person corrected, and what stands in its place. */
export const correctionsText = ({ corrections }: Pick<RecordDetail, 'corrections'>): string | undefined =>
  corrections
    ?.map(({ column, said, value, by }) =>
      said === value
        ? `${column}: “${said}”, kept as it is (${by})`
        : `${column}: the file says “${said}”, corrected to “${value}” (${by})`
    )
    .join('; ')

/** In the order in which they are shown. */
export const recordFacts: readonly RecordFact[] = [
  {
    key: 'operation',
    label: 'Operation',
    kind: 'text',
    value: ({ operation }) => operation,
    words: ({ operation }) => operationOf(operation).title
  },
  {
    key: 'path',
    label: 'Path',
    kind: 'text',
    value: ({ path }) => `POST ${path}`,
    notIn: ['comparison', 'command-line', 'table']
  },
  {
    key: 'connection',
    label: 'Connection',
    kind: 'text',
    value: ({ connection }) => connection.name,
    words: ({ connection: { name, mode } }) => `${name} (${mode})`,
    notIn: ['page']
  },
  { key: 'mode', label: 'Mode', kind: 'text', value: ({ connection }) => connection.mode, notIn: people },
  { key: 'origin', label: 'Address', kind: 'text', value: ({ connection }) => connection.origin },
  {
    key: 'outcome',
    label: 'Outcome',
    kind: 'text',
    value: ({ state }) => state,
    words: ({ state }) => (state === 'open' ? 'In progress' : outcomeOf(state).label),
    notIn: ['page']
  },
  { key: 'status', label: 'HTTP status', kind: 'number', value: ({ status }) => status, notIn: ['page'] },
  {
    key: 'status_text',
    label: 'Status text',
    kind: 'text',
    value: ({ reply }) => reply?.statusText || undefined,
    notIn: ['page', 'comparison', 'table']
  },
  {
    key: 'documented_meaning',
    label: 'Documented meaning of this status',
    kind: 'text',
    value: ({ operation, status }) =>
      operationOf(operation).statedStatuses.find((stated) => stated.status === status)?.meaning,
    notIn: ['comparison', 'command-line', 'table']
  },
  { key: 'message', label: 'Message', kind: 'text', value: ({ fullMessage }) => fullMessage, notIn: ['page'] },
  ...inputs,
  { key: 'started', label: 'Started', kind: 'time', value: ({ startedAt }) => startedAt },
  { key: 'took_ms', label: 'Duration', kind: 'duration', value: ({ took }) => took },
  {
    key: 'response_bytes',
    label: 'Response size',
    kind: 'bytes',
    value: ({ reply }) => reply?.bytes,
    words: ({ reply }, { bytes }) =>
      reply && `${bytes(reply.bytes)}${reply.truncated ? ', truncated at the limit' : ''}`,
    notIn: ['comparison', 'command-line', 'table']
  },
  {
    key: 'resolved_as',
    label: 'Resolved',
    kind: 'text',
    value: ({ resolved }) => resolved?.as,
    words: ({ resolved }) =>
      resolved &&
      `${resolutionLabels[resolved.as]}${resolved.operator === undefined ? '' : `, by ${resolved.operator}`}`,
    notIn: ['page', 'comparison']
  },
  { key: 'resolved_note', label: 'Note', kind: 'text', value: ({ resolved }) => resolved?.note, notIn: people },
  { key: 'resolved_at', label: 'Resolved at', kind: 'time', value: ({ resolved }) => resolved?.at, notIn: people },
  { key: 'failure', label: 'Failure', kind: 'failure', value: ({ failure }) => failure, notIn: people },
  { key: 'record_id', label: 'Record', kind: 'text', value: ({ id }) => id, notIn: ['comparison'] },
  { key: 'seq', label: 'Number', kind: 'number', value: ({ seq }) => seq, notIn: ['comparison'] },
  {
    key: 'credential_fingerprint',
    label: 'Credential fingerprint',
    kind: 'text',
    value: ({ credentialFingerprint }) => credentialFingerprint
  },
  { key: 'operator', label: 'Operator', kind: 'text', value: ({ operator }) => operator },
  { key: 'time_zone', label: 'Time zone', kind: 'text', value: ({ timeZone }) => timeZone },
  { key: 'console_version', label: 'Veridesk', kind: 'text', value: ({ consoleVersion }) => consoleVersion },
  // The page links to both.
  { key: 'batch_id', label: 'Batch', kind: 'text', value: ({ batchId }) => batchId, notIn: ['page', 'comparison'] },
  {
    key: 'rerun_of',
    label: 'Resent from',
    kind: 'text',
    value: ({ rerunOf }) => rerunOf,
    notIn: ['page', 'comparison']
  },
  {
    key: 'corrections',
    label: 'Corrected',
    kind: 'text',
    value: correctionsText
  },
  { key: 'erased', label: 'Erased', kind: 'text', value: ({ erased }) => (erased ? 'yes' : undefined), notIn: people }
]

/** The facts for people: label and text of each that the record has. */
export function factsOf(
  record: RecordDetail,
  reader: Exclude<FactReader, 'table'>,
  forms: FactForms
): readonly (readonly [label: string, text: string])[] {
  return recordFacts.flatMap((fact) => {
    const text = fact.notIn?.includes(reader) ? undefined : inWords(fact, record, forms)
    return text === undefined ? [] : [[fact.label, text] as const]
  })
}

function inWords(fact: RecordFact, record: RecordDetail, forms: FactForms): string | undefined {
  if (fact.words) return fact.words(record, forms)
  switch (fact.kind) {
    case 'text':
      return fact.value(record)
    case 'number':
      return fact.value(record)?.toString()
    case 'failure':
      return fact.value(record)?.code
    default: {
      const value = fact.value(record)
      return value === undefined ? undefined : forms[fact.kind](value)
    }
  }
}

/** The columns of a table: each key once. */
export const factColumns: readonly RecordFact[] = [
  ...new Map(recordFacts.filter(({ notIn }) => !notIn?.includes('table')).map((fact) => [fact.key, fact])).values()
]
