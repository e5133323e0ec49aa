/** Packs about many people for an authority: one file each, and an index with what was not found. */
import { basename, join } from 'node:path'
import { periodText, type ApplicantStatus } from '#contract/applicants/status.ts'
import type { AuthorityEntry, AuthorityExport, AuthorityOrder, Receiver } from '#contract/evidence/authority.ts'
import type { Failure, FailureCode } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { phraseOf } from '#contract/failures/sentences.ts'
import { timed, type Column } from '#core/csv/columns.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { packAt, type EvidenceParts } from '#core/evidence/evidence.ts'
import { validSigningKey } from '#core/evidence/own-keys.ts'
import type { OpenCopy } from '#core/evidence/pack-documents.ts'
import { textOf } from './rows.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** Packs for an authority: `exportForAuthority` of one console. */
export type AuthorityPacks = (order: AuthorityOrder, openCopy: OpenCopy) => Answer<AuthorityExport | null>

/** What is wrong with one person's data; anything else would be wrong with the next one's as well. */
const ofOne: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'evidence-nothing',
  'evidence-documents-too-large',
  'document-copy-unusable'
])

interface IndexRow extends AuthorityEntry {
  readonly status: ApplicantStatus | null
}

const columns: readonly Column<IndexRow>[] = [
  ['applicant_id', ({ id }) => id],
  ['result', ({ result }) => result],
  ['file', ({ file }) => file],
  ['sha256', ({ sha256 }) => sha256],
  ['records', ({ records }) => records],
  ['documents', ({ documents }) => documents?.files],
  ['documents_left_out', ({ documents }) => documents?.absent.length],
  ['relationship', ({ status }) => status?.relationship?.state],
  ['relationship_on', ({ status }) => status?.relationship?.on],
  ['relationship_periods', ({ status }) => status?.periods.map(periodText).join('; ')],
  timed('last_verification', ({ status }) => status?.last?.at),
  ['reason', ({ failure }) => failure && phraseOf(failure)]
]

/** One person. A failure that is not about that person ends the export. */
async function entryOf(
  parts: EvidenceParts,
  store: HistoryStore,
  id: string,
  to: Parameters<typeof packAt>[3] & { readonly receiver: Receiver }
): Answer<AuthorityEntry> {
  const made = await packAt(parts, store, { about: { kind: 'applicant', id }, profile: 'full', pdf: false }, to)
  if (made.ok) {
    const { sha256, records, documents } = made.value
    return ok({ id, result: 'packed', file: basename(to.path), sha256, records, ...(documents && { documents }) })
  }
  const { failure } = made
  if (!ofOne.has(failure.code)) return made
  const gone = failure.code === 'evidence-nothing' && failure.details?.['reason'] !== 'too-many'
  return ok(gone ? { id, result: 'not-found' } : { id, result: 'not-packed', failure })
}

/**
 * Asks for a folder and writes a pack for each person, numbered in the order of the IDs, so that no name of a file says who it is about.
 * The index is written last. Null if cancelled. Failures: `authority-folder-used`, those of the key, the history and the files;
 * packs that were written before stay.
 */
export async function exportForAuthority(
  parts: EvidenceParts,
  { applicantIds, recipient, basis, documents }: AuthorityOrder,
  openCopy: OpenCopy
): Answer<AuthorityExport | null> {
  const opened = await parts.store()
  if (!opened.ok) return opened
  const store = opened.value
  const key = await validSigningKey(parts.keychain, parts.clock.now())
  if (!key.ok) return key
  const folder = await parts.chooseSavePath('Export for an authority', 'export', [])
  if (folder === undefined) return ok(null)
  const made = await parts.files.folder(folder)
  if (!made.ok) return made
  const rows: IndexRow[] = []
  for (const id of new Set(applicantIds)) {
    const name = `${String(rows.length + 1).padStart(5, '0')}.${documents ? 'zip' : 'veridesk-evidence'}`
    const status = await store.applicants.statuses([id])
    if (!status.ok) return status
    const copy = documents ? openCopy : undefined
    const to = { path: join(folder, name), key: key.value, copy, receiver: { recipient, basis } }
    const entry = await entryOf(parts, store, id, to)
    if (!entry.ok) return entry
    rows.push({ ...entry.value, status: entry.value.result === 'not-found' ? null : (status.value[0] ?? null) })
  }
  const head = await store.audit.head()
  if (!head.ok) return head
  const index = join(folder, 'index.csv')
  const madeAt = new Date(parts.clock.now()).toISOString()
  const start = { madeAt, consoleVersion: parts.consoleVersion, format: 'veridesk-authority', version: 1 }
  async function* chunks(): AsyncGenerator<readonly IndexRow[]> {
    yield rows
  }
  const { seq, hash } = head.value
  const written = await parts.files.write(
    index,
    textOf({ seq, hash }, rows.length, 'csv', start, columns, chunks()).pieces
  )
  if (!written.ok) return written
  await parts.auditTrail.note({
    kind: 'export.made',
    plain: { what: 'applicants', format: 'csv', rows: rows.length, head: { seq, hash } }
  })
  return ok({ folder, index, entries: rows.map(({ status: _, ...entry }) => entry) })
}
