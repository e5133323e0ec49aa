/** Real installations at a real database, for measurements. */
import { readFileSync, rmSync } from 'node:fs'
import { startTeamDatabase, type TeamDatabase } from '../../../tests/service/support/postgres.ts'
import { exchanging, type Exchanging } from '../../../tests/service/support/team-exchange.ts'
import {
  addressOf,
  installed,
  requestOf,
  valueOf,
  type Installation
} from '../../../tests/service/support/team-installation.ts'

export interface People {
  readonly database: TeamDatabase
  /** Founds the team, or is admitted. `prepare` is called before its history is opened. */
  arrive(name: string, prepare?: (one: Installation) => Promise<void>): Promise<Exchanging>
  sql(text: string): string
}

/** As an administrator of a large team sets it: PostgreSQL's default of 100 connections is less than 200 installations need. */
export const largeTeamSettings = ['max_connections = 400', 'shared_buffers = 512MB'] as const

/** Calls `work` with a database and no team yet. Throws `NotHere` without PostgreSQL. */
export async function withPeople<T>(work: (people: People) => Promise<T>): Promise<T> {
  const database = await startTeamDatabase({ settings: largeTeamSettings })
  const arrived: Installation[] = []
  const open: Exchanging[] = []
  try {
    return await work({
      database,
      sql: (text) => database.postgres.sql(text, 'team'),
      async arrive(name, prepare) {
        const one = await installed(database, name)
        const [founder] = arrived
        arrived.push(one)
        if (founder) {
          const invitation = valueOf(await founder.team.invite())
          const request = await requestOf(one, readFileSync(founder.file, 'utf8'), invitation?.words ?? '')
          valueOf(await founder.team.admit({ ...request, role: 'analyst' }))
        } else valueOf(await one.team.create({ name, database: addressOf(database) }))
        await prepare?.(one)
        const made = await exchanging(one)
        open.push(made)
        return made
      }
    })
  } finally {
    await Promise.all(open.map((each) => each.close()))
    for (const { folder } of arrived) rmSync(folder, { recursive: true, force: true })
    await database.end()
  }
}
