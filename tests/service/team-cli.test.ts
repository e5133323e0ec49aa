/** `team` on the command line as its users run it: two people with a keychain each, an administrator, and a real database. */
import { readFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import type { TeamMembers } from '#contract/team/team.ts'
import { startPracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { runCommand, type CliRun } from './support/cli.ts'
import { startKeyring, type Keyring } from './support/keyring.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { createTestAuthority } from './support/tls.ts'

interface Person {
  readonly data: string
  readonly keyring: Keyring
}

describe.skipIf(!hasPostgres)('a team on the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-team-cli-'))
  const at = (name: string): string => join(folder, name)
  let database: TeamDatabase
  let anna: Person
  let ben: Person
  let practice: Awaited<ReturnType<typeof startPracticeService>>
  const run = ({ data, keyring }: Person, ...words: string[]): Promise<CliRun> =>
    runCommand(words, { data, env: keyring.env })
  async function done(person: Person, ...words: string[]): Promise<string> {
    const { code, out, error } = await run(person, ...words)
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${error}`)
    return out
  }
  const membersOf = async (person: Person): Promise<TeamMembers> =>
    JSON.parse(await done(person, 'team', 'members', '--json')) as TeamMembers
  const wordsIn = (text: string): string => /words: ((?:[a-z]+ ){11}[a-z]+)/.exec(text)?.[1] ?? ''
  let address: string[]
  const verify = ['verify', 'get-applicant-details', '--applicant-id', 'PRACTICE-pass', '--connection', 'Service']

  beforeAll(async () => {
    const authority = createTestAuthority()
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] })
    database = await startTeamDatabase({ tls: { certificate: cert, key } })
    writeFileSync(at('ca.pem'), authority.cert)
    address = [
      '--host',
      '127.0.0.1',
      '--port',
      String(database.postgres.port),
      '--database',
      'team',
      '--ca',
      at('ca.pem')
    ]
    anna = { data: at('anna'), keyring: await startKeyring() }
    ben = { data: at('ben'), keyring: await startKeyring() }
    practice = await startPracticeService()
  }, 60_000)
  afterAll(async () => {
    await Promise.all([anna, ben].map(({ keyring }) => keyring.end()))
    await database.end()
    await practice.close()
    rmSync(folder, { recursive: true, force: true })
  })

  // One team from its beginning to its end: each of these tests goes on where the one before ended.
  it('is created and joined, with TLS and both keychains', async () => {
    for (const person of [anna, ben]) database.postgres.sql(await done(person, 'team', 'access'), 'team')
    expect(await done(anna, 'team', 'create', ...address, '--name', 'Anna Weber')).toMatch(
      /^Team (?:[a-z]+ ){11}[a-z]+\n[0-9a-f]{32}  supervisor  Anna Weber \(this installation\)\n/
    )

    const invited = await done(anna, 'team', 'invite', '--to', at('invitation.json'))
    expect(invited).toContain('in person or by phone')
    expect(statSync(at('invitation.json')).mode & 0o077).toBe(0)
    // Whoever replaces the file on its way is noticed by the words.
    const wrong = await run(
      ben,
      'team',
      'join',
      at('invitation.json'),
      '--name',
      'Ben Okoro',
      '--words',
      wordsIn(invited).split(' ').reverse().join(' '),
      '--to',
      at('request.json')
    )
    expect([wrong.code, wrong.error]).toEqual([1, expect.stringContaining('The words do not match the file.')])
    const asked = await done(
      ben,
      'team',
      'join',
      at('invitation.json'),
      '--name',
      'Ben Okoro',
      '--words',
      wordsIn(invited),
      '--to',
      at('request.json')
    )
    expect(await done(ben, 'team', 'members')).toContain('This installation is not a member yet')
    expect(
      await done(anna, 'team', 'admit', at('request.json'), '--words', wordsIn(asked), '--role', 'analyst')
    ).toMatch(/[0-9a-f]{32} {2}analyst {5}Ben Okoro\n/)

    expect((await membersOf(ben)).members.map(({ name, role, own, access }) => [name, role, own, access])).toEqual([
      ['Anna Weber', 'supervisor', false, true],
      ['Ben Okoro', 'analyst', true, true]
    ])
  })

  it('shares what was checked, so that nobody pays for it twice, and says what the database has lost', async () => {
    await done(anna, 'team', 'role', 'ben okoro', '--role', 'reviewer')
    // Colleagues list what was checked once it is shared, and do not pay for it twice.
    const lines = credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}\n`).join('')
    for (const { data, keyring } of [anna, ben]) {
      const added = await runCommand(
        ['connection', 'add', 'Service', '--base-url', practice.baseUrl, '--credentials-stdin'],
        { data, env: keyring.env, input: lines }
      )
      expect([added.code, added.error]).toEqual([0, ''])
    }
    await done(anna, ...verify)
    expect(await done(anna, 'team', 'exchange')).toContain('Nothing of this installation is shared')
    expect(await done(anna, 'team', 'share')).toContain('Shared: Service')
    expect(await done(anna, 'team', 'exchange')).toMatch(/Anna Weber \(this installation\): [1-9]\d* events/)
    // A script notices that the database has lost an event, there and at its author, who sends it again.
    database.postgres.sql('DELETE FROM veridesk.event WHERE seq = 2', 'team')
    const stopped = await run(ben, 'team', 'exchange')
    expect([stopped.code, stopped.out]).toEqual([
      exitCodes.findings.code,
      expect.stringContaining('Events of the installation')
    ])
    const told = await run(anna, 'team', 'exchange')
    expect([told.code, told.out]).toEqual([
      exitCodes.findings.code,
      expect.stringContaining('had lost 1 events and 0 keys')
    ])
  })

  it('goes on once what was found is acknowledged, and colleagues see what was checked', async () => {
    const listed = await run(anna, 'team', 'findings')
    expect([listed.code, listed.out]).toEqual([exitCodes.findings.code, expect.stringContaining('given-again')])
    const { installation: author = '' } = (await membersOf(anna)).members.find(({ own }) => own) ?? {}
    for (const finding of ['rolled-back', 'given-again'])
      await done(
        anna,
        'team',
        'acknowledge',
        author,
        '--finding',
        finding,
        '--reason',
        'An event was deleted for a test'
      )
    // Ben may have sent rows that the database has lost, and shares nothing that could tell.
    const waiting = await run(anna, 'team', 'exchange')
    expect([waiting.code, waiting.out]).toEqual([exitCodes.findings.code, expect.stringContaining('Acknowledged by')])
    const { installation: awaited = '' } = (await membersOf(anna)).members.find(({ own }) => !own) ?? {}
    await done(anna, 'team', 'acknowledge', awaited, '--finding', 'exchange-awaited', '--reason', 'Ben runs no batches')
    await done(anna, 'team', 'exchange')
    // Without a terminal, nothing is written about progress.
    const received = await run(ben, 'team', 'exchange')
    expect([received.out, received.error]).toEqual([expect.stringMatching(/Anna Weber: [1-9]\d* events/), ''])
    expect(await run(ben, 'team', 'approvals')).toMatchObject({
      code: 0,
      out: '',
      error: 'There are no requests for approval.\n'
    })
    for (const of of [[], ['--applicant', 'PRACTICE-pass']])
      expect(await done(ben, 'team', 'activity', ...of)).toMatch(
        /^\d{4}-\S+Z {2}Anna Weber {2}PRACTICE-pass {2}Get applicant details, Answered, 200, /
      )
    const twice = await run(ben, ...verify)
    expect([twice.code, twice.error]).toEqual([
      exitCodes.recentlyAnswered.code,
      expect.stringContaining('Anna Weber made the same request')
    ])
  })

  it('is left by who was removed', async () => {
    const [, second] = (await membersOf(anna)).members
    expect(second).toMatchObject({ name: 'Ben Okoro', role: 'reviewer' })
    const removed = await run(
      anna,
      'team',
      'remove',
      second?.installation.slice(0, 8) ?? '',
      '--confirm',
      'Ben Okoro',
      '--to',
      at('end.sql')
    )
    expect([removed.code, removed.error]).toEqual([
      0,
      expect.stringContaining('Ben Okoro could read everything that was shared until now (keys up to number 1)')
    ])
    expect(removed.error).toContain(
      `was removed (Ben Okoro) and still has access to the database. “team access --end ${second?.installation}”`
    )
    // The same again, and nothing but SQL on standard output.
    const again = await done(anna, 'team', 'access', '--end', second?.installation ?? '')
    expect(again).toBe(readFileSync(at('end.sql'), 'utf8'))
    expect(again).toMatch(/^-- .*\nBEGIN;\nSELECT veridesk.dismiss/)
    database.postgres.sql(again, 'team')
    const replaced = await run(anna, 'evidence', 'replace-key', '--confirm', '0'.repeat(64))
    expect([replaced.code, replaced.error]).toEqual([
      1,
      expect.stringContaining('The team knows this installation by the current key')
    ])
    const ended = await run(ben, 'team', 'members')
    expect([ended.code, ended.error]).toEqual([1, expect.stringContaining('refused the sign-in')])
    expect(await done(ben, 'team', 'leave', '--confirm', second?.installation ?? '')).toContain(
      'deleted from this computer'
    )
    const without = await run(ben, 'team', 'members')
    expect(without.error).toContain('has no access to a team’s database yet')
  })

  it('says what is missing, and changes nothing', async () => {
    const usage = async (...words: string[]): Promise<string> => {
      const { code, error } = await run(anna, 'team', ...words)
      expect([words, code]).toEqual([words, exitCodes.usage.code])
      return error
    }
    expect(await usage('create', ...address)).toContain('Name this installation')
    expect(await usage('create', '--name', 'Anna')).toContain('Name the database')
    expect(await usage('create', '--name', 'Anna', '--host', 'h', '--database', 'd', '--port', '0')).toContain(
      '1 to 65535'
    )
    expect(await usage('create', '--name', 'A'.repeat(101), ...address)).toContain('at most 100 characters')
    expect(await usage('create', '--name', 'Anna', '--host', 'db.example.com:5432', '--database', 'd')).toContain(
      'The port and the database have fields of their own'
    )
    expect(await usage('access', '--end', 'abc')).toContain('32 digits')
    expect(await usage('invite')).toContain('--to FILE')
    expect(await usage('join', at('invitation.json'))).toContain('--words WORDS')
    expect(await usage('admit', at('request.json'), '--words', '1', '--role', 'boss')).toContain(
      'analyst|reviewer|supervisor|auditor'
    )
    expect(await usage('role', 'Nobody', '--role', 'analyst')).toContain('There is no member “Nobody”')
    expect(await usage('remove', 'Anna Weber')).toContain('--confirm NAME')
    expect(await usage('leave', '--confirm', 'yes')).toContain('--confirm ')
    expect(await usage('exchange', '--timeout', '0')).toContain('1 to 86400')
    expect(await usage('activity', '--limit', '1000')).toContain('1 to 200')
    expect(await usage('acknowledge', 'ab', '--finding', 'forked', '--reason', 'x')).toContain(
      'rolled-back|withheld|forked|views-differ|refused'
    )
    expect(await usage('acknowledge', 'ab'.repeat(16), '--finding', 'forked')).toContain('--reason TEXT')
    expect(await usage('approvals', '--limit', '0')).toContain('1 to 200')
    for (const said of [[], ['--countersign', '--return']])
      expect(await usage('approve', '12345678-1', ...said)).toContain('--countersign or --return')
    const unknown = await run(anna, 'team', 'approve', '12345678-1', '--countersign')
    expect([unknown.code, unknown.error]).toEqual([1, expect.stringContaining('there is no such request here')])
    const missing = await run(anna, 'team', 'admit', at('none.json'), '--words', '1', '--role', 'analyst')
    expect([missing.code, missing.error]).toEqual([1, expect.stringContaining('none.json')])
    expect((await membersOf(anna)).members).toHaveLength(1)
    expect(readFileSync(join(anna.data, 'team.json'), 'utf8')).toContain('Anna Weber')
  }, 120_000)
})
