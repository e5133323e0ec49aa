/** A lock while a team's database does not answer: nothing of the exchange goes on behind it, and it goes on after the unlocking. */
import { expect, it } from 'vitest'
import { checked } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { startRelay } from './support/held-relay.ts'
import { ownKeyring } from './support/keyring.ts'
import { hasPostgres, startTeamDatabase } from './support/postgres.ts'
import { watchWorkers } from './support/watched-workers.ts'

const patient = { timeout: 60_000 }
const working = (console: TestConsole) => async () => (await console.get('app.state')).lock?.working
async function locked(console: TestConsole): Promise<void> {
  const locking = console.veridesk.lock('idle')
  await console.get('lock.ready')
  await locking
}

it.skipIf(!hasPostgres)(
  'ends every visit to the database of a team before its keys count as wiped',
  { timeout: 120_000 },
  async () => {
    const database = await startTeamDatabase()
    const relay = await startRelay(database.postgres.port)
    const workers = watchWorkers()
    const endKeyring = await ownKeyring()
    const console = await startTestConsole(undefined, 'Anna Weber', { launchWorker: workers.launch })
    const exchange = async () => console.get('team.exchange')
    try {
      database.postgres.sql((await console.get('team.access')).sql, 'team')
      await console.get('team.create', {
        name: 'Anna Weber',
        database: { host: '127.0.0.1', port: relay.port, database: 'team' }
      })
      await console.get('team.share', { kept: [] })
      await expect.poll(exchange, patient).toMatchObject({ state: 'connected', toSend: 0 })
      await locked(console)
      await expect.poll(working(console), patient).toBeUndefined()
      relay.hold()
      await console.get('lock.unlock', {})
      await checked(console)
      // The list of members is read first: a visit by core itself, with every key of the team.
      await expect.poll(relay.open, patient).toBe(1)
      await locked(console)
      await expect.poll(working(console), patient).toBeUndefined()
      await expect.poll(relay.open, { timeout: 1000 }).toBe(0)
      await expect.poll(workers.running).toEqual([])
      relay.release()
      await console.get('lock.unlock', {})
      await expect.poll(exchange, patient).toMatchObject({ state: 'connected', toSend: 0 })
    } finally {
      relay.release()
      await console.dispose()
      await endKeyring()
      await relay.close()
      await database.end()
    }
  }
)
