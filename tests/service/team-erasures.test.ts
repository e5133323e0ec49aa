/** Erasures in a team with real histories, workers and a real database: who acknowledges them, and keys that no backup has. */
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TeamErasure } from '#contract/team/erasures.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { renewTeamKeys } from '#core/team/installation/members.ts'
import { readSecrets } from '#core/team/installation/saved.ts'
import { withRoster } from '#core/team/installation/session.ts'
import { openBox } from '#team/keys/boxes.ts'
import { unwrapSubjectKey } from '#exchange/keys/vault.ts'
import type { VaultKey } from '#team/thread/ports.ts'
import { clock } from './history-fixtures.ts'
import { checked } from './support/acts.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { admit, colleaguesOf, createTeam, member, type Member } from './support/team-consoles.ts'
import { exchanging, type Exchanging } from './support/team-exchange.ts'
import { addressOf, installed, requestOf, valueOf, type Installation } from './support/team-installation.ts'

const patient = { timeout: 30_000 }
const day = 24 * 60 * 60_000

describe.skipIf(!hasPostgres)('the receipt of an erasure', { timeout: 120_000 }, () => {
  let database: TeamDatabase
  let anna: Member
  let ben: Member
  const teamOf = async (): Promise<TeamErasure | undefined> => (await anna.console.get('erasure.receipts'))[0]?.team
  const statesOf = async (): Promise<readonly string[]> =>
    (await teamOf())?.installations.map(({ name, state }) => `${name}: ${state}`) ?? []
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    await createTeam(anna, database)
    await admit(anna, ben, database)
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end()])
    await database?.end()
  })

  test('says that the team does not know of it while nothing is shared', async () => {
    await checked(anna.console, 'PRACTICE-before')
    await anna.console.get('erasure.run', {
      applicantId: 'PRACTICE-before',
      confirmation: 'PRACTICE-before',
      reason: 'asked for'
    })
    await expect
      .poll(teamOf, patient)
      .toEqual({ shared: false, installations: [expect.objectContaining({ name: 'Ben Okoro', state: 'pending' })] })
  })

  test('lists who has acknowledged it, and who is away', async () => {
    for (const one of [anna, ben]) await one.console.get('team.share', { kept: [] })
    await checked(anna.console, 'PRACTICE-gone')
    await expect.poll(async () => (await colleaguesOf(ben, 'PRACTICE-gone')).length, patient).toBe(1)
    await ben.console.close()
    await anna.console.get('erasure.run', {
      applicantId: 'PRACTICE-gone',
      confirmation: 'PRACTICE-gone',
      reason: 'asked for'
    })
    await expect.poll(async () => (await teamOf())?.shared, patient).toBe(true)
    expect(await statesOf()).toEqual(['Ben Okoro: pending'])
    await ben.again()
    await expect.poll(() => colleaguesOf(ben, 'PRACTICE-gone'), patient).toEqual([])
    await expect.poll(statesOf, patient).toEqual(['Ben Okoro: acknowledged'])
    const receipts = await anna.console.get('erasure.receipts')
    // The one that nobody was told of at first went with it.
    expect(receipts.map(({ team }) => team?.installations[0]?.state)).toEqual(['acknowledged', 'acknowledged'])
    expect(receipts[0]?.team?.installations[0]?.at).toBeGreaterThan(receipts[0]?.at ?? 0)
    // The file says the same, and the events name nobody.
    const path = (anna.console.save = anna.console.fileAt('receipt.json'))
    await anna.console.get('erasure.saveReceipt', { id: receipts[0]?.id ?? '' })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      format: 'veridesk-erasure-receipt',
      team: { shared: true, installations: [{ name: 'Ben Okoro', state: 'acknowledged' }] }
    })
  })

  test('keeps who has acknowledged it without the database, and names a member who was removed before', async () => {
    await checked(anna.console, 'PRACTICE-last')
    await expect.poll(async () => (await colleaguesOf(ben, 'PRACTICE-last')).length, patient).toBe(1)
    await ben.console.close()
    await anna.console.get('erasure.run', {
      applicantId: 'PRACTICE-last',
      confirmation: 'PRACTICE-last',
      reason: 'asked for'
    })
    await expect.poll(async () => (await teamOf())?.shared, patient).toBe(true)
    const [, other] = (await anna.console.get('team.exchange'))?.members ?? []
    await anna.console.get('team.remove', { installation: other?.installation ?? '', name: 'Ben Okoro' })
    await expect.poll(statesOf, patient).toEqual(['Ben Okoro: removed'])
    await database.postgres.stop()
    const receipts = await anna.console.get('erasure.receipts')
    expect(receipts.map(({ team }) => team?.installations[0]?.state)).toEqual([
      'removed',
      'acknowledged',
      'acknowledged'
    ])
    await database.postgres.start()
    await ben.again()
  })
})

describe.skipIf(!hasPostgres)('retention', { timeout: 120_000 }, () => {
  let database: TeamDatabase
  let anna: Member
  let ben: Member
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    await createTeam(anna, database)
    await admit(anna, ben, database)
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end()])
    await database?.end()
  })

  test('takes what a colleague shared of the same applicants from this computer at once, as an erasure on request does', async () => {
    for (const one of [anna, ben]) {
      await checked(one.console, 'PRACTICE-past')
      await one.console.get('team.share', { kept: [] })
    }
    await expect.poll(async () => (await colleaguesOf(anna, 'PRACTICE-past')).length, patient).toBe(1)
    // Nothing else can take it away.
    await database.postgres.stop()
    await anna.console.get('settings.change', { retentionDays: { '*': 1 } })
    anna.console.ahead = 2 * day
    const { digest, subjects } = await anna.console.get('retention.plan')
    expect(subjects).toBe(1)
    await anna.console.get('retention.run', { digest, reason: 'past its days' })
    expect(await colleaguesOf(anna, 'PRACTICE-past')).toEqual([])
    anna.console.ahead = 0
    await database.postgres.start()
  })

  test.each(['relationship', 'newest-record'] as const)(
    'and an erasure leave alone whom a colleague retains, and name them: by the %s',
    async (retentionFrom) => {
      const [held, kept, gone] = ['HELD', 'KEPT', 'GONE'].map((name) => `PRACTICE-${name}-${retentionFrom}`) as [
        string,
        string,
        string
      ]
      const over = { state: 'ended', on: '2020-03-31', note: '' } as const
      for (const one of [anna, ben])
        for (const id of [held, kept, gone]) {
          one.console.ahead = one === ben && id === kept ? 3 * day : 0
          await checked(one.console, id)
          await one.console.get('applicants.relate', { applicantId: id, ...over })
        }
      await ben.console.get('applicants.relate', { applicantId: kept, ...over, state: 'active' })
      await ben.console.get('holds.place', { applicantId: held, reason: 'a case' })
      ben.console.ahead = 0
      await expect
        .poll(async () => [(await colleaguesOf(anna, held)).length, (await colleaguesOf(anna, kept)).length], patient)
        .toEqual([3, 3])
      await anna.console.get('settings.change', { retentionFrom, retentionYears: 5, retentionDays: { '*': 1 } })
      anna.console.ahead = 2 * day
      const { lines, digest } = await anna.console.get('retention.plan')
      const shown = lines.filter(({ applicantId }) => applicantId?.endsWith(retentionFrom))
      expect(new Map(shown.map(({ applicantId, ...line }) => [applicantId, line.colleague]))).toEqual(
        new Map([
          [held, 'Ben Okoro'],
          [kept, 'Ben Okoro'],
          [gone, undefined]
        ])
      )
      await anna.console.get('retention.run', { digest, reason: 'past its time' })
      anna.console.ahead = 0
      expect(await anna.console.get('erasure.preview', { applicantId: held })).toMatchObject({ heldBy: 'Ben Okoro' })
      const order = { applicantId: held, confirmation: held, reason: 'asked for' }
      expect(await anna.console.ask('erasure.run', order)).toMatchObject({
        failure: { code: 'erasure-held-in-team', details: { colleague: 'Ben Okoro' } }
      })
      expect(await anna.console.ask('erasure.preview', { applicantId: gone })).toMatchObject({
        failure: { code: 'applicant-missing' }
      })
      await ben.console.get('holds.lift', { applicantId: held, reason: 'its end' })
      await expect.poll(async () => (await colleaguesOf(anna, held)).length, patient).toBe(4)
      expect(await anna.console.ask('erasure.run', order)).toMatchObject({ ok: true })
    }
  )
})

describe.skipIf(!hasPostgres)('a backup of the database', { timeout: 120_000 }, () => {
  let database: TeamDatabase
  const all: Exchanging[] = []
  const sql = (text: string): string => database.postgres.sql(text, 'team').trim()
  beforeAll(async () => {
    database = await startTeamDatabase()
  }, 60_000)
  afterAll(async () => {
    for (const one of all) await one.close()
    for (const { one } of all) rmSync(one.folder, { recursive: true, force: true })
    await database?.end()
  })

  const partsOf = ({ folder, secrets, file }: Installation) =>
    ({
      dataFolder: folder,
      keychain: secrets,
      clock,
      auditTrail: { note: async () => undefined },
      files: createChosenFiles(folder),
      chooseSavePath: async () => file
    }) as unknown as Parameters<typeof renewTeamKeys>[0]

  /** Whether keys of a backup open with everything that members have now: each of their mailbox keys and every box. */
  async function opened(): Promise<number> {
    const [first] = all
    const { team, epochs } = valueOf(
      await withRoster(partsOf(first!.one), async ({ roster }) => ({ ok: true, value: roster }))
    )
    const rows = (text: string): readonly string[][] =>
      sql(text)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split('|'))
    const boxes = rows(
      `SELECT epoch, encode(installation, 'hex'), encode(box, 'hex') FROM backup.grant_box UNION SELECT epoch, encode(installation, 'hex'), encode(box, 'hex') FROM veridesk.grant_box`
    )
    const vaults: VaultKey[] = []
    for (const { one } of all) {
      const { mailbox, next } = valueOf(await readSecrets(one.secrets, one.installation))
      for (const key of [mailbox, next])
        for (const [number, installation, box] of boxes) {
          const epoch = epochs[Number(number) - 1]
          const found =
            key && epoch && installation === one.installation
              ? openBox(Buffer.from(box ?? '', 'hex'), { team, installation }, key, epoch)
              : undefined
          if (found?.ok) vaults.push(found.value)
        }
    }
    const wrapped = rows(
      `SELECT encode(tag, 'hex'), encode(wrapped, 'hex') FROM backup.subject_key WHERE wrapped IS NOT NULL`
    )
    expect(wrapped.length).toBeGreaterThan(0)
    return wrapped.filter(([tag, key]) =>
      vaults.some((vault) => unwrapSubjectKey(Buffer.from(key ?? '', 'hex'), { team, tag: tag ?? '' }, vault).ok)
    ).length
  }

  test('has no key of an erased applicant that members can open, once there are new keys', async () => {
    const founder = await installed(database, 'Anna Weber')
    valueOf(await founder.team.create({ name: 'Anna Weber', database: addressOf(database) }))
    const invited = valueOf(await founder.team.invite())
    const second = await installed(database, 'Ben Okoro')
    valueOf(
      await founder.team.admit({
        ...(await requestOf(second, readFileSync(founder.file, 'utf8'), invited?.words ?? '')),
        role: 'reviewer'
      })
    )
    const [anna, ben] = [await exchanging(founder), await exchanging(second)]
    all.push(anna, ben)
    Object.assign(anna.parts, {
      renewing: { rank: 0, begin: (epoch: number) => renewTeamKeys(partsOf(founder), epoch) }
    })
    await anna.check('APP-1')
    await ben.check('APP-2')
    for (const one of [anna, ben, anna]) await one.settle()
    sql(
      'CREATE SCHEMA backup; CREATE TABLE backup.subject_key AS TABLE veridesk.subject_key; CREATE TABLE backup.grant_box AS TABLE veridesk.grant_box'
    )

    const { people } = valueOf(await anna.store.erasure.scope('APP-1'))
    valueOf(
      await anna.store.erasure.erase({
        at: clock.now(),
        operator: 'tester',
        reason: 'Requested',
        cause: 'request',
        subjects: people
      })
    )
    for (const one of [anna, ben, anna]) await one.settle()
    // Until then, it has: this is why there are new keys.
    expect(await opened()).toBe(Number(sql('SELECT count(*) FROM backup.subject_key')))
    const later = clock.now() + 2 * day
    expect(valueOf(await anna.round(0, later))).toMatchObject({ outdated: true })
    // Each replaces its mailbox key when it learns of them, and wraps the keys of the others anew.
    for (const one of [anna, ben]) await one.refresh()
    for (const one of [anna, ben]) await one.settle()
    expect(await opened()).toBe(0)
    expect(ben.received.subjects.find({ installation: founder.installation, number: people[0] ?? 0 })).toEqual({
      closed: 'erased'
    })
    expect(anna.received.subjects.find({ installation: second.installation, number: 1 })).toMatchObject({
      applicant: 'APP-2'
    })
    // Nothing is erased that no epoch follows: no other one begins.
    expect(valueOf(await anna.round(0, later + 2 * day))).toMatchObject({ outdated: false })
    expect(sql('SELECT max(epoch) FROM veridesk.grant_box')).toBe('2')
    // Somebody who joins later reads what is left.
    const third = await installed(database, 'Carla Diaz')
    valueOf(
      await founder.team.admit({
        ...(await requestOf(third, readFileSync(founder.file, 'utf8'), invited?.words ?? '')),
        role: 'analyst'
      })
    )
    const carla = await exchanging(third)
    all.push(carla)
    await anna.refresh()
    await carla.settle()
    expect(carla.received.subjects.find({ installation: second.installation, number: 1 })).toMatchObject({
      applicant: 'APP-2'
    })
    expect(carla.received.subjects.find({ installation: founder.installation, number: people[0] ?? 0 })).toEqual({
      closed: 'erased'
    })
  })
})
