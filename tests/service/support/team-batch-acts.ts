/** Shared batches of two consoles, for tests of what an action leaves. */
import { expect } from 'vitest'
import { batchOf } from './acts.ts'
import type { TestConsole } from './console.ts'
import type { TeamDatabase } from './postgres.ts'
import { admit, createTeam, member } from './team-consoles.ts'

/** The practice connection itself is not shared. */
async function connectionTo(console: TestConsole, baseUrl: string, name: string): Promise<string> {
  return (await console.get('connections.save', { name, baseUrl, mode: 'sandbox', colour: 'blue', mark: 'S' }))
    .connection.id
}
const batchOver = async (console: TestConsole, baseUrl: string): Promise<{ readonly id: string }> => ({
  id: await batchOf(console, ['TEAM-1', 'TEAM-2'], await connectionTo(console, baseUrl, 'Own'))
})

/** A batch that a colleague has shared, and a connection here to the same service. The database has no team yet. */
export async function colleaguesBatch(
  console: TestConsole,
  database: TeamDatabase
): Promise<{ readonly id: string; readonly connectionId: string }> {
  const colleague = await member('Colleague')
  try {
    await createTeam(colleague, database)
    await admit(colleague, { ...colleague, name: 'Tester', console }, database)
    for (const one of [colleague.console, console]) await one.get('team.share', { kept: [] })
    const { id } = await batchOver(colleague.console, colleague.console.practice.baseUrl)
    await colleague.console.get('teamBatches.share', { id })
    await expect
      .poll(async () => (await console.get('teamBatches.list')).map((batch) => batch.id), { timeout: 30_000 })
      .toContain(id)
    return { id, connectionId: await connectionTo(console, colleague.console.practice.baseUrl, 'Same') }
  } finally {
    await colleague.end()
  }
}

/** A batch of this installation, which is in a team. */
export async function ownBatch(console: TestConsole): Promise<{ readonly id: string }> {
  await console.get('team.share', { kept: [] })
  return batchOver(console, console.practice.baseUrl)
}
