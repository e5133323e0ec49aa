/** Two-person admission on the command line: two supervisors with a keychain each, and a real database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand, type CliRun } from './support/cli.ts'
import { startKeyring, type Keyring } from './support/keyring.ts'
import { hasPostgres, startTeamDatabase } from './support/postgres.ts'

const wordsIn = (text: string): string => /words: ((?:[a-z]+ ){11}[a-z]+)/.exec(text)?.[1] ?? ''

it.skipIf(!hasPostgres)(
  'two supervisors switch it off with words that they compare',
  { timeout: 240_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'veridesk-two-person-'))
    const at = (name: string): string => join(folder, name)
    const database = await startTeamDatabase()
    const [anna, ben] = [await startKeyring(), await startKeyring()]
    const run = ({ env }: Keyring, ...words: string[]): Promise<CliRun> =>
      runCommand(['team', ...words], { data: at(env === anna.env ? 'anna' : 'ben'), env })
    const done = async (who: Keyring, ...words: string[]): Promise<string> => {
      const { code, out, error } = await run(who, ...words)
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${error}`)
      return out
    }
    try {
      for (const each of [anna, ben]) database.postgres.sql(await done(each, 'access'), 'team')
      const port = String(database.postgres.port)
      await done(anna, 'create', '--host', '127.0.0.1', '--port', port, '--database', 'team', '--name', 'Anna Weber')
      const invited = wordsIn(await done(anna, 'invite', '--to', at('invitation.json')))
      const joining = ['join', at('invitation.json'), '--name', 'Ben Okoro', '--words', invited]
      const asked = wordsIn(await done(ben, ...joining, '--to', at('request.json')))
      await done(anna, 'admit', at('request.json'), '--words', asked, '--role', 'supervisor')
      expect(await done(anna, 'rule', 'on')).toContain('Two-person admission is on.')
      const off = await done(anna, 'rule', 'off')
      expect(off).toContain('Two-person admission is on.')
      const [, entry = ''] = /Waits for a second supervisor: ([0-9a-f]{12})/.exec(off) ?? []
      const words = ['--words', wordsIn(off)]
      expect((await run(anna, 'confirm', entry, ...words)).error).toContain('another supervisor must confirm this')
      expect((await run(ben, 'confirm', entry)).error).toContain('This switches two-person admission off.')
      expect((await run(ben, 'confirm', entry, '--words', asked)).error).toContain('words')
      const ended = await done(ben, 'confirm', entry, ...words)
      expect(ended).not.toContain('Two-person admission is on.')
    } finally {
      await Promise.all([anna, ben].map((each) => each.end()))
      await database.end()
      rmSync(folder, { recursive: true, force: true })
    }
  }
)
