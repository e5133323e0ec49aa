/** The same state everywhere: clocks apart by a day, every message ten times, in any order. */
import { ok } from '#contract/failures/result.ts'
import { roleOf } from '#team/database/member-role.ts'
import { readSecrets, readTeam } from '#core/team/installation/saved.ts'
import { teamTables, type TeamTables } from '#team/log/database.ts'
import { receive } from '#exchange/log/receive.ts'
import { exchangeOnce } from '#exchange/log/round.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import { clock } from '../../history-fixtures.ts'
import type { TeamDatabase } from '../postgres.ts'
import { exchanging, type Exchanging } from '../team-exchange.ts'
import { valueOf } from '../team-installation.ts'
import type { Random } from '../random.ts'
import { hand, inScene } from './scene.ts'

const hours = 3_600_000
/** How far the clocks are off. */
const skews = [-12 * hours, 0, 12 * hours] as const
const times = 10

interface Delivered {
  readonly events: number
  /** Deliveries of an event, to each of the others. */
  readonly deliveries: number
  readonly faults: readonly string[]
}

const shuffled = <T>(list: readonly T[], random: Random): T[] => {
  const all = [...list]
  for (let n = all.length - 1; n > 0; n -= 1) {
    const other = random(n + 1)
    ;[all[n], all[other]] = [all[other] as T, all[n] as T]
  }
  return all
}

async function lineOf({ one }: Exchanging): Promise<TeamLine> {
  const { database } = valueOf(readTeam(one.folder)) ?? {}
  const { password } = valueOf(await readSecrets(one.secrets, one.installation))
  return valueOf(
    await openLine({
      host: '127.0.0.1',
      port: database?.port ?? 0,
      database: database?.database ?? '',
      user: roleOf(one.installation),
      password,
      trust: undefined
    })
  )
}

/** Everything that is written is written ten times. */
const tenfold = (tables: TeamTables): TeamTables => {
  const each = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let n = 1; n < times; n += 1) await work()
    return work()
  }
  return {
    ...tables,
    append: (segment) => each(() => tables.append(segment)),
    keys: {
      ...tables.keys,
      put: (epoch, keys) => each(() => tables.keys.put(epoch, keys)),
      erase: (tags) => each(() => tables.keys.erase(tags))
    }
  }
}

/**
 * Three installations, whose clocks are twelve hours apart each, record at the same time. The pieces of what they share
 * are delivered to each of the others ten times in an order of chance; what that order left out arrives with the exchange.
 *
 * @param random Chooses the orders.
 */
export const deliverAtRandom = (database: TeamDatabase, random: Random): Promise<Delivered> =>
  inScene(database, async (scene) => {
    const members: Exchanging[] = []
    for (const [index, each] of [scene.anna, scene.ben, scene.carla].entries()) {
      const skew = skews[index] ?? 0
      await each.close()
      const again = await exchanging(each.one, { now: () => clock.now() + skew, monotonic: clock.monotonic })
      scene.open(again)
      members.push(again)
    }
    const [anna, ben, carla] = members as [Exchanging, Exchanging, Exchanging]
    for (let n = 0; n < 8; n += 1)
      for (const [index, who] of shuffled([...members.entries()], random)) {
        const applicant = `APP-${random(6)}`
        await who.check(applicant, `Check ${n}`)
        valueOf(
          await who.store.applicants.note(applicant, `Note ${n}`, { ...hand, at: clock.now() + (skews[index] ?? 0) })
        )
        const line = await lineOf(who)
        valueOf(
          await exchangeOnce(
            {
              ...who.parts,
              tables: tenfold(teamTables(line, '127.0.0.1')),
              isSharing: true,
              history: { ...who.parts.history, anchor: async () => ok(null) }
            },
            { now: clock.now() + (skews[index] ?? 0), waiting: 0 }
          )
        )
        await line.close()
      }
    const pieces = await piecesOf(members)
    let deliveries = 0
    for (const who of members)
      for (const { of, rows } of shuffled(Array.from({ length: times }, () => pieces).flat(), random)) {
        if (of === who) continue
        receive(
          rows,
          {
            store: who.received,
            team: who.parts.team,
            installation: of.one.installation,
            keys: who.parts.keys,
            members: who.parts.members
          },
          clock.now()
        )
        deliveries += rows.length
      }
    for (const each of [...members, ...members, ...members]) await each.settle()
    const hashes = await Promise.all(members.map((each) => each.hash()))
    const found = members.flatMap((each) => each.received.findings.all().map(({ failure }) => failure.code))
    const events = members.reduce(
      (sum, who) => sum + (anna === who ? ben : anna).received.head(who.one.installation).seq,
      0
    )
    // An installation that lacks the last event has another state: the comparison can fail.
    await carla.check('APP-LAST')
    await carla.settle()
    await anna.settle()
    const after = await Promise.all(members.map((each) => each.hash()))
    return {
      events,
      deliveries,
      faults: [
        ...(new Set(hashes).size === 1 ? [] : ['the installations have different states']),
        ...found.map((code) => `an installation reports ${code}`),
        ...(after[0] === after[2] && after[1] !== after[0]
          ? []
          : ['an event that one installation lacks does not change its state'])
      ]
    }
  })

/** What each installation has in the database, as its signed segments. */
async function piecesOf(members: readonly Exchanging[]) {
  const pieces = []
  const [first] = members
  if (!first) return []
  const line = await lineOf(first)
  for (const of of members) {
    let rows: Awaited<ReturnType<typeof segmentRows>> = await segmentRows(line, of)
    while (rows.length > 0) {
      const end = rows.findIndex(({ sig }) => sig !== null) + 1
      pieces.push({ of, rows: rows.slice(0, end) })
      rows = rows.slice(end)
    }
  }
  await line.close()
  return pieces
}

const segmentRows = async (line: TeamLine, { one }: Exchanging) =>
  valueOf(await teamTables(line, '127.0.0.1').events(one.installation, 0))
