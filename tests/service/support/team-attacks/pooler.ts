/** A pooler between installations and their database, in both modes: events pass, and a break behind it is noticed. */
import { roleOf } from '#team/database/member-role.ts'
import { readSecrets, readTeam, saveTeam } from '#core/team/installation/saved.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import type { TeamDatabase } from '../postgres.ts'
import type { Exchanging } from '../team-exchange.ts'
import { valueOf } from '../team-installation.ts'
import { startPooler, type PoolMode } from './pgbouncer.ts'
import { startRelay } from './relay.ts'
import { inScene } from './scene.ts'
import { times } from '../times.ts'

/** Longest time until a break is noticed. */
const aim = 15
/** The codes by which it is. */
const ofBreak = ['team-database-silent', 'team-database-lost']

/** Its database is behind another port from now on. */
async function reachThrough({ one: { folder } }: Exchanging, port: number): Promise<void> {
  const saved = valueOf(readTeam(folder))
  if (!saved?.database) throw new Error('no team')
  valueOf(await saveTeam(folder, { ...saved, database: { ...saved.database, port } }))
}

async function lineThrough({ one }: Exchanging, port: number): Promise<TeamLine> {
  const { password } = valueOf(await readSecrets(one.secrets, one.installation))
  return valueOf(
    await openLine({
      host: '127.0.0.1',
      port,
      database: 'team',
      user: roleOf(one.installation),
      password,
      trust: undefined
    })
  )
}

/** Seconds until both kinds of line are lost: one with a question, one without. */
async function broken(
  who: Exchanging,
  port: number,
  happen: () => void
): Promise<{ readonly seconds: number; readonly code: string }[]> {
  const [asking, idle] = [await lineThrough(who, port), await lineThrough(who, port)]
  for (const line of [asking, idle]) valueOf(await line.query('SELECT 1'))
  void asking.query('SELECT pg_sleep(60)')
  const from = performance.now()
  happen()
  return Promise.all(
    [asking, idle].map(async (line) => ({ code: (await line.lost).code, seconds: (performance.now() - from) / 1000 }))
  )
}

/** Members exchange through a pooler and beside it. @returns What is wrong then, and after a break behind the pooler in a proof. */
export const throughPooler = (database: TeamDatabase, mode: PoolMode): Promise<readonly string[]> =>
  inScene(database, async ({ anna, ben, carla }) => {
    const relay = await startRelay(database.postgres.port)
    const pooler = await startPooler(database.postgres, mode, relay.port)
    try {
      for (const who of [anna, ben]) await reachThrough(who, pooler.port)
      await anna.check('APP-POOLED')
      for (const who of [anna, ben, anna, ben]) await who.settle()
      // Without the pooler, the same arrives.
      for (const who of [carla, ben, anna, carla, ben, anna]) await who.settle()
      const hashes = new Set([await anna.hash(), await ben.hash(), await carla.hash()])
      const found = [anna, ben, carla].flatMap((who) => who.received.findings.all().map(({ failure }) => failure.code))
      // Noticing it takes as long as the product's own limits.
      const lost = times === 1 ? [] : await broken(ben, pooler.port, () => relay.swallow())
      return [
        ...(hashes.size === 1 ? [] : ['the installations have different states']),
        ...found.map((code) => `an installation reports ${code}`),
        ...lost.flatMap(({ code, seconds }) =>
          ofBreak.includes(code) && seconds <= aim ? [] : [`a black hole behind it: ${code} after ${seconds} s`]
        )
      ]
    } finally {
      await pooler.end()
      relay.end()
    }
  })
