/** The list of members in the team's database: appended in order, and never changed. */
import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits, refusals } from '#team/database/schema.ts'
import { hasPostgres, startTeamDatabase, stateOf, type Member, type TeamDatabase } from './support/postgres.ts'

let team: TeamDatabase
let first: Member
let second: Member

beforeAll(async () => {
  if (!hasPostgres) return
  team = await startTeamDatabase()
  first = await team.join()
  second = await team.join()
})
afterAll(() => (hasPostgres ? team.end() : undefined))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

describe.skipIf(!hasPostgres)('the database of a team keeps the list of members', () => {
  const extendText = 'SELECT veridesk.extend_roster($1, $2, $3, $4)'
  const body = Buffer.from('sealed entry')
  const extend = (
    client: Client,
    height: number | null,
    name: string,
    prev: string,
    sealed: Buffer | null = body
  ): Promise<string | undefined> => stateOf(client, extendText, [height, digest(prev), digest(name), sealed])
  const hashes = async (): Promise<Buffer[]> =>
    (await second.client.query<{ hash: Buffer }>('SELECT hash FROM veridesk.roster ORDER BY height')).rows.map(
      ({ hash }) => hash
    )

  it('in order, from every member, once however often an entry is sent', async () => {
    expect(await extend(first.client, 2, 'entry 2', 'entry 1')).toBe(refusals.gap)
    expect(await extend(first.client, 1, 'entry 1', '')).toBeUndefined()
    expect(await extend(second.client, 2, 'entry 2', 'entry 1')).toBeUndefined()
    expect(await extend(second.client, 2, 'entry 2', 'entry 1')).toBeUndefined()
    expect(await extend(first.client, 1, 'entry 1', '')).toBeUndefined()
    expect(await hashes()).toEqual([digest('entry 1'), digest('entry 2')])
    const { rows } = await first.client.query('SELECT installation, body FROM veridesk.roster WHERE height = 2')
    expect(rows).toEqual([{ installation: Buffer.from(second.installation, 'hex'), body }])
  })

  it('and refuses another entry in the place of one, one that does not follow, and one after a gap', async () => {
    expect(await extend(first.client, 1, 'other', '')).toBe(refusals.fork)
    expect(await extend(second.client, 2, 'other', 'entry 1')).toBe(refusals.fork)
    expect(await extend(first.client, 3, 'entry 3', 'other')).toBe(refusals.fork)
    expect(await extend(first.client, 4, 'entry 4', 'entry 3')).toBe(refusals.gap)
    expect(await hashes()).toEqual([digest('entry 1'), digest('entry 2')])
  })

  it('and takes one of two that arrive at once', async () => {
    await first.client.query('BEGIN')
    expect(await extend(first.client, 3, 'of first', 'entry 2')).toBeUndefined()
    const waiting = extend(second.client, 3, 'of second', 'entry 2')
    await first.client.query('COMMIT')
    expect(await waiting).toBe(refusals.fork)
    expect((await hashes()).at(-1)).toEqual(digest('of first'))
  })

  it.each([
    ['no number', null, body],
    ['number 0', 0, body],
    ['no body', 4, null],
    ['an empty body', 4, Buffer.alloc(0)],
    ['a body that is too large', 4, Buffer.alloc(limits.rosterBytes + 1)]
  ] as const)('and refuses an entry with %s', async (_, height, sealed) => {
    expect(await extend(first.client, height, 'entry', 'of first', sealed)).toBe(refusals.tooLarge)
  })
})
