/** What a computer does while its team's database is gone: it must not slow down other work. */
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { expect, it, vi } from 'vitest'
import { hasPostgres, startTeamDatabase } from './support/postgres.ts'
import { openTeamGround, secretsFile, secretsOnDisk } from './support/team-batch-ground.ts'
import { addressOf, installed, valueOf } from './support/team-installation.ts'

const patient = { timeout: 60_000 }

/** Ends every connection, and counts them. */
async function silentServer(port: number): Promise<{ readonly server: Server; readonly count: () => number }> {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { server, count: () => count }
}

it.skipIf(!hasPostgres)(
  'reads no key of a member again for each attempt to reach the database',
  { timeout: 120_000 },
  async () => {
    const database = await startTeamDatabase()
    const founder = await installed(database, 'Anna Weber')
    valueOf(await founder.team.create({ name: founder.name, database: addressOf(database) }))
    valueOf(await founder.team.share({ kept: [] }))
    await founder.team.close()
    writeFileSync(secretsFile(founder.folder), JSON.stringify(Object.fromEntries(founder.secrets.entries)))
    const secrets = secretsOnDisk(founder.folder)
    const reads = vi.spyOn(secrets, 'get')
    const ground = await openTeamGround(founder.folder, 'http://127.0.0.1:9', secrets)
    try {
      const state = async (): Promise<string | undefined> => valueOf(await ground.team.exchange())?.state
      await expect.poll(state, patient).toBe('connected')
      await database.postgres.stop()
      await expect.poll(state, patient).toBe('offline')
      reads.mockClear()
      const { server, count } = await silentServer(database.postgres.port)
      await expect.poll(count, patient).toBeGreaterThanOrEqual(3)
      expect(reads).not.toHaveBeenCalled()
      await new Promise((resolve) => server.close(resolve))
      await database.postgres.start()
      await expect.poll(state, patient).toBe('connected')
    } finally {
      await ground.close()
      await database.end()
      rmSync(founder.folder, { recursive: true, force: true })
    }
  }
)
