/** Two hundred installations at one database: whether it keeps up, and whether everything arrives once. */
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import { valueOf } from '../../../tests/service/support/team-installation.ts'
import { simulate, type Simulated } from './simulated.ts'
import { withPeople } from './people.ts'

/** Seconds between two looks of an installation. */
const every = 2

export interface Load {
  readonly perSecond: number
  readonly seconds: number
}

export interface LargeTeam {
  readonly rows: readonly Row[]
  readonly notes: readonly string[]
  readonly faults: readonly string[]
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)))

interface Times {
  readonly append: number[]
  readonly heads: number[]
  readonly rate: number
}

/** Each installation has its own moment in every two seconds. One that is late goes on at once: it does not make fewer events. */
async function run(all: readonly Simulated[], { perSecond, seconds }: Load): Promise<Times> {
  const [append, heads]: [number[], number[]] = [[], []]
  const each = Math.round((perSecond * every) / all.length)
  const from = performance.now()
  const rounds = Math.max(1, Math.round(seconds / every))
  await Promise.all(
    all.map(async (one, index) => {
      for (let round = 0; round < rounds; round += 1) {
        await wait(from + 1000 * every * (round + index / all.length) - performance.now())
        const took = await one.round(each)
        append.push(took.append)
        heads.push(took.heads)
      }
    })
  )
  return { append, heads, rate: (each * rounds * all.length) / ((performance.now() - from) / 1000) }
}

/** @param loads One after another, with the same installations. */
export const measureLargeTeam = (
  order: { readonly installations: number; readonly loads: readonly Load[]; readonly readers: number },
  progress: (text: string) => void
): Promise<LargeTeam> =>
  withPeople(async (people) => {
    const reader = await people.arrive('Anna Weber')
    const all = await simulate(people, order.installations, reader.parts.team, reader.parts.keys)
    try {
      const keysOf = new Map(all.map(({ installation, publicKey }) => [installation, publicKey]))
      const { at } = reader.parts.members
      Object.assign(reader.parts, {
        members: {
          at: (id: string, point: { readonly seq: number }) => {
            const publicKey = keysOf.get(id)
            return publicKey === undefined ? at(id, point) : { publicKey }
          }
        }
      })
      progress(`${all.length} installations have signed in`)
      const rows: Row[] = []
      for (const load of order.loads) {
        const name = `${all.length} simulated installations, ${load.perSecond} events a second for ${load.seconds} s`
        const before = all.reduce((sum, { shared }) => sum + shared, 0)
        const { append, heads, rate } = await run(all, load)
        const from = performance.now()
        for (let more = true; more;) {
          const round = valueOf(await reader.round())
          more = round.more || round.received > 0
          if (round.found.length > 0) throw new Error(round.found[0]?.code)
        }
        const events = all.reduce((sum, { shared }) => sum + shared, 0) - before
        rows.push(
          rowOf({ name: `${name}: shared`, unit: 'a second', samples: [rate] }),
          rowOf({ name: `${name}: one segment stored`, unit: 'ms', samples: append }),
          rowOf({ name: `${name}: one look at all heads`, unit: 'ms', samples: heads }),
          rowOf({
            name: `a real installation receives and verifies all ${events.toLocaleString('en')} of them`,
            unit: 's',
            samples: [(performance.now() - from) / 1000]
          })
        )
        progress(name)
      }
      const faults = all.flatMap(({ installation, shared }) => {
        const found = reader.received.head(installation).seq
        return found === shared ? [] : [`an installation shared ${shared} events, and ${found} arrived`]
      })
      const shared = all.reduce((sum, each) => sum + each.shared, 0)
      const stored = Number(
        people.sql(`SELECT count(*) FROM veridesk.event WHERE installation <> '\\x${reader.one.installation}'`)
      )
      const bytes = Number(people.sql("SELECT pg_total_relation_size('veridesk.event')"))
      const reading = await read(all.slice(0, order.readers), all)
      rows.push(
        rowOf({
          name: `${Math.min(order.readers, all.length)} installations read from the database at once, without verifying: events in all`,
          unit: 'a second',
          samples: [reading]
        })
      )
      return {
        rows,
        notes: [
          `Of ${shared.toLocaleString('en')} events of ${all.length} simulated installations, ${stored.toLocaleString('en')} are stored, and ${all.reduce((sum, { installation }) => sum + reader.received.head(installation).seq, 0).toLocaleString('en')} have arrived, each once: a chain with a gap or a repetition is refused. They look every ${every} s and read heads only; one real installation reads everything.`,
          `The table of events has ${Math.round(bytes / stored).toLocaleString('en')} bytes for each event, with its indexes.`
        ],
        faults: [...faults, ...(stored === shared ? [] : [`${shared} events were shared and ${stored} are stored`])]
      }
    } finally {
      await Promise.all(all.map((each) => each.close()))
    }
  })

/** Events a second that so many read together, everybody everything. */
async function read(readers: readonly Simulated[], all: readonly Simulated[]): Promise<number> {
  let events = 0
  const from = performance.now()
  await Promise.all(
    readers.map(async ({ tables }) => {
      for (const { installation, shared } of all)
        for (let after = 0; after < shared;) {
          const page = valueOf(await tables.events(installation, after))
          after = page.at(-1)?.seq ?? shared
          events += page.length
        }
    })
  )
  return events / ((performance.now() - from) / 1000)
}
