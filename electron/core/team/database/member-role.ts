/** The database role of one installation, as SQL for the administrator. */

export interface MemberRole {
  /** ID of the installation: 16 bytes as 32 hex digits. */
  readonly installation: string
  /** The stored form of its password, from `scramVerifier`. */
  readonly verifier: string
}

const verifierForm = /^SCRAM-SHA-256\$\d+:[\w+/=]+\$[\w+/=]+:[\w+/=]+$/

/** The name of an installation's role. It says nothing about anybody, because every role can list the others. */
export const roleOf = (installation: string): string => `vd_${installation}`

/** Gives an installation its role and access; a second time changes nothing. Throws if a part has another form, since it becomes part of SQL. */
export function memberRoleSql({ installation, verifier }: MemberRole): string {
  if (!/^[0-9a-f]{32}$/.test(installation) || !verifierForm.test(verifier)) throw new Error('not an installation and its password')
  const role = roleOf(installation)
  return `
BEGIN;
-- It may be there from another database of this server, or from an earlier run.
DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role}; END IF; END $$;
ALTER ROLE ${role} LOGIN CONNECTION LIMIT 3 PASSWORD '${verifier}';
GRANT vd_member TO ${role};
-- Defaults against work that was forgotten, not limits: a role may change them for itself.
ALTER ROLE ${role} SET statement_timeout = '60s';
ALTER ROLE ${role} SET idle_in_transaction_session_timeout = '30s';
SELECT veridesk.admit('${role}', '\\x${installation}');
COMMIT;
`
}

/** Ends an installation's access: it can neither sign in nor read or write with an open connection. */
export function endMemberSql(installation: string): string {
  if (!/^[0-9a-f]{32}$/.test(installation)) throw new Error('not an installation')
  const role = roleOf(installation)
  return `
BEGIN;
SELECT veridesk.dismiss('\\x${installation}');
ALTER ROLE ${role} NOLOGIN;
REVOKE vd_member FROM ${role};
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}';
COMMIT;
`
}
