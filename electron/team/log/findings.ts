/** What is wrong with the events of each installation, and with which of it a supervisor has dealt. */
import { z } from 'zod'
import { failure, type Failure, type FailureCode } from '#contract/failures/failures.ts'
import { maxFindingReason, teamFindingKinds, type TeamFindingKind } from '#contract/team/activity.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { valuesOf, type SharedEvent } from './content.ts'
import { isLasting, isWorse, type Acknowledgement, type Awaited, type Finding } from './standing.ts'

const findingKind = 'finding.acknowledged'

export const findingTables = `
        -- Who has dealt with a finding. "counts" is 1 once that installation was seen to be a supervisor's.
        CREATE TABLE acknowledged (
          installation TEXT NOT NULL, code TEXT NOT NULL, "by" TEXT NOT NULL, operator TEXT NOT NULL,
            at INTEGER NOT NULL, reason TEXT NOT NULL, counts INTEGER NOT NULL,
          PRIMARY KEY (installation, code, "by")
        ) STRICT, WITHOUT ROWID;`

const form = z.object({
  installation: z.string().regex(/^[0-9a-f]{32}$/),
  finding: z.enum(teamFindingKinds),
  reason: z.string().min(1).max(maxFindingReason),
  operator: z.string().max(1000)
})

/** What a supervisor says about a finding; undefined if an event is something else. */
export function acknowledgementIn({
  kind,
  plain,
  at
}: SharedEvent): (z.output<typeof form> & { readonly at: number }) | undefined {
  if (kind !== findingKind || !plain) return undefined
  const read = form.safeParse(valuesOf(plain))
  return read.success ? { ...read.data, at: Math.min(Math.max(at, 0), 8.64e15) } : undefined
}

/** Findings about keys of applicants, and about who has not exchanged since a loss; those about events leave them as they are. */
const ofKeys: readonly FailureCode[] = ['team-applicant-keys-missing', 'team-applicant-keys-refused']
const ofExchange: readonly FailureCode[] = ['team-exchange-awaited']
const apart: readonly FailureCode[] = [...ofKeys, ...ofExchange]

/** After which the time of a finding that lasts is written again. */
const restMilliseconds = 60_000

interface KnownFinding extends Finding {
  readonly ended: boolean
}

interface Replacement {
  readonly gone?: readonly KnownFinding[]
  /** Those that last, and are not found any more. */
  readonly ended?: readonly KnownFinding[]
  readonly failures: readonly Failure[]
}

/** Statements on the file of what was received. Throws SQLite's errors. */
export class Findings {
  private readonly db: Db
  private readonly statements

  constructor(db: Db) {
    this.db = db
    const prepare = (sql: string): ReturnType<Db['prepare']> => db.prepare(sql)
    const columns = `f.installation, f.failure, f.first_at AS firstAt, f.last_at AS lastAt, f.ended, a."by", a.operator, a.at, a.reason
      FROM finding f LEFT JOIN acknowledged a ON a.installation = f.installation AND a.code = f.code
        AND a."by" = (SELECT min(b."by") FROM acknowledged b WHERE b.installation = f.installation AND b.code = f.code AND b.counts = 1)`
    this.statements = {
      find: prepare(
        `INSERT INTO finding (installation, code, failure, first_at, last_at) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (installation, code) DO UPDATE SET failure = excluded.failure, last_at = excluded.last_at,
          ended = 0`
      ),
      drop: prepare('DELETE FROM finding WHERE installation = ? AND code = ?'),
      end: prepare('UPDATE finding SET ended = 1 WHERE installation = ? AND code = ?'),
      all: prepare(`SELECT ${columns} ORDER BY f.first_at, f.installation, f.code`),
      of: prepare(`SELECT ${columns} WHERE f.installation = ?`),
      acknowledge: prepare(
        `INSERT INTO acknowledged VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET operator = excluded.operator, at = excluded.at, reason = excluded.reason,
          counts = max(counts, excluded.counts)`
      ),
      coverIntents: prepare(
        `INSERT INTO acknowledged SELECT installation, code, ?, ?, ?, ?, 1 FROM finding
          WHERE code = 'team-intents-lost' ON CONFLICT DO UPDATE SET counts = 1`
      ),
      reopen: prepare('DELETE FROM acknowledged WHERE installation = ? AND code = ?'),
      count: prepare(
        `UPDATE acknowledged SET counts = 1 WHERE counts = 0 AND "by" IN (SELECT installation FROM member
          WHERE role = 'supervisor' AND removed = 0)`
      ),
      forget: prepare(
        `DELETE FROM acknowledged WHERE NOT EXISTS (SELECT 1 FROM finding f
          WHERE f.installation = acknowledged.installation AND f.code = acknowledged.code)`
      )
    }
  }

  /** Replaces what is wrong with an installation's events; what was proven stays. @returns What was not known before. */
  find(installation: string, failures: readonly Failure[], now: number): readonly Failure[] {
    const known = this.of(installation)
    const absent = known.filter(
      ({ failure: { code } }) => !apart.includes(code) && !failures.some((each) => each.code === code)
    )
    const ended = absent.filter(({ failure: { code } }) => isLasting(code))
    return this.replace(
      installation,
      known,
      { gone: absent.filter((each) => !ended.includes(each)), ended, failures },
      now
    )
  }

  /** Adds to what is wrong: nothing is known about the rest. @returns What was not known before. */
  note(installation: string, failures: readonly Failure[], now: number): readonly Failure[] {
    return this.replace(installation, this.of(installation), { failures }, now)
  }

  /** Replaces what is wrong with the keys of each installation’s applicants. @returns What was not known before. */
  findKeys(faults: ReadonlyMap<string, readonly Failure[]>, now: number): readonly Failure[] {
    return this.findOf(ofKeys, faults, now)
  }

  /** Replaces who has not exchanged since a loss of the database was acknowledged. */
  findAwaited(awaited: readonly Awaited[], now: number): void {
    this.findOf(
      ofExchange,
      new Map(awaited.map((each) => [each.installation, [failure('team-exchange-awaited', { ...each })]])),
      now
    )
  }

  private findOf(
    codes: readonly FailureCode[],
    faults: ReadonlyMap<string, readonly Failure[]>,
    now: number
  ): readonly Failure[] {
    const before = this.all().flatMap(({ installation, failure: { code } }) =>
      codes.includes(code) ? [installation] : []
    )
    return [...new Set([...faults.keys(), ...before])].flatMap((installation) => {
      const failures = faults.get(installation) ?? []
      const known = this.of(installation).filter(({ failure: { code } }) => codes.includes(code))
      return this.replace(
        installation,
        known,
        { gone: known.filter(({ failure: { code } }) => !failures.some((each) => each.code === code)), failures },
        now
      )
    })
  }

  private replace(
    installation: string,
    known: readonly KnownFinding[],
    { gone = [], ended = [], failures }: Replacement,
    now: number
  ): readonly Failure[] {
    const before = (given: Failure): KnownFinding | undefined =>
      known.find(({ failure: { code } }) => code === given.code)
    /** Nobody has dealt with this one: it is another one, or there is more of it. */
    const isOther = (given: Failure): boolean => {
      const had = before(given)
      return had !== undefined && (had.ended || isWorse(had.failure, given))
    }
    // A database that stays wrong is asked every two seconds: not every answer is worth a write.
    const changed = failures.filter((given) => {
      const had = before(given)
      return (
        !had ||
        had.ended ||
        JSON.stringify(had.failure) !== JSON.stringify(given) ||
        Math.abs(now - had.lastAt) >= restMilliseconds
      )
    })
    const reopened = changed.filter((given) => isOther(given) && before(given)?.acknowledged !== undefined)
    const ending = ended.filter((each) => !each.ended)
    if (gone.length + ending.length + changed.length > 0)
      this.db
        .transaction(() => {
          for (const { failure } of gone) this.statements.drop.run(installation, failure.code)
          for (const { failure } of ending) this.statements.end.run(installation, failure.code)
          for (const { code } of reopened) this.statements.drop.run(installation, code)
          for (const failure of changed) {
            if (isOther(failure)) this.statements.reopen.run(installation, failure.code)
            this.statements.find.run(installation, failure.code, JSON.stringify(failure), now, now)
          }
        })
        .immediate()
    return failures.filter((given) => !before(given) || reopened.includes(given))
  }

  all(): readonly KnownFinding[] {
    return (this.statements.all.all() as FindingRow[]).map(findingOf)
  }

  of(installation: string): readonly KnownFinding[] {
    return (this.statements.of.all(installation) as FindingRow[]).map(findingOf)
  }

  /** A supervisor here has dealt with a finding; who may, the caller knows. */
  acknowledge(installation: string, finding: TeamFindingKind, { by, operator, at, reason }: Acknowledgement): void {
    this.statements.acknowledge.run(installation, finding, by, operator, at, reason, 1)
  }

  /** A verified event of a colleague was added. @param by Its installation. */
  onAdded(by: string, event: SharedEvent): void {
    const read = acknowledgementIn(event)
    if (read)
      this.statements.acknowledge.run(read.installation, read.finding, by, read.operator, read.at, read.reason, 0)
  }

  /** A loss was acknowledged: with it, that intents are missing. What is missing besides is found anew. */
  coverIntents({ by, operator, at, reason }: Acknowledgement): void {
    this.statements.coverIntents.run(by, operator, at, reason)
  }

  /**
   * Everything has arrived, and what is wrong is known: what colleagues acknowledged counts if they are supervisors. What
   * was acknowledged and is not found here says nothing about what will be.
   */
  onComplete(): void {
    this.statements.count.run()
    this.statements.forget.run()
  }
}

interface FindingRow extends Omit<Finding, 'failure' | 'acknowledged'> {
  readonly failure: string
  readonly ended: 0 | 1
  readonly by: string | null
  readonly operator: string
  readonly at: number
  readonly reason: string
}
const findingOf = ({
  installation,
  failure,
  firstAt,
  lastAt,
  ended,
  by,
  operator,
  at,
  reason
}: FindingRow): KnownFinding => ({
  installation,
  failure: JSON.parse(failure) as Failure,
  firstAt,
  lastAt,
  ended: ended === 1,
  ...(by !== null && { acknowledged: { by, operator, at, reason } })
})
