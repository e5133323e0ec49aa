/** The text of exports of the history, the applicants and the audit trail. */
import { isoDue } from '#contract/applicants/due-dates.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { AuditEvent, AuditFilter } from '#contract/evidence/audit.ts'
import type { ApplicantCursor, ApplicantSummary, TimelineEntry } from '#contract/applicants/applicants.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { ExportFormat } from '#contract/data-management/data-management.ts'
import { factColumns, type RecordFact } from '#contract/history/record-facts.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import type { HistoryFilter } from '#contract/history/queries.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { timed, type Column } from '#core/csv/columns.ts'
import { StoreError } from '#core/files/store-error.ts'
import { atOnce, textOf, type ExportAbout, type ExportText } from './rows.ts'

function columnOf(fact: RecordFact): Column<RecordDetail> {
  switch (fact.kind) {
    case 'text':
      return [fact.key, fact.value]
    case 'time':
      return timed(fact.key, fact.value)
    case 'failure':
      return [
        fact.key,
        (record) => {
          const value = fact.value(record)
          return value && sentencesOf(value).what
        }
      ]
    default:
      return [
        fact.key,
        (record) => {
          const value = fact.value(record)
          return value === undefined ? undefined : Math.round(value)
        }
      ]
  }
}
const recordColumns = factColumns.map(columnOf)

/** The records of a filter, oldest first, up to the current last one. */
export async function historyText(
  store: HistoryStore,
  filter: HistoryFilter,
  format: ExportFormat,
  about: ExportAbout
): Promise<Result<ExportText, Failure>> {
  const [head, newest, counts] = [
    await store.audit.head(),
    await store.page({ filter: {}, limit: 1 }),
    await store.counts(filter)
  ]
  if (!head.ok) return head
  if (!newest.ok) return newest
  if (!counts.ok) return counts
  const until = newest.value.records[0]?.seq ?? 0
  async function* chunks(): AsyncGenerator<readonly RecordDetail[]> {
    let after = 0
    for (let more = true; more;) {
      const read = await store.exports.records(filter, after, atOnce)
      if (!read.ok) throw new StoreError(read.failure)
      const rows = read.value.records.filter(({ seq }) => seq <= until)
      after = read.value.records.at(-1)?.seq ?? after
      more = read.value.more && after < until
      yield rows
    }
  }
  const { seq, hash } = head.value
  const total = counts.value.atLeast ? undefined : counts.value.total
  const start = { format: 'veridesk-history', version: 1, ...about, filter }
  return ok(textOf({ seq, hash }, total, format, start, recordColumns, chunks()))
}

/** Selected records, oldest first. */
export async function chosenText(
  store: HistoryStore,
  ids: readonly string[],
  format: ExportFormat,
  about: ExportAbout
): Promise<Result<ExportText, Failure>> {
  const head = await store.audit.head()
  if (!head.ok) return head
  // Ids sort by time.
  const sorted = [...new Set(ids)].sort()
  async function* chunks(): AsyncGenerator<readonly RecordDetail[]> {
    for (let from = 0; from < sorted.length; from += atOnce) {
      const read = await store.exports.chosen(sorted.slice(from, from + atOnce))
      if (!read.ok) throw new StoreError(read.failure)
      yield read.value
    }
  }
  const { seq, hash } = head.value
  const start = { format: 'veridesk-history', version: 1, ...about, selected: sorted.length }
  return ok(textOf({ seq, hash }, sorted.length, format, start, recordColumns, chunks()))
}

interface ApplicantRow extends ApplicantSummary {
  /** Newest first; verifications by record id, since the history's export contains them completely. */
  readonly timeline: readonly object[]
}

const applicantColumns: readonly Column<ApplicantRow>[] = [
  ['applicant_id', ({ id }) => id],
  ['state', ({ state }) => state],
  ['proposal', ({ proposal }) => proposal ?? ''],
  ['checks', ({ checks }) => checks],
  timed('last_activity', ({ lastAt }) => lastAt),
  ['due', ({ due }) => (due === undefined ? '' : isoDue(due))],
  ['risk', ({ risk }) => risk ?? ''],
  ['review_at', ({ review }) => review?.at ?? ''],
  ['review_cause', ({ review }) => review?.cause ?? ''],
  ['relationship', ({ relationship }) => relationship?.state ?? ''],
  ['relationship_on', ({ relationship }) => relationship?.on ?? ''],
  ['tags', ({ tags }) => tags.join(', ')]
]

const inShort = (entry: TimelineEntry): object =>
  entry.kind === 'check' ? { ...entry, record: undefined, recordId: entry.record.id } : entry

/** All applicants, latest activity first, or the selected ones as they were selected; in JSON with their timelines. */
export async function applicantsText(
  store: HistoryStore,
  format: ExportFormat,
  about: ExportAbout,
  ids?: readonly string[]
): Promise<Result<ExportText, Failure>> {
  const head = await store.audit.head()
  if (!head.ok) return head
  async function timeline(applicantId: string): Promise<object[]> {
    const entries: object[] = []
    let before: number | undefined
    for (let more = format === 'jsonl'; more;) {
      const page = await store.applicants.timeline({ applicantId, limit: 500, before })
      if (!page.ok) throw new StoreError(page.failure)
      entries.push(...page.value.entries.map(inShort))
      before = page.value.entries.at(-1)?.seq
      more = page.value.older && before !== undefined
    }
    return entries
  }
  async function* chosen(some: readonly string[]): AsyncGenerator<readonly ApplicantRow[]> {
    for (const id of new Set(some)) {
      const shown = await store.applicants.show(id)
      // One that was erased in the meantime has nothing to export.
      if (!shown.ok && shown.failure.code !== 'applicant-missing') throw new StoreError(shown.failure)
      if (!shown.ok) continue
      const { lastAt, checks, state, proposal, tags, due, relationship, risk, review } = shown.value
      yield [
        { id, lastAt, checks, state, proposal, tags, due, relationship, risk, review, timeline: await timeline(id) }
      ]
    }
  }
  async function* chunks(): AsyncGenerator<readonly ApplicantRow[]> {
    const seen = new Set<string>()
    let after: ApplicantCursor | undefined
    do {
      const page = await store.applicants.list({ limit: atOnce, after })
      if (!page.ok) throw new StoreError(page.failure)
      const rows: ApplicantRow[] = []
      for (const applicant of page.value.applicants) {
        // Activity during the export moves an applicant to the front; each is written once.
        if (seen.has(applicant.id)) continue
        seen.add(applicant.id)
        rows.push({ ...applicant, timeline: await timeline(applicant.id) })
      }
      after = page.value.next
      yield rows
    } while (after)
  }
  const { seq, hash } = head.value
  return ok(
    textOf(
      { seq, hash },
      undefined,
      format,
      { format: 'veridesk-applicants', version: 1, ...about, ...(ids && { selected: ids.length }) },
      applicantColumns,
      ids ? chosen(ids) : chunks()
    )
  )
}

const eventColumns: readonly Column<AuditEvent>[] = [
  ['event', ({ seq }) => seq],
  timed('time', ({ at }) => at),
  ['category', ({ group }) => group],
  ['kind', ({ kind }) => kind],
  ['description', ({ words }) => words],
  ['operator', ({ operator }) => operator],
  ['record_id', ({ recordId }) => recordId],
  ['applicant_id', ({ applicantId }) => applicantId],
  ['erased', ({ erased }) => (erased ? 'yes' : '')],
  ['hash', ({ hash }) => hash]
]

/** The events of a filter, oldest first, up to the current last one. */
export async function auditText(
  store: HistoryStore,
  filter: AuditFilter,
  format: ExportFormat,
  about: ExportAbout
): Promise<Result<ExportText, Failure>> {
  const head = await store.audit.head()
  if (!head.ok) return head
  const { seq, hash } = head.value
  async function* chunks(): AsyncGenerator<readonly AuditEvent[]> {
    for (let after: number | undefined = 0; after !== undefined && after < seq;) {
      const page = await store.audit.page({
        ...filter,
        limit: atOnce,
        after,
        ...(format === 'jsonl' && { timestamps: true })
      })
      if (!page.ok) throw new StoreError(page.failure)
      yield page.value.events.filter((event) => event.seq <= seq)
      after = page.value.next
    }
  }
  return ok(
    textOf(
      { seq, hash },
      undefined,
      format,
      { format: 'veridesk-audit-trail', version: 1, ...about, filter },
      eventColumns,
      chunks()
    )
  )
}
