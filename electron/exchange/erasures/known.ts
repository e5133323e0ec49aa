/**
 * What is known of erasures in the team: which there were, and who says that it has carried them out. Statements on the
 * file of what was received; they throw SQLite's errors.
 */
import type { Db } from '#wire/sqlite/files.ts'
import { erasedIn, erasureKind, withdrawalKind, withdrawnIn } from '../subjects/erasures.ts'
import type { CarriedOut } from '#team/thread/ports.ts'
import { z } from 'zod'
import { jsonOf } from '#kit/hashing/json.ts'
import type { TeamErasureAt } from '#contract/team/erasures.ts'

export const acknowledgementKind = 'team.acknowledged'

/** Events that erase: keys of an installation's own subjects, or keys that it deletes for the team. */
const isErasure = (kind: string): boolean => kind === erasureKind || kind === withdrawalKind

/** As many installations as an anchor can name. */
const mostNamed = 4000
const schema = z.object({
  erasures: z
    .record(
      z.string().regex(/^[0-9a-f]{32}$/),
      z.tuple([
        z
          .int()
          .min(1)
          .max(2 ** 40),
        z.string().regex(/^[0-9a-f]{64}$/)
      ])
    )
    .refine((named) => Object.keys(named).length <= mostNamed)
})

/** What an acknowledgement says, as an installation of any version may have written it; nothing if it has another form. */
const carriedOutIn = (plain: string): CarriedOut => schema.safeParse(jsonOf(plain)).data?.erasures ?? {}

/** An event whose values are shared, as far as it concerns erasures. */
export interface ErasureEvent {
  readonly seq: number
  /** Hex. */
  readonly hash: string
  readonly kind: string
  readonly plain: string
  /** By the clock of its installation. */
  readonly at: number
  /** The epoch that it is sealed in. */
  readonly epoch: number
}

/** Who has carried out an erasure, and when it said so, by its clock. */
export interface CarriedOutBy {
  readonly by: string
  readonly at: number
}

/** The ref of this installation. */
const self = 0
/** A member can write acknowledgements without end; no honest one writes so many. */
const mostOfOne = 100_000

export class KnownErasures {
  private readonly db: Db
  private readonly statements

  constructor(db: Db) {
    this.db = db
    const prepare = (sql: string): ReturnType<Db['prepare']> => db.prepare(sql)
    this.statements = {
      add: prepare(
        'INSERT INTO erasure VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (ref, seq) DO UPDATE SET epoch = max(epoch, excluded.epoch)'
      ),
      atOwner: prepare('INSERT INTO erased_at_owner VALUES (?, ?) ON CONFLICT DO NOTHING'),
      withdraw: prepare('INSERT INTO withdrawn VALUES (?, ?) ON CONFLICT DO NOTHING'),
      last: prepare('SELECT max(seq) FROM acknowledgement WHERE "of" = ? AND "by" = ?').pluck(),
      count: prepare('SELECT count(*) FROM acknowledgement WHERE "by" = ?').pluck(),
      acknowledge: prepare('INSERT INTO acknowledgement VALUES (?, ?, ?, ?, ?)'),
      untold: prepare(
        `SELECT i.id AS installation, max(e.seq) AS seq, e.hash FROM erasure e JOIN installation i USING (ref)
          WHERE told = 0 GROUP BY e.ref`
      ),
      tell: prepare(
        'UPDATE erasure SET told = 1 WHERE told = 0 AND ref = (SELECT ref FROM installation WHERE id = ?) AND seq <= ?'
      ),
      carriedOut: prepare(
        `SELECT "by", min(a.at) AS at FROM acknowledgement a JOIN erasure e ON e.ref = ${self}
          AND e.seq = a.seq AND e.hash = a.hash WHERE "of" = ? AND a.seq >= ? GROUP BY "by"`
      ),
      authors: prepare(
        `SELECT e.ref, i.id FROM (SELECT DISTINCT ref FROM erasure) e LEFT JOIN installation i USING (ref)`
      ),
      lastBy: prepare(
        `SELECT coalesce(max(a.seq), 0) FROM acknowledgement a JOIN erasure e ON e.ref = ? AND e.seq = a.seq
          AND e.hash = a.hash WHERE "of" = ? AND "by" = ?`
      ).pluck(),
      after: prepare('SELECT count(*) FROM erasure WHERE ref = ? AND seq > ?').pluck(),
      isShared: prepare(`SELECT 1 FROM erasure WHERE ref = ${self} AND seq = ?`),
      keptAt: prepare(
        `SELECT count(*) FROM withdrawn w WHERE w.installation = ? AND NOT EXISTS (SELECT 1
          FROM erased_at_owner e WHERE e.installation = w.installation AND e.number = w.number)`
      ).pluck(),
      uncovered: prepare('SELECT min(at) FROM erasure WHERE epoch >= ?').pluck(),
      exchanged: prepare('SELECT at FROM last_exchange').pluck(),
      exchange: prepare('INSERT INTO last_exchange VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET at = excluded.at'),
      seen: prepare('SELECT number, at FROM epoch_seen'),
      see: prepare(
        'INSERT INTO epoch_seen VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET number = excluded.number, at = excluded.at'
      )
    }
  }

  /** A colleague's verified event. Within the transaction that adds it, and that removes what it erases. @param now When it arrived. */
  note(ref: number, installation: string, { seq, hash, kind, plain, at, epoch }: ErasureEvent, now: number): void {
    if (isErasure(kind)) this.statements.add.run(ref, seq, hash, now, epoch, 0)
    if (kind === erasureKind) for (const number of erasedIn(plain)) this.statements.atOwner.run(installation, number)
    if (kind === acknowledgementKind) this.take(installation, carriedOutIn(plain), at)
  }

  private take(by: string, erasures: CarriedOut, at: number): void {
    let left: number | undefined
    for (const [of, [seq, hash]] of Object.entries(erasures)) {
      if (of === by || seq <= ((this.statements.last.get(of, by) as number | null) ?? 0)) continue
      left ??= mostOfOne - (this.statements.count.get(by) as number)
      if (left <= 0) return
      left -= 1
      this.statements.acknowledge.run(of, by, seq, hash, at)
    }
  }

  /** Events of this installation that erase, before the team learns of them. */
  noteOwn(events: readonly ErasureEvent[], now: number): void {
    const erasures = events.filter(({ kind }) => isErasure(kind))
    if (erasures.length === 0) return
    this.db
      .transaction(() => {
        for (const { seq, hash, kind, plain, epoch } of erasures) {
          this.statements.add.run(self, seq, hash, now, epoch, 1)
          // What this installation said itself, beside what colleagues said.
          if (kind === withdrawalKind)
            for (const [of, numbers] of Object.entries(withdrawnIn(plain)))
              for (const number of numbers) this.statements.withdraw.run(of, number)
        }
      })
      .immediate()
  }

  /** The last erasure of each colleague that was carried out here, and that no event here says so of. */
  untold(): CarriedOut {
    const rows = this.statements.untold.all() as {
      readonly installation: string
      readonly seq: number
      readonly hash: string
    }[]
    return Object.fromEntries(rows.map(({ installation, seq, hash }) => [installation, [seq, hash]]))
  }

  noteTold(erasures: CarriedOut): void {
    this.db
      .transaction(() => {
        for (const [installation, [seq]] of Object.entries(erasures)) this.statements.tell.run(installation, seq)
      })
      .immediate()
  }

  /** Whether the team was told of an event of this installation that erases. */
  isShared(seq: number): boolean {
    return this.statements.isShared.get(seq) !== undefined
  }

  /** Who says that it has carried out an erasure of this installation: this event, or a later one that erases. */
  carriedOut(own: string, seq: number): readonly CarriedOutBy[] {
    return this.statements.carriedOut.all(own, seq) as CarriedOutBy[]
  }

  /** Erasures of others that an installation has not acknowledged. @param own Number of this installation. */
  pendingAt(by: string, own: string): number {
    const authors = this.statements.authors.all() as { readonly ref: number; readonly id: string | null }[]
    return authors.reduce((sum, { ref, id }) => {
      const of = ref === self ? own : id
      return of === null || of === by
        ? sum
        : sum + (this.statements.after.get(ref, this.statements.lastBy.get(ref, of, by)) as number)
    }, 0)
  }

  /** Subjects of an installation that somebody withdrew from the team, and that it has not erased itself. */
  keptAt(installation: string): number {
    return this.statements.keptAt.get(installation) as number
  }

  /** Since when the oldest erasure waits that no later epoch than this one follows; undefined if none does. */
  uncoveredSince(epoch: number): number | undefined {
    return (this.statements.uncovered.get(epoch) as number | null) ?? undefined
  }

  /** When everything was last compared with the database. */
  get exchangedAt(): number | undefined {
    return this.statements.exchanged.get() as number | undefined
  }

  noteExchanged(at: number): void {
    this.statements.exchange.run(at)
  }

  /** When the current epoch was first seen here. */
  epochSeen(number: number, now: number): number {
    const seen = this.statements.seen.get() as { readonly number: number; readonly at: number } | undefined
    if (seen?.number === number) return seen.at
    this.statements.see.run(number, now)
    return now
  }
}

/** @param members Members and former members, of which the former have the role `removed`. */
export function acknowledgements(
  members: readonly { readonly installation: string; readonly name: string; readonly role: string }[],
  own: string,
  carriedOut: readonly CarriedOutBy[]
): readonly TeamErasureAt[] {
  const when = new Map(carriedOut.map(({ by, at }) => [by, at]))
  return members
    .filter(({ installation }) => installation !== own)
    .map(({ installation, name, role }) => {
      const at = when.get(installation)
      if (at !== undefined) return { installation, name, state: 'acknowledged', at }
      return { installation, name, state: role === 'removed' ? 'removed' : 'pending' }
    })
}
