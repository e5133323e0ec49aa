/** Packs about many people for an authority: one file each, and an index with what was not found. */
import type { KeyObject } from 'node:crypto'
import { basename, join } from 'node:path'
import type { ApplicantStatus } from '#contract/applicants/status.ts'
import type { AuthorityEntry, AuthorityExport, AuthorityOrder } from '#contract/evidence/authority.ts'
import type { EvidenceMade } from '#contract/evidence/evidence.ts'
import type { Failure, FailureCode } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { phraseOf } from '#contract/failures/sentences.ts'
import { timed, type Column } from '#core/csv/columns.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { textOf } from '../exports/rows.ts'
import type { EvidenceParts } from './evidence.ts'
import { validSigningKey } from './own-keys.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** Who gets a pack, and by which law or order. */
export type Receiver = Pick<AuthorityOrder, 'recipient' | 'basis'>

/** Writes the pack about one person. */
type WritePack = (
  store: HistoryStore,
  applicantId: string,
  to: { readonly path: string; readonly key: KeyObject; readonly receiver: Receiver }
) => Answer<EvidenceMade>

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
  timed('last_verification', ({ status }) => status?.last?.at),
  ['reason', ({ failure }) => failure && phraseOf(failure)]
]

/** One person. A failure that is not about that person ends the export. */
async function entryOf(
  write: WritePack,
  store: HistoryStore,
  id: string,
  to: Parameters<WritePack>[2]
): Answer<AuthorityEntry> {
  const made = await write(store, id, to)
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
  parts: Pick<
    EvidenceParts,
    'store' | 'keychain' | 'clock' | 'consoleVersion' | 'chooseSavePath' | 'files' | 'auditTrail'
  >,
  { applicantIds, recipient, basis, documents }: AuthorityOrder,
  write: WritePack
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
    const to = { path: join(folder, name), key: key.value, receiver: { recipient, basis } }
    const entry = await entryOf(write, store, id, to)
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
