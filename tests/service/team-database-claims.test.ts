/** The order of claims in the team's database, on a real PostgreSQL. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusals } from '#team/database/schema.ts'
import { hasPostgres, startTeamDatabase, stateOf, type Member, type TeamDatabase } from './support/postgres.ts'

let team: TeamDatabase
beforeAll(async () => {
  if (hasPostgres) team = await startTeamDatabase()
})
afterAll(() => team?.end())

/** Some events of a member, of no content. */
async function append({ client, installation }: Member, from: number, count = 1): Promise<void> {
  const hashOf = (seq: number): Buffer => createHash('sha256').update(`${installation} ${seq}`).digest()
  const seqs = Array.from({ length: count }, (_, index) => from + index)
  await client.query('SELECT veridesk.append($1, $2, $3, $4, $5, $6)', [
    from,
    hashOf(from - 1),
    seqs.map(hashOf),
    seqs.map(() => 0),
    seqs.map(() => Buffer.from('sealed')),
    Buffer.alloc(64, 7)
  ])
}

it.skipIf(!hasPostgres)('numbers committed claims in the order of their commits, once', async () => {
  const text = 'SELECT veridesk.order_claims($1)'
  const [one, two] = [await team.join(), await team.join()]
  for (const each of [one, two]) await append(each, 1, 3)
  const order = async (): Promise<unknown[]> =>
    (
      await one.client.query<{ n: string; installation: Buffer; seq: string }>(
        'SELECT n, installation, seq FROM veridesk.claim_order ORDER BY n'
      )
    ).rows.map(({ n, installation, seq }) => [Number(n), installation.toString('hex'), Number(seq)])
  await one.client.query(text, [[3, 1, 1]])
  await two.client.query(text, [[2]])
  await one.client.query(text, [[3, 2, 1]])
  expect(await order()).toEqual([
    [1, one.installation, 1],
    [2, one.installation, 3],
    [3, two.installation, 2],
    [4, one.installation, 2]
  ])
  // What is not committed has no number, and nobody numbers the events of another.
  for (const seqs of [[4], [0], [1, 4], [null]]) expect(await stateOf(one.client, text, [seqs])).toBe(refusals.gap)
  for (const seqs of [[], null, Array<number>(257).fill(1)])
    expect(await stateOf(one.client, text, [seqs])).toBe(refusals.tooLarge)
  expect(await order()).toHaveLength(4)
  // Of two at once, the second waits for the commit of the first.
  await one.client.query('BEGIN')
  await append(one, 4)
  await one.client.query(text, [[4]])
  await append(two, 4)
  let isDone = false
  const second = two.client.query(text, [[4]]).then(() => (isDone = true))
  await expect
    .poll(() =>
      team.postgres.sql(
        `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%order_claims%'`
      )
    )
    .toBe('1')
  expect(isDone).toBe(false)
  await one.client.query('COMMIT')
  await second
  expect((await order()).slice(4)).toEqual([
    [5, one.installation, 4],
    [6, two.installation, 4]
  ])
})
