/** How long a decision takes until other installations have it. */
import { startExchange, type Exchange } from '#exchange/log/exchange.ts'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import { clock } from '../../../tests/service/history-fixtures.ts'
import type { Exchanging } from '../../../tests/service/support/team-exchange.ts'
import { valueOf } from '../../../tests/service/support/team-installation.ts'
import { withPeople } from './people.ts'

/** Milliseconds, by poll and with a notification. */
const aims = { poll: 2500, hint: 500 } as const

/** An exchange with the product's own times. `hears`: whether notifications reach it. */
function exchangeOf({ parts, openLine }: Exchanging, hears: boolean): Exchange {
  return startExchange({
    ...parts,
    host: '127.0.0.1',
    clock,
    random: Math.random,
    open: async () => {
      const line = await openLine()
      return line.ok && !hears ? { ok: true, value: { ...line.value, onHint: () => undefined } } : line
    },
    after: (milliseconds, run) => {
      const timer = setTimeout(run, milliseconds)
      return () => clearTimeout(timer)
    }
  })
}

/** One installation decides again and again; every other one reports when it has the decision. */
export const measurePropagation = (
  order: { readonly installations: number; readonly decisions: number },
  progress: (text: string) => void
): Promise<readonly Row[]> =>
  withPeople(async ({ arrive }) => {
    const all: Exchanging[] = []
    for (let n = 0; n < order.installations; n += 1) all.push(await arrive(`Member ${n + 1}`))
    progress(`${all.length} installations`)
    for (const each of all) await each.refresh()
    const [author, ...others] = all
    if (!author) return []
    await author.check('APP-1')
    const rows: Row[] = []
    for (const [hears, name] of [
      [false, 'by poll'],
      [true, 'with a notification']
    ] as const) {
      const exchanges = all.map((each) => exchangeOf(each, hears))
      const samples = await decided({ author, others, look: () => exchanges[0]?.look() }, order.decisions)
      rows.push(
        rowOf({
          name: `a decision at ${others.length} other installations, ${name}`,
          unit: 'ms',
          samples,
          aims: { p95: hears ? aims.hint : aims.poll }
        })
      )
      progress(name)
      await Promise.all(exchanges.map((each) => each.close()))
    }
    return rows
  })

/** Milliseconds from each decision until it is verified and stored at each of the others. */
async function decided(
  { author, others, look }: { readonly author: Exchanging; readonly others: readonly Exchanging[]; look(): void },
  times: number
): Promise<number[]> {
  const samples: number[] = []
  const here = async (): Promise<number> =>
    valueOf(await author.store.exchange.read({ after: 0, events: 0, bytes: 0, kept: [] })).last.seq
  for (let time = 0; time <= times; time += 1) {
    const { evidence } = valueOf(await author.store.applicants.show('APP-1'))
    const from = performance.now()
    valueOf(
      await author.store.applicants.decide(
        {
          applicantId: 'APP-1',
          decision: 'approve',
          reasons: ['reviewed-by-hand'],
          note: `Decision ${time}`,
          evidence,
          known: []
        },
        { at: clock.now(), operator: 'tester' }
      )
    )
    const seq = await here()
    look()
    const waiting = new Set(others)
    // The first one only shows that everybody is connected.
    for (const limit = performance.now() + 60_000; waiting.size > 0;) {
      for (const each of waiting)
        if (each.received.head(author.one.installation).seq >= seq) {
          waiting.delete(each)
          if (time > 0) samples.push(performance.now() - from)
        }
      if (performance.now() > limit) throw new Error(`${waiting.size} installations never got it`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return samples
}
