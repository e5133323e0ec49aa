/** Many decisions in a team: what a colleague has decided is left out by name, and decided by who sees both. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Decision } from '#contract/applicants/applicants.ts'
import { checked } from './support/acts.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { admit, createTeam, member, type Member } from './support/team-consoles.ts'

const patient = { timeout: 30_000 }
const ids = ['PRACTICE-1', 'PRACTICE-2', 'PRACTICE-3', 'PRACTICE-4']
const [declined = '', escalated = '', claimed = '', free = ''] = ids
let database: TeamDatabase
let anna: Member
let ben: Member

const decide = async (
  { console }: Member,
  applicantId: string,
  decision: Decision,
  known: [string, number][] = []
): Promise<void> => {
  const { evidence } = await console.get('applicants.show', { applicantId })
  await console.get('decisions.make', {
    ...{ applicantId, decision, reasons: ['identity-not-matched'], note: 'looked at', evidence },
    known
  })
}
const atColleagues = async () =>
  (await anna.console.get('team.claims', { applicantIds: ids, recordIds: [] }))?.applicants ?? {}
const prepared = () => anna.console.get('decisions.prepare', { applicantIds: ids, decision: 'approve', share: 0 })
const stateOf = async (applicantId: string) => (await anna.console.get('applicants.show', { applicantId })).state

describe.skipIf(!hasPostgres)('many decisions in a team', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    await createTeam(anna, database)
    await admit(anna, ben, database)
    for (const { console } of [anna, ben]) {
      await console.get('practice.start')
      await console.get('team.share', { kept: [] })
      for (const id of ids) await checked(console, id)
    }
    const { messages } = await anna.console.get('catalogue.list', { limit: 50, merge: false })
    const readings = messages.map(({ id }) => ({ id, means: 'good' as const, note: '' }))
    await anna.console.get('catalogue.read', { readings })
    await anna.console.get('settings.change', { sampleMinimumShare: 0 })
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end()])
    await database?.end()
  })

  test('leave out whom a colleague has decided or has, also since the set was shown', async () => {
    const before = await prepared()
    expect(before.applicants.map(({ applicantId }) => applicantId)).toEqual(ids)
    await decide(ben, declined, 'decline')
    await decide(ben, escalated, 'escalate')
    await ben.console.get('queue.assign', { applicantId: claimed, assignee: 'Ben Okoro' })
    await expect
      .poll(async () => {
        const known = await atColleagues()
        return [
          known[declined]?.decision?.decision,
          known[escalated]?.decision?.decision,
          known[claimed]?.claim?.member
        ]
      }, patient)
      .toEqual(['decline', 'escalate', 'Ben Okoro'])
    const leftOut = [
      { applicantId: declined, why: 'colleague-decided' },
      { applicantId: escalated, why: 'colleague-decided' },
      { applicantId: claimed, why: 'claimed' }
    ]
    expect(await prepared()).toMatchObject({ applicants: [{ applicantId: free }], leftOut })
    const draft = { decision: 'approve' as const, reasons: ['documents-in-order'], note: 'all' }
    const set = { id: randomUUID(), seed: before.seed, share: 0 }
    const made = await anna.console.get('decisions.makeMany', { set, applicants: [...before.applicants], ...draft })
    expect(made).toEqual({ decided: 1, proposed: 0, leftOut })
    expect(await Promise.all(ids.map(stateOf))).toEqual(['none', 'none', 'none', 'approve'])
  })

  test('take them again once somebody who saw the colleague’s decision has decided anew', async () => {
    const { decision } = (await atColleagues())[escalated] ?? {}
    // Handed on here as well: from then on it is a case of this installation alone.
    await decide(anna, escalated, 'escalate', [[decision?.installation ?? '', decision?.seq ?? 0]])
    await expect.poll(async () => (await atColleagues())[escalated]?.decision, patient).toBeUndefined()
    expect((await prepared()).applicants).toMatchObject([{ applicantId: escalated }])
  })
})
