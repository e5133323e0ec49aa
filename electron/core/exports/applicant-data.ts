/**
 * *Data of the applicant*: the answer to a person who asks what is kept about them. A ZIP file of their requests, the service's answers
 * and the copies of their documents; nothing that people did or wrote here. Its shape is the same for everybody, so that it never
 * tells that somebody was escalated, held or reported (Regulation (EU) 2024/1624, Art. 73): nothing but records is read, and nothing
 * in it is numbered by the history.
 */
import { createHash, type KeyObject } from 'node:crypto'
import type {
  ApplicantData,
  ApplicantDataOrder,
  ApplicantDataSection
} from '#contract/data-management/data-management.ts'
import type { CopyTime, DocumentCopy, DocumentType } from '#contract/documents/documents.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import { outcomeOf, type RecordState } from '#contract/verification/outcomes.ts'
import type { Copy } from '#core/documents/documents.ts'
import { escaped, pageOf, row, shown, time } from '#core/evidence/page.ts'
import { archive, type PartToWrite } from '#kit/workbook/archive.ts'
import { evidenceKey, signBytes } from '#wire/evidence/keys.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { StoreError } from '#core/files/store-error.ts'
import type { ExportText } from './rows.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** Bytes of one file that are not exceeded. */
export interface ApplicantDataLimits {
  /** Of all copies together, each document once. */
  readonly copies: number
  /** Of all answers together, as they are kept. */
  readonly answers: number
}

export interface ApplicantDataAccess {
  /** Signs the file. Failures: `signing-key-revoked`, and those of the keychain. */
  readonly signingKey: () => Answer<KeyObject>
  /** The copy with a digest that a record has of a document; undefined if it has none. Failures: `document-copy-unusable`, and those of the history. */
  readonly copy: (recordId: string, field: string, sha256: string) => Answer<Copy | undefined>
  /** `applicantDataLimits` by default. */
  readonly limits?: ApplicantDataLimits
}

/**
 * The answers become one JSON text, in which a character takes up to six: together they stay below the 512 MiB that a text of V8 may
 * have. Copies are read one by one.
 */
export const applicantDataLimits: ApplicantDataLimits = { copies: 1024 ** 3, answers: 64 * 1024 ** 2 }

interface KeptCopy {
  readonly field: string
  readonly when: CopyTime
  /** UTC, ISO 8601. */
  readonly keptAt: string
  readonly type: DocumentType
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
  /** Its place in the ZIP file; null if the copy is missing or damaged. */
  readonly file: string | null
}

interface Asked {
  readonly operation: OperationId
  /** UTC, ISO 8601. */
  readonly sentAt: string
  readonly outcome: RecordState
  /** As recorded: the signatures of signed links are removed. */
  readonly input: Readonly<Record<string, string>>
  /** As received; null if none was. */
  readonly answer: {
    readonly receivedAt: string | null
    readonly status: number
    readonly message: string | null
    readonly body: string
    /** The bytes of a body that is no valid UTF-8, base64. */
    readonly bodyBytes: string | null
    /** Whether the body was longer than what is kept of it. */
    readonly cut: boolean
  } | null
  readonly copies: readonly KeptCopy[]
}

/** Everything of an applicant, oldest request first, and where each file of a copy is opened. */
interface Collected {
  readonly applicantId: string
  readonly requests: readonly Asked[]
  readonly files: ReadonlyMap<string, { readonly recordId: string; readonly field: string; readonly sha256: string }>
  /** Of the copies that can be opened. */
  readonly bytes: number
  /** SHA-256 of all of it, hex. */
  readonly digest: string
}

const iso = (at: number): string => new Date(at).toISOString()

/** A record, without the body of the one before it. */
type RecordOf = Omit<RecordDetail, 'previous'>

/**
 * The records of an applicant, linked ones included, oldest first. Those whose own data was erased have nothing left. Failures: those of
 * the history, and `applicant-data-too-large` at the first answer beyond the limit.
 */
async function recordsOf(store: HistoryStore, applicantId: string, limitBytes: number): Answer<readonly RecordOf[]> {
  const ids: string[] = []
  let before: number | undefined
  for (let more = true; more;) {
    const page = await store.applicants.timeline({ applicantId, limit: 500, before })
    if (!page.ok) return page
    ids.push(...page.value.entries.flatMap((entry) => (entry.kind === 'check' ? entry.record.id : [])))
    before = page.value.entries.at(-1)?.seq
    more = page.value.older && before !== undefined
  }
  const records: RecordOf[] = []
  let answers = 0
  for (const id of ids) {
    const read = await store.record(id)
    if (!read.ok) return read
    const { previous: _, ...record } = read.value
    const { reply, fullMessage = '' } = record
    answers += Buffer.byteLength(reply?.body ?? '') + Buffer.byteLength(fullMessage) + (reply?.raw?.length ?? 0)
    if (answers > limitBytes) return failed('applicant-data-too-large', { reason: 'answers', limitBytes })
    records.push(record)
  }
  return ok(
    records
      .filter(({ erased }) => !erased)
      .toSorted((one, other) => one.startedAt - other.startedAt || one.seq - other.seq)
  )
}

function answerOf({ reply, fullMessage, startedAt, took }: RecordOf): Asked['answer'] {
  if (!reply) return null
  return {
    receivedAt: took === undefined ? null : iso(startedAt + took),
    status: reply.status,
    message: fullMessage ?? null,
    body: reply.body,
    bodyBytes: reply.raw ?? null,
    cut: reply.truncated
  }
}

/** The copies of a record, in the order of its form. */
const copiesIn = ({ operation, copies }: RecordOf): readonly (DocumentCopy & { readonly field: string })[] =>
  operationOf(operation).fields.flatMap(({ kind, name: field }) =>
    ((kind === 'url' && copies?.[field]) || []).map((kept) => ({ ...kept, field }))
  )

/** Bytes of the copies as they are recorded, each document once: nothing is opened for it. */
function recordedBytes(records: readonly RecordOf[]): number {
  const sizes = new Map(records.flatMap(copiesIn).map(({ sha256, bytes }) => [sha256, bytes]))
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
}

/** Reads all that the file will have. Failures: those of the history, such as `applicant-missing`, and `applicant-data-too-large`. */
async function collect(
  store: HistoryStore,
  applicantId: string,
  { copy, limits = applicantDataLimits }: Pick<ApplicantDataAccess, 'copy' | 'limits'>
): Answer<Collected> {
  // Also says whether there is such an applicant, erased ones not.
  const known = await store.applicants.show(applicantId)
  if (!known.ok) return known
  const records = await recordsOf(store, applicantId, limits.answers)
  if (!records.ok) return records
  if (recordedBytes(records.value) > limits.copies)
    return failed('applicant-data-too-large', { reason: 'copies', limitBytes: limits.copies })
  const files = new Map<string, { recordId: string; field: string; sha256: string }>()
  const requests: Asked[] = []
  let bytes = 0
  for (const record of records.value) {
    const copies: KeptCopy[] = []
    for (const { field, type, sha256, when, bytes: size, at: keptAt } of copiesIn(record)) {
      const nameOf = (): string | null => [...files].find(([, each]) => each.sha256 === sha256)?.[0] ?? null
      if (nameOf() === null) {
        const opened = await copy(record.id, field, sha256)
        if (!opened.ok && opened.failure.code !== 'document-copy-unusable') return opened
        if (opened.ok) {
          files.set(`documents/${files.size + 1} ${field}.${type}`, { recordId: record.id, field, sha256 })
          bytes += size
        }
      }
      copies.push({ field, when, keptAt: iso(keptAt), type, bytes: size, sha256, file: nameOf() })
    }
    requests.push({
      operation: record.operation,
      sentAt: iso(record.startedAt),
      outcome: record.state,
      input: { ...record.input },
      answer: answerOf(record),
      copies
    })
  }
  const digest = createHash('sha256').update(JSON.stringify({ applicantId, requests })).digest('hex')
  return ok({ applicantId, requests, files, bytes, digest })
}

const answered = (requests: readonly Asked[]): number => requests.filter(({ answer }) => answer).length
const copiesOf = (requests: readonly Asked[]): readonly KeptCopy[] => requests.flatMap(({ copies }) => copies)
const at = (text: string): string => time(Date.parse(text))
const outcomeText = (state: RecordState): string => (state === 'open' ? 'In progress' : outcomeOf(state).label)

const origins: Readonly<Record<CopyTime, string>> = {
  before: 'fetched',
  beside: 'fetched after the request,',
  later: 'fetched later,',
  file: 'added as a file'
}

/** What the PDF says, and what a person reads before: each request in the same form, whatever is known of it. */
function sectionsOf({ applicantId, requests }: Collected): ApplicantDataSection[] {
  const none = '–'
  return [
    {
      title: 'Applicant',
      rows: [
        ['Applicant ID', applicantId],
        ['Requests', String(requests.length)],
        ['Answers', String(answered(requests))],
        ['Copies of documents', String(copiesOf(requests).length)]
      ]
    },
    ...requests.map(({ operation, sentAt, outcome, input, answer, copies }, index): ApplicantDataSection => {
      const { fields, title } = operationOf(operation)
      return {
        title: `Request ${index + 1}: ${title}`,
        rows: [
          ['Sent', at(sentAt)],
          ['Outcome', outcomeText(outcome)],
          ...fields.map(({ name, label }): [string, string] => [label, shown(input[name] ?? none, 'data.json')]),
          ['Answer received', answer?.receivedAt ? at(answer.receivedAt) : none],
          ['Status', answer ? String(answer.status) : none],
          ['Message', answer?.message ?? none],
          ['Response', answer ? shown(answer.body, 'data.json') : none],
          [
            'Copies of documents',
            copies
              .map(
                ({ field, when, keptAt, file, sha256 }) =>
                  `${fields.find(({ name }) => name === field)?.label ?? field}, ${origins[when]} ${at(keptAt)}: ${file ?? 'the copy cannot be opened any more'}, SHA-256 ${sha256}`
              )
              .join('\n') || none
          ]
        ]
      }
    })
  ]
}

/** What would be saved, for a person to read. Failures: those of the history, and `applicant-data-too-large`. */
export async function readApplicantData(
  store: HistoryStore,
  applicantId: string,
  access: Pick<ApplicantDataAccess, 'copy' | 'limits'>
): Answer<ApplicantData> {
  const read = await collect(store, applicantId, access)
  if (!read.ok) return read
  const { requests, bytes, digest } = read.value
  const copies = copiesOf(requests)
  return ok({
    requests: requests.length,
    answers: answered(requests),
    copies: copies.length,
    unreadable: copies.filter(({ file }) => file === null).length,
    bytes,
    sections: sectionsOf(read.value),
    digest
  })
}

const pageText = (sections: readonly ApplicantDataSection[], madeAt: string, fingerprint: string): string =>
  pageOf(
    'Data of the applicant',
    `<p>What Veridesk keeps of the requests about this person to the verification service, of its answers, word for word, and of documents.
The same data is in data.json, whose signature is in data.json.sig; copies of documents are in the folder documents.</p>
<table>${row('Made', at(madeAt))}${row('Signed by', `Ed25519 key <code>${fingerprint}</code>`)}</table>
${sections
  .map(
    ({ title, rows }) =>
      `<section><h2>${escaped(title)}</h2><table>${rows.map(([label, value]) => row(label, `<span class="value">${escaped(value)}</span>`)).join('')}</table></section>`
  )
  .join('\n')}`
  )

const factsOf = (name: string, bytes: Uint8Array) => ({
  name,
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex')
})

/**
 * The bytes of the ZIP file, signed; its rows are the requests. Failures: those of the history
 * and of the key; `applicant-data-not-saved` if it is different now, or cannot be printed.
 */
export async function applicantDataText(
  store: HistoryStore,
  { applicantId, digest }: ApplicantDataOrder,
  parts: ApplicantDataAccess & {
    readonly madeAt: string
    readonly printPdf: ((html: string) => Promise<Uint8Array>) | undefined
  }
): Answer<ExportText> {
  const head = await store.audit.head()
  if (!head.ok) return head
  const key = await parts.signingKey()
  if (!key.ok) return key
  const read = await collect(store, applicantId, parts)
  if (!read.ok) return read
  if (read.value.digest !== digest) return failed('applicant-data-not-saved', { reason: 'changed' })
  if (!parts.printPdf) return failed('applicant-data-not-saved', { reason: 'cannot-print' })
  const { requests, files } = read.value
  const { madeAt } = parts
  const { fingerprint, publicKey } = evidenceKey(key.value)
  let pdf: Uint8Array
  try {
    pdf = await parts.printPdf(pageText(sectionsOf(read.value), madeAt, fingerprint))
  } catch (error) {
    return failed('applicant-data-not-saved', {
      reason: 'error',
      error: error instanceof Error ? error.name : 'unknown error'
    })
  }
  const content = {
    format: 'veridesk-applicant-data',
    version: 1,
    applicantId,
    madeAt,
    signedBy: fingerprint,
    // Copies are named by their digests, so the one signature covers every file.
    pdf: factsOf('data.pdf', pdf),
    requests
  }
  const json = Buffer.from(`${JSON.stringify(content, null, 2)}\n`, 'utf8')
  const signature = signBytes(key.value, json)
  async function* contents(): AsyncGenerator<PartToWrite> {
    yield { path: 'data.pdf', text: [pdf] }
    yield { path: 'data.json', text: [json] }
    yield { path: 'data.json.sig', text: [signature] }
    yield { path: 'public-key.pem', text: [publicKey] }
    for (const [path, { recordId, field, sha256 }] of files) {
      const opened = await parts.copy(recordId, field, sha256)
      if (!opened.ok) throw new StoreError(opened.failure)
      if (!opened.value || factsOf(path, opened.value.bytes).sha256 !== sha256)
        throw new StoreError(failed('applicant-data-not-saved', { reason: 'changed' }).failure)
      yield { path, text: [opened.value.bytes] }
    }
  }
  const { seq, hash } = head.value
  return ok({ head: { seq, hash }, pieces: archive(contents()), rows: () => requests.length })
}
