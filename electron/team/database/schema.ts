/** The team database's versions as SQL, which its administrator runs: installations have no right to change it. */
import { version1 } from './version-1.ts'
import { version2 } from './version-2.ts'

interface SchemaVersion {
  readonly version: number
  readonly sql: string
}

const versions: readonly SchemaVersion[] = [
  { version: 1, sql: version1 },
  { version: 2, sql: version2 }
]

/** The newest version. */
export const newestVersion = versions.length

const head = (version: number): string => `
-- Version ${version}. It is applied as a whole or not at all.
BEGIN;`

const tail = (version: number): string => `
INSERT INTO veridesk.schema_version (version) VALUES (${version});
COMMIT;`

/**
 * The SQL that brings the database from one version to the newest; from 0, an empty database. Each version is one
 * transaction, and running one a second time fails without changing anything.
 */
export function schemaSql(from = 0): string {
  const lines = versions
    .filter(({ version }) => version > from)
    .map(({ version, sql }) => `${head(version)}${sql}${tail(version)}`)
  return [
    '-- The database of a Veridesk team, for PostgreSQL 15 or newer. Run it as an administrator, in a database of its own.',
    ...lines,
    ''
  ].join('\n')
}
