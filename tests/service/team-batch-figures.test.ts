/** How far a shared batch is, counted bit by bit on a real PostgreSQL: always the same as counted anew. */
import type { Held } from '#team/thread/batch-ports.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchTables, type BatchTables } from '#exchange/batches/database.ts'
import { createFigures } from '#exchange/batches/figures.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { valueOf } from './support/team-installation.ts'

describe.skipIf(!hasPostgres)('how far a shared batch is', () => {
  const id = randomUUID()
  const [rows, chunkRows] = [11, 2]
  const figures = createFigures()
  const lines: TeamLine[] = []
  /** After which row the intents of each answer were counted. */
  const after: number[] = []
  let database: TeamDatabase
  let anna: BatchTables
  let ben: BatchTables
  let names: readonly string[]

  beforeAll(async () => {
    database = await startTeamDatabase()
    const members = [await database.join(), await database.join()]
    names = members.map(({ installation }) => installation)
    for (const { login, password } of members)
      lines.push(
        valueOf(
          await openLine({
            host: '127.0.0.1',
            port: database.postgres.port,
            database: 'team',
            user: login,
            password,
            trust: undefined
          })
        )
      )
    const [first, second] = lines.map((line) => batchTables(line, '127.0.0.1'))
    if (!first || !second) throw new Error('two members were needed')
    ;[anna, ben] = [first, second]
    valueOf(await anna.share(id, rows, chunkRows))
  })
  afterAll(async () => {
    await Promise.all(lines.map((line) => line.close()))
    await database?.end()
  })

  const take = async (by: BatchTables): Promise<Held> => {
    const held = valueOf(await by.take(id, 60))
    if (!held) throw new Error('nothing was left')
    return held
  }
  const intend = async (by: BatchTables, held: Held, numbers: readonly number[]): Promise<void> => {
    expect(
      valueOf(
        await by.intend(
          id,
          held,
          numbers.map((row) => ({ row, attempt: randomUUID() }))
        )
      )
    ).toEqual(numbers.map(() => true))
  }
  const leave = async (by: BatchTables, held: Held, done = true): Promise<void> =>
    expect(valueOf(await by.leave(id, held, done))).toBe(true)
  /** Intents and parts held, of Anna and Ben. */
  const shown = async (): Promise<unknown> => {
    const asked = valueOf(
      await figures(
        { ...anna, countIntents: (batch, from, until) => (after.push(from), anna.countIntents(batch, from, until)) },
        id
      )
    )
    expect(asked).toEqual(valueOf(await createFigures()(anna, id)))
    const of = new Map(asked.installations.map((each) => [each.installation, [each.intents, each.holds]]))
    return { chunks: asked.chunks, done: asked.done, of: names.map((name) => of.get(name) ?? [0, 0]) }
  }

  it('counts what everybody has an intent for, and holds', async () => {
    expect(await shown()).toEqual({
      chunks: 6,
      done: 0,
      of: [
        [0, 0],
        [0, 0]
      ]
    })
    const first = await take(anna)
    await intend(anna, first, [1, 2])
    const second = await take(ben)
    await intend(ben, second, [3])
    expect(await shown()).toEqual({
      chunks: 6,
      done: 0,
      of: [
        [2, 1],
        [1, 1]
      ]
    })
    await leave(anna, first)
    expect(await shown()).toEqual({
      chunks: 6,
      done: 1,
      of: [
        [2, 0],
        [1, 1]
      ]
    })
    // A part that is not done may get further intents, of others too.
    await leave(ben, second, false)
    const again = await take(anna)
    await intend(anna, again, [4])
    expect(await shown()).toEqual({
      chunks: 6,
      done: 1,
      of: [
        [3, 1],
        [1, 0]
      ]
    })
    const third = await take(ben)
    await intend(ben, third, [5, 6])
    await leave(ben, third)
    expect(await shown()).toEqual({
      chunks: 6,
      done: 2,
      of: [
        [3, 1],
        [3, 0]
      ]
    })
    await leave(anna, again)
    expect(await shown()).toEqual({
      chunks: 6,
      done: 3,
      of: [
        [3, 0],
        [3, 0]
      ]
    })
  })

  it('counts the rows of parts that are done once, up to the last one of a batch', async () => {
    for (const numbers of [[7, 8], [9, 10], [11]]) {
      const held = await take(ben)
      await intend(ben, held, numbers)
      await leave(ben, held)
    }
    expect(await shown()).toEqual({
      chunks: 6,
      done: 6,
      of: [
        [3, 0],
        [8, 0]
      ]
    })
    expect(await shown()).toEqual({
      chunks: 6,
      done: 6,
      of: [
        [3, 0],
        [8, 0]
      ]
    })
    expect(after).toEqual([0, 0, 0, 2, 2, 2, 6, 12])
  })

  it('counts anew when the database was restored from a backup', async () => {
    database.postgres.sql(
      `UPDATE veridesk.chunk SET done = false, owner = NULL WHERE batch = '${id}' AND n >= 2; DELETE FROM veridesk.intent WHERE batch = '${id}' AND row_no > 4`,
      'team'
    )
    expect(await shown()).toEqual({
      chunks: 6,
      done: 2,
      of: [
        [3, 0],
        [1, 0]
      ]
    })
  })

  it('knows nothing of a batch that nobody has shared', async () => {
    expect(valueOf(await figures(anna, randomUUID()))).toEqual({ chunks: 0, done: 0, installations: [] })
  })
})
