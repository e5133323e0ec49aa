/** A team database for tests, and how to be one of its installations. */
import { randomBytes } from 'node:crypto'
import { Client, type DatabaseError } from 'pg'
import { memberRoleSql, roleOf } from '#team/database/member-role.ts'
import { schemaSql } from '#team/database/schema.ts'
import { scramVerifier } from '#team/database/scram.ts'
import { findPostgres, startPostgres, type Postgres, type PostgresOptions } from '../../../scripts/team/postgres.ts'

/** Whether this machine can start one; otherwise tests of it are skipped, unless they are required. */
export const hasPostgres =
  findPostgres() !== undefined || (process.env['VERIDESK_REQUIRE'] ?? '').split(',').includes('postgresql')

export interface Member {
  readonly installation: string
  readonly login: string
  readonly password: string
  readonly client: Client
}

export interface TeamDatabase {
  readonly postgres: Postgres
  /** Creates a role and connects with it. */
  join(): Promise<Member>
  connect(member: Pick<Member, 'login' | 'password'>, database?: string): Promise<Client>
  end(): Promise<void>
}

/** Starts a server with an empty team database called `team`. */
export async function startTeamDatabase(options: PostgresOptions = {}): Promise<TeamDatabase> {
  const postgres = await startPostgres(options)
  postgres.sql('CREATE DATABASE team')
  postgres.sql(schemaSql, 'team')
  const clients: Client[] = []
  // This client only prepares what the tests look at.
  const encryption = options.tls ? { rejectUnauthorized: false } : false
  const connect = async (
    { login, password }: Pick<Member, 'login' | 'password'>,
    database = 'team'
  ): Promise<Client> => {
    const client = new Client({
      host: '127.0.0.1',
      port: postgres.port,
      user: login,
      password,
      database,
      ssl: encryption
    })
    // The end of a connection by the server is reported as an event as well.
    client.on('error', () => undefined)
    await client.connect()
    clients.push(client)
    return client
  }
  return {
    postgres,
    connect,
    join: async () => {
      const installation = randomBytes(16).toString('hex')
      const password = randomBytes(32).toString('base64url')
      postgres.sql(memberRoleSql({ installation, verifier: scramVerifier(password) }), 'team')
      const login = roleOf(installation)
      return { installation, login, password, client: await connect({ login, password }) }
    },
    end: async () => {
      await Promise.allSettled(clients.map((client) => client.end()))
      await postgres.end()
    }
  }
}

/** The SQLSTATE of a statement's error; undefined if it succeeds. */
export async function stateOf(
  client: Client,
  text: string,
  values: readonly unknown[] = []
): Promise<string | undefined> {
  try {
    await client.query(text, [...values])
    return undefined
  } catch (error) {
    return (error as DatabaseError).code ?? String(error)
  }
}
