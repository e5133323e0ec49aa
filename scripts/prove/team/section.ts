/** What a team must prove: attacks of its administrator, the same state everywhere, broken lines. */
import type { Measured, SectionRun } from '../../figures/section.ts'
import { startTeamDatabase } from '../../../tests/service/support/postgres.ts'
import { seeded } from '../../../tests/service/support/random.ts'
import { attackNames, tryAttack, type Tried } from './attack.ts'
import { attacks } from './attacks.ts'
import { proveLines } from './broken-lines.ts'
import { provePooler } from './pooler.ts'
import { proveReading } from './read.ts'
import { proveState, type StateProof } from './same-state.ts'

/** Teams with clocks of their own and an order of chance; breaks of each kind. */
const sizes = { teams: 10, breaks: 5 } as const

const words = ({ attack: { of, does, because }, noticed }: Tried): string[] => [
  of,
  does,
  noticed.join(', ') || `without effect: ${because ?? ''}`
]

/** Throws `NotHere` without PostgreSQL. A trial tries the first form of each attack. */
export async function proveTeam({ sized, progress }: SectionRun): Promise<Measured> {
  const database = await startTeamDatabase()
  try {
    const chosen = attacks.slice(0, sized(attacks.length))
    const tried: Tried[] = []
    for (const attack of chosen) {
      tried.push(await tryAttack(database, attack))
      progress(`${attack.of}: ${attack.does}`)
    }
    const read = await proveReading(database)
    const states: StateProof[] = []
    for (let seed = 1; seed <= sized(sizes.teams); seed += 1) states.push(await proveState(database, seeded(seed)))
    progress(`${states.length} teams with clocks apart`)
    const lines = await proveLines(database, sized(sizes.breaks))
    const pooler = await provePooler(database, progress)
    const broken = new Set([
      ...tried.filter(({ faults }) => faults.length > 0).map(({ attack: { of } }) => of),
      ...(read.faults.length > 0 ? ['read'] : [])
    ])
    const met = attackNames.filter(
      (name) => !broken.has(name) && (name === 'read' || tried.some(({ attack: { of } }) => of === name))
    )
    const sum = (of: (each: (typeof states)[number]) => number): string =>
      states.reduce((total, each) => total + of(each), 0).toLocaleString('en')
    return {
      table: {
        columns: ['attack', 'what the administrator does', 'noticed as'],
        rows: [
          ...tried.map(words),
          [
            'read',
            'reads every row of every table, and every byte of the lines',
            `without effect: none of ${read.texts} texts and keys in ${(read.bytes / 1_000_000).toFixed(1)} MB; how many events there are, of which size and when, can be seen`
          ]
        ]
      },
      rows: [...lines.rows, ...(pooler?.rows ?? [])],
      notRun: pooler
        ? []
        : [
            {
              name: 'a pooler between an installation and the database',
              why: 'PgBouncer is not installed (“apt-get install pgbouncer”)'
            }
          ],
      notes: [
        `${met.length} of ${attackNames.length} attacks were noticed or without effect, in ${tried.length + 1} forms.`,
        `${states.length} teams of three with clocks 24 hours apart: ${sum(({ events }) => events)} events, ${sum(({ deliveries }) => deliveries)} deliveries; ${states.filter(({ hashes }) => hashes === 1).length} of ${states.length} ended with one state hash.`,
        ...(pooler?.faults.length === 0 ? pooler.notes : [])
      ],
      faults: [...tried, read, ...states, lines, ...(pooler ? [pooler] : [])].flatMap(({ faults }) => faults)
    }
  } finally {
    await database.end()
  }
}
