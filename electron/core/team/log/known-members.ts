/** Who belongs to the team, as it was last verified: what was received is shown with names while the database is gone. */
import { teamRoles, type TeamRole } from '#contract/team.ts'
import type { Db } from '#core/history/storage/files.ts'
import type { RosterState } from '#core/team/roster/state.ts'

export interface KnownMember {
  readonly installation: string
  readonly name: string
  readonly role: TeamRole | 'removed'
}

const roleOf = (text: string): KnownMember['role'] => teamRoles.find((role) => role === text) ?? 'removed'

/** Statements on the file of received events. Throws SQLite's errors. */
export class KnownMembers {
  private readonly db: Db
  private readonly put
  private readonly read

  constructor(db: Db) {
    this.db = db
    this.put = db.prepare('INSERT INTO member VALUES (?, ?, ?) ON CONFLICT (installation) DO UPDATE SET name = excluded.name, role = excluded.role')
    this.read = db.prepare('SELECT installation, name, role FROM member ORDER BY name, installation')
  }

  /** Remembers a verified list, with those who were removed from it. */
  note({ members, removed }: Pick<RosterState, 'members' | 'removed'>): void {
    this.db.transaction(() => {
      for (const { installation, name } of removed.values()) this.put.run(installation, name, 'removed')
      for (const { installation, name, role } of members.values()) this.put.run(installation, name, role)
    }).immediate()
  }

  /** By name. */
  all(): readonly KnownMember[] {
    return (this.read.all() as { readonly installation: string; readonly name: string; readonly role: string }[]).map((row) => ({ ...row, role: roleOf(row.role) }))
  }
}
