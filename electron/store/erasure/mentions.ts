/**
 * Finds an applicant's id in data of others: records that were never linked to the applicant, their notes, rows of
 * batches. An erasure does not remove these, so the user is informed before erasing.
 */
import { maxMentions, type Mentions, type MentioningRecord } from '#contract/data-management/data-management.ts'
import { cellsPurpose } from '../batches/reader.ts'
import { inAuditTrail } from '../events/event-index.ts'
import { unseal } from '#kit/sealing/seal.ts'
import type { Applicants } from '../applicants/applicants.ts'
import type { Reader } from '../records/reader.ts'
import type { Indexer } from '../search/indexer.ts'
import type { Queries } from '../search/queries.ts'
import { isIndexed } from '#kit/text/folding.ts'
import { searchCountLimit, soughtOf } from '../search/search.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** Maximum number of sealed texts examined per kind; the answer says if older ones were left out. */
const maxExamined = 50_000

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Tests whether a text contains the whole id: an adjacent letter or digit makes it a different one (`AP-1` in
 * `AP-12`). A URL may contain it percent-encoded, and a JSON body with JSON escapes.
 */
export function mentioning(applicantId: string): (text: string) => boolean {
  const forms = formsOf(applicantId).map(escaped)
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
  return (text) => pattern.test(text)
}
const formsOf = (id: string): string[] => [
  ...new Set([id, encodeURIComponent(id.toWellFormed()), JSON.stringify(id).slice(1, -1)])
]

/** Dependencies of the search for mentions. */
interface MentionParts {
  readonly dbs: { readonly history: Db; readonly subjects: Db }
  readonly indexer: Indexer
  readonly queries: Queries
  readonly reader: Reader
  readonly applicants: Applicants
}

/** @param gone Numbers of the subjects that would be erased. */
export function mentionsOf(engine: MentionParts, applicantId: string, gone: readonly number[]): Mentions {
  const { history, subjects } = engine.dbs
  const going = new Set(gone)
  const names = mentioning(applicantId)
  const keyOf = subjects.prepare('SELECT key FROM subject WHERE ref = ?').pluck()
  const applicantOf = subjects.prepare('SELECT applicant FROM subject WHERE ref = ?').pluck()
  const subjectOf = history.prepare('SELECT subject FROM record WHERE seq = ?').pluck()
  let more = false

  /** Whether a sealed text of another subject, still readable, contains the id. */
  const holds = (subject: number | null, purpose: string, sealed: Buffer): boolean => {
    const key = subject === null || going.has(subject) ? undefined : (keyOf.get(subject) as Buffer | undefined)
    const text = key && unseal(key, purpose, sealed)
    return text !== undefined && names(text.payload)
  }
  function count(
    rows: Iterable<{ readonly subject: number | null; readonly purpose: string; readonly sealed: Buffer }>
  ): number {
    let [looked, found] = [0, 0]
    for (const { subject, purpose, sealed } of rows) {
      if ((looked += 1) > maxExamined) {
        more = true
        break
      }
      if (holds(subject, purpose, sealed)) found += 1
    }
    return found
  }

  const records: MentioningRecord[] = []
  let total = 0
  if (isIndexed(applicantId)) engine.indexer.catchUp()
  else more = true
  const seqs = new Set<number>()
  for (const form of formsOf(applicantId)) {
    const sought = soughtOf(form)
    if (sought.kind !== 'phrase') continue
    const hits = engine.queries.finder.newest(sought, searchCountLimit + 1)
    more ||= hits.length > searchCountLimit
    hits.forEach((seq) => seqs.add(seq))
  }
  for (const seq of [...seqs].sort((one, other) => other - one)) {
    const subject = subjectOf.get(seq) as number
    if (going.has(subject)) continue
    const texts = engine.reader.texts(seq)
    if (!texts || !(names(texts.asked) || names(texts.answered))) continue
    total += 1
    if (records.length >= maxMentions) continue
    const { id, startedAt, operation } = engine.reader.summary(seq)
    const other = applicantOf.get(subject) as string | null
    records.push({
      id,
      startedAt,
      operation,
      linkable: engine.applicants.linkable(id),
      ...(other !== null && { applicantId: other })
    })
  }
  const events = history.prepare(
    `SELECT subject, kind AS purpose, sealed FROM event WHERE ${inAuditTrail} AND sealed IS NOT NULL ORDER BY seq DESC`
  )
  const cells = history.prepare(
    `SELECT r.subject, '${cellsPurpose}' AS purpose, c.sealed FROM batch_cells c
      JOIN batch_row r USING (batch, row) WHERE length(c.sealed) > 0 ORDER BY c.batch DESC, c.row`
  )
  type Rows = Iterable<{ subject: number | null; purpose: string; sealed: Buffer }>
  return { total, records, notes: count(events.iterate() as Rows), batchRows: count(cells.iterate() as Rows), more }
}
