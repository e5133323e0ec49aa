/**
 * What this installation knows of the team's subjects: keys of colleagues' ones, and which of its own the database has.
 * Statements on the file of what was received; they throw SQLite's errors.
 */
import { likeness } from '#kit/text/folding.ts'
import { randomInt } from 'node:crypto'
import type { Db } from '#wire/sqlite/files.ts'
import { keyedDigest } from '#kit/sealing/seal.ts'
import { codeOfEntry } from '#team/log/entries.ts'
import {
  keyFaultStates,
  keyIsFaulty,
  noLongerPublished,
  publishedStates,
  stillPublished,
  subjectStates
} from '#team/storage/states.ts'
import { erasedIn, erasureKind, namingKinds, withdrawalKind, withdrawnIn } from './erasures.ts'
import type { SubjectNumbers } from '#team/thread/ports.ts'

/** A subject of a colleague. */
export interface KnownSubject {
  readonly ref: number
  readonly installation: string
  readonly number: number
}

export interface AwaitedSubject extends KnownSubject {
  /** The event whose sealed part its key must open. */
  readonly witness: number
  readonly fault: number
}

/** The key of a subject and the ID of its applicant, if it has one; or why they are not here. */
export type FoundSubject =
  | { readonly key: Buffer; readonly applicant: string | undefined; readonly closed?: undefined }
  | { readonly closed: 'awaited' | 'erased'; readonly key?: undefined; readonly applicant?: undefined }

/** An event of a colleague, as far as it concerns subjects. */
export interface SubjectEvent {
  readonly kind: string
  readonly subject: number | null
  readonly sealed: Buffer | null
  readonly plain: { readonly text: string } | null
}

/** A key to delete in the database. Without an installation, it is of a subject of this one. */
export interface ErasableKey {
  readonly ref: number
  readonly installation: string | null
  readonly number: number
}

/** Milliseconds before a key that was not there is asked for again. */
const askAgainAfter = 60_000
/**
 * Milliseconds before keys are deleted because a colleague erased the applicant: those of this installation, and those of
 * other colleagues. Who erased usually does it within seconds, and otherwise the one of all others that waits least.
 */
const leaveToOthers = { own: 60_000, least: 10 * 60_000, spread: 10 * 60_000 } as const

type Prepare = (sql: string) => ReturnType<Db['prepare']>

/** Subjects of colleagues, and their keys. */
const ofColleagues = (prepare: Prepare) => ({
  note: prepare(
    `INSERT INTO subject (ref, number, state, witness, naming)
       SELECT i.ref, $number, CASE WHEN EXISTS (SELECT 1 FROM withdrawn w WHERE w.installation = i.id
         AND w.number = $number) THEN ${subjectStates.erased} ELSE ${subjectStates.awaited} END, $witness, $naming
         FROM installation i WHERE i.ref = $ref
     ON CONFLICT (ref, number) DO UPDATE SET witness = excluded.witness, naming = excluded.naming, asked = 0,
       state = CASE WHEN excluded.naming = 1 AND state = ${subjectStates.here} THEN ${subjectStates.awaited}
       ELSE state END
       WHERE excluded.witness IS NOT NULL AND (witness IS NULL OR naming < excluded.naming)`
  ),
  awaited: prepare(
    `SELECT s.ref, i.id AS installation, number, witness, fault FROM subject s JOIN installation i USING (ref)
     WHERE state = ${subjectStates.awaited} AND witness IS NOT NULL AND asked BETWEEN ? AND ? ORDER BY asked, s.ref, number LIMIT ?`
  ),
  expire: prepare(
    `UPDATE subject SET state = ${subjectStates.awaited}, key = NULL, applicant = NULL, likeness = NULL,
      epoch = 0, asked = 0, fault = ${keyFaultStates.none} WHERE state = ${subjectStates.here}`
  ),
  arrive: prepare(
    `UPDATE subject SET key = ?, applicant = ?, likeness = ?, who = ?, epoch = ?,
      state = ${subjectStates.here}, fault = ${keyFaultStates.none} WHERE ref = ? AND number = ?
      AND state = ${subjectStates.awaited}`
  ),
  miss: prepare(
    `UPDATE subject SET asked = ?, fault = ? WHERE ref = ? AND number = ? AND state = ${subjectStates.awaited}`
  ),
  faults: prepare(
    `SELECT i.id AS installation, fault, count(*) AS count FROM subject s JOIN installation i USING (ref)
      WHERE state = ${subjectStates.awaited} AND ${keyIsFaulty} GROUP BY s.ref, fault`
  ),
  subject: prepare(
    'SELECT state, key, applicant FROM subject WHERE number = ? AND ref = (SELECT ref FROM installation WHERE id = ?)'
  ),
  refOf: prepare('SELECT ref FROM installation WHERE id = ?').pluck(),
  state: prepare('SELECT state, witness FROM subject WHERE ref = ? AND number = ?'),
  whoOf: prepare('SELECT who FROM subject WHERE ref = ? AND number = ?').pluck(),
  erase: prepare(
    `UPDATE subject SET state = ${subjectStates.erased}, key = NULL, applicant = NULL, likeness = NULL,
      who = NULL, fault = ${keyFaultStates.none} WHERE ref = ? AND number = ?`
  ),
  eraseAlike: prepare(
    `UPDATE subject SET state = ${subjectStates.erased}, key = NULL, applicant = NULL, likeness = NULL,
      who = NULL, fault = ${keyFaultStates.none} WHERE who = ? RETURNING ref, number`
  ),
  linked: prepare(
    `SELECT DISTINCT c.subject FROM entry e JOIN check_end c ON c.ref = e.ref AND c.record = e.record
      JOIN subject s ON s.ref = c.ref AND s.number = c.subject
     WHERE e.ref = ? AND e.subject = ? AND e.kind = ${codeOfEntry('check')} AND c.subject <> e.subject
       AND s.applicant IS NULL AND s.state <> ${subjectStates.erased}`
  ).pluck(),
  older: prepare(
    `SELECT s.ref, i.id AS installation, number FROM subject s JOIN installation i USING (ref)
      WHERE state = ${subjectStates.here} AND s.epoch < ? ORDER BY s.epoch, s.ref, number LIMIT ?`
  ),
  rewrapped: prepare(`UPDATE subject SET epoch = ? WHERE ref = ? AND number = ? AND state = ${subjectStates.here}`),
  withdrawn: prepare('INSERT INTO withdrawn VALUES (?, ?) ON CONFLICT DO NOTHING')
})

/** Subjects of this installation: which the database has. */
const ofOwn = (prepare: Prepare) => ({
  unpublished: prepare(
    `SELECT DISTINCT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM published WHERE subject = value
      AND (epoch >= ? OR ${noLongerPublished}))`
  ).pluck(),
  publish: prepare(
    `INSERT INTO published VALUES (?, ?, ?, ?) ON CONFLICT (subject) DO UPDATE SET epoch = excluded.epoch,
      who = excluded.who, state = excluded.state WHERE ${stillPublished}`
  ),
  gone: prepare(
    `UPDATE published SET epoch = ? WHERE ${stillPublished} AND subject IN (SELECT value FROM json_each(?))`
  ),
  olderOwn: prepare(
    `SELECT subject FROM published WHERE ${stillPublished} AND epoch < ? ORDER BY epoch, subject LIMIT ?`
  ).pluck(),
  whoOfOwn: prepare('SELECT who FROM published WHERE subject = ?').pluck(),
  eraseOwn: prepare(
    `INSERT INTO published VALUES (?, 0, NULL, ${publishedStates.erased})
      ON CONFLICT (subject) DO UPDATE SET who = NULL, state = excluded.state`
  ),
  withdrawAlike: prepare(
    `UPDATE published SET state = ${publishedStates.withdrawn}, who = NULL WHERE who = ? AND ${stillPublished} RETURNING subject`
  ).pluck(),
  withdrawNamed: prepare(
    `UPDATE published SET state = ${publishedStates.withdrawn}, who = NULL WHERE ${stillPublished}
      AND subject IN (SELECT number FROM withdrawn WHERE installation = ?)`
  ),
  followFormer: prepare(
    `INSERT INTO published SELECT number, 0, NULL, ${publishedStates.withdrawn} FROM subject
      WHERE ref = (SELECT ref FROM installation WHERE id = ?) AND state = ${subjectStates.erased}
      AND witness <= ?
     ON CONFLICT (subject) DO UPDATE SET who = NULL, state = excluded.state WHERE ${stillPublished}`
  ),
  leaveNamed: prepare(
    'DELETE FROM to_erase WHERE ref = 0 AND told = 0 AND number IN (SELECT number FROM withdrawn WHERE installation = ?)'
  ),
  isErased: prepare(
    `SELECT 1 FROM published WHERE subject = $number AND ${noLongerPublished} UNION ALL SELECT 1 FROM withdrawn
      WHERE installation = $own AND number = $number`
  ),
  withState: prepare('SELECT subject FROM published WHERE state = ? ORDER BY subject').pluck(),
  count: prepare('SELECT count(*) FROM published WHERE state = ?').pluck(),
  until: prepare('SELECT seq FROM published_until').pluck(),
  setUntil: prepare('INSERT INTO published_until VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq'),
  shareAgain: prepare(`UPDATE published SET epoch = 0 WHERE ${stillPublished}`),
  given: prepare(
    `SELECT subject FROM published WHERE state = ${publishedStates.shared} AND epoch = ? AND subject > ? ORDER BY subject LIMIT ?`
  ).pluck(),
  giveAgain: prepare(
    `UPDATE published SET epoch = 0 WHERE state = ${publishedStates.shared} AND subject IN (SELECT value FROM json_each(?))`
  ),
  eraseAgain: prepare(
    `INSERT INTO to_erase SELECT 0, subject, 1, 0 FROM published WHERE ${noLongerPublished} ON CONFLICT DO NOTHING`
  )
})

/** Keys to delete in the database. */
const ofErasures = (prepare: Prepare) => ({
  queue: prepare(
    `INSERT INTO to_erase VALUES (?, ?, ?, ?)
      ON CONFLICT (ref, number) DO UPDATE SET told = max(told, excluded.told),
      after = min(after, excluded.after)`
  ),
  leave: prepare('DELETE FROM to_erase WHERE ref = ? AND number = ? AND told = 0'),
  queued: prepare(
    `SELECT t.ref, i.id AS installation, number FROM to_erase t LEFT JOIN installation i ON i.ref = t.ref
      WHERE told = 1 ORDER BY t.ref, number LIMIT ?`
  ),
  untold: prepare(
    `SELECT t.ref, i.id AS installation, number FROM to_erase t LEFT JOIN installation i ON i.ref = t.ref
      WHERE told = 0 AND (after <= $now OR after > $latest) ORDER BY t.ref, number LIMIT $limit`
  ),
  told: prepare('UPDATE to_erase SET told = 1 WHERE ref = ? AND number = ?'),
  unqueue: prepare('DELETE FROM to_erase WHERE ref = ? AND number = ?')
})

export class KnownSubjects {
  private readonly db: Db
  private readonly digestKey: Buffer
  private readonly sameAt: (ref: number, seq: number) => readonly number[]
  private readonly statements
  /** At first, too: the log may be one of before a crash. */
  private hasErased = true

  /** @param sameAt Other installations whose event with this number is the same one, by ref. */
  constructor(db: Db, sameAt: (ref: number, seq: number) => readonly number[]) {
    this.db = db
    this.sameAt = sameAt
    this.digestKey = db.prepare('SELECT key FROM digest_key').pluck().get() as Buffer
    const prepare: Prepare = (sql) => db.prepare(sql)
    this.statements = { ...ofColleagues(prepare), ...ofOwn(prepare), ...ofErasures(prepare) }
  }

  /** Several changes: all or none. */
  together(work: () => void): void {
    this.db.transaction(work).immediate()
  }

  private digestOf = (applicant: string): Buffer => keyedDigest(this.digestKey, applicant)

  // Of colleagues

  /** Notes the subject of a colleague's verified event, and carries out what the event erases. Within the transaction that adds it. */
  note(ref: number, seq: number, { kind, subject, sealed, plain }: SubjectEvent, now: number): void {
    if (subject !== null)
      this.statements.note.run({
        ref,
        number: subject,
        witness: sealed === null ? null : seq,
        naming: sealed !== null && namingKinds.has(kind) ? 1 : 0
      })
    if (subject !== null) this.noteSame(ref, subject, seq, now)
    if (!plain) return
    if (kind === erasureKind) this.erase(ref, erasedIn(plain.text), now)
    if (kind === withdrawalKind) this.takeWithdrawal(withdrawnIn(plain.text), now)
  }

  /** A colleague erased subjects of its own: they go, and so does all that the team has of the same applicants. */
  private erase(ref: number, numbers: readonly number[], now: number): void {
    const digests = new Map<string, Buffer>()
    for (const number of numbers) {
      const who = this.statements.whoOf.get(ref, number) as Buffer | null | undefined
      if (who) digests.set(who.toString('hex'), who)
      this.statements.erase.run(ref, number)
      // It deletes its own keys.
      this.statements.leave.run(ref, number)
      this.eraseSame(ref, number, now + leaveToOthers.least + randomInt(leaveToOthers.spread))
    }
    for (const who of digests.values()) {
      this.eraseAlike(who, now + leaveToOthers.least + randomInt(leaveToOthers.spread))
      for (const number of this.statements.withdrawAlike.all(who) as number[])
        this.statements.queue.run(0, number, 0, now + leaveToOthers.own)
    }
    this.hasErased ||= numbers.length > 0
  }

  /** A colleague deleted keys for the team, of whatever installation. */
  private takeWithdrawal(subjects: SubjectNumbers, now: number): void {
    for (const [installation, numbers] of Object.entries(subjects)) {
      const ref = this.statements.refOf.get(installation) as number | undefined
      for (const number of numbers) {
        this.statements.withdrawn.run(installation, number)
        if (ref === undefined) continue
        this.statements.erase.run(ref, number)
        this.statements.leave.run(ref, number)
        this.eraseSame(ref, number, now + leaveToOthers.least + randomInt(leaveToOthers.spread))
      }
      this.hasErased ||= numbers.length > 0
    }
  }

  /** The subject of an event that another installation has, too: erased under one number, it is under all. */
  private noteSame(ref: number, number: number, seq: number, now: number): void {
    const all = [ref, ...this.sameAt(ref, seq)]
    if (all.length > 1 && all.some((each) => this.stateOf(each, number)?.state === subjectStates.erased))
      for (const each of all) this.eraseAs(each, number, now + leaveToOthers.least + randomInt(leaveToOthers.spread))
  }

  /** A subject was erased: so is the same one of installations that have its events under another number. @param after When their keys are deleted in the database. */
  private eraseSame(ref: number, number: number, after: number): void {
    const witness = this.stateOf(ref, number)?.witness ?? undefined
    if (witness !== undefined) for (const each of this.sameAt(ref, witness)) this.eraseAs(each, number, after)
  }

  private eraseAs(ref: number, number: number, after: number): void {
    if (this.stateOf(ref, number)?.state === subjectStates.erased) return
    this.statements.erase.run(ref, number)
    this.statements.queue.run(ref, number, 0, after)
    this.hasErased = true
  }

  private stateOf(
    ref: number,
    number: number
  ): { readonly state: number; readonly witness: number | null } | undefined {
    return this.statements.state.get(ref, number) as { state: number; witness: number | null } | undefined
  }

  /** Subjects whose keys were never asked for. */
  neverAsked(limit: number): readonly AwaitedSubject[] {
    return this.statements.awaited.all(0, 0, limit) as AwaitedSubject[]
  }

  /** Subjects whose keys were not there a minute ago or earlier; also, if the clock was set back, those of the future. */
  toAskAgain(now: number, limit: number): readonly AwaitedSubject[] {
    const due = this.statements.awaited.all(1, now - askAgainAfter, limit) as AwaitedSubject[]
    return due.length > 0
      ? due
      : (this.statements.awaited.all(now + 1, Number.MAX_SAFE_INTEGER, limit) as AwaitedSubject[])
  }

  /** The key of an awaited subject arrived. For one that was erased meanwhile, nothing changes. */
  arrive(
    { ref, number }: KnownSubject,
    { key, applicant, epoch }: { readonly key: Buffer; readonly applicant?: string | undefined; readonly epoch: number }
  ): void {
    this.statements.arrive.run(
      key,
      applicant ?? null,
      applicant === undefined ? null : likeness(applicant),
      applicant === undefined ? null : this.digestOf(applicant),
      epoch,
      ref,
      number
    )
  }

  /**
   * Removes the keys and IDs of all colleagues’ applicants; they are asked for again. The digests that say which subjects are
   * one applicant stay, so that an erasure which arrives later still finds them. @returns How many there were.
   */
  expire(): number {
    const { changes } = this.statements.expire.run()
    this.hasErased ||= changes > 0
    this.emptyLog()
    return changes
  }

  /** The key of an awaited subject was not there. */
  miss({ ref, number }: KnownSubject, now: number, fault: number): void {
    this.statements.miss.run(now, fault, ref, number)
  }

  /** How many keys of which installation are missing or were refused. */
  faults(): readonly { readonly installation: string; readonly fault: number; readonly count: number }[] {
    return this.statements.faults.all() as { installation: string; fault: number; count: number }[]
  }

  /** Subjects whose keys are here, and were last wrapped for an older epoch. */
  older(epoch: number, limit: number): readonly KnownSubject[] {
    return this.statements.older.all(epoch, limit) as KnownSubject[]
  }

  /** A colleague's subject: its key, or why it is not here. Undefined if no event names it. */
  find({ installation, number }: Pick<KnownSubject, 'installation' | 'number'>): FoundSubject | undefined {
    const row = this.statements.subject.get(number, installation) as
      | { readonly state: number; readonly key: Buffer | null; readonly applicant: string | null }
      | undefined
    if (!row) return undefined
    return row.key
      ? { key: row.key, applicant: row.applicant ?? undefined }
      : { closed: row.state === subjectStates.erased ? 'erased' : 'awaited' }
  }

  /** Their keys are wrapped for this epoch. */
  noteRewrapped(subjects: readonly KnownSubject[], epoch: number): void {
    this.together(() => {
      for (const { ref, number } of subjects) this.statements.rewrapped.run(epoch, ref, number)
    })
  }

  // Of this installation

  /** Of some subjects, those that the database was not given for this epoch. */
  unpublished(numbers: readonly number[], epoch: number): readonly number[] {
    return this.statements.unpublished.all(JSON.stringify(numbers), epoch) as number[]
  }

  /** Subjects that the database was given for an older epoch. */
  olderOwn(epoch: number, limit: number): readonly number[] {
    return this.statements.olderOwn.all(epoch, limit) as number[]
  }

  /** @param subjects With the ID of their applicant; `refused` by the database. */
  notePublished(
    subjects: readonly { readonly number: number; readonly applicantId?: string; readonly refused: boolean }[],
    epoch: number
  ): void {
    this.together(() => {
      for (const { number, applicantId, refused } of subjects)
        this.statements.publish.run(
          number,
          epoch,
          applicantId === undefined ? null : this.digestOf(applicantId),
          refused ? publishedStates.refused : publishedStates.shared
        )
    })
  }

  /** Subjects whose keys the history does not have any more: there is nothing to wrap anew. */
  noteGone(numbers: readonly number[], epoch: number): void {
    this.statements.gone.run(epoch, JSON.stringify(numbers))
  }

  /** The last event whose subject, and those of all events before, were published. */
  get publishedUntil(): number {
    return (this.statements.until.get() as number | undefined) ?? 0
  }

  notePublishedUntil(seq: number): void {
    this.statements.setUntil.run(seq)
  }

  /** The database lost events of this installation, so it may have lost keys, or have such again that were erased. */
  startAgain(): void {
    this.together(() => {
      this.statements.shareAgain.run()
      this.statements.eraseAgain.run()
    })
  }

  /** Subjects after a number whose keys the database was given for an epoch. */
  given(epoch: number, after: number, limit: number): readonly number[] {
    return this.statements.given.all(epoch, after, limit) as number[]
  }

  /** The database does not have the keys of these any more: they are given like those of a new epoch. */
  giveAgain(numbers: readonly number[]): void {
    this.statements.giveAgain.run(JSON.stringify(numbers))
  }

  /** How many keys of this installation the database refused although nobody signed a reason. */
  get refused(): number {
    return this.statements.count.get(publishedStates.refused) as number
  }

  /** Subjects of this installation that a colleague erased, and that are in its history. */
  erasuresPending(): readonly number[] {
    return this.statements.withState.all(publishedStates.withdrawn) as number[]
  }

  // Erasures

  /** Whether a subject of this installation was erased for the team, here or by a colleague. @param own Number of this installation. */
  isErased(own: string, number: number): boolean {
    return this.statements.isErased.get({ own, number }) !== undefined
  }

  /** This installation erased subjects: their keys are deleted in the database, and those of the same applicants elsewhere. */
  eraseOwn(numbers: readonly number[]): void {
    this.together(() => {
      for (const number of numbers) {
        const who = this.statements.whoOfOwn.get(number) as Buffer | null | undefined
        if (who) this.eraseAlike(who, 0)
        this.statements.eraseOwn.run(number)
        this.statements.queue.run(0, number, 1, 0)
      }
    })
    this.hasErased ||= numbers.length > 0
  }

  /** This installation erases applicants: what colleagues shared of them goes from here at once, and from the database with the next round. */
  eraseApplicants(applicantIds: readonly string[]): void {
    this.together(() => {
      for (const applicantId of applicantIds) this.eraseAlike(this.digestOf(applicantId), 0)
    })
    this.emptyLog()
  }

  /** Subjects of colleagues that are this applicant, and their checks without one that were linked to it. @param after When their keys are deleted in the database. */
  private eraseAlike(who: Buffer, after: number): void {
    for (const { ref, number } of this.statements.eraseAlike.all(who) as KnownSubject[])
      for (const each of [number, ...(this.statements.linked.all(ref, number) as number[])]) {
        this.statements.erase.run(ref, each)
        this.statements.queue.run(ref, each, 0, after)
        this.eraseSame(ref, each, after)
        this.hasErased = true
      }
  }

  /** Applies withdrawals by colleagues that name subjects of this installation. */
  followWithdrawals(self: string): void {
    this.statements.withdrawNamed.run(self)
    this.statements.leaveNamed.run(self)
  }

  /** What was erased for the team of another installation that had the same events until this one is erased of this one, too. */
  followFormer(former: string, until: number): void {
    this.statements.followFormer.run(former, until)
  }

  /** Keys to delete in the database, of which an event has to say so first. */
  toTell(now: number, limit: number): readonly ErasableKey[] {
    return this.statements.untold.all({
      now,
      latest: now + leaveToOthers.least + leaveToOthers.spread,
      limit
    }) as ErasableKey[]
  }

  /** Keys to delete in the database, which an event names. */
  toErase(limit: number): readonly ErasableKey[] {
    return this.statements.queued.all(limit) as ErasableKey[]
  }

  noteTold(keys: readonly ErasableKey[]): void {
    this.together(() => {
      for (const { ref, number } of keys) this.statements.told.run(ref, number)
    })
  }

  noteErased(keys: readonly ErasableKey[]): void {
    this.together(() => {
      for (const { ref, number } of keys) this.statements.unqueue.run(ref, number)
    })
  }

  /** Earlier versions of pages are in the log, with keys that were erased. */
  emptyLog(): void {
    if (!this.hasErased) return
    this.db.pragma('wal_checkpoint(TRUNCATE)')
    this.hasErased = false
  }
}
