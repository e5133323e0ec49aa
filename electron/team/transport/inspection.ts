/** Whether a database is a team's, in a version that this console can use, and whether the role is a member. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { schemaVersion } from '../database/schema.ts'
import { tableNames } from '../database/schema.ts'
import type { TeamLine, TeamTarget } from './line.ts'

export interface TeamInspection {
  readonly version: number
  /** ID of the installation that the role belongs to: 32 hex digits. */
  readonly installation: string
}

/** Asks the database. Fails with what its administrator has to do. */
export async function inspectTeam(
  line: TeamLine,
  { host, database, user }: Pick<TeamTarget, 'host' | 'database' | 'user'>
): Promise<Result<TeamInspection, Failure>> {
  const found = await line.query<{ readonly there: boolean; readonly usable: boolean | null }>(
    `SELECT count(*) > 0 AS there, bool_or(has_schema_privilege(oid, 'USAGE')) AS usable FROM pg_namespace WHERE nspname = 'veridesk'`
  )
  if (!found.ok) return found
  if (!found.value[0]?.there) return failed('team-schema-missing', { host, database })
  if (!found.value[0].usable) return failed('team-member-missing', { host, role: user })
  const member = await line.query<{ readonly installation: Buffer | null }>(
    'SELECT veridesk.my_installation() AS installation'
  )
  if (!member.ok) return member
  const installation = member.value[0]?.installation
  if (!installation) return failed('team-member-missing', { host, role: user })
  const parts = await line.query<{ readonly tables: number; readonly role: string | null }>(
    `SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = 'veridesk'::regnamespace AND relkind = 'r' AND relname = ANY ($1))::int AS tables,
       (SELECT min(pg_get_userbyid(owner)::text) FROM (
          SELECT nspowner AS owner FROM pg_namespace WHERE nspname = 'veridesk'
          UNION ALL SELECT relowner FROM pg_class WHERE relnamespace = 'veridesk'::regnamespace AND relname = ANY ($1)
          UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = 'veridesk'::regnamespace) AS owned WHERE pg_get_userbyid(owner) <> 'vd_owner') AS role`,
    [tableNames]
  )
  if (!parts.ok) return parts
  const { tables = 0, role = null } = parts.value[0] ?? {}
  // As after a restore without the owners, or a client that went on after an error. There may be a team in it.
  if (role !== null) return failed('team-schema-partial', { database, reason: 'owner', role })
  if (tables < tableNames.length) return failed('team-schema-partial', { database, reason: 'parts' })
  const applied = await line.query<{ readonly version: number | null }>(
    'SELECT max(version) AS version FROM veridesk.schema_version'
  )
  if (!applied.ok) return applied
  const version = applied.value[0]?.version ?? 0
  if (version !== schemaVersion) return failed('team-schema-other', { found: version, version: schemaVersion })
  return ok({ version, installation: installation.toString('hex') })
}
