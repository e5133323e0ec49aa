/** Lines that break without a word: how many seconds until an installation notices. */
import { roleOf } from '#team/database/member-role.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { TeamDatabase } from '../../../tests/service/support/postgres.ts'
import { valueOf } from '../../../tests/service/support/team-installation.ts'
import { startRelay, type Relay } from './relay.ts'

/** Seconds. */
const aim = 15

interface Break {
  readonly name: string
  readonly code: string
  /** Whether a question is waiting when it happens. */
  readonly asks: boolean
  happen(relay: Relay): void
}
const breaks: readonly Break[] = [
  {
    name: 'black hole, with nothing asked',
    code: 'team-database-silent',
    asks: false,
    happen: (relay) => relay.swallow()
  },
  {
    name: 'black hole, while an answer is expected',
    code: 'team-database-silent',
    asks: true,
    happen: (relay) => relay.swallow()
  },
  { name: 'closed on one side', code: 'team-database-lost', asks: false, happen: (relay) => relay.closeHalf() }
]

/** With the limits of the product. Each line is opened again afterwards, past the break. */
export async function proveLines(
  database: TeamDatabase,
  times: number
): Promise<Required<Pick<Measured, 'rows' | 'faults'>>> {
  const { client, installation, password } = await database.join()
  await client.end()
  const dial = (port: number) =>
    openLine({ host: '127.0.0.1', port, database: 'team', user: roleOf(installation), password, trust: undefined })
  const samples = new Map(breaks.map(({ name }) => [name, [] as number[]]))
  const faults: string[] = []
  const once = async ({ name, code, asks, happen }: Break): Promise<void> => {
    const relay = await startRelay(database.postgres.port)
    try {
      const line: TeamLine = valueOf(await dial(relay.port))
      valueOf(await line.query('SELECT 1'))
      if (asks) void line.query('SELECT pg_sleep(60)')
      const from = performance.now()
      happen(relay)
      const why = await line.lost
      samples.get(name)?.push((performance.now() - from) / 1000)
      if (why.code !== code) faults.push(`${name}: ${why.code} instead of ${code}`)
    } finally {
      relay.end()
    }
  }
  for (let time = 0; time < times; time += 1) {
    // Three at a time: a role has three connections.
    await Promise.all(breaks.map(once))
    database.postgres.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${roleOf(installation)}'`,
      'team'
    )
    const again = await dial(database.postgres.port)
    if (!again.ok) faults.push(`no new line: ${again.failure.code}`)
    else await again.value.close()
  }
  return {
    faults,
    rows: breaks.map(({ name }) =>
      rowOf({ name: `noticed: ${name}`, unit: 's', samples: samples.get(name) ?? [], aims: { largest: aim } })
    )
  }
}
