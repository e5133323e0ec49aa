/** One verification in a team whose database is gone, compared with one without a team. */
import { randomUUID } from 'node:crypto'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import { startTeamDatabase } from '../../../tests/service/support/postgres.ts'
import { createTeam, member, type Member } from '../../../tests/service/support/team-consoles.ts'
import { inTurn } from '../side-by-side.ts'

/** Of medians. */
const aim = 1.02
/** Milliseconds in which everything must be shared once the database is back. */
const patience = 60_000

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function checkIn({ console }: Member, connectionId: string, n: number): Promise<number> {
  const input = { applicant_id: `APP-${n}` }
  const from = performance.now()
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input,
    repeatAnyway: true
  })
  const took = performance.now() - from
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return took
}

/** Two consoles with their own keychains take turns; then the database comes back, and everything must be there. */
export async function measureGone(
  checks: number,
  progress: (text: string) => void
): Promise<{ readonly rows: readonly Row[]; readonly faults: readonly string[] }> {
  const database = await startTeamDatabase()
  const people: Member[] = []
  try {
    const [inTeam, alone] = [await member('Anna Weber'), await member('Ben Okoro')]
    people.push(inTeam, alone)
    await createTeam(inTeam, database)
    await inTeam.console.get('team.share', { kept: [] })
    const connections = [
      (await inTeam.console.get('practice.start')).id,
      (await alone.console.get('practice.start')).id
    ] as const
    for (
      const limit = Date.now() + patience;
      (await inTeam.console.get('team.exchange'))?.state !== 'connected';
      await wait(50)
    )
      if (Date.now() > limit) throw new Error('no connection')
    const compared = async (name: string, aims?: { readonly ratio: number }): Promise<Row> => {
      let n = 0
      const { ours, beside } = await inTurn(
        checks,
        () => checkIn(inTeam, connections[0], (n += 1)),
        () => checkIn(alone, connections[1], (n += 1))
      )
      progress(name)
      return rowOf({
        name,
        unit: 'ms',
        samples: ours,
        beside: { what: 'one without a team', samples: beside },
        ...(aims && { aims })
      })
    }
    const present = await compared('one verification in a team')
    await database.postgres.kill()
    const gone = await compared('one verification in a team whose database is gone', { ratio: aim })
    await database.postgres.start()
    const from = performance.now()
    let left: number | undefined
    for (const limit = Date.now() + patience; left !== 0 && Date.now() < limit; await wait(20))
      left = (await inTeam.console.get('team.exchange'))?.toSend
    const caughtUp = (performance.now() - from) / 1000
    const [stored, recorded] = [
      Number(database.postgres.sql('SELECT coalesce(max(seq), 0) FROM veridesk.head', 'team')),
      (await inTeam.console.get('team.exchange'))?.members.find(({ own }) => own)?.events
    ]
    return {
      rows: [
        present,
        gone,
        rowOf({
          name: 'everything shared after the database is back',
          unit: 's',
          samples: [caughtUp],
          aims: { single: 10 }
        })
      ],
      faults:
        left === 0 && stored === recorded
          ? []
          : [
              `after the database came back, ${left ?? 'some'} events were not shared, and ${stored} of ${recorded ?? 0} are stored`
            ]
    }
  } finally {
    for (const each of people) await each.end()
    await database.end()
  }
}
