/** A decision that needs a second person has the same state at all installations of a team: three whole consoles at a real database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checked } from './support/acts.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { admit, colleaguesOf, createTeam, member, type Member } from './support/team-consoles.ts'

const patient = { timeout: 30_000 }
const day = 24 * 60 * 60_000

describe.skipIf(!hasPostgres)('a proposed decision in a team of three', { timeout: 120_000 }, () => {
  let database: TeamDatabase
  let anna: Member
  let ben: Member
  let cara: Member
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    cara = await member('Cara Diaz')
    await createTeam(anna, database)
    await admit(anna, ben, database)
    await admit(anna, cara, database)
    for (const one of [anna, ben, cara]) {
      await one.console.get('practice.start')
      await one.console.get('team.share', { kept: [] })
    }
    await ben.console.get('settings.change', { requireApproval: { approve: 'low' } })
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end(), cara?.end()])
    await database?.end()
  })

  const decide = async (
    { console }: Member,
    applicantId: string,
    decision: 'approve' | 'decline' = 'approve'
  ): Promise<void> => {
    await checked(console, applicantId)
    const { evidence } = await console.get('applicants.show', { applicantId })
    const standing = await console.get('team.applicant', { applicantId, limit: 1 })
    await console.get('decisions.make', {
      applicantId,
      decision,
      reasons: ['reviewed-by-hand'],
      note: 'Seen',
      evidence,
      known: (standing?.decisions ?? []).flatMap(({ installation, seq }) =>
        installation === undefined ? [] : [[installation, seq] as const]
      )
    })
  }
  const request = async ({ console }: Member, applicantId: string) =>
    (await console.get('team.approvals', { applicantId, limit: 1 }))?.approvals[0]
  const answer = async (one: Member, applicantId: string, agrees: boolean): Promise<void> => {
    await expect.poll(async () => (await request(one, applicantId))?.state, patient).toBe('waiting')
    const { installation = '', seq = 0 } = (await request(one, applicantId)) ?? {}
    const note = agrees ? '' : 'Another face'
    expect(await one.console.ask('team.answerApproval', { applicantId, installation, seq, agrees, note })).toEqual({
      ok: true,
      value: null
    })
  }
  /** What a colleague sees of the decision that stands, and of its entry among what colleagues did. */
  const seen = async (one: Member, applicantId: string) => {
    const found = await one.console.get('team.applicant', { applicantId, limit: 20 })
    const entry = (await colleaguesOf(one, applicantId)).find(({ what }) => what.kind === 'decision')?.what
    const standing = found?.decisions[0]
    return [
      standing && { agrees: standing.agrees, outdated: standing.outdated },
      entry?.kind === 'decision' ? entry.agrees : 'none'
    ]
  }
  /** Decisions at an installation: among the figures, and in the overview of the team as those of Ben. */
  const counted = async ({ console }: Member) => {
    const figures = await console.get('overview.decisions', {
      period: { edges: [Date.now() - day, Date.now() + day], offsets: [{ from: 0, minutes: 0 }] },
      before: { from: 0, until: 0 }
    })
    return figures.kind === 'counted' ? figures.decided : undefined
  }
  const inTeam = async () => {
    const found = await anna.console.get('team.overview', { from: Date.now() - day, until: Date.now() + day })
    return found?.installations.find(({ name }) => name === 'Ben Okoro')?.decisions
  }

  test('is approved and returned at colleagues who neither asked nor answered, and counts only then', async () => {
    await decide(ben, 'PRACTICE-agreed')
    await decide(ben, 'PRACTICE-returned')
    for (const one of [anna, cara])
      for (const id of ['PRACTICE-agreed', 'PRACTICE-returned'])
        await expect.poll(() => seen(one, id), patient).toEqual([{ agrees: undefined, outdated: undefined }, undefined])
    for (const one of [anna, cara]) expect(await counted(one)).toBe(0)
    expect(await inTeam()).toBe(0)
    await answer(anna, 'PRACTICE-agreed', true)
    await answer(anna, 'PRACTICE-returned', false)
    for (const one of [anna, cara]) {
      await expect
        .poll(() => seen(one, 'PRACTICE-agreed'), patient)
        .toEqual([{ agrees: true, outdated: undefined }, true])
      await expect
        .poll(() => seen(one, 'PRACTICE-returned'), patient)
        .toEqual([{ agrees: false, outdated: undefined }, false])
      await expect.poll(() => counted(one), patient).toBe(1)
    }
    expect(await inTeam()).toBe(1)
  })

  test('has the same state at an installation that gets its events later', async () => {
    await cara.console.close()
    await decide(ben, 'PRACTICE-later')
    await answer(anna, 'PRACTICE-later', true)
    await cara.again()
    for (const one of [anna, cara])
      await expect
        .poll(() => seen(one, 'PRACTICE-later'), patient)
        .toEqual([{ agrees: true, outdated: undefined }, true])
    await expect.poll(() => counted(cara), patient).toBe(2)
    // Newer evidence ends it, and changes no figure.
    await checked(cara.console, 'PRACTICE-later')
    for (const one of [anna, cara])
      await expect.poll(() => seen(one, 'PRACTICE-later'), patient).toEqual([{ agrees: true, outdated: true }, true])
    expect(await counted(anna)).toBe(2)
  })

  test('has the same state at an installation that joins later', async () => {
    const dora = await member('Dora Lang')
    try {
      await admit(anna, dora, database)
      await dora.console.get('practice.start')
      await dora.console.get('team.share', { kept: [] })
      await expect
        .poll(() => seen(dora, 'PRACTICE-agreed'), patient)
        .toEqual([{ agrees: true, outdated: undefined }, true])
      await expect
        .poll(() => seen(dora, 'PRACTICE-returned'), patient)
        .toEqual([{ agrees: false, outdated: undefined }, false])
      await expect.poll(() => counted(dora), patient).toBe(2)
    } finally {
      await dora.end()
    }
  })

  test('replaces a colleague’s decision once a second person agrees, and not before', async () => {
    const standing = async (one: Member) => {
      const found = await one.console.get('team.applicant', { applicantId: 'PRACTICE-differs', limit: 20 })
      return [found?.decisions.map(({ decision, agrees }) => [decision, agrees]), found?.conflict]
    }
    await decide(cara, 'PRACTICE-differs', 'decline')
    await expect.poll(() => standing(ben), patient).toEqual([[['decline', undefined]], false])
    await decide(ben, 'PRACTICE-differs')
    const both = [
      ['decline', undefined],
      ['approve', undefined]
    ]
    for (const one of [anna, ben, cara]) await expect.poll(() => standing(one), patient).toEqual([both, false])
    await answer(anna, 'PRACTICE-differs', true)
    for (const one of [anna, cara])
      await expect.poll(() => standing(one), patient).toEqual([[['approve', true]], false])
    await expect.poll(() => standing(ben), patient).toEqual([[['approve', undefined]], false])
  })
})
