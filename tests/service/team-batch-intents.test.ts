/** What a real PostgreSQL reads for an intent of a shared batch does not grow with the batch. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchTables } from '#exchange/batches/database.ts'
import { ReceivedBatches } from '#exchange/batches/reading.ts'
import { createBatchWork } from '#exchange/batches/work.ts'
import { Received } from '#exchange/log/received.ts'
import { openReceived } from '#team/log/received-schema.ts'
import { openLine, type TeamTarget } from '#team/transport/line.ts'
import { hasPostgres, startTeamDatabase, type Member, type TeamDatabase } from './support/postgres.ts'
import { valueOf } from './support/team-installation.ts'

describe.skipIf(!hasPostgres)('an intent of a shared batch', () => {
  const host = '127.0.0.1'
  let database: TeamDatabase
  let member: Member
  const opened = () => {
    const target: TeamTarget = {
      host,
      port: database.postgres.port,
      database: 'team',
      user: member.login,
      password: member.password,
      trust: undefined
    }
    return openLine(target)
  }
  beforeAll(async () => {
    database = await startTeamDatabase()
    member = await database.join()
    await member.client.end()
    // As in the first minute of a team: nobody has counted yet how many intents there are.
    database.postgres.sql('ALTER TABLE veridesk.intent SET (autovacuum_enabled = off)', 'team')
  })
  afterAll(() => database?.end())

  it('is found among those that the batch has already, whatever was known when it started', async () => {
    const [id, rows] = [randomUUID(), 10_000]
    const received = valueOf(openReceived('', undefined))
    const work = createBatchWork({
      installation: member.installation,
      host,
      store: new Received(received),
      reading: new ReceivedBatches(received),
      open: opened,
      whole: () => Promise.reject(new Error('not asked for')),
      history: { read: () => Promise.reject(new Error('not asked for')) },
      prepare: () => Promise.reject(new Error('not asked for')),
      members: () => []
    })
    const line = valueOf(await opened())
    const tables = batchTables(line, host)
    const { fence } = valueOf(await tables.take(id, 60))
    let last = 0
    const intend = async (count: number, times: number): Promise<void> => {
      for (let time = 0; time < times; time++) {
        const attempts = Array.from({ length: count }, () => ({ row: (last += 1), attempt: randomUUID() }))
        expect(valueOf(await work.intend(id, fence, attempts))).toEqual(attempts.map(() => true))
      }
    }
    /** Few of them: the plan that the server would keep is made now. */
    await intend(10, 10)
    await intend(900, 10)
    await intend(10, 90)
    expect(last).toBe(rows)
    await line.close()
    // The server counts what a session read when the session ends.
    await work.close()
    received.close()
    const [made = '', read = ''] = database.postgres
      .sql(
        `SELECT n_tup_ins, idx_tup_fetch + seq_tup_read FROM pg_stat_all_tables WHERE relid = 'veridesk.intent'::regclass`,
        'team'
      )
      .trim()
      .split('|')
    expect(Number(made)).toBe(rows)
    // Some of the large calls read all there are; if the last 90 did, they alone would read 850,000.
    expect(Number(read)).toBeLessThan(100_000)
  })
})
