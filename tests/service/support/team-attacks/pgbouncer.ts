/** A throw-away PgBouncer on loopback, in front of a throw-away PostgreSQL. */
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort, ownUser, type Postgres } from '../../../../scripts/team/postgres.ts'

export const poolModes = ['session', 'transaction'] as const
export type PoolMode = (typeof poolModes)[number]

interface Pooler {
  readonly port: number
  end(): Promise<void>
}

/** Where the program is; undefined if it is not installed. */
export const findPooler = (): string | undefined =>
  ['/usr/sbin', ...(process.env['PATH'] ?? '').split(delimiter)]
    .map((folder) => join(folder, 'pgbouncer'))
    .find((path) => existsSync(path))

/** @param to The port that it passes connections on to: PostgreSQL's, or that of a relay before it. */
export async function startPooler(postgres: Postgres, mode: PoolMode, to: number): Promise<Pooler> {
  const program = findPooler()
  if (program === undefined) throw new Error('PgBouncer is not installed')
  const user = ownUser()
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-pooler-'))
  const port = await freePort()
  const [settings, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  // The stored forms of the passwords, as the server has them: so the pooler knows no password either.
  writeFileSync(
    users,
    postgres.sql(`SELECT format('"%s" "%s"', rolname, rolpassword) FROM pg_authid WHERE rolpassword IS NOT NULL`)
  )
  writeFileSync(
    settings,
    [
      '[databases]',
      `team = host=127.0.0.1 port=${to} dbname=team`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      // The console sets its search path with a parameter that poolers do not pass on; its statements do not depend on it.
      `pool_mode = ${mode}`,
      'default_pool_size = 3',
      'ignore_startup_parameters = options',
      ''
    ].join('\n')
  )
  chmodSync(folder, 0o755)
  for (const file of [settings, users]) {
    chmodSync(file, 0o600)
    if (user.uid !== undefined && user.gid !== undefined) chownSync(file, user.uid, user.gid)
  }
  const server = spawn(program, [settings], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (part: Buffer) => {
      words = (words + part.toString()).slice(-10_000)
      if (words.includes('process up')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`PgBouncer did not start: ${words}`)))
  })
  return {
    port,
    end: async () => {
      if (server.exitCode === null && server.signalCode === null)
        await new Promise((resolve) => {
          server.once('exit', resolve)
          server.kill('SIGKILL')
        })
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
