/** Whether a database is a team's, in a version that this console can use, and whether the role is a member. */
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { newestVersion } from '#core/team/database/schema.ts'
import type { TeamLine, TeamTarget } from './line.ts'

export interface TeamInspection {
  readonly version: number
  /** ID of the installation that the role belongs to: 32 hex digits. */
  readonly installation: string
}

/** Asks the database. Fails with what its administrator has to do. */
export async function inspectTeam(line: TeamLine, { host, database, user }: Pick<TeamTarget, 'host' | 'database' | 'user'>): Promise<Result<TeamInspection, Failure>> {
  const found = await line.query<{ readonly there: boolean; readonly usable: boolean | null }>(
    `SELECT count(*) > 0 AS there, bool_or(has_schema_privilege(oid, 'USAGE')) AS usable FROM pg_namespace WHERE nspname = 'veridesk'`
  )
  if (!found.ok) return found
  if (!found.value[0]?.there) return failed('team-schema-missing', { host, database })
  if (!found.value[0].usable) return failed('team-member-missing', { host, role: user })
  const member = await line.query<{ readonly installation: Buffer | null }>('SELECT veridesk.my_installation() AS installation')
  if (!member.ok) return member
  const installation = member.value[0]?.installation
  if (!installation) return failed('team-member-missing', { host, role: user })
  const owned = await line.query<{ readonly whole: boolean | null }>(
    `SELECT bool_and(pg_get_userbyid(owner) = 'vd_owner') AS whole FROM (
       SELECT relowner AS owner FROM pg_class WHERE relnamespace = 'veridesk'::regnamespace AND relname IN ('event', 'head', 'member', 'roster')
       UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = 'veridesk'::regnamespace) AS owned`
  )
  if (!owned.ok) return owned
  // A client that went on after an error has created parts of it without the role that owns it.
  if (!owned.value[0]?.whole) return failed('team-schema-partial', { database })
  const applied = await line.query<{ readonly version: number | null }>('SELECT max(version) AS version FROM veridesk.schema_version')
  if (!applied.ok) return applied
  const version = applied.value[0]?.version ?? 0
  if (version < newestVersion) return failed('team-schema-older', { found: version, version: newestVersion })
  if (version > newestVersion) return failed('team-schema-newer', { found: version, version: newestVersion })
  return ok({ version, installation: installation.toString('hex') })
}
