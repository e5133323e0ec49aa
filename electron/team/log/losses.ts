/**
 * Losses of the database that a supervisor has acknowledged. It may have lost which rows were sent: until every member has
 * exchanged once since, nobody knows. That is never asked of the database: whoever has received the acknowledgement says so
 * in a signed anchor, and everything that it has recorded before has arrived with that.
 */
import type { TeamFindingKind } from '#contract/team/activity.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { SharedEvent } from './content.ts'
import { acknowledgementIn } from './findings.ts'
import type { SeenHeads } from '../thread/ports.ts'
import type { Acknowledgement, Awaited } from './standing.ts'

/** After these, the database may have lost who sends which row. */
const ofLosses: ReadonlySet<TeamFindingKind> = new Set<TeamFindingKind>([
  'team-events-rolled-back',
  'team-events-withheld',
  'team-intents-lost'
])
export const isLoss = (finding: TeamFindingKind): boolean => ofLosses.has(finding)

export const lossTables = `
        -- By the event that acknowledged it. "counts" is 1 once that installation was seen to be a supervisor's, "told" 1 once
        -- this installation has anchored the event.
        CREATE TABLE loss (
          "by" TEXT NOT NULL, seq INTEGER NOT NULL, operator TEXT NOT NULL, at INTEGER NOT NULL,
            reason TEXT NOT NULL, counts INTEGER NOT NULL, told INTEGER NOT NULL, PRIMARY KEY ("by", seq)
        ) STRICT, WITHOUT ROWID;
        -- Members and former members of that time. Their events up to "until" are from before; it is NULL while one is awaited.
        CREATE TABLE loss_member ("by" TEXT NOT NULL, seq INTEGER NOT NULL, installation TEXT NOT NULL,
          until INTEGER, PRIMARY KEY ("by", seq, installation)) STRICT, WITHOUT ROWID;`

interface LossRow extends Acknowledgement {
  readonly seq: number
}

/** Statements on the file of what was received. Throws SQLite's errors. */
export class Losses {
  private readonly statements

  constructor(db: Db) {
    const prepare = (sql: string): ReturnType<Db['prepare']> => db.prepare(sql)
    this.statements = {
      add: prepare('INSERT OR IGNORE INTO loss VALUES (?, ?, ?, ?, ?, ?, ?)'),
      count: prepare(
        `UPDATE loss SET counts = 1 WHERE counts = 0 AND "by" IN (SELECT installation FROM member
          WHERE role = 'supervisor' AND removed = 0) RETURNING "by", seq, operator, at, reason`
      ),
      // Whoever joins later has lost nothing.
      know: prepare(
        `INSERT OR IGNORE INTO loss_member SELECT ?, ?, m.installation, CASE
          WHEN m.removed = 1 THEN coalesce(i.seq, 0) END FROM member m
          LEFT JOIN installation i ON i.id = m.installation`
      ),
      unmet: prepare(`SELECT x."by", x.seq, x.installation, a.seq AS seen, i.seq AS head FROM loss_member x
          JOIN loss l ON l."by" = x."by" AND l.seq = x.seq
        JOIN member m ON m.installation = x.installation AND m.removed = 0
        LEFT JOIN anchored a ON a."by" = x.installation AND a."of" = x."by"
          LEFT JOIN installation i ON i.id = x.installation WHERE x.until IS NULL ORDER BY l.at, x."by", x.seq`),
      meet: prepare('UPDATE loss_member SET until = ? WHERE "by" = ? AND seq = ? AND installation = ?'),
      tell: prepare('UPDATE loss SET told = 1 WHERE "by" = ? AND seq <= ?'),
      untold: prepare('SELECT 1 FROM loss WHERE told = 0 AND counts = 1 LIMIT 1'),
      // Of who has not exchanged since, everything is from before as far as is known.
      covers: prepare('SELECT 1 FROM loss_member WHERE installation = ? AND (until IS NULL OR until >= ?) LIMIT 1')
    }
  }

  /** A supervisor here has acknowledged one, with this event of the history. */
  acknowledge({ by, operator, at, reason }: Acknowledgement, seq: number): void {
    this.statements.add.run(by, seq, operator, at, reason, 1, 1)
    this.statements.know.run(by, seq)
  }

  /** A verified event of a colleague was added. */
  onAdded(by: string, seq: number, event: SharedEvent): void {
    const found = acknowledgementIn(event)
    if (found && isLoss(found.finding)) this.statements.add.run(by, seq, found.operator, found.at, found.reason, 0, 0)
  }

  /** Everything has arrived. @returns Acknowledgements of supervisors that count from now on. */
  count(): readonly Acknowledgement[] {
    const counted = this.statements.count.all() as LossRow[]
    for (const { by, seq } of counted) this.statements.know.run(by, seq)
    return counted
  }

  /** @param self This installation, and the last of its events that the team has. @returns Who has not exchanged since a loss: of several losses the last one. */
  awaited(self: { readonly installation: string; readonly seq: number }): readonly Awaited[] {
    const left = new Map<string, Awaited>()
    for (const { by, seq, installation, seen, head } of this.statements.unmet.all() as (Awaited & {
      readonly seen: number | null
      readonly head: number | null
    })[]) {
      if (installation === by) this.statements.meet.run(seq, by, seq, installation)
      else if (installation === self.installation) this.statements.meet.run(self.seq, by, seq, installation)
      else if ((seen ?? 0) >= seq) this.statements.meet.run(head ?? 0, by, seq, installation)
      else left.set(installation, { installation, by, seq })
    }
    return [...left.values()]
  }

  /** Whether this installation has to say that it knows of one. */
  get isUntold(): boolean {
    return this.statements.untold.get() !== undefined
  }

  /** These heads were anchored. */
  noteAnchored(heads: SeenHeads): void {
    for (const [by, [seq]] of Object.entries(heads)) this.statements.tell.run(by, seq)
  }

  /** Whether an event of an installation is from before a loss that was acknowledged: that its intent is missing is known. */
  covers(installation: string, seq: number): boolean {
    return this.statements.covers.get(installation, seq) !== undefined
  }
}
