/** An installation that goes from one team to another has its batches with it, and runs none of them there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CredentialId } from '#contract/connections/credentials.ts'
import { colleaguesBatch, ownBatch } from './support/team-batch-acts.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { createTeam, member, type Member } from './support/team-consoles.ts'

const otherTeam = { failure: { code: 'team-batch-unusable', details: { reason: 'team' } } }
let before: TeamDatabase
let now: TeamDatabase
let anna: Member

describe.skipIf(!hasPostgres)('an installation in another team', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    before = await startTeamDatabase()
    now = await startTeamDatabase()
    anna = await member('Anna Weber')
  }, 120_000)
  afterAll(async () => {
    await anna?.end()
    await Promise.all([before?.end(), now?.end()])
  })

  test('runs no batch that was shared in the first one, its own or a colleague’s', async () => {
    const { console } = anna
    const theirs = await colleaguesBatch(console, before)
    await console.get('teamBatches.takeOver', theirs)
    const own = await ownBatch(console)
    await console.get('teamBatches.share', own)
    for (const { id } of [theirs, own]) {
      const { connection } = await console.get('batches.show', { id })
      for (const [credential, value] of Object.entries(console.practice.credentials))
        await console.get('credentials.set', {
          connectionId: connection.id,
          credential: credential as CredentialId,
          value
        })
    }
    await console.get('team.leave')
    for (const { id } of [theirs, own])
      expect(await console.ask('batches.start', { id })).toMatchObject({ failure: { code: 'team-missing' } })
    await createTeam(anna, now)
    await console.get('team.share', { kept: [] })
    const calls = console.practice.ledger().length
    for (const { id } of [theirs, own]) {
      expect(await console.ask('batches.start', { id })).toMatchObject(otherTeam)
      expect(await console.ask('teamBatches.progress', { id })).toMatchObject(otherTeam)
      expect((await console.get('batches.show', { id })).state).toBe('made')
    }
    expect(await console.ask('teamBatches.takeOver', theirs)).toMatchObject(otherTeam)
    expect(await console.get('teamBatches.list')).toEqual([])
    expect(now.postgres.sql('SELECT count(*) FROM veridesk.runner', 'team').trim()).toBe('0')
    expect(console.practice.ledger()).toHaveLength(calls)
  })
})
