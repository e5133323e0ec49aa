/** What was received from other installations and verified: their events, their heads, and what they have anchored. */
import type { TeamFindingKind } from '#contract/team/activity.ts'
import { ClaimOrder } from '#team/claims/order.ts'
import type { KnownHead } from '#wire/history/audit-walk.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { KnownErasures } from '../erasures/known.ts'
import { KnownSubjects } from '../subjects/known.ts'
import type { SealedPart } from '../subjects/ports.ts'
import { anchorKind, seenIn } from './anchors.ts'
import { readContent } from '#team/log/content.ts'
import { mostEvents, mostInstallations } from '#team/log/database.ts'
import { Derived } from '#team/log/derived.ts'
import { Findings } from '#team/log/findings.ts'
import { isLoss, Losses } from '#team/log/losses.ts'
import { anchorStates } from '#team/storage/states.ts'
import { placeOf, seqOf } from '#team/log/places.ts'
import type { SeenHeads } from '#team/thread/ports.ts'
import type { Acknowledgement } from '#team/log/standing.ts'
import { Twins } from '#team/log/twins.ts'
import { chainStart, type ChainPoint, type VerifiedEvent } from './verification.ts'

interface InstallationRow extends ChainPoint {
  readonly ref: number
  readonly id: string
  readonly unanchored: number
}

export interface StoredEvent extends ChainPoint {
  readonly sig: Buffer | null
  readonly content: Buffer
}

/** An anchored head that is not compared with the event here yet. */
export interface AnchoredHead extends KnownHead {
  readonly by: string
  readonly of: string
}

export interface Confirmation {
  /** How many other installations have anchored it. */
  readonly installations: number
  /** When the newest of these anchors arrived here, in Unix milliseconds. */
  readonly at?: number
}

/** Statements on the file. Throws SQLite's errors; `onReceived` turns them into failures. */
export class Received {
  readonly subjects: KnownSubjects
  readonly erasures: KnownErasures
  readonly claims: ClaimOrder
  readonly findings: Findings
  readonly losses: Losses
  private readonly db: Db
  private readonly derived: Derived
  private readonly statements

  constructor(db: Db) {
    this.db = db
    const twins = new Twins(db)
    this.derived = new Derived(db, twins)
    this.subjects = new KnownSubjects(db, (ref, seq) => twins.at(ref, seq))
    this.erasures = new KnownErasures(db)
    this.claims = new ClaimOrder(db)
    this.findings = new Findings(db)
    this.losses = new Losses(db)
    const prepare = (sql: string): ReturnType<Db['prepare']> => db.prepare(sql)
    this.statements = {
      installation: prepare('SELECT ref, id, seq, hash, epoch, unanchored FROM installation WHERE id = ?'),
      installations: prepare('SELECT ref, id, seq, hash, epoch, unanchored FROM installation ORDER BY id'),
      admit: prepare('INSERT INTO installation (id, seq, hash, epoch, unanchored) VALUES (?, 0, ?, 0, 0)'),
      advance: prepare(
        'UPDATE installation SET seq = ?, hash = ?, epoch = ?, unanchored = unanchored + ? WHERE ref = ?'
      ),
      add: prepare('INSERT INTO event (place, hash, epoch, sig, content) VALUES (?, ?, ?, ?, ?)'),
      hash: prepare('SELECT hash FROM event WHERE place = ?').pluck(),
      content: prepare('SELECT content FROM event WHERE place = ?').pluck(),
      beginning: prepare(
        `SELECT i.id, i.seq FROM installation i JOIN event e ON e.place = i.ref * ${mostEvents} + 1 WHERE lower(hex(e.hash)) = ?`
      ),
      events: prepare(
        'SELECT place, hash, epoch, sig, content FROM event WHERE place > ? AND place < ? ORDER BY place LIMIT ?'
      ),
      anchor: prepare(
        `INSERT INTO anchored VALUES (?, ?, ?, ?, ?, ${anchorStates.unchecked})
          ON CONFLICT ("of", "by") DO UPDATE SET seq = excluded.seq, hash = excluded.hash, at = excluded.at,
          checked = excluded.checked WHERE excluded.seq > seq`
      ),
      isAnchored: prepare('SELECT 1 FROM anchored WHERE "of" = ? AND "by" = ?'),
      anchoredBy: prepare('SELECT count(*) FROM anchored WHERE "by" = ?').pluck(),
      ahead: prepare(
        `SELECT "by", "of", a.seq, a.hash FROM anchored a LEFT JOIN installation i ON i.id = "of"
          WHERE a.seq > coalesce(i.seq, 0) ORDER BY "of", "by"`
      ),
      unchecked: prepare(
        `SELECT "by", "of", a.seq, a.hash FROM anchored a LEFT JOIN installation i ON i.id = "of"
          WHERE checked = ${anchorStates.unchecked} AND ("of" = ? OR a.seq <= i.seq)`
      ),
      check: prepare('UPDATE anchored SET checked = ? WHERE "by" = ? AND "of" = ? AND seq = ?'),
      confirmation: prepare(
        `SELECT count(*) AS installations, max(at) AS at FROM anchored WHERE "of" = ? AND seq >= ?
          AND checked = ${anchorStates.same} AND "by" <> ?`
      ),
      forgetNews: prepare('UPDATE installation SET unanchored = 0 WHERE id = ? AND seq = ?'),
      share: prepare(
        'INSERT INTO shared VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash'
      ),
      shared: prepare('SELECT seq, hash FROM shared'),
      fork: prepare('INSERT INTO fork VALUES (?, ?) ON CONFLICT DO NOTHING'),
      forkOf: prepare('SELECT proof FROM fork WHERE installation = ?').pluck()
    }
  }

  private row(installation: string): InstallationRow | undefined {
    return this.statements.installation.get(installation) as InstallationRow | undefined
  }

  /** The last verified event of an installation; number 0 if there is none. */
  head(installation: string): ChainPoint {
    return this.row(installation) ?? chainStart
  }

  /** Installations with verified events. */
  heads(): readonly (ChainPoint & { readonly id: string; readonly unanchored: number })[] {
    return this.statements.installations.all() as InstallationRow[]
  }

  hashAt(installation: string, seq: number): Buffer | undefined {
    const row = this.row(installation)
    return row && (this.statements.hash.get(placeOf(row.ref, seq)) as Buffer | undefined)
  }

  /** Installations whose first event has this hash (hex), and the number of their last one. */
  beginningWith(hash: string): readonly { readonly id: string; readonly seq: number }[] {
    return this.statements.beginning.all(hash) as { id: string; seq: number }[]
  }

  /** Events after a number, in order. */
  events(installation: string, after: number, limit: number): StoredEvent[] {
    const row = this.row(installation)
    const rows = row
      ? (this.statements.events.all(placeOf(row.ref, after), placeOf(row.ref + 1, 0), limit) as (Omit<
          StoredEvent,
          'seq'
        > & { readonly place: number })[])
      : []
    return rows.map(({ place, ...rest }) => ({ seq: seqOf(place), ...rest }))
  }

  /** The sealed part of an event; undefined if it has none here. */
  sealedAt(installation: string, seq: number): SealedPart | undefined {
    const row = this.row(installation)
    const content = row && (this.statements.content.get(placeOf(row.ref, seq)) as Buffer | undefined)
    const event = content && readContent(content)
    return event && event !== 'newer' && event.sealed && event.values[1] !== null
      ? { kind: event.kind, sealed: event.sealed, values: event.values[1] }
      : undefined
  }

  /** Adds verified events that follow the head, with the heads that they anchor: all or none. */
  add(installation: string, events: readonly VerifiedEvent[], now: number): void {
    const last = events.at(-1)
    if (!last) return
    this.db
      .transaction(() => {
        if (!this.row(installation)) this.statements.admit.run(installation, chainStart.hash)
        const row = this.row(installation)
        if (!row || row.seq + 1 !== events[0]?.seq) throw new Error('events that do not follow')
        let news = 0
        let left: number | undefined
        for (const { seq, hash, epoch, sig, content, event } of events) {
          this.statements.add.run(placeOf(row.ref, seq), hash, epoch, sig, content)
          this.derived.onAdded(row.ref, seq, event)
          this.findings.onAdded(installation, event)
          this.losses.onAdded(installation, seq, event)
          this.subjects.note(row.ref, seq, event, now)
          if (event.plain)
            this.erasures.note(
              row.ref,
              installation,
              { seq, hash: hash.toString('hex'), kind: event.kind, plain: event.plain.text, at: event.at, epoch },
              now
            )
          for (const [of, [seen, digest]] of Object.entries(seenIn(event) ?? {})) {
            if (of === installation) continue
            if (!this.statements.isAnchored.get(of, installation)) {
              // Anybody in the team can name any installation.
              left ??= mostInstallations - (this.statements.anchoredBy.get(installation) as number)
              if (left <= 0) continue
              left -= 1
            }
            this.statements.anchor.run(installation, of, seen, digest, now)
          }
          if (event.kind !== anchorKind) news += 1
        }
        this.statements.advance.run(last.seq, last.hash, last.epoch, news, row.ref)
      })
      .immediate()
  }

  /** The heads that the next anchor names: those with events since the last one that are not anchors themselves. */
  unanchored(): { readonly events: number; readonly heads: SeenHeads } {
    const rows = this.heads().filter(({ unanchored }) => unanchored > 0)
    return {
      events: rows.reduce((sum, { unanchored }) => sum + unanchored, 0),
      heads: Object.fromEntries(rows.map(({ id, seq, hash }) => [id, [seq, hash.toString('hex')]]))
    }
  }

  /** These heads were anchored. Events that arrived since wait for the next anchor. */
  noteAnchored(heads: SeenHeads): void {
    this.db
      .transaction(() => {
        for (const [id, [seq]] of Object.entries(heads)) this.statements.forgetNews.run(id, seq)
        this.losses.noteAnchored(heads)
      })
      .immediate()
  }

  /** Everything has arrived: what colleagues acknowledged counts, and who has not exchanged since a loss is awaited. */
  onComplete(self: string, now: number): void {
    for (const loss of this.losses.count()) this.findings.coverIntents(loss)
    this.findAwaited(self, now)
    this.findings.onComplete()
  }

  /** A supervisor here has dealt with a finding, and the history has it as this event. */
  acknowledge(of: string, finding: TeamFindingKind, by: Acknowledgement, seq: number): void {
    this.db
      .transaction(() => {
        this.findings.acknowledge(of, finding, by)
        if (!isLoss(finding)) return
        this.losses.acknowledge(by, seq)
        this.findings.coverIntents(by)
        // At once: until the next round, nobody would be awaited.
        this.findAwaited(by.by, by.at)
      })
      .immediate()
  }

  private findAwaited(self: string, now: number): void {
    this.findings.findAwaited(this.losses.awaited({ installation: self, seq: this.shared?.seq ?? 0 }), now)
  }

  /** Heads that were anchored and have not arrived here. */
  ahead(): readonly AnchoredHead[] {
    return this.statements.ahead.all() as AnchoredHead[]
  }

  /** Heads to compare: those that have arrived here, and those of this installation. */
  unchecked(self: string): readonly AnchoredHead[] {
    return this.statements.unchecked.all(self) as AnchoredHead[]
  }

  /** Whether the event here is the one that was anchored. */
  noteChecked({ by, of, seq }: AnchoredHead, isSame: boolean): void {
    this.statements.check.run(isSame ? anchorStates.same : anchorStates.different, by, of, seq)
  }

  /** Who has anchored an event, besides its own installation. */
  confirmation(of: string, seq: number): Confirmation {
    const { installations, at } = this.statements.confirmation.get(of, seq, of) as {
      readonly installations: number
      readonly at: number | null
    }
    return { installations, ...(at !== null && { at }) }
  }

  /** The last event of this installation that the database had. */
  get shared(): KnownHead | undefined {
    return this.statements.shared.get() as KnownHead | undefined
  }

  noteShared({ seq, hash }: KnownHead): void {
    this.statements.share.run(seq, hash)
  }

  /** Whether nothing more is accepted from an installation: it was proven to have signed two histories. */
  isFrozen(installation: string): boolean {
    return this.forkOf(installation) !== undefined
  }

  /** Keeps the first proof of a fork. */
  keepFork(installation: string, proof: object): void {
    this.statements.fork.run(installation, JSON.stringify(proof))
  }

  /** The proof of a fork, as a text to export. */
  forkOf(installation: string): string | undefined {
    return this.statements.forkOf.get(installation) as string | undefined
  }

  close(): void {
    this.db.close()
  }
}
