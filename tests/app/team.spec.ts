/** A team from the window's side of core: its database driver, its keys and its worker work in the runtime of each host. */
import { hasPostgres, startTeamDatabase } from '../service/support/postgres.ts'
import { ask, expect, test } from './fixtures/workspace.ts'

test(
  'a team is created, and its keys are sealed and opened in this runtime',
  { tag: '@electron-instead' },
  async ({ workspace }) => {
    test.setTimeout(60_000)
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    test.skip(!hasPostgres, 'needs PostgreSQL')
    const database = await startTeamDatabase()
    try {
      const page = await workspace.open()
      expect(await ask(page, 'team.state')).toBeNull()
      const { sql, installation } = await ask(page, 'team.access')
      database.postgres.sql(sql, 'team')
      const created = await ask(page, 'team.create', {
        name: 'Anna Weber',
        database: { host: '127.0.0.1', port: database.postgres.port, database: 'team' }
      })
      expect(created.members).toEqual([
        { installation, name: 'Anna Weber', role: 'supervisor', own: true, access: true }
      ])
      // Refused only after the team's keys were opened with the mailbox key.
      await expect(ask(page, 'team.changeRole', { installation, role: 'analyst' })).rejects.toThrow(
        'team-change-refused'
      )
      const again = await workspace.again()
      // The recovery key is shown once.
      const { recoveryKey, ...kept } = created
      expect(recoveryKey).toMatch(/^(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}$/)
      expect(await ask(again, 'team.members')).toEqual(kept)
      // The worker of the exchange, which calls its host for keys and history, and signs in by itself.
      await ask(again, 'team.share', { kept: [] })
      // The first round has sent everything a moment before it ends, and only its end shows a connection.
      await expect
        .poll(() => ask(again, 'team.exchange'), { timeout: 20_000 })
        .toMatchObject({ state: 'connected', toSend: 0, members: [{ installation, own: true, findings: [] }] })
      expect(Number(database.postgres.sql('SELECT count(*) FROM veridesk.event', 'team'))).toBeGreaterThan(0)
    } finally {
      await database.end()
    }
  }
)
