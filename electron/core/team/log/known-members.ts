/** Who belongs to the team, as it was last verified: what was received is shown with names while the database is gone. */
import { teamRoles, type TeamRole } from '#contract/team.ts'
import type { Db } from '#core/history/storage/files.ts'
import type { RosterState } from '#core/team/roster/state.ts'

export interface KnownMember {
  readonly installation: string
  readonly name: string
  readonly role: TeamRole | 'removed'
  /** The last one, of those who were removed, too. */
  readonly lastRole: TeamRole
  /** The public key that it signs with, hex. */
  readonly identity: string
}

const roleOf = (text: string): TeamRole => teamRoles.find((role) => role === text) ?? 'auditor'

interface MemberRow {
  readonly installation: string
  readonly name: string
  readonly role: string
  readonly removed: 0 | 1
  readonly identity: string
}

/** Statements on the file of received events. Throws SQLite's errors. */
export class KnownMembers {
  private readonly db: Db
  private readonly put
  private readonly read

  constructor(db: Db) {
    this.db = db
    this.put = db.prepare('INSERT INTO member VALUES (?, ?, ?, ?, ?) ON CONFLICT (installation) DO UPDATE SET name = excluded.name, role = excluded.role, removed = excluded.removed, identity = excluded.identity')
    this.read = db.prepare('SELECT installation, name, role, removed, identity FROM member ORDER BY name, installation')
  }

  /** Remembers a verified list, with those who were removed from it. */
  note({ members, removed }: Pick<RosterState, 'members' | 'removed'>): void {
    this.db.transaction(() => {
      for (const { installation, name, role, identity } of removed.values()) this.put.run(installation, name, role, 1, identity)
      for (const { installation, name, role, identity } of members.values()) this.put.run(installation, name, role, 0, identity)
    }).immediate()
  }

  /** By name. */
  all(): readonly KnownMember[] {
    return (this.read.all() as MemberRow[]).map(({ installation, name, role, removed, identity }) => {
      const lastRole = roleOf(role)
      return { installation, name, role: removed === 1 ? 'removed' : lastRole, lastRole, identity }
    })
  }
}
