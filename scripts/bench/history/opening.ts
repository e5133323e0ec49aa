/** Duration of opening a history until its first page is available, with many records and with few. */
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { inChild } from '../child.ts'
import type { SeededHistory } from '../seeded-histories.ts'
import { inTurn } from '../side-by-side.ts'

/** Maximum milliseconds more for a million records than for a thousand. */
const aim = 200
const few = 1000

/** Opens both alternately, each time in a separate process. */
export async function measureOpening({ sized, history }: BenchRun): Promise<Measured> {
  const many = sized(1_000_000, 2000)
  const [large, small] = [await history(many), await history(few)]
  const open = async (one: SeededHistory): Promise<number> =>
    (await inChild<{ readonly took: number }>(new URL('./opening-child.ts', import.meta.url), one)).took
  const { ours, beside } = await inTurn(
    sized(10, 2),
    () => open(large),
    () => open(small)
  )
  const name = `${many.toLocaleString('en')} records: opened, first page answered`
  return {
    rows: [
      rowOf({
        name,
        unit: 'ms',
        samples: ours,
        beside: { what: `${few.toLocaleString('en')} records`, samples: beside },
        aims: { difference: aim }
      })
    ]
  }
}
