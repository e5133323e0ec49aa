/**
 * Prepares a restored copy for requests sent after the backup was created, which it does not contain. Other files of
 * the same history may contain them (the one being replaced, those set aside earlier). Batches that could send again
 * are held until the user confirms, rows that were or may have been sent become unknown, and the spend guard is given
 * their verifications. Copies of documents that are still wanted are taken from what was kept since. Legal holds are taken over as they are now (`events/at-restore.ts`).
 */
import { existsSync } from 'node:fs'
import Database from 'better-sqlite3-multiple-ciphers'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SinceBackup } from '#contract/data-management/since-backup.ts'
import { Holds, type HoldState } from '../erasure/holds.ts'
import type { HeldRestore, RestoreOrder } from '#wire/history/backup.ts'
import type { KeptPlain, KeptSealed } from '#wire/history/copies.ts'
import { codeOfRow, codesOfRow } from '../batches/codes.ts'
import type { CopyElsewhere } from '../batches/wanted.ts'
import { codeOfState } from '../projections/columns.ts'
import { Dictionary } from '../projections/dictionary.ts'
import { sinceEvent } from '../events/at-restore.ts'
import { Events } from '../events/events.ts'
import { openEngine } from '../engine/opening.ts'
import type { Engine } from '../engine/engine.ts'
import { closeQuietly, failureOf, pathOf, type Db } from '#wire/sqlite/files.ts'
import { keepLogs, putLogsBack } from '../storage/kept-logs.ts'
import { uuidText } from '#kit/bytes.ts'
import { versionOf } from '#wire/sqlite/schema.ts'
import { canonicalCheck } from '#wire/history/record-payloads.ts'
import { Reader } from '../records/reader.ts'
import { Restored, type Restoring } from '../records/restored.ts'
import { schemas } from '../engine/schema.ts'
import { derivedKey, keyDigest, keyedDigest, masterBytes, type MasterKey } from '#kit/sealing/seal.ts'
import { Subjects, type KnownApplicant } from '../storage/subjects.ts'

/** States of rows that may have reached the service, resolved or not, as recorded by the file that knows them; those of a team by a colleague. */
const sentStates = (['open', 'answered', 'invalid-response', 'unknown', 'shared'] as const).flatMap(codesOfRow)

interface Sent {
  readonly digest: Buffer
  readonly applicantId: string | undefined
  readonly at: number
}

interface HeldLink {
  readonly recordId: string
  readonly applicantId: string
  readonly operator: string
}

/** What another file contains about the time after the backup. */
interface Knowledge {
  /** Whether it continued from the backup's last event; if so, it contains everything that was sent in it. */
  readonly descends: boolean
  readonly sent: readonly Sent[]
  readonly restorings: readonly Restoring[]
  /** Numbers of rows that may have been sent, by batch id. */
  readonly rows: ReadonlyMap<string, readonly number[]>
  /** What was kept of documents of records that the backup has. */
  readonly copies: readonly CopyElsewhere[]
  readonly applicants: readonly KnownApplicant[]
  readonly holds: readonly HoldState[]
  /** Records that were linked to an applicant who is held. */
  readonly links: readonly HeldLink[]
  /** Absent if it does not continue from the backup's last event. */
  readonly since?: SinceBackup
}

/**
 * Holds everything that could send again in a restored copy that is not in place yet.
 *
 * @returns How much is held. Failures: those of opening the copy; it must then not be used.
 */
export function holdRestored(order: RestoreOrder): Result<HeldRestore, Failure> {
  const found = order.candidates.map((folder) => readCandidate(folder, order))
  // The history that is being replaced comes first.
  const since = found[0]?.since
  const sources = found.filter((each) => each !== undefined)
  const known = sources.length === found.length && sources.some(({ descends }) => descends)
  const opened = openEngine({ folder: order.folder, masterKey: order.masterKey, now: order.now })
  if (!opened.ok) return opened
  const { engine } = opened.value
  try {
    const [held = failed('internal', { reason: 'not-held' })] = engine.commit([
      () => ok(hold(engine, order, sources, known))
    ])
    return held.ok && since ? ok({ ...held.value, since }) : held
  } finally {
    engine.close()
  }
}

function hold(engine: Engine, order: RestoreOrder, sources: readonly Knowledge[], known: boolean): HeldRestore {
  const { restored, subjectOf, writer, batches } = engine
  for (const each of sources) for (const restoring of each.restorings) restored.note(restoring)
  restored.note({ at: order.now, backupAt: order.backupAt, known })
  adoptApplicants(engine, order, sources)
  const sent = sources.flatMap((each) => each.sent)
  for (const { digest, applicantId, at } of sent)
    restored.noteSent(digest, applicantId === undefined ? undefined : subjectOf(applicantId), at)
  let [heldBatches, heldRows] = [0, 0]
  for (const id of batches.startable()) {
    const rows = known ? [...new Set(sources.flatMap((each) => each.rows.get(id) ?? []))] : undefined
    heldRows += batches.hold(id, rows, order, writer)
    heldBatches += 1
  }
  engine.wantedCopies.adopt(sources.flatMap(({ copies }) => copies))
  carryHolds(engine, order, sources)
  return {
    known,
    sent: new Set(sent.map(({ digest }) => digest.toString('hex'))).size,
    batches: heldBatches,
    rows: heldRows
  }
}

/**
 * Applicants whom the copy does not know get the key that they have in the files that are set aside, and in backups made since. An
 * erasure finds a person's data in a copy by the key: with another one it would not reach these.
 */
function adoptApplicants({ adopt }: Engine, { erased }: RestoreOrder, sources: readonly Knowledge[]): void {
  const gone = new Set(erased)
  for (const { applicants } of sources)
    for (const applicant of applicants) if (!gone.has(keyDigest(applicant.key))) adopt(applicant)
}

/**
 * Whoever is held now stays held, and whose hold was lifted is not held again. What follows the backup's last event is later than
 * all that is in the copy; otherwise the time decides. An applicant who was erased since is not taken over.
 */
function carryHolds(
  { erasure: { holds }, applicants, writer }: Engine,
  { now, head, erased }: RestoreOrder,
  sources: readonly Knowledge[]
): void {
  const gone = new Set(erased)
  const here = new Map(holds.states().map((state) => [state.applicantId, state]))
  const newest = new Map<string, HoldState>()
  for (const { descends, holds: theirs } of sources)
    for (const state of theirs) {
      const known = newest.get(state.applicantId) ?? here.get(state.applicantId)
      const follows = descends && state.event > head.seq && !newest.has(state.applicantId)
      if ((!known || follows || state.eventAt > known.eventAt) && !gone.has(keyDigest(state.key)))
        newest.set(state.applicantId, state)
    }
  for (const state of newest.values())
    if (state.held || here.get(state.applicantId)?.held) holds.carry(state, now, writer)
  // A hold concerns what is linked to the applicant as well.
  const held = new Set(holds.list().map(({ applicantId }) => applicantId))
  for (const { recordId, applicantId, operator } of sources.flatMap(({ links }) => links))
    if (held.has(applicantId) && applicants.linkable(recordId))
      applicants.link(writer, recordId, applicantId, { at: now, operator })
}

/** Undefined if the files cannot be opened, have another version, or are inconsistent: then nothing is known. */
function readCandidate(folder: string, order: RestoreOrder): Knowledge | undefined {
  if (!existsSync(pathOf(folder, 'history')) || !existsSync(pathOf(folder, 'subjects'))) return undefined
  const dbs: Db[] = []
  try {
    // The log of a rejected file must stay unchanged.
    keepLogs(folder)
    const history = openCandidate(folder, 'history', order.masterKey, dbs)
    const subjects = openCandidate(folder, 'subjects', order.masterKey, dbs)
    if (versionOf(history) !== schemas.history.version || versionOf(subjects) !== schemas.subjects.version)
      return undefined
    return knowledgeOf(history, new Subjects(subjects), new Restored(subjects), order)
  } catch (error) {
    if (!failureOf(error, folder) && !(error instanceof Error && 'code' in error)) throw error
    return undefined
  } finally {
    for (const db of dbs) closeQuietly(db)
    putLogsBack(folder)
  }
}

function openCandidate(folder: string, name: 'history' | 'subjects', masterKey: MasterKey, dbs: Db[]): Db {
  const path = pathOf(folder, name)
  const db = new Database(path, { fileMustExist: true, timeout: 300 })
  dbs.push(db)
  db.pragma(`cipher='sqlcipher'`)
  db.pragma(`key="x'${derivedKey(masterBytes(masterKey), `${name}.db`).toString('hex')}'"`)
  db.pragma('locking_mode=EXCLUSIVE')
  db.pragma('temp_store=MEMORY')
  db.pragma('trusted_schema=OFF')
  return db
}

function knowledgeOf(history: Db, subjects: Subjects, restored: Restored, order: RestoreOrder): Knowledge {
  const digestKey = derivedKey(masterBytes(order.masterKey), 'digest')
  const { seq, hash, records } = order.head
  const at =
    seq === 0
      ? Buffer.alloc(32)
      : (history.prepare('SELECT hash FROM event WHERE seq = ?').pluck().get(seq) as Buffer | undefined)
  const descends = at?.toString('hex') === hash
  const reader = new Reader(history, subjects, new Dictionary(history))
  const since = history.prepare(
    `SELECT seq, subject FROM record WHERE ${descends ? 'seq > ?' : 'started_at >= ?'} AND state <> ${codeOfState('not-sent')}`
  )
  // A clock that was ahead dated it: nothing here is after that.
  const dated = order.backupAt <= order.now
  const sent: Sent[] = []
  for (const record of since.all(descends ? records : dated ? order.backupAt : 0) as {
    seq: number
    subject: number
  }[]) {
    const { operation, connection, input, startedAt, erased } = reader.summary(record.seq)
    if (erased) continue
    const digest = keyedDigest(digestKey, canonicalCheck(operation, connection.id, input))
    sent.push({ digest, applicantId: subjects.applicantOf(record.subject), at: startedAt })
  }
  for (const { digest, subject, at: when } of restored.digests())
    sent.push({ digest, applicantId: subject === null ? undefined : subjects.applicantOf(subject), at: when })
  const rows = new Map<string, number[]>()
  const moved = history.prepare(
    // Of a row that waits for its next operation the earlier ones were sent.
    // A row that was leased when Veridesk ended is somebody else's a minute later.
    `SELECT b.id, r.row FROM batch b JOIN batch_row r ON r.batch = b.ref
     WHERE r.state IN (${sentStates.join(', ')}) OR (r.state = ${codeOfRow('waiting')} AND (json_extract(b.draft, '$.shared') IS NOT NULL
       OR EXISTS (SELECT 1 FROM batch_call c WHERE c.batch = r.batch AND c.row = r.row)))`
  )
  for (const { id, row } of moved.all() as { id: string; row: number }[]) {
    const known = rows.get(id)
    if (known) known.push(row)
    else rows.set(id, [row])
  }
  const holds = new Holds({ history, subjects }).states()
  const linked = history.prepare(
    'SELECT r.id, e.plain FROM applicant_link l JOIN record r ON r.seq = l.record JOIN event e ON e.seq = l.event WHERE l.subject = ?'
  )
  const links = holds
    .filter(({ held }) => held)
    .flatMap(({ subject, applicantId }) =>
      (linked.all(subject) as { id: Buffer; plain: string }[]).map(({ id, plain }) => ({
        recordId: uuidText(id),
        applicantId,
        operator: (JSON.parse(plain) as { operator: string }).operator
      }))
    )
  return {
    descends,
    sent,
    restorings: restored.restorings(),
    rows,
    copies: descends ? copiesSince(history, subjects, order.head) : [],
    applicants: subjects.applicants(),
    holds,
    links,
    ...(descends && { since: sinceEvent(history, seq) })
  }
}

/** What was kept after the backup of documents of its records, from their links. */
function copiesSince(history: Db, subjects: Subjects, { seq, records }: RestoreOrder['head']): CopyElsewhere[] {
  const events = new Events(history, subjects)
  const found = history
    .prepare(
      `SELECT e.seq, r.id FROM event e JOIN record r ON r.seq = e.record
        WHERE e.kind = 'document.kept' AND e.seq > ? AND e.record <= ? AND e.plain ->> 'when' <> 'file'`
    )
    .all(seq, records) as { seq: number; id: Buffer }[]
  return found.flatMap(({ seq: event, id }) => {
    const { plain, sealed } = events.get<KeptPlain, KeptSealed>(event)
    return sealed ? [{ recordId: uuidText(id), field: plain.field, copy: sealed }] : []
  })
}
