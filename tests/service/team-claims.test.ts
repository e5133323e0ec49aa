/** Claims between two whole consoles with a real database: who is first, offline, hand-over, release, removal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EntryClaim, TeamQueueEntry } from '#contract/team/queue.ts'
import { checked } from './support/acts.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { admit, createTeam, member, type Member } from './support/team-consoles.ts'

const patient = { timeout: 30_000 }
let database: TeamDatabase
let anna: Member
let ben: Member
const visit = { limit: 50 } as const
const queueOf = async ({ console }: Member): Promise<readonly TeamQueueEntry[]> =>
  (await console.get('team.queue', visit))?.entries ?? []
const waits = async (one: Member, applicantId: string): Promise<TeamQueueEntry | undefined> =>
  (await queueOf(one)).find((each) => each.applicantId === applicantId)
const claimsOf = async ({ console }: Member) =>
  console.get('team.claims', { applicantIds: ['PRACTICE-1', 'PRACTICE-2', 'PRACTICE-3'], recordIds: [] })
const claimOf = async (one: Member, applicantId: string): Promise<EntryClaim | undefined> =>
  (await claimsOf(one))?.applicants[applicantId]
/** Both see the same holder, and that it is certain. */
const settled = async (applicantId: string, name: string | undefined): Promise<void> => {
  for (const one of [anna, ben])
    await expect
      .poll(async () => {
        const claim = (await claimOf(one, applicantId))?.claim
        return claim && [claim.member, claim.tentative ?? false]
      }, patient)
      .toEqual(name && [name, false])
}
const lostOf = async (one: Member): Promise<unknown> =>
  (await claimsOf(one))?.lost.map(({ applicantId, holder }) => [applicantId, holder.member])

describe.skipIf(!hasPostgres)('the work queue of a team', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end()])
    await database?.end()
  })

  test('is none without a team', async () => {
    expect(await anna.console.get('team.queue', visit)).toBeNull()
    expect(await claimsOf(anna)).toBeNull()
    expect(
      await anna.console.ask('queue.assign', {
        of: { installation: 'ab'.repeat(16), kind: 'applicant', number: 1 },
        assignee: 'Anna'
      })
    ).toMatchObject({ failure: { code: 'team-missing' } })
  })

  test('shows what waits at colleagues and not here', async () => {
    await createTeam(anna, database)
    await admit(anna, ben, database)
    // A practice service that is added after the choice is not shared.
    await anna.console.get('practice.start')
    await anna.console.get('team.share', { kept: [] })
    await ben.console.get('team.share', { kept: [] })
    await checked(anna.console, 'PRACTICE-1')
    await checked(anna.console, 'PRACTICE-2')
    await expect
      .poll(
        async () => (await queueOf(ben)).map(({ applicantId, kind, member: name }) => [applicantId, kind, name]),
        patient
      )
      .toEqual([
        ['PRACTICE-1', 'open', 'Anna Weber'],
        ['PRACTICE-2', 'open', 'Anna Weber']
      ])
    expect(await queueOf(anna)).toEqual([])
  })

  test('gives an entry to the first claim, at its own installation or elsewhere', async () => {
    const entry = (await waits(ben, 'PRACTICE-1'))?.entry
    await ben.console.get('queue.assign', { of: entry, assignee: 'Ben Okoro' })
    await settled('PRACTICE-1', 'Ben Okoro')
    await anna.console.get('queue.assign', { applicantId: 'PRACTICE-1', assignee: 'Anna Weber' })
    await expect.poll(() => lostOf(anna), patient).toEqual([['PRACTICE-1', 'Ben Okoro']])
    await settled('PRACTICE-1', 'Ben Okoro')
    expect((await claimOf(anna, 'PRACTICE-1'))?.lostAt).toBeGreaterThan(0)
    // Removing the claim that came too late ends the notice, and takes nothing from who was first.
    await anna.console.get('queue.assign', { applicantId: 'PRACTICE-1', assignee: null, late: true })
    await expect.poll(() => lostOf(anna), patient).toEqual([])
    await settled('PRACTICE-1', 'Ben Okoro')
  })

  test('takes hand-overs and releases from who has it, and from a supervisor', async () => {
    const state = await anna.console.get('team.state')
    await ben.console.get('queue.assign', {
      of: (await waits(ben, 'PRACTICE-1'))?.entry,
      assignee: 'Anna Weber',
      to: state?.installation
    })
    await settled('PRACTICE-1', 'Anna Weber')
    await anna.console.get('queue.assign', { applicantId: 'PRACTICE-1', assignee: null })
    await settled('PRACTICE-1', undefined)
    await ben.console.get('queue.assign', { of: (await waits(ben, 'PRACTICE-1'))?.entry, assignee: 'Ben Okoro' })
    await settled('PRACTICE-1', 'Ben Okoro')
    expect((await claimsOf(anna))?.supervises).toBe(true)
    await anna.console.get('queue.assign', { applicantId: 'PRACTICE-1', assignee: null })
    await settled('PRACTICE-1', undefined)
  })

  test('calls a claim tentative while the database is gone, and tells who was too late', async () => {
    const entry = (await waits(ben, 'PRACTICE-2'))?.entry
    await database.postgres.stop()
    await anna.console.get('queue.assign', { applicantId: 'PRACTICE-2', assignee: 'Anna Weber' })
    await ben.console.get('queue.assign', { of: entry, assignee: 'Ben Okoro' })
    for (const [one, name] of [
      [anna, 'Anna Weber'],
      [ben, 'Ben Okoro']
    ] as const)
      expect((await claimOf(one, 'PRACTICE-2'))?.claim).toMatchObject({ member: name, own: true, tentative: true })
    await database.postgres.start()
    // One of the two is first, and both know which.
    await expect
      .poll(
        async () => [
          (await claimOf(anna, 'PRACTICE-2'))?.claim?.tentative,
          (await claimOf(ben, 'PRACTICE-2'))?.claim?.tentative
        ],
        { timeout: 60_000 }
      )
      .toEqual([undefined, undefined])
    await expect
      .poll(
        async () =>
          [(await claimOf(anna, 'PRACTICE-2'))?.claim?.member, (await claimOf(ben, 'PRACTICE-2'))?.claim?.member].every(
            (name, _, [first]) => name !== undefined && name === first
          ),
        patient
      )
      .toBe(true)
    const winner = (await claimOf(anna, 'PRACTICE-2'))?.claim?.member
    const loser = winner === 'Anna Weber' ? ben : anna
    await expect.poll(() => lostOf(loser), patient).toEqual([['PRACTICE-2', winner]])
    expect(await lostOf(loser === ben ? anna : ben)).toEqual([])
    expect(database.postgres.sql('SELECT count(*) FROM veridesk.claim_order', 'team').trim()).not.toBe('0')
  })

  test('frees what a removed member had', async () => {
    await checked(anna.console, 'PRACTICE-3')
    await expect.poll(() => waits(ben, 'PRACTICE-3'), patient).toBeDefined()
    await ben.console.get('queue.assign', { of: (await waits(ben, 'PRACTICE-3'))?.entry, assignee: 'Ben Okoro' })
    await settled('PRACTICE-3', 'Ben Okoro')
    const { installation = '' } = (await ben.console.get('team.state')) ?? {}
    await anna.console.get('team.remove', { installation, name: 'Ben Okoro' })
    await expect.poll(async () => (await claimOf(anna, 'PRACTICE-3'))?.claim, patient).toBeUndefined()
    await anna.console.get('queue.assign', { applicantId: 'PRACTICE-3', assignee: 'Anna Weber' })
    await expect
      .poll(async () => (await claimOf(anna, 'PRACTICE-3'))?.claim, patient)
      .toMatchObject({ member: 'Anna Weber', own: true })
  })
})
