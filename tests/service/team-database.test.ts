/** The team database on a real PostgreSQL: what an installation may do with it, and everything that it may not. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memberRoleSql, endMemberSql, roleOf } from '#team/database/member-role.ts'
import { schemaVersion, schemaSql } from '#team/database/schema.ts'
import { scramVerifier } from '#team/database/scram.ts'
import { limits, refusals } from '#team/database/schema.ts'
import { printSchema } from '../../electron/hosts/cli/team.ts'
import { hasPostgres, startTeamDatabase, stateOf, type Member, type TeamDatabase } from './support/postgres.ts'

let team: TeamDatabase
let first: Member
let second: Member

beforeAll(async () => {
  if (!hasPostgres) return
  team = await startTeamDatabase()
  first = await team.join()
  second = await team.join()
})
afterAll(() => (hasPostgres ? team.end() : undefined))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const hashesOf = (name: string, from: number, count: number): Buffer[] =>
  Array.from({ length: count }, (_, index) => digest(`${name} ${from + index}`))
const signature = Buffer.alloc(64, 7)
const appendText = 'SELECT veridesk.append($1, $2, $3, $4, $5, $6) AS seq'

interface Segment {
  readonly from: number
  readonly count: number
  /** Other names give other events. */
  readonly name: string
  readonly prev?: Buffer
}
const segment = ({ from, count, name, prev = digest(`${name} ${from - 1}`) }: Segment): unknown[] => [
  from,
  prev,
  hashesOf(name, from, count),
  Array(count).fill(0),
  Array(count).fill(Buffer.from('sealed')),
  signature
]
const appended = async (client: Client, given: Segment): Promise<number> =>
  Number((await client.query<{ seq: string }>(appendText, segment(given))).rows[0]?.seq)
const seqs = async (client: Client, installation: string): Promise<number[]> =>
  (
    await client.query<{ seq: string }>('SELECT seq FROM veridesk.event WHERE installation = $1 ORDER BY seq', [
      Buffer.from(installation, 'hex')
    ])
  ).rows.map(({ seq }) => Number(seq))

describe.skipIf(!hasPostgres)('the database of a team', () => {
  describe('stores the events of an installation', () => {
    let mine: Member
    beforeAll(async () => {
      mine = await team.join()
    })

    it('in order, without gaps, and shows them to every member', async () => {
      expect(await appended(mine.client, { from: 1, count: 3, name: 'a' })).toBe(3)
      expect(await appended(mine.client, { from: 4, count: 2, name: 'a' })).toBe(5)
      expect(await seqs(second.client, mine.installation)).toEqual([1, 2, 3, 4, 5])
      const { rows } = await second.client.query(
        'SELECT seq, sig IS NOT NULL AS signed FROM veridesk.event WHERE installation = $1 ORDER BY seq',
        [Buffer.from(mine.installation, 'hex')]
      )
      expect(rows.map(({ signed }: { signed: boolean }) => signed)).toEqual([false, false, true, false, true])
    })

    it('once, however often a segment is sent', async () => {
      expect(await appended(mine.client, { from: 4, count: 2, name: 'a' })).toBe(5)
      expect(await appended(mine.client, { from: 1, count: 3, name: 'a' })).toBe(5)
      // A longer segment that starts with known events adds the rest.
      expect(await appended(mine.client, { from: 4, count: 4, name: 'a' })).toBe(7)
      expect(await seqs(mine.client, mine.installation)).toEqual([1, 2, 3, 4, 5, 6, 7])
    })

    it.each([
      ['after a gap', { from: 9, count: 1, name: 'a' }, refusals.gap],
      ['of another past', { from: 6, count: 2, name: 'b' }, refusals.fork],
      ['that changes one event of many', { from: 1, count: 8, name: 'b' }, refusals.fork],
      ['that does not follow the last event', { from: 8, count: 1, name: 'a', prev: digest('other') }, refusals.fork],
      ['without an event', { from: 8, count: 0, name: 'a' }, refusals.tooLarge],
      ['with too many events', { from: 8, count: limits.segmentEvents + 1, name: 'a' }, refusals.tooLarge],
      ['before the first event', { from: 0, count: 1, name: 'a' }, refusals.tooLarge]
    ] as const)('refuses a segment %s, and nothing changes', async (_, given, state) => {
      expect(await stateOf(mine.client, appendText, segment(given))).toBe(state)
      expect(await seqs(mine.client, mine.installation)).toEqual([1, 2, 3, 4, 5, 6, 7])
    })

    it.each([
      [
        'a body that is too large',
        [8, digest('a 7'), [digest('a 8')], [0], [Buffer.alloc(limits.bodyBytes + 1)], signature],
        refusals.tooLarge
      ],
      ['no signature', [8, digest('a 7'), [digest('a 8')], [0], [Buffer.alloc(1)], null], refusals.tooLarge],
      [
        'lists of different lengths',
        [8, digest('a 7'), [digest('a 8')], [0, 1], [Buffer.alloc(1)], signature],
        refusals.tooLarge
      ],
      ['no hash before it', [8, null, [digest('a 8')], [0], [Buffer.alloc(1)], signature], refusals.fork],
      ['a hash of another length', [8, digest('a 7'), [Buffer.alloc(31)], [0], [Buffer.alloc(1)], signature], '23514'],
      ['no number', [null, digest('a 7'), [digest('a 8')], [0], [Buffer.alloc(1)], signature], refusals.tooLarge]
    ] as const)('refuses %s', async (_, values, state) => {
      expect(await stateOf(mine.client, appendText, values)).toBe(state)
      expect(await seqs(mine.client, mine.installation)).toEqual([1, 2, 3, 4, 5, 6, 7])
    })

    it('takes events again that were lost between others, and their head, and nothing else in their place', async () => {
      const me = `'\\x${mine.installation}'`
      team.postgres.sql(`DELETE FROM veridesk.event WHERE installation = ${me} AND seq IN (2, 5, 7)`, 'team')
      expect(await stateOf(mine.client, appendText, segment({ from: 1, count: 3, name: 'b' }))).toBe(refusals.fork)
      // The last event is gone, but not what its hash was.
      expect(await stateOf(mine.client, appendText, segment({ from: 7, count: 1, name: 'b' }))).toBe(refusals.fork)
      expect(await appended(mine.client, { from: 2, count: 1, name: 'a' })).toBe(7)
      expect(await appended(mine.client, { from: 4, count: 4, name: 'a' })).toBe(7)
      expect(await seqs(mine.client, mine.installation)).toEqual([1, 2, 3, 4, 5, 6, 7])
      team.postgres.sql(`DELETE FROM veridesk.head WHERE installation = ${me}`, 'team')
      expect(await stateOf(mine.client, appendText, segment({ from: 1, count: 7, name: 'b' }))).toBe(refusals.fork)
      expect(await appended(mine.client, { from: 1, count: 7, name: 'a' })).toBe(7)
      expect(
        (await mine.client.query('SELECT seq, hash FROM veridesk.head WHERE installation = veridesk.my_installation()'))
          .rows
      ).toEqual([{ seq: '7', hash: digest('a 7') }])
      expect(await seqs(mine.client, mine.installation)).toEqual([1, 2, 3, 4, 5, 6, 7])
    })

    it('starts every installation with number 1', async () => {
      expect(await stateOf((await team.join()).client, appendText, segment({ from: 2, count: 1, name: 'c' }))).toBe(
        refusals.gap
      )
    })

    it('gives one of two connections that append at once the place, and refuses the other', async () => {
      const other = await team.connect(mine)
      const [one, two] = await Promise.all([
        stateOf(mine.client, appendText, segment({ from: 8, count: 1, name: 'a' })),
        stateOf(other, appendText, segment({ from: 8, count: 1, name: 'x', prev: digest('a 7') }))
      ])
      expect([one, two].filter((state) => state === undefined)).toHaveLength(1)
      expect([one, two]).toContain(refusals.fork)
      expect(await seqs(mine.client, mine.installation)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    })
  })

  describe('keeps sealed keys', () => {
    it('for the installation that they are sealed to, from each author', async () => {
      const put = 'SELECT veridesk.put_box(1, $1, $2)'
      const to = Buffer.from(second.installation, 'hex')
      await first.client.query(put, [to, Buffer.from('box of first')])
      // An author replaces its own box, and nobody else's.
      await first.client.query(put, [to, Buffer.from('new box of first')])
      await second.client.query(put, [to, Buffer.from('box of second')])
      const { rows } = await second.client.query<{ box: Buffer }>('SELECT box FROM veridesk.grant_box ORDER BY box')
      expect(rows.map(({ box }) => box.toString())).toEqual(['box of second', 'new box of first'])
      expect((await first.client.query('SELECT FROM veridesk.grant_box')).rowCount).toBe(0)
      // Everybody can see whether there is one.
      const there = await first.client.query<{ installation: Buffer; author: Buffer }>(
        'SELECT * FROM veridesk.boxes(1)'
      )
      expect(
        there.rows.map(({ installation, author }) => [installation, author].map((each) => each.toString('hex'))).sort()
      ).toEqual([first, second].map(({ installation }) => [second.installation, installation]).sort())
    })

    it('of applicants until they are erased, and never again', async () => {
      const tag = randomBytes(32)
      const put = (client: Client, epoch: number, wrapped: string): Promise<string | undefined> =>
        stateOf(client, 'SELECT veridesk.put_key($1, $2, $3)', [tag, epoch, Buffer.from(wrapped)])
      const wrapped = async (): Promise<string | undefined> =>
        (
          await second.client.query<{ wrapped: Buffer | null }>(
            'SELECT wrapped FROM veridesk.subject_key WHERE tag = $1',
            [tag]
          )
        ).rows[0]?.wrapped?.toString()
      expect(await put(first.client, 1, 'one')).toBeUndefined()
      // The same epoch keeps the first; a newer one replaces it.
      expect(await put(second.client, 1, 'other')).toBeUndefined()
      expect(await wrapped()).toBe('one')
      expect(await put(second.client, 2, 'two')).toBeUndefined()
      expect(await wrapped()).toBe('two')
      expect(await put(first.client, 1, 'one')).toBe(refusals.olderEpoch)
      expect(
        (await first.client.query<{ had: boolean }>('SELECT veridesk.erase_key($1) AS had', [tag])).rows[0]?.had
      ).toBe(true)
      expect(await put(second.client, 3, 'back')).toBe(refusals.erasedKey)
      expect(await wrapped()).toBeUndefined()
      expect(
        (await first.client.query<{ had: boolean }>('SELECT veridesk.erase_key($1) AS had', [tag])).rows[0]?.had
      ).toBe(false)
    })

    it('and an erasure wins over a key that arrives at the same moment', async () => {
      const tag = randomBytes(32)
      await first.client.query('BEGIN')
      await first.client.query('SELECT veridesk.put_key($1, 1, $2)', [tag, Buffer.from('new')])
      const erased = second.client.query('SELECT veridesk.erase_key($1)', [tag])
      await first.client.query('COMMIT')
      await erased
      expect(
        (
          await first.client.query<{ wrapped: Buffer | null }>(
            'SELECT wrapped FROM veridesk.subject_key WHERE tag = $1',
            [tag]
          )
        ).rows
      ).toEqual([{ wrapped: null }])
    })
  })

  describe('has one runner of a batch', () => {
    type Runner = { readonly fence: number; readonly runner: string }
    const take = async (client: Client, batch: string, seconds = 60): Promise<Runner> => {
      const [row] = (
        await client.query<{ fence: string; installation: Buffer }>('SELECT * FROM veridesk.take_batch($1, $2)', [
          batch,
          seconds
        ])
      ).rows
      return { fence: Number(row?.fence), runner: row?.installation.toString('hex') ?? '' }
    }
    const intendText = 'SELECT veridesk.intend($1, $2, $3, $4) AS granted'
    const renewText = 'SELECT veridesk.renew_batch($1, $2, 60)'
    const intended = async (client: Client, ...values: readonly unknown[]): Promise<boolean[]> =>
      (await client.query<{ granted: boolean[] }>(intendText, [...values])).rows[0]?.granted ?? []
    /** As after the time without a sign of life: the test does not wait for it. */
    const expire = (batch: string): string =>
      team.postgres.sql(
        `UPDATE veridesk.runner SET until = clock_timestamp() - interval '1 second' WHERE batch = '${batch}' AND until IS NOT NULL`,
        'team'
      )

    it('whoever asks first, of several at once, until it hands over', async () => {
      const batch = randomUUID()
      const [mine, theirs] = await Promise.all([take(first.client, batch), take(second.client, batch)])
      expect(mine).toEqual(theirs)
      const [runner, other] =
        mine.runner === first.installation ? [first.client, second.client] : [second.client, first.client]
      expect((await take(other, batch)).runner).toBe(mine.runner)
      // Nobody hands over in the name of another.
      await other.query('SELECT veridesk.leave_batch($1, $2)', [batch, mine.fence])
      expect((await take(other, batch)).runner).toBe(mine.runner)
      await runner.query('SELECT veridesk.leave_batch($1, $2)', [batch, mine.fence])
      expect(await take(other, batch)).toEqual({
        fence: mine.fence + 1,
        runner: expect.not.stringMatching(mine.runner)
      })
      expect(await stateOf(runner, renewText, [batch, mine.fence])).toBe(refusals.otherRunner)
    })

    it('that goes on after a restart at once, under another fence', async () => {
      const batch = randomUUID()
      const { fence } = await take(first.client, batch)
      expect(await take(first.client, batch)).toEqual({ fence: fence + 1, runner: first.installation })
      expect(await stateOf(first.client, renewText, [batch, fence])).toBe(refusals.otherRunner)
      expect(await stateOf(first.client, renewText, [batch, fence + 1])).toBe(undefined)
    })

    it('with one intent for each row, whoever asks, and counts them', async () => {
      const batch = randomUUID()
      const { fence } = await take(first.client, batch)
      const [one, two] = [randomUUID(), randomUUID()]
      expect(await intended(first.client, batch, fence, [1, 2], [one, two])).toEqual([true, true])
      // The answer was lost: the same attempts are still ours, others are not.
      expect(await intended(first.client, batch, fence, [1, 2, 3], [one, randomUUID(), randomUUID()])).toEqual([
        true,
        false,
        true
      ])
      expire(batch)
      const theirs = await take(second.client, batch)
      expect(theirs).toEqual({ fence: fence + 1, runner: second.installation })
      expect(await intended(second.client, batch, theirs.fence, [1, 4], [randomUUID(), randomUUID()])).toEqual([
        false,
        true
      ])
      const counted = await first.client.query<{ installation: Buffer; intents: string }>(
        'SELECT installation, intents FROM veridesk.runner WHERE batch = $1 ORDER BY fence',
        [batch]
      )
      expect(counted.rows.map(({ installation, intents }) => [installation.toString('hex'), Number(intents)])).toEqual([
        [first.installation, 3],
        [second.installation, 1]
      ])
    })

    it('and refuses one without a sign of life, or that was replaced', async () => {
      const batch = randomUUID()
      const { fence } = await take(first.client, batch)
      expire(batch)
      const ended = [batch, fence, [1], [randomUUID()]]
      expect(await stateOf(first.client, intendText, ended)).toBe(refusals.otherRunner)
      expect(await stateOf(first.client, renewText, [batch, fence])).toBe(refusals.otherRunner)
      await take(second.client, batch)
      expect(await stateOf(first.client, intendText, ended)).toBe(refusals.otherRunner)
      expect(await stateOf(first.client, intendText, [batch, fence + 1, [1], [randomUUID()]])).toBe(
        refusals.otherRunner
      )
      expect((await first.client.query('SELECT FROM veridesk.intent WHERE batch = $1', [batch])).rowCount).toBe(0)
    })

    it.each([
      ['of no file', [0], '23514'],
      ['none at all', [], refusals.tooLarge]
    ] as const)('and refuses rows %s', async (_, rows, state) => {
      const batch = randomUUID()
      const { fence } = await take(first.client, batch)
      expect(await stateOf(first.client, intendText, [batch, fence, rows, rows.map(() => randomUUID())])).toBe(state)
    })
  })

  describe('refuses an installation', () => {
    const denied = '42501'
    const tables = [
      'schema_version',
      'member',
      'roster',
      'head',
      'event',
      'grant_box',
      'subject_key',
      'runner',
      'intent',
      'claim_count',
      'claim_order'
    ]
    const columns: Readonly<Record<string, string>> = {
      schema_version: 'version',
      member: 'login',
      runner: 'batch',
      intent: 'batch',
      subject_key: 'tag',
      claim_count: 'n'
    }
    it.each(
      tables.flatMap((table) => {
        const column = columns[table] ?? 'installation'
        return [
          `INSERT INTO veridesk.${table} DEFAULT VALUES`,
          `UPDATE veridesk.${table} SET ${column} = ${column}`,
          `DELETE FROM veridesk.${table}`,
          `TRUNCATE veridesk.${table}`,
          `SELECT FROM veridesk.${table} FOR UPDATE`,
          `LOCK TABLE veridesk.${table} IN EXCLUSIVE MODE`,
          `DROP TABLE veridesk.${table}`,
          `ALTER TABLE veridesk.${table} DISABLE ROW LEVEL SECURITY`,
          `CREATE INDEX ON veridesk.${table} (${column})`,
          `CREATE TRIGGER t BEFORE INSERT ON veridesk.${table} EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
          `CREATE POLICY p ON veridesk.${table} USING (true)`,
          `DROP POLICY members_read ON veridesk.${table}`,
          `GRANT SELECT ON veridesk.${table} TO PUBLIC`
        ]
      })
    )('%s', async (statement) => {
      // A lock needs a transaction, and ends with it.
      await first.client.query('BEGIN')
      const state = await stateOf(first.client, statement)
      await first.client.query('ROLLBACK')
      // A grant by somebody without rights to give is no error in SQL: it gives nothing.
      if (statement.startsWith('GRANT'))
        expect(
          team.postgres.sql(
            `SELECT count(*) FROM information_schema.role_table_grants WHERE grantee = 'PUBLIC' AND table_schema = 'veridesk'`,
            'team'
          )
        ).toBe('0')
      else expect(state).toBe(denied)
    })

    it.each([
      'CREATE TABLE public.t (i int)',
      'CREATE TABLE veridesk.t (i int)',
      'CREATE TEMP TABLE t (i int)',
      'CREATE SCHEMA s',
      'CREATE DATABASE d',
      'CREATE ROLE r',
      'CREATE EXTENSION pg_trgm SCHEMA veridesk',
      'CREATE FUNCTION veridesk.f() RETURNS int LANGUAGE sql AS $$SELECT 1$$',
      'CREATE LANGUAGE plperlu',
      `CREATE SERVER s FOREIGN DATA WRAPPER w`,
      'CREATE PUBLICATION p FOR ALL TABLES',
      'CREATE SEQUENCE veridesk.s',
      'CREATE VIEW public.v AS SELECT 1',
      `ALTER ROLE vd_owner LOGIN`,
      'ALTER SYSTEM SET fsync = off',
      'DROP SCHEMA veridesk CASCADE',
      'DROP DATABASE template1',
      'SET ROLE vd_owner',
      `SET SESSION AUTHORIZATION administrator`,
      `COPY veridesk.event TO PROGRAM 'cat'`,
      `COPY veridesk.event TO '/tmp/events'`,
      `COPY veridesk.member FROM STDIN`,
      `SELECT pg_read_file('/etc/passwd')`,
      `SELECT pg_ls_dir('/')`,
      `SELECT lo_create(0)`,
      `SELECT lo_from_bytea(0, 'x')`,
      `SELECT lo_import('/etc/passwd')`,
      'SELECT * FROM pg_authid',
      'CHECKPOINT',
      `SELECT pg_create_logical_replication_slot('s', 'pgoutput')`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'administrator'`,
      'SELECT pg_reload_conf()',
      `SELECT veridesk.admit('x', '\\x00000000000000000000000000000000')`,
      `SELECT veridesk.dismiss('\\x00000000000000000000000000000000')`,
      'SELECT veridesk.caller()',
      `SELECT veridesk.runs('00000000-0000-0000-0000-000000000000', 1)`,
      `ALTER FUNCTION veridesk.append SECURITY INVOKER`,
      'DROP FUNCTION veridesk.my_installation()',
      `SECURITY LABEL ON SCHEMA veridesk IS 'x'`,
      `COMMENT ON SCHEMA veridesk IS 'x'`,
      'REASSIGN OWNED BY vd_owner TO CURRENT_USER'
    ])('%s', async (statement) => {
      // Some need a thing that is not there, and fail before the right to it is looked at.
      expect([denied, '42704', '22023', '0A000']).toContain(await stateOf(first.client, statement))
    })

    it('the role of another: it cannot write in its name', async () => {
      // A function's caller is the role that signed in, whatever role it sets.
      await first.client.query('SET ROLE vd_member')
      expect(
        (
          await first.client.query<{ installation: Buffer }>('SELECT veridesk.my_installation() AS installation')
        ).rows[0]?.installation.toString('hex')
      ).toBe(first.installation)
      await first.client.query('RESET ROLE')
      expect(await stateOf(first.client, `SET ROLE ${second.login}`)).toBe(denied)
      expect(await stateOf(first.client, `SET SESSION AUTHORIZATION ${second.login}`)).toBe(denied)
    })

    it('functions of its own in their place', async () => {
      // What a caller puts into its search path does not reach the functions, and it can create nothing to put there.
      await first.client.query(`SET search_path = pg_temp, public, veridesk`)
      expect(await appended(first.client, { from: 1, count: 1, name: 'path' })).toBe(1)
      await first.client.query('RESET search_path')
    })

    it('more than three connections', async () => {
      const member = await team.join()
      await team.connect(member)
      await team.connect(member)
      await expect(team.connect(member)).rejects.toMatchObject({ code: '53300' })
    })

    it('what another team on the same server has', async () => {
      team.postgres.sql('CREATE DATABASE another_team')
      team.postgres.sql(schemaSql, 'another_team')
      team.postgres.sql(
        memberRoleSql({ installation: randomBytes(16).toString('hex'), verifier: scramVerifier('word') }),
        'another_team'
      )
      // Roles belong to the server, so this one can connect; it is no member there.
      const client = await team.connect(first, 'another_team')
      expect((await client.query('SELECT FROM veridesk.member')).rowCount).toBe(0)
      expect(await stateOf(client, appendText, segment({ from: 1, count: 1, name: 'a' }))).toBe(refusals.notMember)
      expect(team.postgres.sql('SELECT count(*) FROM veridesk.member', 'another_team')).toBe('1')
    })
  })

  describe('ends with a member’s removal', () => {
    it('what it reads and writes over a connection that is open', async () => {
      const leaving = await team.join()
      await appended(leaving.client, { from: 1, count: 1, name: 'leaving' })
      team.postgres.sql(`SELECT veridesk.dismiss('\\x${leaving.installation}')`, 'team')
      for (const table of [
        'schema_version',
        'member',
        'roster',
        'head',
        'event',
        'grant_box',
        'subject_key',
        'runner',
        'intent',
        'claim_count',
        'claim_order'
      ])
        expect((await leaving.client.query(`SELECT FROM veridesk.${table}`)).rowCount, table).toBe(0)
      expect(await stateOf(leaving.client, appendText, segment({ from: 2, count: 1, name: 'leaving' }))).toBe(
        refusals.notMember
      )
      expect(await stateOf(leaving.client, 'SELECT veridesk.extend_roster(1, NULL, $1, $1)', [digest('entry')])).toBe(
        refusals.notMember
      )
      expect(await stateOf(leaving.client, `SELECT veridesk.erase_key('\\x${randomBytes(32).toString('hex')}')`)).toBe(
        refusals.notMember
      )
      // Its events stay for the others.
      expect(await seqs(first.client, leaving.installation)).toEqual([1])
    })

    it('the connection and the role', async () => {
      const leaving = await team.join()
      const closed = new Promise((resolve) => leaving.client.once('end', resolve))
      team.postgres.sql(endMemberSql(leaving.installation), 'team')
      await closed
      await expect(team.connect(leaving)).rejects.toMatchObject({ code: '28000' })
    })
  })

  it('is created once, whole, and says its version', async () => {
    expect(() => team.postgres.sql(schemaSql, 'team')).toThrow(/schema "veridesk" already exists/)
    expect(
      (await first.client.query<{ version: number }>('SELECT max(version) AS version FROM veridesk.schema_version'))
        .rows
    ).toEqual([{ version: schemaVersion }])
  })

  it('uses no triggers, sequences, advisory locks or extensions', () => {
    const count = (from: string): string => team.postgres.sql(`SELECT count(*) FROM ${from}`, 'team')
    expect(count(`pg_trigger WHERE NOT tgisinternal`)).toBe('0')
    expect(count(`pg_class WHERE relkind = 'S'`)).toBe('0')
    expect(count(`pg_extension WHERE extname <> 'plpgsql'`)).toBe('0')
    expect(schemaSql).not.toMatch(/advisory/)
  })

  it('runs every function as the owner, with a fixed search path, and lets nobody else call them', () => {
    const wrong = `pg_proc p WHERE pronamespace = 'veridesk'::regnamespace AND (NOT prosecdef OR proconfig IS DISTINCT FROM '{"search_path=pg_catalog, pg_temp"}' OR proowner <> 'vd_owner'::regrole OR has_function_privilege('public', oid, 'EXECUTE'))`
    expect(
      team.postgres.sql(`SELECT count(*) FROM pg_proc WHERE pronamespace = 'veridesk'::regnamespace`, 'team')
    ).toBe('16')
    expect(team.postgres.sql(`SELECT coalesce(string_agg(proname, ','), '') FROM ${wrong}`, 'team')).toBe('')
  })

  it('never sees a password', async () => {
    const password = randomBytes(32).toString('base64url')
    const installation = randomBytes(16).toString('hex')
    const text = memberRoleSql({ installation, verifier: scramVerifier(password) })
    expect(text).not.toContain(password)
    team.postgres.sql(text, 'team')
    const client = await team.connect({ login: roleOf(installation), password })
    expect(await appended(client, { from: 1, count: 1, name: 'new' })).toBe(1)
    await expect(team.connect({ login: roleOf(installation), password: `${password}x` })).rejects.toMatchObject({
      code: '28P01'
    })
  })

  it('takes no SQL in the place of an installation or a password', () => {
    const verifier = scramVerifier('word')
    expect(() => memberRoleSql({ installation: `${'0'.repeat(31)}'`, verifier })).toThrow(/not an installation/)
    expect(() => memberRoleSql({ installation: '0'.repeat(32), verifier: `${verifier}'; DROP` })).toThrow(
      /not an installation/
    )
    expect(() => endMemberSql('x')).toThrow(/not an installation/)
    expect(() => scramVerifier('two words')).toThrow(/other characters/)
  })
})

describe('team schema', () => {
  it('prints what the administrator runs', async () => {
    expect(await printSchema({}, '')).toEqual({ exit: 'done', out: schemaSql.trim() })
  })
})
