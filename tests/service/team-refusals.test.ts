/** What a real PostgreSQL refuses is named as what it is; and a standby is never taken for a database that lost something. */
import { readFileSync, rmSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ok } from '#contract/failures/result.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { roleOf } from '#team/database/member-role.ts'
import { readSecrets, readTeam, saveTeam } from '#core/team/installation/saved.ts'
import { teamTables } from '#team/log/database.ts'
import { startExchange, type ExchangeState } from '#exchange/log/exchange.ts'
import { exchangeOnce } from '#exchange/log/round.ts'
import { isPassing } from '#team/log/schedule.ts'
import { isSharedWorkOnHold } from '#team/log/standing.ts'
import { openLine, type TeamLine, type TeamTarget } from '#team/transport/line.ts'
import { clock } from './history-fixtures.ts'
import { hasPostgres, startTeamDatabase, type Member, type TeamDatabase } from './support/postgres.ts'
import { exchanging, type Exchanging } from './support/team-exchange.ts'
import { addressOf, installed, requestOf, valueOf, type Installation } from './support/team-installation.ts'

describe.skipIf(!hasPostgres)('what the team’s database refuses', () => {
  let team: TeamDatabase
  let member: Member
  const open: TeamLine[] = []
  const target = (): TeamTarget => ({
    host: '127.0.0.1',
    port: team.postgres.port,
    database: 'team',
    user: member.login,
    password: member.password,
    trust: undefined
  })
  async function opened(): Promise<TeamLine> {
    const line = valueOf(await openLine(target()))
    open.push(line)
    return line
  }
  /** Code and reason of a statement's failure. */
  async function refused(line: TeamLine, ...statements: readonly string[]): Promise<string> {
    for (const statement of statements.slice(0, -1)) valueOf(await line.query(statement))
    const done = await line.query(statements.at(-1) ?? '')
    if (done.ok) throw new Error('it was not refused')
    const { code, details } = done.failure
    return [code, details && 'reason' in details ? details.reason : ''].filter(Boolean).join(' ')
  }
  beforeAll(async () => {
    team = await startTeamDatabase()
    member = await team.join()
    await member.client.end()
  })
  afterEach(async () => {
    for (const line of open.splice(0)) await line.close()
  })
  afterAll(() => team.end())

  test.each([
    ['08000', 'team-database-unreachable behind'],
    ['08003', 'team-database-unreachable behind'],
    ['08006', 'team-database-unreachable behind'],
    ['08P01', 'team-database-unreachable behind'],
    ['25006', 'team-database-unable read-only'],
    ['25P03', 'team-database-ended idle'],
    ['25P04', 'team-database-ended idle'],
    ['57P05', 'team-database-ended idle'],
    ['28000', 'team-sign-in-refused'],
    ['28P01', 'team-sign-in-refused'],
    ['3D000', 'team-database-missing'],
    ['57P04', 'team-database-missing'],
    ['3F000', 'team-schema-partial parts'],
    ['42P01', 'team-schema-partial parts'],
    ['42883', 'team-schema-partial parts'],
    ['40001', 'team-database-unable busy'],
    ['40P01', 'team-database-unable busy'],
    ['55P03', 'team-database-unable busy'],
    ['42501', 'team-member-missing'],
    ['53000', 'team-database-unable limit'],
    ['53100', 'team-database-unable disk'],
    ['53200', 'team-database-unable memory'],
    ['53300', 'team-database-full'],
    ['53400', 'team-database-unable limit'],
    ['54000', 'team-database-unable limit'],
    ['57014', 'team-database-unable cancelled'],
    ['57P01', 'team-database-ended shutdown'],
    ['57P02', 'team-database-ended crash'],
    ['57P03', 'team-database-unreachable starting'],
    ['58000', 'team-database-unable damaged'],
    ['58030', 'team-database-unable damaged'],
    ['58P01', 'team-database-unable damaged'],
    ['XX000', 'team-database-unable damaged'],
    ['XX001', 'team-database-unable damaged'],
    ['XX002', 'team-database-unable damaged'],
    ['F0000', 'team-database-unable damaged'],
    // What nothing else is known about keeps its code.
    ['22012', 'team-database-refused'],
    ['23505', 'team-database-refused'],
    ['VD002', 'team-database-refused']
  ])('%s is %s', async (sqlState, expected) => {
    const line = await opened()
    expect(
      await refused(line, `DO $$ BEGIN RAISE EXCEPTION 'as the server would' USING ERRCODE = '${sqlState}'; END $$`)
    ).toBe(expected)
  })

  test('a server that was made read-only, as providers do when its disk is full', async () => {
    const line = await opened()
    expect(
      await refused(
        line,
        'SET default_transaction_read_only = on',
        `SELECT veridesk.erase_key('\\x${'00'.repeat(32)}')`
      )
    ).toBe('team-database-unable read-only')
  })
  test('a statement that takes too long', async () => {
    expect(await refused(await opened(), `SET statement_timeout = '50ms'`, 'SELECT pg_sleep(20)')).toBe(
      'team-database-unable cancelled'
    )
  })
  test('a temporary file that is larger than the server allows', async () => {
    team.postgres.sql(
      `ALTER ROLE ${member.login} SET temp_file_limit = '64kB'; ALTER ROLE ${member.login} SET work_mem = '64kB'`
    )
    expect(
      await refused(
        await opened(),
        'SELECT count(*) FROM (SELECT n FROM generate_series(1, 100000) AS n ORDER BY n DESC OFFSET 0) AS large'
      )
    ).toBe('team-database-unable limit')
    team.postgres.sql(`ALTER ROLE ${member.login} RESET ALL`)
  })
  test('a connection that the administrator ends, and a right that was taken away', async () => {
    const line = await opened()
    team.postgres.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${member.login}'`)
    expect(await line.lost).toMatchObject({
      code: 'team-database-ended',
      details: { reason: 'shutdown', sqlState: '57P01' }
    })
    const other = await opened()
    team.postgres.sql(`REVOKE vd_member FROM ${member.login}`)
    expect(await refused(other, 'SELECT FROM veridesk.head')).toBe('team-member-missing')
    team.postgres.sql(`GRANT vd_member TO ${member.login}`)
    // The database's own word for it, where the administrator could do nothing about the role.
    team.postgres.sql(`SELECT veridesk.dismiss('\\x${member.installation}')`, 'team')
    expect(await refused(other, `SELECT veridesk.erase_key('\\x${'00'.repeat(32)}')`)).toBe('team-member-missing')
    team.postgres.sql(`SELECT veridesk.admit('${member.login}', '\\x${member.installation}')`, 'team')
  })

  test('each is something that passes, or that somebody deals with', async () => {
    const line = await opened()
    for (const sqlState of ['25006', '53100', '57014', '57P01', '40001', '08006']) {
      const done = await line.query(
        `DO $$ BEGIN RAISE EXCEPTION 'as the server would' USING ERRCODE = '${sqlState}'; END $$`
      )
      expect(!done.ok && isPassing(done.failure), sqlState).toBe(true)
      expect(done.ok ? '' : Object.values(sentencesOf(done.failure)).join(' '), sqlState).not.toMatch(/\{|undefined/)
    }
  })
})

describe.skipIf(!hasPostgres)('a standby that is late', () => {
  let team: TeamDatabase
  const folders: string[] = []
  const open: Exchanging[] = []
  let anna: Exchanging
  let ben: Exchanging
  let late: { readonly port: number }

  async function member(name: string, founder?: Installation): Promise<Exchanging> {
    const one = await installed(team, name)
    folders.push(one.folder)
    if (founder) {
      const invitation = valueOf(await founder.team.invite())
      const request = await requestOf(one, readFileSync(founder.file, 'utf8'), invitation?.words ?? '')
      valueOf(await founder.team.admit({ ...request, role: 'analyst' }))
    } else valueOf(await one.team.create({ name, database: addressOf(team) }))
    const made = await exchanging(one)
    open.push(made)
    return made
  }
  beforeAll(async () => {
    team = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro', anna.one)
    await anna.refresh()
    await anna.check('APP-1')
    await anna.settle()
    await ben.settle()
    late = await team.postgres.standby(3600)
    // The standby does not have this yet.
    await anna.check('APP-2')
    await anna.settle()
    await ben.settle()
  })
  afterAll(async () => {
    await Promise.all(open.map((each) => each.close()))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    await team.end()
  })

  const at = (port: number) => async (who: Exchanging) => {
    const { password } = valueOf(await readSecrets(who.one.secrets, who.one.installation))
    return openLine({
      host: '127.0.0.1',
      port,
      database: 'team',
      user: roleOf(who.one.installation),
      password,
      trust: undefined
    })
  }

  test('is not looked at: nothing is found, and no batch waits', async () => {
    const states: ExchangeState[] = []
    let port = late.port
    const exchange = startExchange({
      ...ben.parts,
      host: '127.0.0.1',
      clock,
      random: () => 0.5,
      open: () => at(port)(ben),
      prepare: async () => ok(null),
      after: (milliseconds, run) => {
        const timer = setTimeout(run, milliseconds)
        return () => clearTimeout(timer)
      },
      onChange: (state) => states.push(state)
    })
    await expect.poll(() => states.at(-1)?.failure?.code, { timeout: 20_000 }).toBe('team-database-standby')
    expect(ben.received.findings.all()).toEqual([])
    expect(isSharedWorkOnHold(ben.received.findings.all())).toBe(false)
    const why = states.at(-1)?.failure
    expect(why && sentencesOf(why).what).toContain('standby')
    // As after the address points to the primary server again.
    port = team.postgres.port
    exchange.retry()
    await expect.poll(() => states.at(-1)?.round?.found, { timeout: 20_000 }).toEqual([])
    await exchange.close()
    expect(ben.received.findings.all()).toEqual([])
  })

  test('is not believed where a pooler changes to it between two questions', async () => {
    // As if the line was opened to the primary server, and its next question reached the other one.
    const { password } = valueOf(await readSecrets(ben.one.secrets, ben.one.installation))
    const other = new Client({
      host: '127.0.0.1',
      port: late.port,
      user: roleOf(ben.one.installation),
      password,
      database: 'team',
      ssl: false
    })
    await other.connect()
    const line = {
      query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
        ok((await other.query<Row>(text, [...values])).rows)
    } as Pick<TeamLine, 'query'>
    const done = await exchangeOnce(
      { ...ben.parts, tables: teamTables(line, '127.0.0.1') },
      { now: clock.now(), waiting: 0 }
    )
    expect(done).toMatchObject({ ok: false, failure: { code: 'team-database-standby' } })
    expect(ben.received.findings.all()).toEqual([])
    await other.end()
  })

  test('is no list of members that somebody restored', async () => {
    // The primary server has an entry more.
    await member('Carla Ruiz', anna.one)
    valueOf(await ben.one.team.members())
    const saved = valueOf(readTeam(ben.one.folder))
    if (!saved?.database) throw new Error('no team')
    valueOf(await saveTeam(ben.one.folder, { ...saved, database: { ...saved.database, port: late.port } }))
    expect(await ben.one.team.members()).toMatchObject({ ok: false, failure: { code: 'team-database-standby' } })
  })
})
