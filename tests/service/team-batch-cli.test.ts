/** A batch of a team on the command line: one person makes and shares it, another one takes it over, and both have its results. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import type { TeamBatch, TeamBatchProgress } from '#contract/team/batches.ts'
import { startPracticeService } from '#practice/service.ts'
import { runCommand } from './support/cli.ts'
import { startKeyring, type Keyring } from './support/keyring.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'

interface Person {
  readonly data: string
  readonly keyring: Keyring
}

describe.skipIf(!hasPostgres)('a batch of a team on the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-team-batch-cli-'))
  const at = (name: string): string => join(folder, name)
  let database: TeamDatabase
  let practice: Awaited<ReturnType<typeof startPracticeService>>
  let anna: Person
  let ben: Person
  async function done({ data, keyring }: Person, words: readonly string[], input = ''): Promise<string> {
    const { code, out, error } = await runCommand(words, { data, env: keyring.env, input })
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${error}`)
    return out
  }
  const wordsIn = (text: string): string => /words: ((?:[a-z]+ ){11}[a-z]+)/.exec(text)?.[1] ?? ''

  beforeAll(async () => {
    database = await startTeamDatabase()
    practice = await startPracticeService()
    anna = { data: at('anna'), keyring: await startKeyring() }
    ben = { data: at('ben'), keyring: await startKeyring() }
    const values = credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}`).join('\n')
    for (const person of [anna, ben]) {
      database.postgres.sql(await done(person, ['team', 'access']), 'team')
      await done(
        person,
        ['connection', 'add', 'Service', '--base-url', practice.baseUrl, '--credentials-stdin'],
        values
      )
    }
    await done(anna, [
      'team',
      'create',
      '--host',
      '127.0.0.1',
      '--port',
      String(database.postgres.port),
      '--database',
      'team',
      '--name',
      'Anna Weber'
    ])
    const invited = wordsIn(await done(anna, ['team', 'invite', '--to', at('invitation.json')]))
    const asked = wordsIn(
      await done(ben, [
        'team',
        'join',
        at('invitation.json'),
        '--name',
        'Ben Okoro',
        '--words',
        invited,
        '--to',
        at('request.json')
      ])
    )
    await done(anna, ['team', 'admit', at('request.json'), '--words', asked, '--role', 'reviewer'])
    for (const person of [anna, ben]) await done(person, ['team', 'share'])
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna, ben].map(({ keyring }) => keyring.end()))
    await database.end()
    await practice.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is not shared by an installation that lacks its credentials', { timeout: 60_000 }, async () => {
    writeFileSync(at('rows.csv'), 'applicant_id\nCLI-0\n')
    await done(anna, ['connection', 'add', 'Bare', '--base-url', practice.baseUrl])
    const words = [
      'batch',
      'run',
      at('rows.csv'),
      '--operation',
      'get-applicant-details',
      '--connection',
      'Bare',
      '--share'
    ]
    const { code, error } = await runCommand(words, { data: anna.data, env: anna.keyring.env })
    expect([code, error]).toEqual([1, expect.stringContaining('Credentials of this connection are missing: x-api-key')])
    expect(await done(anna, ['batch', 'list', '--json'])).not.toContain('rows.csv')
    await done(anna, ['connection', 'remove', 'Bare'])
  })

  it('is shared, listed, taken over, and saved by both', { timeout: 120_000 }, async () => {
    writeFileSync(at('rows.csv'), 'applicant_id\nCLI-1\nCLI-2\nCLI-3\n')
    await done(anna, [
      'batch',
      'run',
      at('rows.csv'),
      '--operation',
      'get-applicant-details',
      '--connection',
      'Service',
      '--share'
    ])
    await done(anna, ['team', 'exchange'])
    // It receives first.
    const [batch] = JSON.parse(await done(ben, ['team', 'batches', '--json'])) as TeamBatch[]
    expect(batch).toMatchObject({ member: 'Anna Weber', own: false, here: false, name: 'rows.csv' })
    expect(
      JSON.parse(await done(ben, ['team', 'batches', batch?.id ?? '', '--json'])) as TeamBatchProgress
    ).toMatchObject({ finished: true, shares: [{ member: 'Anna Weber', rows: 3 }] })
    const saves = async (person: Person): Promise<void> => {
      await done(person, ['batch', 'save', batch?.id ?? '', '--out', at('results.csv')])
      expect(
        readFileSync(at('results.csv'), 'utf8')
          .trim()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',').slice(0, 3))
      ).toEqual([
        ['CLI-1', '2', 'Answered'],
        ['CLI-2', '3', 'Answered'],
        ['CLI-3', '4', 'Answered']
      ])
    }
    // Nothing of it was run there.
    await saves(ben)
    // Everything is done already: it ends without a request.
    await done(ben, ['batch', 'take-over', batch?.id ?? '', '--connection', 'Service'])
    expect(practice.ledger()).toHaveLength(3)
    for (const person of [anna, ben]) await saves(person)
  })
})
