/** A throw-away PostgreSQL for tests and trials: own folder, own port on loopback, nothing of the system's server. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { NotHere } from '../figures/section.ts'

export interface Postgres {
  readonly port: number
  /** The folder of its socket. */
  readonly socket: string
  /** Connection string of a role, through the socket for the administrator and through loopback for others. */
  url(role: string, password: string, database?: string): string
  readonly administrator: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly database: string
  }
  /** Runs SQL as the administrator. Throws with the server's words if a statement fails. */
  sql(text: string, database?: string): string
  /** Runs SQL in the same way as another role, through loopback. */
  sqlAs(role: { readonly name: string; readonly password: string }, text: string, database?: string): string
  /** Runs one of PostgreSQL's own programs as the administrator, such as `pg_dump`. Throws with its words if it fails. */
  program(name: string, args: readonly string[], input?: string): string
  /** Starts a server that follows this one, so many seconds late. It ends with this one. */
  standby(secondsLate: number): Promise<{ readonly port: number }>
  /** Ends every process at once, as a crash does. */
  kill(): Promise<void>
  /** Starts again after `kill` or `stop`, with the same data and port. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops it and removes its folder. */
  end(): Promise<void>
}

const administrator = 'administrator'

/** What to install where PostgreSQL is missing. */
const whatToInstall =
  'Install PostgreSQL 15 or newer: “apt-get install postgresql” on Debian and Ubuntu, “dnf install postgresql-server” on Fedora, “brew install postgresql” on macOS.'

/** The folder of PostgreSQL's programs, if it is installed: on the PATH, or where Debian keeps each version. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .map(Number)
        .filter((version) => version >= 15)
        .sort((a, b) => b - a)
    : []
  const places = [
    ...versions.map((version) => join(debian, String(version), 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter)
  ]
  return places.find((place) => ['postgres', 'initdb', 'psql'].every((name) => existsSync(join(place, name))))
}

/** PostgreSQL refuses to run as root: then its processes belong to the package's own user. */
export function ownUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  if (!uid || !gid)
    throw new NotHere(`PostgreSQL does not run as root, and there is no user “postgres”. ${whatToInstall}`)
  return { uid, gid }
}

/** A port of loopback that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))
      )
    })
  })

export interface PostgresOptions {
  /** Lines of postgresql.conf. */
  readonly settings?: readonly string[]
  /** PEM of a certificate for 127.0.0.1 and its key: then loopback needs TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string }
}

/** Runs one of PostgreSQL's programs, and returns its output. Throws with its words if it fails. */
type RunProgram = (name: string, args: readonly string[]) => string

const initial = [
  `--username=${administrator}`,
  '--auth-local=trust',
  '--auth-host=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C.UTF-8',
  '--no-sync'
] as const

/**
 * Creates the data of a server that was never started. `initdb` takes longer than all else of a start, so what it makes is
 * kept for this version, these options and this user, and copied, with its owner and rights.
 */
function createData(data: string, run: RunProgram): void {
  const made = createHash('sha256').update(JSON.stringify([run('initdb', ['--version']), initial, userInfo().uid]))
  const kept = join(import.meta.dirname, '..', '..', '.cache', 'postgres', made.digest('hex').slice(0, 16))
  const copy = (from: string, to: string): boolean => spawnSync('cp', ['-pR', from, to]).status === 0
  if (existsSync(kept) && copy(kept, data)) return
  rmSync(data, { recursive: true, force: true })
  run('initdb', ['--pgdata', data, ...initial])
  // Another process may do the same: whoever renames first has the copy that stays.
  const own = `${kept}-${process.pid}`
  mkdirSync(dirname(kept), { recursive: true })
  try {
    if (!existsSync(kept) && copy(data, own)) renameSync(own, kept)
  } catch {
    // It is there by now.
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** Creates and starts a server. Throws `NotHere` with what to install if the machine has none. */
export async function startPostgres({ settings = [], tls }: PostgresOptions = {}): Promise<Postgres> {
  const programs = findPostgres()
  if (!programs) throw new NotHere(`PostgreSQL is not installed. ${whatToInstall}`)
  const user = ownUser()
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-postgres-'))
  const own = (path: string): void => {
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
  }
  own(folder)
  // Others may pass through, so that a client of another user reaches the socket.
  chmodSync(folder, 0o755)
  const [data, socket] = [join(folder, 'data'), join(folder, 'socket')]
  mkdirSync(socket)
  own(socket)
  const run: RunProgram = (name, args) => {
    const done = spawnSync(join(programs, name), args, {
      ...user,
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' }
    })
    if (done.status !== 0) throw new Error(`${name} failed: ${done.stderr}${done.stdout}`)
    return done.stdout
  }
  createData(data, run)
  const port = await freePort()
  const lines = [
    `port = ${port}`,
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = '${socket}'`,
    `password_encryption = 'scram-sha-256'`,
    ...settings
  ]
  if (tls) {
    for (const [name, text] of [
      ['server.crt', tls.certificate],
      ['server.key', tls.key]
    ] as const) {
      writeFileSync(join(data, name), text, { mode: 0o600 })
      own(join(data, name))
    }
    lines.push('ssl = on')
  }
  writeFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
  own(join(data, 'postgresql.auto.conf'))
  // Only the administrator may use the socket: a role's rights do not depend on where it comes from.
  writeFileSync(
    join(data, 'pg_hba.conf'),
    `local all,replication ${administrator} trust\n${tls ? 'hostssl' : 'host'} all all 127.0.0.1/32 scram-sha-256\n`
  )
  own(join(data, 'pg_hba.conf'))

  const ending = (process: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> =>
    new Promise((resolve) => {
      if (!process || process.exitCode !== null || process.signalCode !== null) return resolve()
      process.once('exit', () => resolve())
      process.kill(signal)
    })
  const launch = async (where: string): Promise<ChildProcess> => {
    const started = spawn(join(programs, 'postgres'), ['-D', where], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe']
    })
    let words = ''
    await new Promise<void>((resolve, reject) => {
      started.stderr.on('data', (part: Buffer) => {
        words = (words + part.toString()).slice(-10_000)
        if (/database system is ready to accept (?:read-only )?connections/.test(words)) resolve()
      })
      started.once('exit', () => reject(new Error(`PostgreSQL did not start: ${words}`)))
    })
    return started
  }
  let server: ChildProcess | undefined
  const standbys: ChildProcess[] = []
  const gone = (signal: NodeJS.Signals): Promise<void> => ending(server, signal)
  const start = async (): Promise<void> => void (server = await launch(data))
  const local = ['--host', socket, '--port', String(port), '--username', administrator]
  const program = (name: string, args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): string => {
    const done = spawnSync(join(programs, name), args, {
      input,
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...env },
      maxBuffer: 64 * 1024 * 1024
    })
    if (done.status !== 0) throw new Error(done.stderr)
    return done.stdout.trim()
  }
  const script = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1', '--file=-']
  await start()
  return {
    port,
    socket,
    administrator: { host: socket, port, user: administrator, database: 'postgres' },
    url: (role, password, database = 'postgres') => `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`,
    sql: (text, database = 'postgres') => program('psql', [...local, '--dbname', database, ...script], text),
    sqlAs: ({ name, password }, text, database = 'postgres') =>
      program(
        'psql',
        ['--host', '127.0.0.1', '--port', String(port), '--username', name, '--dbname', database, ...script],
        text,
        { PGPASSWORD: password }
      ),
    program: (name, args, input) => program(name, [...local, ...args], input),
    async standby(secondsLate) {
      const copy = join(folder, `standby-${standbys.length}`)
      run('pg_basebackup', [...local, '--pgdata', copy, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'])
      const own = await freePort()
      appendFileSync(
        join(copy, 'postgresql.auto.conf'),
        `port = ${own}\nunix_socket_directories = ''\nrecovery_min_apply_delay = '${secondsLate}s'\n`
      )
      standbys.push(await launch(copy))
      return { port: own }
    },
    // A fast stop would let transactions end; an immediate one is a crash of every process.
    kill: () => gone('SIGQUIT'),
    start,
    stop: () => gone('SIGINT'),
    end: async () => {
      for (const each of standbys) await ending(each, 'SIGQUIT')
      await gone('SIGQUIT')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    }
  }
}
