/** What the team's administrator does with a real PostgreSQL: ends a member's access as the documented owner, and restores a backup. */
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from 'pg'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { endMemberSql, memberRoleSql, roleOf } from '#team/database/member-role.ts'
import { schemaSql } from '#team/database/schema.ts'
import { scramVerifier } from '#team/database/scram.ts'
import { readSecrets } from '#core/team/installation/saved.ts'
import { hasPostgres, startTeamDatabase, stateOf, type TeamDatabase } from './support/postgres.ts'
import { addressOf, installed, valueOf, type Installation } from './support/team-installation.ts'

const denied = '42501'

describe.skipIf(!hasPostgres)('the administrator of a team’s database', () => {
  let team: TeamDatabase
  const folders: string[] = []
  beforeAll(async () => {
    team = await startTeamDatabase()
  })
  afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))
  afterAll(() => team.end())

  describe('who is no superuser, but owns the database and may create roles', () => {
    const owner = { name: 'owner', password: randomBytes(16).toString('hex') }
    beforeAll(() => {
      // Roles belong to the server: those of the other tests are another administrator's.
      team.postgres.sql('DROP DATABASE team')
      team.postgres.sql('DROP ROLE vd_owner; DROP ROLE vd_member')
      team.postgres.sql(`CREATE ROLE owner LOGIN CREATEROLE PASSWORD '${owner.password}'`)
      team.postgres.sql('CREATE DATABASE team OWNER owner')
      team.postgres.sqlAs(owner, schemaSql, 'team')
    })

    async function joined(): Promise<{
      readonly installation: string
      readonly login: string
      readonly password: string
      readonly client: Client
    }> {
      const [installation, password] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
      team.postgres.sqlAs(owner, memberRoleSql({ installation, verifier: scramVerifier(password) }), 'team')
      const login = roleOf(installation)
      return { installation, login, password, client: await team.connect({ login, password }) }
    }
    const accessOf = (installation: string): string =>
      team.postgres.sql(
        `SELECT (SELECT count(*) FROM veridesk.member WHERE encode(installation, 'hex') = '${installation}'), rolcanlogin, pg_has_role(rolname, 'vd_member', 'MEMBER') FROM pg_roles WHERE rolname = '${roleOf(installation)}'`,
        'team'
      )

    test('ends the access of a member who is connected', async () => {
      const { installation, login, password, client } = await joined()
      expect((await client.query('SELECT FROM veridesk.schema_version')).rowCount).toBeGreaterThan(0)
      const ended = new Promise((resolve) => client.once('end', resolve))
      team.postgres.sqlAs(owner, endMemberSql(installation), 'team')
      expect(accessOf(installation)).toBe('0|f|f')
      await ended
      await expect(team.connect({ login, password })).rejects.toMatchObject({ code: '28000' })
    })

    test('ends it although nobody lets them end the connection', async () => {
      const { installation, client } = await joined()
      // As where somebody else creates the roles, such as a provider's own tool.
      team.postgres.sql('ALTER ROLE owner NOCREATEROLE')
      try {
        expect(() => team.postgres.sqlAs(owner, endMemberSql(installation), 'team')).toThrow(/permission denied/)
      } finally {
        team.postgres.sql('ALTER ROLE owner CREATEROLE')
      }
      // What the database itself decides has ended: nothing can be read or written any more.
      expect(accessOf(installation)).toMatch(/^0\|/)
      expect((await client.query('SELECT FROM veridesk.schema_version')).rowCount).toBe(0)
      expect(await stateOf(client, 'SELECT veridesk.put_box(1, $1, $1)', [Buffer.alloc(16)])).toBe('VD001')
      // Again by somebody who may do the rest.
      team.postgres.sql(endMemberSql(installation), 'team')
      expect(accessOf(installation)).toBe('0|f|f')
      expect(await stateOf(client, 'SELECT')).not.toBe(undefined)
    })

    test('ends it a second time, and where the role is gone', async () => {
      const { installation, client } = await joined()
      await client.end()
      for (let n = 0; n < 2; n += 1) team.postgres.sqlAs(owner, endMemberSql(installation), 'team')
      team.postgres.sql(`DROP OWNED BY ${roleOf(installation)}; DROP ROLE ${roleOf(installation)}`, 'team')
      team.postgres.sqlAs(owner, endMemberSql(installation), 'team')
    })
  })

  describe('who restores a backup without its owners', () => {
    const guide = readFileSync(new URL('../../docs/team.md', import.meta.url), 'utf8')
    let anna: Installation
    beforeAll(async () => {
      team.postgres.sql('DROP DATABASE team WITH (FORCE)')
      team.postgres.sql('CREATE DATABASE team')
      team.postgres.sql(schemaSql, 'team')
      anna = await installed(team, 'Anna Weber')
      folders.push(anna.folder)
      valueOf(await anna.team.create({ name: anna.name, database: addressOf(team) }))
      const file = join(anna.folder, 'team.dump')
      team.postgres.program('pg_dump', ['--format=custom', '--file', file, 'team'])
      team.postgres.sql('DROP DATABASE team WITH (FORCE)')
      team.postgres.sql('CREATE DATABASE team')
      team.postgres.program('pg_restore', ['--no-owner', '--dbname', 'team', file])
    })

    test('is not told to delete anything, and gives the owners back', async () => {
      expect(team.postgres.sql('SELECT count(*) FROM veridesk.roster', 'team')).toBe('1')
      const refused = await anna.team.members()
      expect(refused).toMatchObject({
        ok: false,
        failure: { code: 'team-schema-partial', details: { reason: 'owner' } }
      })
      const { what, nextStep } = refused.ok ? { what: '', nextStep: '' } : sentencesOf(refused.failure)
      expect(`${what} ${nextStep}`).not.toMatch(/delet|drop|remov/i)
      // The SQL of the guide fixes it, and nothing was lost.
      const [, words = ''] =
        /## If the database was restored without its owners\n[^]*?```sql\n([^]*?)```/.exec(guide) ?? []
      expect(words).toContain('vd_owner')
      team.postgres.sql(words, 'team')
      expect(valueOf(await anna.team.members()).members.map(({ name, role }) => `${name} ${role}`)).toEqual([
        'Anna Weber supervisor'
      ])
      expect(
        team.postgres.sql(
          `SELECT count(*) FROM pg_class WHERE relnamespace = 'veridesk'::regnamespace AND relkind = 'r' AND relowner <> 'vd_owner'::regrole`,
          'team'
        )
      ).toBe('0')
      const { password } = valueOf(await readSecrets(anna.secrets, anna.installation))
      expect(
        await stateOf(await team.connect({ login: roleOf(anna.installation), password }), 'DELETE FROM veridesk.roster')
      ).toBe(denied)
    })
  })
})
