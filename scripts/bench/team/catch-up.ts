/** The first catch-up: a newcomer receives what its team has recorded so far. */
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { masterKeyAccount } from '#core/history/open.ts'
import { openEngine } from '#store/engine/opening.ts'
import { teamTables } from '#team/log/database.ts'
import { exchangeOnce } from '#exchange/log/round.ts'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import { seed } from '../../seed.ts'
import { valueOf } from '../../../tests/service/support/team-installation.ts'
import { withPeople } from './people.ts'

/** Seconds for the number of events that the requirement names. */
const aim = { events: 1_000_000, seconds: 60 } as const

export interface CaughtUp {
  readonly rows: readonly Row[]
  /** Events received and verified in a second. */
  readonly rate: number
}

const seconds = (from: number): number => (performance.now() - from) / 1000

/** @param events How many one installation has recorded: half as many verifications, begun and ended. */
export const measureCatchUp = (events: number, progress: (text: string) => void): Promise<CaughtUp> =>
  withPeople(async ({ arrive, sql }) => {
    const anna = await arrive('Anna Weber', async ({ folder, secrets }) => {
      const masterKey = randomBytes(32).toString('hex')
      await secrets.set(masterKeyAccount, masterKey)
      const { engine } = valueOf(openEngine({ folder: join(folder, 'history'), masterKey, now: Date.now() }))
      seed(engine, events / 2, Date.now())
      engine.close()
    })
    progress(`${events.toLocaleString('en')} events recorded`)
    const pushing = performance.now()
    await anna.settle(events)
    const pushed = seconds(pushing)
    progress(`shared in ${pushed.toFixed(0)} s`)
    const stored = Number(sql('SELECT count(*) FROM veridesk.event'))
    const ben = await arrive('Ben Okoro')
    // One line for all rounds, as in the program.
    const line = valueOf(await ben.openLine())
    const tables = teamTables(line, 'the database')
    const from = performance.now()
    let received: number | undefined
    for (let more = true; more;) {
      const round = valueOf(await exchangeOnce({ ...ben.parts, tables }, { now: Date.now(), waiting: 0 }))
      more = round.more || round.received > 0
      if (round.awaited === 0) received ??= seconds(from)
      if (round.found.length > 0) throw new Error(round.found[0]?.code)
    }
    const whole = seconds(from)
    await line.close()
    if (ben.received.head(anna.one.installation).seq !== stored) throw new Error('not everything arrived')
    progress(`received in ${received?.toFixed(0)} s, with keys in ${whole.toFixed(0)} s`)
    const count = stored.toLocaleString('en')
    return {
      rate: stored / (received ?? whole),
      rows: [
        rowOf({
          name: `first catch-up of ${count} events, verified and stored`,
          unit: 's',
          samples: [received ?? whole],
          ...(events >= aim.events && { aims: { single: aim.seconds } })
        }),
        rowOf({
          name: `the same, with the keys of all applicants`,
          unit: 's',
          samples: [whole],
          ...(events >= aim.events && { aims: { single: aim.seconds } })
        }),
        rowOf({ name: `sharing the same events for the first time`, unit: 's', samples: [pushed] })
      ]
    }
  })
