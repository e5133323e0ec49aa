/** Who belongs to the team, as it was last verified: what was received is shown with names while the database is gone. */
import { teamRoles, type TeamRole } from '#contract/team/team.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { ApprovingSpans, RosterState } from '#team/roster/state.ts'

export interface KnownMember {
  readonly installation: string
  readonly name: string
  readonly role: TeamRole | 'removed'
  /** The last one, of those who were removed, too. */
  readonly lastRole: TeamRole
  /** The public key that it signs with, hex. */
  readonly identity: string
  /** The installation that admitted it; null for the one that created the team; undefined until the list is verified again. */
  readonly admittedBy: string | null | undefined
  /** The installation that gave the present role, if that was later. */
  readonly roleBy: string | undefined
  /** Once it lost or got a role that approves. */
  readonly approving: ApprovingSpans | undefined
}

const roleOf = (text: string): TeamRole => teamRoles.find((role) => role === text) ?? 'auditor'

interface MemberRow {
  readonly installation: string
  readonly name: string
  readonly role: string
  readonly removed: 0 | 1
  readonly identity: string
  readonly known: 0 | 1
  readonly by: string | null
  readonly roleBy: string | null
  /** JSON. */
  readonly approving: string | null
}

/** Statements on the file of received events. Throws SQLite's errors. */
export class KnownMembers {
  private readonly db: Db
  private readonly put
  private readonly putAdmission
  private readonly read

  constructor(db: Db) {
    this.db = db
    this.put = db.prepare(
      `INSERT INTO member VALUES (?, ?, ?, ?, ?) ON CONFLICT (installation) DO UPDATE SET name = excluded.name,
        role = excluded.role, removed = excluded.removed, identity = excluded.identity`
    )
    this.putAdmission = db.prepare(
      `INSERT INTO admission VALUES (?, ?, ?, ?) ON CONFLICT (installation) DO UPDATE SET "by" = excluded."by",
        role_by = excluded.role_by, approving = excluded.approving`
    )
    this.read = db.prepare(`
      SELECT m.installation, name, role, removed, identity, a.installation IS NOT NULL AS known, a."by", a.role_by AS roleBy,
        a.approving
      FROM member m LEFT JOIN admission a USING (installation) ORDER BY name, m.installation`)
  }

  /** Remembers a verified list, with those who were removed from it. */
  note({ members, removed }: Pick<RosterState, 'members' | 'removed'>): void {
    this.db
      .transaction(() => {
        for (const { installation, name, role, identity } of removed.values())
          this.put.run(installation, name, role, 1, identity)
        for (const { installation, name, role, identity } of members.values())
          this.put.run(installation, name, role, 0, identity)
        for (const { installation, admittedBy, roleBy, approving } of [...removed.values(), ...members.values()])
          this.putAdmission.run(installation, admittedBy, roleBy ?? null, approving ? JSON.stringify(approving) : null)
      })
      .immediate()
  }

  /** By name. */
  all(): readonly KnownMember[] {
    return (this.read.all() as MemberRow[]).map(
      ({ installation, name, role, removed, identity, known, by, roleBy, approving }) => {
        const lastRole = roleOf(role)
        return {
          installation,
          name,
          role: removed === 1 ? 'removed' : lastRole,
          lastRole,
          identity,
          admittedBy: known === 1 ? by : undefined,
          roleBy: roleBy ?? undefined,
          approving: approving === null ? undefined : (JSON.parse(approving) as ApprovingSpans)
        }
      }
    )
  }
}
