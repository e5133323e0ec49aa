/** A computer whose clock is not the one of the team's database: a real database that lives a day earlier or later. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checked } from './support/acts.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { admit, colleaguesOf, createTeam, member, type Member } from './support/team-consoles.ts'
import { said } from '../said.ts'

const patient = { timeout: 30_000 }
const hour = 3_600_000
const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

describe.skipIf(!hasPostgres || !existsSync(faketime))('clocks in a team', { timeout: 120_000 }, () => {
  let database: TeamDatabase
  let anna: Member
  let ben: Member
  let connectionId = ''
  const clockOf = async ({ console }: Member) => (await console.get('team.exchange'))?.clock
  /** Starts the database again, so many hours away from this computer. */
  async function moved(hours: number): Promise<void> {
    await database.postgres.stop()
    const before = { ...process.env }
    Object.assign(process.env, {
      LD_PRELOAD: faketime,
      FAKETIME: `${hours < 0 ? '' : '+'}${hours}h`,
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1'
    })
    await database.postgres.start().finally(() => {
      for (const name of ['LD_PRELOAD', 'FAKETIME', 'DONT_FAKE_MONOTONIC', 'FAKETIME_DONT_FAKE_MONOTONIC']) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    })
  }
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    await createTeam(anna, database)
    await admit(anna, ben, database)
    for (const { console } of [anna, ben]) {
      await console.get('practice.start')
      await console.get('team.share', { kept: [] })
    }
    const { baseUrl, credentials } = anna.console.practice
    connectionId = (
      await ben.console.get('connections.save', {
        name: 'The same service',
        baseUrl,
        mode: 'sandbox',
        colour: 'blue',
        mark: 'S'
      })
    ).connection.id
    for (const [credential, value] of Object.entries(credentials))
      await ben.console.get('credentials.set', { connectionId, credential: credential as 'api-key', value })
    // Where a colleague's clock, or one's own, is 30 hours from the other: both are right by their own.
    anna.console.ahead = -30 * hour
    for (const applicant of ['PRACTICE-1', 'PRACTICE-2']) await checked(anna.console, applicant)
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end()])
    await database?.end()
  })
  const run = async (applicant: string) => {
    return ben.console.get('verification.run', {
      runId: crypto.randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: applicant }
    })
  }

  test('nothing is said while they agree, and the guard looks back as far as it is set', async () => {
    await expect.poll(async () => (await colleaguesOf(ben, 'PRACTICE-2')).length, patient).toBeGreaterThan(0)
    expect(await clockOf(ben)).toBeUndefined()
    expect(await run('PRACTICE-1')).toMatchObject({ kind: 'recorded' })
  })

  test('a clock that is ahead of the database is named, and does not silence the guard', async () => {
    await moved(-26)
    await expect.poll(() => clockOf(ben), patient).toMatchObject({ code: 'team-clock', details: { reason: 'ahead' } })
    expect(Number((await clockOf(ben))?.details?.['minutes'])).toBeCloseTo(26 * 60, -1)
    expect(said(await clockOf(ben))).toMatch(
      /^This computer’s clock is 1,5\d\d minutes ahead of the clock of the team’s database\.$/
    )
    expect(await run('PRACTICE-2')).toMatchObject({ kind: 'checked-by-colleague', earlier: { member: 'Anna Weber' } })
  })

  test('one that is behind, too; and no longer, once they agree', async () => {
    await moved(26)
    await expect.poll(() => clockOf(ben), patient).toMatchObject({ code: 'team-clock', details: { reason: 'behind' } })
    await moved(0)
    await expect.poll(() => clockOf(ben), patient).toBeUndefined()
  })
})
