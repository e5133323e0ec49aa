/** Who may run a batch of the team: members who may verify, as long as they are members. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CredentialId } from '#contract/connections/credentials.ts'
import { readRows } from './support/acts.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { admit, createTeam, member, type Member } from './support/team-consoles.ts'

const patient = { timeout: 30_000 }
let database: TeamDatabase
let anna: Member
let ben: Member
const connections = new Map<string, string>()
async function connectionTo({ console }: Member): Promise<string> {
  const { practice } = anna.console
  const { connection } = await console.get('connections.save', {
    name: 'Same service',
    baseUrl: practice.baseUrl,
    mode: 'sandbox',
    colour: 'blue',
    mark: 'S'
  })
  for (const [credential, value] of Object.entries(practice.credentials))
    await console.get('credentials.set', { connectionId: connection.id, credential: credential as CredentialId, value })
  return connection.id
}
/** Shared by Anna, and here at Ben's. */
async function shared(rows: readonly string[]): Promise<string> {
  const order = {
    checkId: await readRows(anna.console, rows),
    connectionId: connections.get(anna.name) ?? '',
    name: 'Rows',
    atOnce: 1,
    pace: 60,
    skipDuplicates: true,
    skipRecent: false
  }
  const { id } = await anna.console.get('batches.create', order)
  await anna.console.get('teamBatches.share', { id })
  await expect
    .poll(async () => (await ben.console.get('teamBatches.list')).map((batch) => batch.id), patient)
    .toContain(id)
  await ben.console.get('teamBatches.takeOver', { id, connectionId: connections.get(ben.name) ?? '' })
  return id
}
const stateAt = (one: Member, id: string) => one.console.get('batches.show', { id })
const installationOf = async ({ console }: Member): Promise<string> =>
  (await console.get('team.state'))?.installation ?? ''

describe.skipIf(!hasPostgres)('a batch of the team is run', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    await createTeam(anna, database)
    await admit(anna, ben, database)
    for (const one of [anna, ben]) {
      await one.console.get('team.share', { kept: [] })
      connections.set(one.name, await connectionTo(one))
    }
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end()])
    await database?.end()
  })

  test('by nobody who only reads', async () => {
    const id = await shared(['READ-1', 'READ-2'])
    const installation = await installationOf(ben)
    await anna.console.get('team.changeRole', { installation, role: 'auditor' })
    expect(await ben.console.ask('batches.start', { id })).toMatchObject({
      failure: { code: 'team-batch-unusable', details: { reason: 'auditor' } }
    })
    expect(anna.console.practice.ledger()).toEqual([])
    await anna.console.get('team.changeRole', { installation, role: 'analyst' })
    expect(await ben.console.ask('batches.start', { id })).toMatchObject({ ok: true })
    await expect.poll(async () => (await stateAt(ben, id)).state, patient).toBe('finished')
    expect(anna.console.practice.ledger()).toHaveLength(2)
  })

  test('no further by a member who was removed meanwhile', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => `GONE-${index + 1}`)
    const before = anna.console.practice.ledger().length
    const id = await shared(rows)
    await ben.console.get('batches.start', { id })
    await expect.poll(() => anna.console.practice.ledger().length, patient).toBeGreaterThan(before)
    await anna.console.get('team.remove', { installation: await installationOf(ben), name: ben.name })
    await expect.poll(async () => (await stateAt(ben, id)).state, patient).toBe('stopped')
    expect(anna.console.practice.ledger().length - before).toBeLessThan(rows.length)
  })
})
