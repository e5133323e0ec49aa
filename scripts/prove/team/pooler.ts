/** A pooler between installations and their database, in both modes: events pass, and a break behind it is noticed. */
import { roleOf } from '#team/database/member-role.ts'
import { readSecrets, readTeam, saveTeam } from '#core/team/installation/saved.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import type { TeamDatabase } from '../../../tests/service/support/postgres.ts'
import type { Exchanging } from '../../../tests/service/support/team-exchange.ts'
import { valueOf } from '../../../tests/service/support/team-installation.ts'
import { findPooler, poolModes, startPooler, type PoolMode } from './pgbouncer.ts'
import { startRelay } from './relay.ts'
import { inScene } from './scene.ts'

/** Seconds. */
const aim = 15

interface PoolerProof {
  readonly rows: readonly Row[]
  readonly notes: readonly string[]
  readonly faults: readonly string[]
}

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

const proveMode = (database: TeamDatabase, program: string, mode: PoolMode): Promise<PoolerProof> =>
  inScene(database, async ({ anna, ben, carla }) => {
    const relay = await startRelay(database.postgres.port)
    const pooler = await startPooler(program, database.postgres, mode, relay.port)
    try {
      for (const who of [anna, ben]) await reachThrough(who, pooler.port)
      await anna.check('APP-POOLED')
      for (const who of [anna, ben, anna, ben]) await who.settle()
      // Without the pooler, the same arrives.
      for (const who of [carla, ben, anna, carla, ben, anna]) await who.settle()
      const hashes = new Set([await anna.hash(), await ben.hash(), await carla.hash()])
      const found = [anna, ben, carla].flatMap((who) => who.received.findings.all().map(({ failure }) => failure.code))
      const lost = await broken(ben, pooler.port, () => relay.swallow())
      return {
        rows: [
          rowOf({
            name: `noticed: black hole between a pooler (${mode} mode) and the database`,
            unit: 's',
            samples: lost.map(({ seconds }) => seconds),
            aims: { largest: aim }
          })
        ],
        notes: [],
        faults: [
          ...(hashes.size === 1 ? [] : [`through a pooler in ${mode} mode, the installations have different states`]),
          ...found.map((code) => `through a pooler in ${mode} mode, an installation reports ${code}`),
          ...lost
            .filter(({ code }) => !['team-database-silent', 'team-database-lost'].includes(code))
            .map(({ code }) => `a black hole behind a pooler in ${mode} mode: ${code}`)
        ]
      }
    } finally {
      await pooler.end()
      relay.end()
    }
  })

/** Undefined if no pooler is installed. */
export async function provePooler(
  database: TeamDatabase,
  progress: (text: string) => void
): Promise<PoolerProof | undefined> {
  const program = findPooler()
  if (program === undefined) return undefined
  const proofs: PoolerProof[] = []
  for (const mode of poolModes) {
    proofs.push(await proveMode(database, program, mode))
    progress(`a pooler in ${mode} mode`)
  }
  return {
    rows: proofs.flatMap(({ rows }) => rows),
    notes: [
      `Through PgBouncer in ${poolModes.join(' and in ')} mode, events were shared and received, and installations behind it and beside it ended with one state hash.`
    ],
    faults: proofs.flatMap(({ faults }) => faults)
  }
}
