/** A backup from before a batch was shared: the team may have sent any of its rows since. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isHeld } from '#contract/batches/held-batches.ts'
import { ownBatch } from './support/team-batch-acts.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { createTeam, member, type Member } from './support/team-consoles.ts'

let database: TeamDatabase
let anna: Member

describe.skipIf(!hasPostgres)('a history that is restored', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    await createTeam(anna, database)
  }, 120_000)
  afterAll(async () => {
    await anna?.end()
    await database?.end()
  })

  test('holds the rows of a batch that was shared since, and does not share it again', async () => {
    const { console } = anna
    const { id } = await ownBatch(console)
    const backup = await console.get('backups.create')
    expect(await console.get('teamBatches.share', { id })).toMatchObject({ counts: { shared: 2, waiting: 0 } })
    expect(await console.get('backups.restore', { id: backup.id })).toMatchObject({
      held: { known: true, batches: 1, rows: 2 }
    })
    const held = await console.get('batches.show', { id })
    expect(held).toMatchObject({ state: 'stopped', unresolved: 2, counts: { unknown: 2, waiting: 0 } })
    expect(isHeld(held)).toBe(true)
    expect(await console.ask('teamBatches.share', { id })).toMatchObject({
      ok: false,
      failure: { code: 'batch-restored', details: { rows: 2 } }
    })
    // Nor once its rows are resolved, until a person has confirmed by resuming it.
    await console.get('batches.resolve', { id, as: 'again' })
    const { events } = await console.get('audit.page', { groups: ['batches'], limit: 1 })
    expect(await console.ask('teamBatches.share', { id })).toMatchObject({
      ok: false,
      failure: { code: 'batch-restored' }
    })
    expect((await console.get('audit.page', { groups: ['batches'], limit: 1 })).events).toEqual(events)
  })
})
