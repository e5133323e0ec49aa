/** What a team's database has lost is given again by whoever gave it: events, keys of applicants, keys of the team. */
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Failure } from '#contract/failures/failures.ts'
import { schemaSql } from '#team/database/schema.ts'
import { teamTables } from '#team/log/database.ts'
import { exchangeOnce, type Round } from '#exchange/log/round.ts'
import { isSharedWorkOnHold } from '#team/log/standing.ts'
import { clock } from './history-fixtures.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { exchanging, type Exchanging } from './support/team-exchange.ts'
import { addressOf, installed, requestOf, valueOf as value, type Installation } from './support/team-installation.ts'

describe.skipIf(!hasPostgres)('a database that has lost something', () => {
  let starting: Promise<TeamDatabase> | undefined
  let database: TeamDatabase
  let arrived: Installation[]
  let open: Exchanging[]
  let anna: Exchanging
  let ben: Exchanging
  const sql = (text: string): string => database.postgres.sql(text, 'team')
  const idOf = ({ one }: Exchanging): string => `'\\x${one.installation}'`

  async function member(name: string): Promise<Exchanging> {
    const [founder] = arrived
    const one = await installed(database, name)
    arrived.push(one)
    if (founder) {
      const invitation = value(await founder.team.invite())
      const request = await requestOf(one, readFileSync(founder.file, 'utf8'), invitation?.words ?? '')
      value(await founder.team.admit({ ...request, role: 'analyst' }))
    } else value(await one.team.create({ name, database: addressOf(database) }))
    const made = await exchanging(one)
    open.push(made)
    return made
  }
  /** A round that asks whether all is still there, as the first one of a process does. */
  async function look(who: Exchanging): Promise<Round> {
    const line = value(await who.openLine())
    const done = await exchangeOnce(
      { ...who.parts, tables: teamTables(line, '127.0.0.1') },
      { now: clock.now(), waiting: 0, isThorough: true }
    )
    await line.close()
    return value(done)
  }
  const codes = (failures: readonly Failure[]): readonly string[] => failures.map(({ code }) => code).sort()
  const foundBy = (who: Exchanging, of: Exchanging): readonly Failure[] =>
    who.received.findings.of(of.one.installation).map(({ failure }) => failure)
  const lastOf = async ({ store }: Exchanging): Promise<number> =>
    value(await store.exchange.read({ after: 0, events: 0, bytes: 0, kept: [] })).last.seq

  beforeEach(async () => {
    database = await (starting ??= startTeamDatabase())
    sql('DROP SCHEMA veridesk CASCADE')
    sql(schemaSql)
    arrived = []
    open = []
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    await anna.refresh()
  })
  afterEach(async () => {
    await Promise.all(open.map((each) => each.close()))
    for (const { folder } of arrived) rmSync(folder, { recursive: true, force: true })
  })
  afterAll(async () => (await starting)?.end())

  const eventsOf = (which: string) => (): string =>
    `DELETE FROM veridesk.event WHERE installation = ${idOf(anna)} AND ${which}`
  const signed = (): string =>
    `(SELECT min(seq) FROM veridesk.event WHERE installation = ${idOf(anna)} AND sig IS NOT NULL)`
  test.each<[string, () => string, number]>([
    ['the first event', () => eventsOf('seq = 1')(), 1],
    ['an event between others', () => eventsOf('seq = 3')(), 1],
    ['several events', () => eventsOf('seq IN (2, 4, 5)')(), 3],
    ['a signed event', () => eventsOf(`seq = ${signed()}`)(), 1],
    ['the last event', () => eventsOf(`seq = (SELECT seq FROM veridesk.head WHERE installation = ${idOf(anna)})`)(), 1],
    ['all events but not their head', () => eventsOf('true')(), Number.NaN]
  ])('%s: its author sends it again and is told, and others read on', async (_, loss, count) => {
    await anna.check('APP-1')
    await anna.settle()
    await anna.check('APP-2')
    await anna.settle()
    const last = await lastOf(anna)
    sql(loss())
    expect(codes(value(await ben.round()).found)).toEqual(['team-events-refused'])
    expect(isSharedWorkOnHold(ben.received.findings.all())).toBe(true)

    const lost = Number.isNaN(count) ? last : count
    await look(anna)
    expect(foundBy(anna, anna)).toEqual(
      expect.arrayContaining([
        {
          code: 'team-events-rolled-back',
          details: { installation: anna.one.installation, found: last - lost, expected: last }
        },
        { code: 'team-given-again', details: { number: lost, count: 0 } }
      ])
    )
    await ben.settle()
    expect(foundBy(ben, anna)).toEqual([])
    expect(ben.received.head(anna.one.installation).seq).toBe(last)
    // It stays, and does not come again.
    expect((await look(anna)).found).toEqual([])
    expect(codes(foundBy(anna, anna))).toEqual(['team-events-rolled-back', 'team-given-again'])
  })

  test('the head of an installation, with the first of its events: everything is there again', async () => {
    await anna.check('APP-1')
    await anna.settle()
    const last = await lastOf(anna)
    sql(`DELETE FROM veridesk.head WHERE installation = ${idOf(anna)}`)
    sql(eventsOf('seq = 1')())
    await look(anna)
    await ben.settle()
    expect(ben.received.head(anna.one.installation).seq).toBe(last)
    expect(foundBy(ben, anna)).toEqual([])
    expect(codes(foundBy(anna, anna))).toContain('team-events-rolled-back')
  })

  test('events from before and after new keys: none is sealed with older keys than it had', async () => {
    const carla = await member('Carla Ruiz')
    await anna.refresh()
    await anna.check('APP-1')
    await anna.settle()
    const before = await lastOf(anna)
    value(await anna.one.team.remove({ installation: carla.one.installation, name: 'Carla Ruiz' }))
    await anna.refresh()
    await anna.check('APP-2')
    await anna.settle()
    const last = await lastOf(anna)
    const epochs = (from: number, until: number): string =>
      sql(
        `SELECT string_agg(DISTINCT epoch::text, ',') FROM veridesk.event WHERE installation = ${idOf(anna)} AND seq BETWEEN ${from} AND ${until}`
      )
    expect([epochs(1, before), epochs(before + 1, last)]).toEqual(['1', '2'])
    sql(eventsOf(`seq BETWEEN ${before} AND ${before + 1}`)())
    sql(eventsOf('seq = 2')())
    await look(anna)
    expect([epochs(2, 2), epochs(before, before + 1)]).toEqual(['1', '2'])
    await ben.refresh()
    await ben.settle()
    expect(ben.received.head(anna.one.installation).seq).toBe(last)
    // Whoever has the database cannot have later events sealed for Carla by calling the next event an older one.
    sql(eventsOf(`seq = ${before + 1}`)())
    sql(`UPDATE veridesk.event SET epoch = 1 WHERE installation = ${idOf(anna)} AND seq = ${before + 2}`)
    await look(anna)
    expect(epochs(before + 1, before + 1)).toBe('2')
  })

  test('keys of applicants: they are given again, their owner is told, and a newcomer reads everything', async () => {
    await anna.check('APP-1')
    await anna.check('APP-2')
    await anna.settle()
    await ben.settle()
    const keys = Number(sql('SELECT count(*) FROM veridesk.subject_key WHERE wrapped IS NOT NULL'))
    expect(keys).toBeGreaterThan(1)
    sql('DELETE FROM veridesk.subject_key')
    await look(anna)
    await anna.settle()
    expect(Number(sql('SELECT count(*) FROM veridesk.subject_key WHERE wrapped IS NOT NULL'))).toBe(keys)
    expect(foundBy(anna, anna)).toEqual([{ code: 'team-given-again', details: { number: 0, count: keys } }])
    // Rows of batches are not in danger.
    expect(isSharedWorkOnHold(anna.received.findings.all())).toBe(false)
    const carla = await member('Carla Ruiz')
    await carla.settle()
    expect(carla.received.subjects.faults()).toEqual([])
    expect(carla.received.subjects.find({ installation: anna.one.installation, number: 1 })?.key).toBeDefined()
  })

  test('an erased key without an event is no loss that is made good: it stays a finding', async () => {
    await anna.check('APP-1')
    await anna.settle()
    sql('UPDATE veridesk.subject_key SET wrapped = NULL')
    await look(anna)
    await anna.settle()
    expect(codes(foundBy(anna, anna))).toContain('team-applicant-keys-missing')
    expect(Number(sql('SELECT count(*) FROM veridesk.subject_key WHERE wrapped IS NOT NULL'))).toBe(0)
  })

  test('keys of the team: a colleague gives them again, also after a mailbox was replaced', async () => {
    const refreshed = (who: Exchanging): Promise<string> =>
      who.refresh().then(
        () => 'ok',
        (error: unknown) => String(error)
      )
    for (const each of [anna, ben]) await each.settle()
    sql(`DELETE FROM veridesk.grant_box WHERE installation = ${idOf(ben)}`)
    expect(await refreshed(ben)).toContain('team-key-refused')
    await look(anna)
    expect(foundBy(anna, anna)).toEqual([{ code: 'team-given-again', details: { number: 0, count: 1 } }])
    expect(await refreshed(ben)).toBe('ok')
    // New keys: each replaces its mailbox, and gives itself the keys anew. The box that Anna gave opens no more.
    const carla = await member('Carla Ruiz')
    value(await anna.one.team.remove({ installation: carla.one.installation, name: 'Carla Ruiz' }))
    for (const each of [anna, ben]) await each.refresh()
    await anna.refresh()
    expect(sql(`SELECT count(*) FROM veridesk.grant_box WHERE epoch = 2 AND installation = ${idOf(ben)}`)).toBe('2')
    sql(`DELETE FROM veridesk.grant_box WHERE installation = author AND installation = ${idOf(ben)}`)
    expect(await refreshed(ben)).toContain('team-key-refused')
    await look(anna)
    expect(await refreshed(ben)).toBe('ok')
    // Ben has them once more from himself.
    await look(ben)
    expect(
      sql(
        `SELECT count(*) FROM veridesk.grant_box WHERE epoch = 2 AND installation = author AND installation = ${idOf(ben)}`
      )
    ).toBe('1')
    expect((await look(anna)).found).toEqual([])
  })
})
