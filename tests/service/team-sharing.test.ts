/** What one console records, its colleagues’ consoles show: two whole consoles, with real workers and a real database. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorkerName } from '#wire/worker-line.ts'
import type { Recipe } from '#contract/verification/saved-recipes.ts'
import { checked } from './support/acts.ts'
import { startTestConsole } from './support/console.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { admit, colleaguesOf, createTeam, member, type Member } from './support/team-consoles.ts'
import { launchWorkers } from './support/workers.ts'

const patient = { timeout: 30_000 }
let database: TeamDatabase
let anna: Member
let ben: Member
const sql = (text: string): string => database.postgres.sql(text, 'team').trim()
const kinds = async (one: Member, applicantId: string): Promise<string[]> =>
  (await colleaguesOf(one, applicantId)).map(({ what }) => what.kind).sort()
const exchangeOf = async ({ console }: Member) => (await console.get('team.exchange')) ?? undefined
const decide = async (
  { console }: Member,
  applicantId: string,
  decision: 'approve' | 'decline',
  known: [string, number][] = []
): Promise<void> => {
  const { evidence } = await console.get('applicants.show', { applicantId })
  await console.get('decisions.make', {
    applicantId,
    decision,
    reasons: ['reviewed-by-hand'],
    note: `because ${decision}`,
    evidence,
    known
  })
}

describe.skipIf(!hasPostgres)('two installations of a team', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    database = await startTeamDatabase()
    // One after the other: they find their keyrings through the environment of this process.
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end()])
    await database?.end()
  })

  test('share nothing before their users have chosen what', async () => {
    await createTeam(anna, database)
    await admit(anna, ben, database)
    await checked(anna.console, 'PRACTICE-pass')
    await expect.poll(async () => (await exchangeOf(anna))?.state, patient).toBe('connected')
    await expect
      .poll(async () => (await exchangeOf(ben))?.members.map(({ name }) => name), patient)
      .toEqual(['Anna Weber', 'Ben Okoro'])
    const state = await exchangeOf(anna)
    expect(state?.toSend).toBeGreaterThan(0)
    expect(state?.members.find(({ own }) => own)).toMatchObject({ events: 0, findings: [] })
    expect(sql('SELECT count(*) FROM veridesk.event')).toBe('0')
    expect((await anna.console.get('team.state'))?.sharing).toBeUndefined()
  })

  test('show each other what they checked, decided and noted, with name and time', async () => {
    await anna.console.get('applicants.note', { applicantId: 'PRACTICE-pass', text: 'Called them back' })
    await decide(anna, 'PRACTICE-pass', 'approve')
    await anna.console.get('team.share', { kept: [] })
    await expect.poll(() => kinds(ben, 'PRACTICE-pass'), patient).toEqual(['check', 'decision', 'note'])
    const entries = await colleaguesOf(ben, 'PRACTICE-pass')
    for (const entry of entries)
      expect(entry).toMatchObject({ member: 'Anna Weber', operator: 'Anna Weber', applicantId: 'PRACTICE-pass' })
    const [record] = (await anna.console.get('history.page', { filter: {}, limit: 1 })).records
    expect(entries.find(({ what }) => what.kind === 'check')?.what).toMatchObject({
      operation: 'get-applicant-details',
      outcome: 'answered',
      status: record?.status,
      message: record?.message
    })
    expect(entries.find(({ what }) => what.kind === 'note')?.what).toEqual({ kind: 'note', text: 'Called them back' })
    expect(entries.find(({ what }) => what.kind === 'decision')?.what).toMatchObject({
      decision: 'approve',
      note: 'because approve'
    })
    expect((await ben.console.get('team.activity', { limit: 10 })).entries).toHaveLength(3)
    // Without a check of its own, the installation has no applicant; the database has no name.
    expect(await ben.console.ask('applicants.show', { applicantId: 'PRACTICE-pass' })).toMatchObject({
      failure: { code: 'applicant-missing' }
    })
    expect(database.postgres.sql('SELECT body::text FROM veridesk.event', 'team')).not.toContain(
      Buffer.from('PRACTICE').toString('hex')
    )
  })

  test('name decisions that were made without knowing of each other, until somebody knows all of them', async () => {
    await checked(anna.console, 'PRACTICE-twice')
    await checked(ben.console, 'PRACTICE-twice')
    await Promise.all([decide(anna, 'PRACTICE-twice', 'approve'), decide(ben, 'PRACTICE-twice', 'decline')])
    await ben.console.get('team.share', { kept: [] })
    for (const one of [anna, ben]) {
      await expect
        .poll(
          async () => (await one.console.get('team.applicant', { applicantId: 'PRACTICE-twice', limit: 10 }))?.conflict,
          patient
        )
        .toBe(true)
      const applicant = await one.console.get('team.applicant', { applicantId: 'PRACTICE-twice', limit: 10 })
      expect(applicant?.decisions.map(({ decision }) => decision)).toEqual(['decline', 'approve'])
    }
    // Who decides without having been shown the other decision replaces nothing.
    await decide(anna, 'PRACTICE-twice', 'approve')
    const shown = await anna.console.get('team.applicant', { applicantId: 'PRACTICE-twice', limit: 10 })
    expect(shown?.conflict).toBe(true)
    await decide(
      anna,
      'PRACTICE-twice',
      'approve',
      shown?.decisions.flatMap(({ installation, seq }) =>
        installation === undefined ? [] : [[installation, seq] as [string, number]]
      )
    )
    for (const one of [anna, ben]) {
      await expect
        .poll(
          async () => (await one.console.get('team.applicant', { applicantId: 'PRACTICE-twice', limit: 10 }))?.conflict,
          patient
        )
        .toBe(false)
      expect(
        (await one.console.get('team.applicant', { applicantId: 'PRACTICE-twice', limit: 10 }))?.decisions
      ).toHaveLength(1)
    }
  })

  test('offer each other the recipes that they share, as they are now', async () => {
    const details = { name: 'Details', operations: ['get-applicant-details'] } as const
    const own = (more: readonly Recipe[]) => anna.console.get('settings.change', { recipes: [details, ...more] })
    const both: Recipe = { name: 'Both', operations: ['validate-kyc-photo', 'get-applicant-details'], shared: true }
    const recipes = () => ben.console.get('team.recipes')
    await own([both])
    await expect
      .poll(recipes, patient)
      .toMatchObject([{ name: 'Both', operations: both.operations, member: 'Anna Weber' }])
    await own([{ ...both, name: 'Two', operations: both.operations.toReversed() }])
    await expect.poll(async () => (await recipes()).map(({ name }) => name), patient).toEqual(['Two'])
    expect(await recipes()).toMatchObject([{ operations: both.operations.toReversed() }])
    // What is not shared is nobody else's, and one's own is not a colleague's.
    expect(await anna.console.get('team.recipes')).toEqual([])
    await own([])
    await expect.poll(recipes, patient).toEqual([])
  })

  test('do not send what a colleague has just sent to the same service', async () => {
    const { baseUrl, credentials } = anna.console.practice
    const same = (
      await ben.console.get('connections.save', {
        name: 'The same service',
        baseUrl,
        mode: 'sandbox',
        colour: 'blue',
        mark: 'S'
      })
    ).connection.id
    for (const [credential, value] of Object.entries(credentials))
      await ben.console.get('credentials.set', { connectionId: same, credential: credential as 'api-key', value })
    const ask = (input: Readonly<Record<string, string>>, repeatAnyway = false) =>
      ben.console.get('verification.run', {
        runId: randomUUID(),
        connectionId: same,
        operation: 'get-applicant-details',
        input,
        ...(repeatAnyway && { repeatAnyway })
      })
    expect(await ask({ applicant_id: 'PRACTICE-pass' })).toMatchObject({
      kind: 'checked-by-colleague',
      earlier: { member: 'Anna Weber', applicantId: 'PRACTICE-pass', what: { kind: 'check', outcome: 'answered' } }
    })
    expect((await ben.console.get('history.page', { filter: {}, limit: 10 })).records).toHaveLength(1)
    expect(await ask({ applicant_id: 'PRACTICE-other' })).toMatchObject({ kind: 'recorded' })
    expect(await ask({ applicant_id: 'PRACTICE-pass' }, true)).toMatchObject({ kind: 'recorded' })
  })

  test('keep what was recorded over a connection that is not shared', async () => {
    const kept = (
      await anna.console.get('connections.save', {
        name: 'Kept',
        baseUrl: anna.console.practice.baseUrl,
        mode: 'sandbox',
        colour: 'teal',
        mark: 'K'
      })
    ).connection.id
    for (const [credential, value] of Object.entries(anna.console.practice.credentials))
      await anna.console.get('credentials.set', { connectionId: kept, credential: credential as 'api-key', value })
    await anna.console.get('team.share', { kept: [kept] })
    const ending = await anna.console.get('verification.run', {
      runId: randomUUID(),
      connectionId: kept,
      operation: 'get-applicant-details',
      input: { applicant_id: 'PRACTICE-kept' },
      repeatAnyway: true
    })
    expect(ending.kind).toBe('recorded')
    await anna.console.get('applicants.note', { applicantId: 'PRACTICE-kept', text: 'Nobody else’s concern' })
    await checked(anna.console, 'PRACTICE-after')
    await expect.poll(() => kinds(ben, 'PRACTICE-after'), patient).toEqual(['check'])
    expect(await colleaguesOf(ben, 'PRACTICE-kept')).toEqual([])
    // A check of a kept connection stays one when it was linked and is not any more, and nobody can choose a connection that is gone.
    const photo = await anna.console.get('verification.run', {
      runId: randomUUID(),
      connectionId: kept,
      operation: 'validate-kyc-photo',
      input: { photo_url: 'https://files.example/p.jpg' },
      repeatAnyway: true
    })
    const recordId = photo.kind === 'recorded' ? photo.record.id : ''
    await anna.console.get('applicants.link', { recordId, applicantId: 'PRACTICE-linked' })
    await anna.console.get('applicants.note', { applicantId: 'PRACTICE-linked', text: 'Still nobody else’s concern' })
    await anna.console.get('applicants.unlink', { recordId })
    await anna.console.get('connections.remove', { id: kept })
    await anna.console.get('team.share', { kept: [] })
    expect((await anna.console.get('team.state'))?.sharing).toEqual({ kept: [kept] })
    await anna.console.get('applicants.note', { applicantId: 'PRACTICE-kept', text: 'Nor is this' })
    await checked(anna.console, 'PRACTICE-last')
    await expect.poll(() => kinds(ben, 'PRACTICE-last'), patient).toEqual(['check'])
    for (const applicantId of ['PRACTICE-kept', 'PRACTICE-linked'])
      expect(await colleaguesOf(ben, applicantId)).toEqual([])
    expect(
      (await ben.console.get('team.activity', { limit: 200 })).entries.filter(({ what }) => what.kind === 'note')
    ).toHaveLength(1)
    // The audit trail is intact all the same.
    await expect.poll(async () => (await exchangeOf(anna))?.toSend, patient).toBe(0)
    expect((await exchangeOf(ben))?.members.flatMap(({ findings }) => findings)).toEqual([])
  })

  test('go on without the database, and share what was recorded meanwhile', async () => {
    await database.postgres.stop()
    await expect.poll(async () => (await exchangeOf(anna))?.state, patient).toBe('offline')
    await checked(anna.console, 'PRACTICE-offline')
    expect(await kinds(ben, 'PRACTICE-pass')).toEqual(['check', 'decision', 'note'])
    await ben.again()
    expect(await kinds(ben, 'PRACTICE-pass')).toEqual(['check', 'decision', 'note'])
    expect((await exchangeOf(ben))?.members.map(({ name }) => name)).toEqual(['Anna Weber', 'Ben Okoro'])
    // An erasure here takes what colleagues shared about the applicant with it at once; theirs follows when they hear of it.
    expect(await kinds(ben, 'PRACTICE-twice')).toContain('decision')
    await ben.console.get('erasure.run', {
      applicantId: 'PRACTICE-twice',
      confirmation: 'PRACTICE-twice',
      reason: 'asked for'
    })
    expect(await colleaguesOf(ben, 'PRACTICE-twice')).toEqual([])
    expect(await kinds(anna, 'PRACTICE-twice')).toContain('decision')
    await database.postgres.start()
    await expect.poll(() => kinds(ben, 'PRACTICE-offline'), patient).toEqual(['check'])
    await expect.poll(() => colleaguesOf(anna, 'PRACTICE-twice'), patient).toEqual([])
    expect((await anna.console.get('applicants.show', { applicantId: 'PRACTICE-twice' })).state).toBe('approve')
  })

  test('no longer show an applicant whom a colleague erased', async () => {
    await checked(anna.console, 'PRACTICE-gone')
    await expect.poll(() => kinds(ben, 'PRACTICE-gone'), patient).toEqual(['check'])
    await anna.console.get('erasure.run', {
      applicantId: 'PRACTICE-gone',
      confirmation: 'PRACTICE-gone',
      reason: 'asked for'
    })
    await expect.poll(async () => (await colleaguesOf(ben, 'PRACTICE-gone')).length, patient).toBe(0)
    expect(
      (await ben.console.get('team.activity', { limit: 50 })).entries.filter(
        ({ applicantId }) => applicantId === 'PRACTICE-gone'
      )
    ).toEqual([])
  })

  test('a removed one shows what it had, and says that it was removed', async () => {
    const own = (await ben.console.get('team.state'))?.installation ?? ''
    await anna.console.get('team.remove', { installation: own, name: 'Ben Okoro' })
    await checked(anna.console, 'PRACTICE-later')
    await expect
      .poll(async () => (await exchangeOf(ben))?.failure, patient)
      .toMatchObject({ code: 'team-change-refused', details: { reason: 'removed' } })
    expect((await exchangeOf(ben))?.state).toBe('stopped')
    expect(await kinds(ben, 'PRACTICE-pass')).toEqual(['check', 'decision', 'note'])
    expect(await colleaguesOf(ben, 'PRACTICE-later')).toEqual([])
    await ben.console.get('team.leave')
    expect(existsSync(join(ben.console.dataFolder, 'team'))).toBe(false)
    expect(await ben.console.get('team.exchange')).toBeNull()
    expect(await ben.console.get('team.applicant', { applicantId: 'PRACTICE-pass', limit: 10 })).toBeNull()
  })
})

test.skipIf(!hasPostgres)(
  'a request to join that is made twice keeps what has arrived readable',
  { timeout: 120_000 },
  async () => {
    const own = await startTeamDatabase()
    const founder = await member('Founder')
    const newcomer = await member('Newcomer')
    await createTeam(founder, own)
    // Cancelled in the dialog: the address of the team stays, and the file is opened.
    own.postgres.sql((await newcomer.console.get('team.access')).sql, 'team')
    founder.console.save = founder.console.fileAt('invitation.json')
    const invited = await founder.console.get('team.invite')
    const order = {
      name: 'Newcomer',
      invitation: await readFile(invited?.path ?? '', 'utf8'),
      words: invited?.words ?? ''
    }
    expect(await newcomer.console.get('team.join', order)).toBeNull()
    await expect.poll(() => existsSync(join(newcomer.console.dataFolder, 'team', 'received.db')), patient).toBe(true)
    await admit(founder, newcomer, own)
    await newcomer.again()
    await expect.poll(async () => (await exchangeOf(newcomer))?.state, patient).toBe('connected')

    // A practice service that is added after the choice is not part of it, until somebody chooses again.
    const sharing = async (): Promise<unknown> => (await founder.console.get('team.state'))?.sharing
    await founder.console.get('team.share', { kept: [] })
    const { id } = await founder.console.get('practice.start')
    expect(await sharing()).toEqual({ kept: [id] })
    await founder.console.get('team.share', { kept: [] })
    await founder.console.get('practice.start')
    expect(await sharing()).toEqual({ kept: [] })
    await Promise.all([founder.end(), newcomer.end()])
    await own.end()
  }
)

test('without a team, its worker is never started', async () => {
  const launched: WorkerName[] = []
  const alone = await startTestConsole(undefined, 'tester', {
    launchWorker: (name) => {
      launched.push(name)
      return launchWorkers(name)
    }
  })
  await checked(alone)
  expect(await alone.get('team.exchange')).toBeNull()
  expect(await alone.get('team.applicant', { applicantId: 'PRACTICE-pass', limit: 10 })).toBeNull()
  expect(launched).not.toContain('team')
  await alone.dispose()
})
