/** A team's database against its own members: its administrator attacks, clocks are apart, and a pooler is between. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { seeded } from './support/random.ts'
import { attackNames, tryAttack } from './support/team-attacks/attack.ts'
import { attacks } from './support/team-attacks/attacks.ts'
import { findPooler, poolModes } from './support/team-attacks/pgbouncer.ts'
import { throughPooler } from './support/team-attacks/pooler.ts'
import { readAll } from './support/team-attacks/reading.ts'
import { deliverAtRandom } from './support/team-attacks/same-state.ts'
import { counted, some, times } from './support/times.ts'

interface Found {
  readonly faults: readonly string[]
  readonly counts?: Readonly<Record<string, number>>
}
/** A scene by its name, in a team of its own. */
type Named = readonly [name: string, run: (database: TeamDatabase) => Promise<Found>]

const scenes: readonly Named[] = [
  ...attacks.map((attack): Named => [
    `an administrator who attacks is noticed, or without effect. ${attack.of}: ${attack.does}`,
    async (database) => {
      const { noticed, faults } = await tryAttack(database, attack)
      return { faults, counts: { attacks: 1, [noticed.length > 0 ? 'noticed' : 'without effect']: 1 } }
    }
  ]),
  [
    'an administrator reads nothing in the tables and on the lines',
    async (database) => {
      const { faults, texts } = await readAll(database)
      return { faults, counts: { 'attacks': 1, 'without effect': 1, 'texts and keys searched': texts } }
    }
  ],
  ...Array.from({ length: times }, (): Named => {
    const seed = randomInt(2 ** 31)
    return [
      `members whose clocks are a day apart have one state, in any order (${seed})`,
      async (database) => {
        const { faults, events, deliveries } = await deliverAtRandom(database, seeded(seed))
        return { faults, counts: { teams: 1, events, deliveries } }
      }
    ]
  }),
  ...(findPooler() === undefined ? [] : poolModes).map((mode): Named => [
    `members exchange through PgBouncer in ${mode} mode`,
    async (database) => ({ faults: await throughPooler(database, mode) })
  ])
]

describe.skipIf(!hasPostgres)('in a team’s database', { timeout: 180_000 }, () => {
  let database: TeamDatabase
  beforeAll(async () => void (database = await startTeamDatabase()))
  afterAll(() => database.end())

  // Other tests of teams have a form of most.
  it.for(some(scenes))('%s', async ([, run], { task }) => {
    const { faults, counts = {} } = await run(database)
    expect(faults).toEqual([])
    counted(task, counts)
  })
})

it('every attack that is named is tried', () => {
  expect(new Set([...attacks.map(({ of }) => of), 'read'])).toEqual(new Set(attackNames))
})
