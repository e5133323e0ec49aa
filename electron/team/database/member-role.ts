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
  if (!/^[0-9a-f]{32}$/.test(installation) || !verifierForm.test(verifier))
    throw new Error('not an installation and its password')
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

/**
 * Ends an installation's access: it can neither sign in nor read or write with an open connection. Each step is committed
 * before the next one, which may need a right that the administrator does not have: what is in the database is out of
 * reach after the first. A second time changes nothing.
 */
export function endMemberSql(installation: string): string {
  if (!/^[0-9a-f]{32}$/.test(installation)) throw new Error('not an installation')
  const role = roleOf(installation)
  return `
-- From here on it can read and write nothing, also with a connection that is open.
BEGIN;
SELECT veridesk.dismiss('\\x${installation}');
COMMIT;
-- It can no longer sign in.
BEGIN;
DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN ALTER ROLE ${role} NOLOGIN; REVOKE vd_member FROM ${role}; END IF; END $$;
COMMIT;
-- Connections that are open end. Who is no superuser must be a member of the role for that.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = '${role}') THEN RETURN; END IF;
  BEGIN
    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}';
  EXCEPTION WHEN insufficient_privilege THEN
    EXECUTE format('GRANT ${role} TO %I', current_user);
    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}';
    EXECUTE format('REVOKE ${role} FROM %I', current_user);
  END;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'connections of ${role} are still open; they can read and write nothing';
END $$;
`
}
