/** What the service last answered about an applicant: the newest answer of each operation, and the values of its details. */
import {
  maxAnswerFields,
  maxAnswerValue,
  maxDetailsAnswers,
  type AnswerField,
  type ApplicantAnswers,
  type DetailsAnswer,
  type LastInput,
  type NewestAnswer,
  type ReadingMeaning
} from '#contract/applicants/applicants.ts'
import { applicantFieldOf, detailsOperation, operationIds } from '#contract/verification/operations.ts'
import type { RecordSummary } from '#contract/history/records.ts'
import { codeOfState } from '../projections/columns.ts'
import type { Reader } from '../records/reader.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** The newest records that are looked at: an applicant with more has long been asked about everything. */
const lookedAt = 20_000
/** Levels of a body that are listed one by one. */
const deepest = 5

interface Place {
  readonly seq: number
  readonly operation: string
  readonly state: number
  readonly linked: 0 | 1
}

export class Answers {
  private readonly reader: Reader
  private readonly records
  private readonly readingOf

  constructor({ history, reader }: { readonly history: Db; readonly reader: Reader }) {
    this.reader = reader
    this.records = history.prepare(
      `SELECT * FROM (
         SELECT * FROM (SELECT r.seq, o.id AS operation, r.state, 0 AS linked FROM record r JOIN operation o ON o.ref = r.operation
           WHERE r.subject = $subject ORDER BY r.seq DESC LIMIT ${lookedAt})
         UNION ALL
         SELECT * FROM (SELECT r.seq, o.id AS operation, r.state, 1 AS linked FROM applicant_link l JOIN record r ON r.seq = l.record
           JOIN operation o ON o.ref = r.operation WHERE l.subject = $subject ORDER BY l.record DESC LIMIT ${lookedAt})
       ) ORDER BY seq DESC`
    )
    this.readingOf = history
      .prepare(
        `SELECT json_extract(e.plain, '$.means') FROM record r JOIN message m ON m.subject = r.message
         JOIN event e ON e.seq = m.reading WHERE r.seq = ?`
      )
      .pluck()
  }

  /** The current interpretation of the message that a record was answered with. */
  reading(record: number): ReadingMeaning | undefined {
    return (this.readingOf.get(record) as ReadingMeaning | null | undefined) ?? undefined
  }

  of(subject: number): ApplicantAnswers {
    const places = this.records.all({ subject }) as Place[]
    const answered = places.filter(({ state }) => state === codeOfState('answered'))
    return {
      newest: operationIds.flatMap((id) => this.newest(answered.filter(({ operation }) => operation === id))),
      details: answered
        .filter(({ operation }) => operation === detailsOperation)
        .slice(0, maxDetailsAnswers)
        .map(({ seq }) => this.details(seq)),
      inputs: operationIds
        .flatMap((id) => places.find(({ operation }) => operation === id) ?? [])
        .toSorted((one, other) => other.seq - one.seq)
        .flatMap((place) => this.input(place))
    }
  }

  private newest([last, before]: readonly Place[]): NewestAnswer[] {
    if (!last) return []
    const record = this.reader.summary(last.seq)
    const earlier = before && this.reader.summary(before.seq)
    return [
      {
        record,
        local: last.linked === 1 || applicantFieldOf(record.operation) === undefined,
        reading: this.reading(last.seq),
        ...(earlier && differs(record, earlier) && { before: earlier })
      }
    ]
  }

  /** The values of an answer with the applicant's details. */
  details(seq: number): DetailsAnswer {
    const { reply, ...detail } = this.reader.detail(seq)
    return { record: this.reader.summary(seq), ...fieldsOf(reply?.body ?? '', detail.fullMessage) }
  }

  private input(place: Place): LastInput[] {
    const { operation, input, erased } = this.reader.summary(place.seq)
    return erased ? [] : [{ operation, input }]
  }
}

const differs = (a: RecordSummary, b: RecordSummary): boolean => a.status !== b.status || a.message !== b.message

/** Numbers keep their digits. */
const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value

function field(name: string, value: string): AnswerField {
  return value.length > maxAnswerValue ? { name, value: value.slice(0, maxAnswerValue), cut: true } : { name, value }
}

/** The values of a body by their paths, `message` first. A body that was cut, or is no object, has only its message. */
export function fieldsOf(body: string, message: string | undefined): Pick<DetailsAnswer, 'fields' | 'more'> {
  const fields: AnswerField[] = message === undefined ? [] : [field('message', message)]
  let more = false
  const add = (name: string, value: unknown, depth: number): void => {
    if (more) return
    const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0
    if (isBranch && depth < deepest) {
      for (const [key, inner] of Object.entries(value))
        add(Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`, inner, depth + 1)
      return
    }
    if (fields.length === maxAnswerFields) more = true
    else if (value === null) fields.push({ ...field(name, JSON.stringify(value)), none: true })
    else fields.push(field(name, typeof value === 'string' ? value : JSON.stringify(value)))
  }
  let root: unknown
  try {
    root = JSON.parse(body, keepDigits)
  } catch {
    return { fields }
  }
  if (typeof root === 'object' && root !== null && !Array.isArray(root)) {
    for (const [name, value] of Object.entries(root))
      if (name !== 'message' || message === undefined) add(name, value, 1)
  }
  return more ? { fields, more } : { fields }
}
