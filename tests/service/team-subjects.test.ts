/** Keys of applicants in a team with real histories and a real PostgreSQL: shared, erased, wrapped anew. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Failure } from '#contract/failures/failures.ts'
import { schemaSql } from '#team/database/schema.ts'
import { unseal } from '#kit/sealing/seal.ts'
import { unwrapSubjectKey } from '#exchange/keys/vault.ts'
import { readContent } from '#team/log/content.ts'
import { teamFolder } from '#team/log/received-schema.ts'
import { receivedFile } from '#team/storage/on-received.ts'
import { plainPages, tracesIn, type Content } from './support/traces.ts'
import { clock, testKey } from './history-fixtures.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { exchanging, type Exchanging } from './support/team-exchange.ts'
import { addressOf, installed, requestOf, valueOf as value, type Installation } from './support/team-installation.ts'

const hand = { at: 1_790_000_000_000, operator: 'tester' }
const codes = (failures: readonly Failure[]): readonly string[] =>
  failures.map(({ code, details }) => `${code} ${details && 'count' in details ? details.count : ''}`.trim())

describe.skipIf(!hasPostgres)('keys of applicants in a team', () => {
  let starting: Promise<TeamDatabase> | undefined
  let database: TeamDatabase
  let arrived: Installation[]
  let open: Exchanging[]
  let anna: Exchanging
  let ben: Exchanging
  const sql = (text: string): string => database.postgres.sql(text, 'team')

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
    for (const each of open) await each.refresh()
    return made
  }
  /** The file of what an installation received, and its log: every page as it can be read with the file's key. */
  function contentsOf({ one }: Exchanging): Content[] {
    const [file, log] = [receivedFile, `${receivedFile}-wal`].map((name) =>
      readFileSync(join(teamFolder(one.folder), name))
    ) as [Buffer, Buffer]
    return [
      { path: `${one.name} ${receivedFile}`, bytes: plainPages(file, testKey) },
      { path: `${one.name} ${receivedFile}, its log`, bytes: plainPages(file, testKey, log) }
    ]
  }
  /** What an installation can read of another one: the sealed parts that it can open, as texts. */
  function readBy(who: Exchanging, of: Exchanging): readonly string[] {
    const { installation } = of.one
    return who.received.events(installation, 0, 10_000).flatMap(({ content }) => {
      const event = readContent(content)
      if (!event || event === 'newer' || event.subject === null || !event.sealed) return []
      const key = who.received.subjects.find({ installation, number: event.subject })?.key
      return key ? (unseal(key, event.kind, event.sealed)?.payload ?? 'it does not open') : []
    })
  }
  const closedFor = (who: Exchanging, of: Exchanging, number: number): string | undefined =>
    who.received.subjects.find({ installation: of.one.installation, number })?.closed
  const findings = (who: Exchanging): readonly string[] =>
    codes(who.received.findings.all().map(({ failure }) => failure))
  async function erase(who: Exchanging, applicantId: string): Promise<void> {
    const { people } = value(await who.store.erasure.scope(applicantId))
    value(await who.store.erasure.erase({ ...hand, reason: 'Requested', cause: 'request', subjects: people }))
  }
  async function settle(...everybody: readonly Exchanging[]): Promise<void> {
    for (const each of [...everybody, ...everybody]) await each.settle()
  }
  /** Rows of keys: how many there are in an epoch, and how many are erased. */
  const rows = (): string =>
    sql(
      `SELECT coalesce(string_agg(vault_epoch || ':' || shown, ' ' ORDER BY vault_epoch, shown), '') FROM (SELECT vault_epoch, CASE WHEN wrapped IS NULL THEN 'erased ' ELSE '' END || count(*) AS shown FROM veridesk.subject_key GROUP BY vault_epoch, wrapped IS NULL) AS given`
    ).trim()

  beforeEach(async () => {
    database = await (starting ??= startTeamDatabase())
    sql('DROP SCHEMA veridesk CASCADE')
    sql(schemaSql)
    arrived = []
    open = []
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
  })
  afterEach(async () => {
    await Promise.all(open.map((each) => each.close()))
    for (const { folder } of arrived) rmSync(folder, { recursive: true, force: true })
  })
  afterAll(async () => (await starting)?.end())

  it('open what a colleague recorded, and the database sees neither an ID nor a key', async () => {
    await anna.check('APP-CANARY', 'A message of the service')
    value(await anna.store.applicants.note('APP-CANARY', 'Looked at by hand', hand))
    await settle(anna, ben)
    const read = readBy(ben, anna).join('\n')
    for (const text of ['APP-CANARY', 'A message of the service', 'Looked at by hand', 'https://files.example.com'])
      expect(read).toContain(text)
    expect(read).not.toContain('it does not open')
    const [subject] = value(await anna.store.exchange.subjects([1]))
    expect(ben.received.subjects.find({ installation: anna.one.installation, number: 1 })).toEqual({
      key: Buffer.from(subject?.key ?? []),
      applicant: 'APP-CANARY'
    })
    const keys = value(await anna.store.exchange.subjects([1, 2, 3])).map(({ key }) => Buffer.from(key).toString('hex'))
    expect(keys).not.toEqual([])
    for (const table of ['subject_key', 'event', 'roster', 'grant_box', 'member', 'head']) {
      const stored = sql(`SELECT t::text FROM veridesk.${table} t`)
      for (const secret of [...keys, Buffer.from('APP-CANARY').toString('hex'), 'APP-CANARY'])
        expect(stored).not.toContain(secret)
    }
  })

  it('are erased everywhere: in the database, at colleagues, and for who joins later', async () => {
    for (const who of [anna, ben]) for (const applicant of ['APP-1', 'APP-2']) await who.check(applicant)
    await settle(anna, ben)
    expect(readBy(ben, anna).join('')).toContain('APP-1')
    await erase(anna, 'APP-1')
    await settle(anna, ben, anna)
    expect(readBy(ben, anna).join('')).not.toContain('APP-1')
    expect(readBy(anna, ben).join('')).not.toContain('APP-1')
    expect(readBy(ben, anna).join('')).toContain('APP-2')
    // Its own history is for a person to decide about.
    expect(value(await ben.store.applicants.show('APP-1'))).toMatchObject({ id: 'APP-1' })
    expect(ben.received.subjects.erasuresPending()).toEqual([1])
    // Neither the ID nor a key is left in the file of what was received, nor in its log.
    const [gone] = value(await ben.store.exchange.subjects([1]))
    expect(gone?.applicantId).toBe('APP-1')
    const carla = await member('Carla Ruiz')
    await settle(carla)
    expect([closedFor(carla, anna, 1), closedFor(carla, ben, 1)]).toEqual(['erased', 'erased'])
    expect(readBy(carla, anna).join('')).toContain('APP-2')
    expect([anna, ben, carla].flatMap(findings)).toEqual([])
    // Away until now, and with nothing but its history: its key does not come back.
    await ben.check('APP-1')
    await settle(ben, carla)
    expect(readBy(carla, ben).join('')).not.toContain('APP-1')
    await erase(ben, 'APP-1')
    await settle(ben, carla)
    expect(ben.received.subjects.erasuresPending()).toEqual([])
    expect([anna, ben, carla].flatMap(findings)).toEqual([])
  })

  it('leave no trace in the files of what was received', async () => {
    for (const who of [anna, ben]) await who.check('APP-CANARY')
    await anna.check('APP-OTHER')
    await settle(anna, ben)
    const { key } = ben.received.subjects.find({ installation: anna.one.installation, number: 1 }) ?? {}
    const needles = ['APP-CANARY', Buffer.from(key ?? [])]
    // Of an applicant whom no colleague has, not even the ID is there.
    expect(tracesIn(contentsOf(anna), ['APP-OTHER'])).toEqual([])
    expect(tracesIn(contentsOf(ben), needles)).not.toEqual([])
    expect(tracesIn(contentsOf(anna), needles)).not.toEqual([])
    await erase(anna, 'APP-CANARY')
    await settle(anna, ben)
    expect(tracesIn([...contentsOf(anna), ...contentsOf(ben)], needles)).toEqual([])
    expect(tracesIn(contentsOf(ben), ['APP-OTHER'])).not.toEqual([])
  })

  it('are wrapped anew when a member is removed, whose key opens nothing of it', async () => {
    await anna.check('APP-1')
    await ben.check('APP-2')
    await settle(anna, ben)
    const known = ben.parts.keys.vault()
    const before = Number(sql('SELECT count(*) FROM veridesk.subject_key'))
    value(await anna.one.team.remove({ installation: ben.one.installation, name: 'Ben Okoro' }))
    await anna.refresh()
    await anna.check('APP-3')
    await settle(anna)
    // Those of the removed one, too: who joins later reads the past.
    expect(rows()).toBe(`2:${Number(sql('SELECT count(*) FROM veridesk.subject_key'))}`)
    expect(Number(sql('SELECT count(*) FROM veridesk.subject_key'))).toBeGreaterThan(before)
    const tags = sql(`SELECT encode(tag, 'hex') || ' ' || encode(wrapped, 'hex') FROM veridesk.subject_key`)
      .trim()
      .split('\n')
    expect(known).toBeDefined()
    for (const [tag = '', wrapped = ''] of tags.map((line) => line.split(' ')))
      for (const number of [1, 2])
        expect(
          unwrapSubjectKey(
            Buffer.from(wrapped, 'hex'),
            { team: ben.parts.team, tag },
            { number, vault: known?.vault ?? Buffer.alloc(32) }
          )
        ).toMatchObject({ ok: false })
    const carla = await member('Carla Ruiz')
    await settle(carla)
    expect(readBy(carla, anna).join('')).toContain('APP-3')
    expect(readBy(carla, ben).join('')).toContain('APP-2')
    expect(findings(carla)).toEqual([])
  })

  it('that somebody is about to give again while they are erased stay erased', async () => {
    await anna.check('APP-1')
    await settle(anna, ben)
    await erase(anna, 'APP-1')
    await settle(anna)
    const erased = rows()
    expect(erased).toContain('erased')
    // Ben has not learned of it, and wraps for the next epoch what he knows.
    value(
      await anna.one.team.remove({ installation: (await member('Carla Ruiz')).one.installation, name: 'Carla Ruiz' })
    )
    await ben.refresh()
    await ben.settle()
    expect(sql('SELECT count(*) FROM veridesk.subject_key WHERE wrapped IS NULL').trim()).toBe(
      erased.split('erased ')[1]?.split(' ')[0]
    )
    expect(closedFor(ben, anna, 1)).toBe('erased')
  })

  describe('whatever the database’s administrator does', () => {
    it.each([
      [
        'swaps rows',
        `UPDATE veridesk.subject_key k SET wrapped = o.wrapped FROM veridesk.subject_key o WHERE o.tag <> k.tag AND NOT EXISTS (SELECT FROM veridesk.subject_key x WHERE x.tag <> k.tag AND x.tag > o.tag)`,
        'team-applicant-keys-refused'
      ],
      ['puts garbage', `UPDATE veridesk.subject_key SET wrapped = sha256(tag)`, 'team-applicant-keys-refused'],
      [
        'changes a byte',
        `UPDATE veridesk.subject_key SET wrapped = set_byte(wrapped, 40, get_byte(wrapped, 40) # 1)`,
        'team-applicant-keys-refused'
      ],
      ['empties rows', `UPDATE veridesk.subject_key SET wrapped = NULL`, 'team-applicant-keys-missing'],
      ['deletes rows', `DELETE FROM veridesk.subject_key`, 'team-applicant-keys-missing']
    ])('%s: it opens nothing, erases nothing, and is noticed', async (_what, attack, expected) => {
      await anna.check('APP-1')
      await anna.check('APP-2')
      await anna.settle()
      sql('CREATE TABLE veridesk.keys_before AS SELECT * FROM veridesk.subject_key')
      sql(attack)
      await ben.settle()
      await ben.round(0, clock.now() + 120_000)
      await ben.round(0, clock.now() + 240_000)
      expect(findings(ben).map((each) => each.split(' ')[0])).toEqual([expected])
      expect(readBy(ben, anna)).toEqual([])
      expect(closedFor(ben, anna, 1)).toBe('awaited')
      expect([anna, ben].flatMap((each) => each.received.subjects.erasuresPending())).toEqual([])
      // Once it is as it was, everything can be read.
      sql('DELETE FROM veridesk.subject_key; INSERT INTO veridesk.subject_key SELECT * FROM veridesk.keys_before')
      await ben.round(0, clock.now() + 480_000)
      expect(readBy(ben, anna).join('')).toContain('APP-2')
      expect(findings(ben)).toEqual([])
    })

    it('shows what it had before a removal: it opens nothing for anybody, and nobody takes it for an erasure', async () => {
      await anna.check('APP-1')
      await settle(anna, ben)
      sql('CREATE TABLE veridesk.keys_before AS SELECT * FROM veridesk.subject_key')
      const carla = await member('Carla Ruiz')
      value(await anna.one.team.remove({ installation: ben.one.installation, name: 'Ben Okoro' }))
      for (const each of [anna, carla]) await each.refresh()
      await anna.settle()
      // As it was, and then as if it had been wrapped for the current epoch.
      for (const epoch of [1, 2]) {
        sql(
          `DELETE FROM veridesk.subject_key; INSERT INTO veridesk.subject_key SELECT tag, ${epoch}, wrapped FROM veridesk.keys_before`
        )
        await carla.round(0, clock.now() + epoch * 120_000)
        expect(closedFor(carla, anna, 1)).toBe('awaited')
        expect(findings(carla).length).toBe(epoch - 1)
      }
    })
  })
})
