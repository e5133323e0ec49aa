/** Lines to a team's database: a real PostgreSQL, lines that break, and servers that are none. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endMemberSql } from '#team/database/member-role.ts'
import { schemaVersion } from '#team/database/schema.ts'
import { inspectTeam } from '#team/transport/inspection.ts'
import { lineLimits, openLine, type LineLimits, type TeamLine, type TeamTarget } from '#team/transport/line.ts'
import { hasPostgres, startTeamDatabase, type Member, type TeamDatabase } from './support/postgres.ts'
import { startRelay, type Relay } from './support/team-attacks/relay.ts'
import { counted, times } from './support/times.ts'
import { createTestAuthority, type Issued } from './support/tls.ts'

const authority = createTestAuthority()
const trusting = (...certificates: string[]): tls.SecureContext => tls.createSecureContext({ ca: certificates })
const word = randomBytes(32).toString('base64url')
const quick: LineLimits = { ...lineLimits, connectSeconds: 2, silentSeconds: 1, idleSeconds: 0.2 }

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function opened(target: TeamTarget, limits?: LineLimits): Promise<TeamLine> {
  const line = await openLine(target, limits)
  if (!line.ok) throw new Error(JSON.stringify(line.failure))
  ends.push(() => line.value.close())
  return line.value
}

/** The code and reason of a refusal; fails if there is none. */
async function refusal(target: TeamTarget, limits: LineLimits = quick): Promise<string> {
  const line = await openLine(target, limits)
  if (line.ok) throw new Error('it was opened')
  const { code, details } = line.failure
  return [code, details && 'reason' in details ? details.reason : details && 'errno' in details ? details.errno : '']
    .filter(Boolean)
    .join(' ')
}

describe.skipIf(!hasPostgres)('a line to a real PostgreSQL', () => {
  let team: TeamDatabase
  let member: Member
  const targetOf = (part: Partial<TeamTarget> = {}): TeamTarget => ({
    host: '127.0.0.1',
    port: team.postgres.port,
    database: 'team',
    user: member.login,
    password: member.password,
    trust: trusting(authority.cert),
    ...part
  })
  beforeAll(async () => {
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] })
    team = await startTeamDatabase({ tls: { certificate: cert, key } })
    member = await team.join()
    await member.client.end()
  })
  afterAll(() => team.end())

  it('is encrypted, and the sign-in is bound to it', async () => {
    const line = await opened(targetOf())
    expect(line.facts).toMatchObject({
      signIn: 'SCRAM-SHA-256-PLUS',
      serverVersion: expect.stringMatching(/^1[5-9]/) as string,
      tls: { protocol: 'TLSv1.3' }
    })
    expect(await line.query('SELECT $1::int + 1 AS sum', [41])).toEqual({ ok: true, value: [{ sum: 42 }] })
  })

  it('answers several questions one after another', async () => {
    const line = await opened(targetOf())
    const answers = await Promise.all([1, 2, 3].map((n) => line.query<{ n: number }>('SELECT $1::int AS n', [n])))
    expect(answers.map((answer) => answer.ok && answer.value[0]?.n)).toEqual([1, 2, 3])
  })

  it('takes nothing from the environment', async () => {
    const set = {
      PGHOST: '203.0.113.1',
      PGUSER: 'postgres',
      PGDATABASE: 'other',
      PGOPTIONS: '-c search_path=pg_temp',
      PGSSLMODE: 'disable',
      PGAPPNAME: 'another',
      PGCLIENTENCODING: 'LATIN1'
    }
    Object.assign(process.env, set)
    ends.push(() => Object.keys(set).forEach((name) => delete process.env[name]))
    const line = await opened(targetOf())
    const shown = await line.query<{ path: string; name: string; encoding: string; database: string }>(
      `SELECT current_setting('search_path') AS path, current_setting('application_name') AS name, current_setting('client_encoding') AS encoding, current_database() AS database`
    )
    expect(shown).toEqual({
      ok: true,
      value: [{ path: 'pg_catalog', name: 'veridesk', encoding: 'UTF8', database: 'team' }]
    })
  })

  it.each([
    ['a password that is wrong', { password: 'wrong' }, 'team-sign-in-refused'],
    ['a role that does not exist', { user: 'nobody' }, 'team-sign-in-refused'],
    ['a database that does not exist', { database: 'other' }, 'team-database-missing'],
    ['no TLS where the server requires it', { trust: undefined }, 'team-sign-in-refused'],
    [
      'another authority',
      { trust: trusting(createTestAuthority().cert) },
      'team-database-untrusted UNABLE_TO_VERIFY_LEAF_SIGNATURE'
    ],
    [
      'a name that the certificate is not for',
      { host: 'localhost' },
      'team-database-untrusted ERR_TLS_CERT_ALTNAME_INVALID'
    ]
  ] as const)('is refused with %s', async (_, part, expected) => {
    expect(await refusal(targetOf(part))).toBe(expected)
  })

  it('is refused where nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    expect(await refusal(targetOf({ port }))).toBe('team-database-unreachable refused')
  })

  it('is refused as a fourth one, and works when one of them is closed', async () => {
    const lines = [await opened(targetOf()), await opened(targetOf()), await opened(targetOf())]
    expect(await refusal(targetOf())).toBe('team-database-full')
    await lines[0]?.close()
    // The server counts the refused one until its process has ended, a moment after its answer.
    await expect
      .poll(() => opened(targetOf()).then((line) => line.query('SELECT')), { timeout: 20_000 })
      .toMatchObject({ ok: true })
  })

  it('reports a refused statement and goes on', async () => {
    const line = await opened(targetOf())
    expect(await line.query('SELECT 1 / 0')).toMatchObject({
      ok: false,
      failure: { code: 'team-database-refused', details: { sqlState: '22012' } }
    })
    expect(await line.query('SELECT')).toMatchObject({ ok: true })
  })

  it('ends an answer that is too large', async () => {
    const line = await opened(targetOf(), { ...quick, answerBytes: 1_000_000 })
    expect(await line.query(`SELECT repeat('x', 900000)`)).toMatchObject({ ok: true })
    expect(await line.query(`SELECT repeat('x', 500000) FROM generate_series(1, 100)`)).toMatchObject({
      ok: false,
      failure: { code: 'team-answer-unusable', details: { reason: 'too-large' } }
    })
    expect(await line.lost).toMatchObject({ code: 'team-answer-unusable' })
  })

  it('ends an answer that never gets whole, although something arrives again and again', async () => {
    const line = await opened(targetOf(), { ...quick, silentSeconds: 5, answerSeconds: 2 })
    // A row every tenth of a second, each sent at once.
    const slow = await line.query(`SELECT repeat('x', 20000), pg_sleep(0.1) FROM generate_series(1, 600)`)
    expect(slow).toMatchObject({
      ok: false,
      failure: { code: 'team-answer-unusable', details: { reason: 'too-slow', seconds: 2 } }
    })
    expect(await line.lost).toMatchObject({ code: 'team-answer-unusable' })
  })

  it('waits for an answer that came while this thread was busy', async () => {
    const line = await opened(targetOf(), { ...quick, silentSeconds: 0.2, idleSeconds: 60 })
    const answer = line.query('SELECT 1 AS one')
    await new Promise(setImmediate)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
    expect(await answer).toEqual({ ok: true, value: [{ one: 1 }] })
  })

  it('ends with two results to one question', async () => {
    const line = await opened(targetOf())
    expect(await line.query('SELECT 1 AS one; SELECT 2 AS two')).toMatchObject({
      ok: false,
      failure: { code: 'team-answer-unusable', details: { reason: 'rows' } }
    })
    expect(await line.query('SELECT')).toMatchObject({ ok: false })
  })

  it('is lost when the server crashes, and can be opened when it is back', async () => {
    const line = await opened(targetOf())
    const waiting = line.query('SELECT pg_sleep(30)')
    await team.postgres.kill()
    expect(await waiting).toMatchObject({ ok: false })
    expect(await line.lost).toMatchObject({ code: expect.stringMatching(/^team-database-(?:lost|ended)$/) as string })
    expect(await line.query('SELECT')).toMatchObject({ ok: false })
    await team.postgres.start()
    expect(await (await opened(targetOf())).query('SELECT')).toMatchObject({ ok: true })
  })

  describe('through a line that breaks', () => {
    // With the product's own limits where `npm run prove` repeats this.
    const limits = (part: Partial<LineLimits> = {}): LineLimits =>
      times === 1 ? { ...quick, ...part } : { ...lineLimits, ...part }
    async function between(): Promise<Relay> {
      const relay = await startRelay(team.postgres.port)
      ends.push(() => relay.end())
      return relay
    }
    /** Until the line is lost: at most fifteen seconds, also with the product's limits. */
    async function lostIn(line: TeamLine, task: Parameters<typeof counted>[0]): Promise<string> {
      const from = performance.now()
      const { code } = await line.lost
      const took = performance.now() - from
      expect(took, 'milliseconds until it was noticed').toBeLessThan(15_000)
      counted(task, { 'lines broken': 1, 'most milliseconds until noticed': Math.ceil(took) })
      return code
    }

    it('a silence is noticed without a question', async ({ task }) => {
      const { port, swallow } = await between()
      const line = await opened(targetOf({ port }), limits())
      expect(await line.query('SELECT')).toMatchObject({ ok: true })
      swallow()
      expect(await lostIn(line, task)).toBe('team-database-silent')
      expect(await line.query('SELECT')).toMatchObject({ ok: false, failure: { code: 'team-database-silent' } })
    })

    it('a silence in the middle of an answer ends it', async ({ task }) => {
      const { port, swallow } = await between()
      const line = await opened(targetOf({ port }), limits({ idleSeconds: 60 }))
      const answer = line.query('SELECT pg_sleep(60)')
      swallow()
      expect(await lostIn(line, task)).toBe('team-database-silent')
      expect(await answer).toMatchObject({ ok: false, failure: { code: 'team-database-silent' } })
    })

    it('an answer that takes long, but arrives in parts, is waited for', async () => {
      const line = await opened(targetOf(), { ...quick, silentSeconds: 5 })
      // Longer in all than a silence may be. Each row is sent when it is there, since it is larger than the server's buffer.
      const answer = await line.query(`SELECT repeat('x', 20000) || pg_sleep(1)::text FROM generate_series(1, 7)`)
      expect(answer).toMatchObject({ ok: true })
    })

    it('a line that is closed on one side is lost', async ({ task }) => {
      const { port, closeHalf } = await between()
      const line = await opened(targetOf({ port }), limits({ idleSeconds: 60 }))
      closeHalf()
      expect(await lostIn(line, task)).toBe('team-database-lost')
    })
  })

  describe('says whether the team can be used', () => {
    const inspected = async (part: Partial<TeamTarget> = {}) => {
      const target = targetOf(part)
      return inspectTeam(await opened(target), target)
    }

    it('it can', async () => {
      expect(await inspected()).toEqual({
        ok: true,
        value: { version: schemaVersion, installation: member.installation }
      })
    })

    it('the database is not prepared', async () => {
      team.postgres.sql('CREATE DATABASE empty')
      expect(await inspected({ database: 'empty' })).toMatchObject({
        ok: false,
        failure: { code: 'team-schema-missing' }
      })
    })

    it('the role was removed, or never was a member', async () => {
      const leaving = await team.join()
      team.postgres.sql(endMemberSql(leaving.installation), 'team')
      team.postgres.sql(`ALTER ROLE ${leaving.login} LOGIN; GRANT CONNECT ON DATABASE team TO ${leaving.login}`)
      const part = { user: leaving.login, password: leaving.password }
      expect(await inspected(part)).toMatchObject({ ok: false, failure: { code: 'team-member-missing' } })
      team.postgres.sql(`GRANT vd_member TO ${leaving.login}`)
      expect(await inspected(part)).toMatchObject({ ok: false, failure: { code: 'team-member-missing' } })
    })

    it.each([
      ['older', `DELETE FROM veridesk.schema_version WHERE version = ${schemaVersion}`, schemaVersion - 1],
      ['newer', `INSERT INTO veridesk.schema_version (version) VALUES (${schemaVersion + 1})`, schemaVersion + 1]
    ])('its version is %s', async (_, statement, found) => {
      team.postgres.sql(statement, 'team')
      ends.push(() => {
        team.postgres.sql(`DELETE FROM veridesk.schema_version WHERE version > ${schemaVersion}`, 'team')
        team.postgres.sql(
          `INSERT INTO veridesk.schema_version (version) VALUES (${schemaVersion}) ON CONFLICT DO NOTHING`,
          'team'
        )
      })
      expect(await inspected()).toEqual({
        ok: false,
        failure: { code: 'team-schema-other', details: { found, version: schemaVersion } }
      })
    })
  })
})

describe('a server that is none', () => {
  const secret = { database: 'team', user: 'member', password: word }

  /** Starts a server on loopback and collects what it receives. */
  async function hostile(
    answer: (socket: Socket, part: Buffer, n: number) => void
  ): Promise<{ target: TeamTarget; received: Buffer[] }> {
    const received: Buffer[] = []
    const server: Server = createServer((socket) => {
      let n = 0
      socket.on('error', () => undefined)
      ends.push(() => socket.destroy())
      socket.on('data', (part) => {
        received.push(part)
        answer(socket, part, (n += 1))
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    ends.push(() => server.close())
    return {
      target: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, ...secret, trust: undefined },
      received
    }
  }

  const message = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const authentication = (code: number, rest: Buffer | string = ''): Buffer => {
    const number = Buffer.alloc(4)
    number.writeInt32BE(code)
    return message('R', Buffer.concat([number, Buffer.from(rest)]))
  }
  const ready = Buffer.concat([authentication(0), message('Z', Buffer.from('I'))])
  const sasl = authentication(10, 'SCRAM-SHA-256\0\0')
  /** The server's first message of the sign-in, for the nonce in the client's. */
  const challenge = (part: Buffer, iterations = 4096): Buffer =>
    authentication(
      11,
      `r=${/r=([\w+/=]+)/.exec(part.toString('latin1'))?.[1] ?? ''}more,s=${randomBytes(16).toString('base64')},i=${iterations}`
    )

  const gaveNothing = (received: readonly Buffer[]): void => {
    const all = Buffer.concat(received)
    expect(all.includes(word)).toBe(false)
    expect(
      all.includes(
        createHash('md5')
          .update(word + secret.user)
          .digest('hex')
      )
    ).toBe(false)
    expect(all.includes('veridesk.')).toBe(false)
  }

  it.each<[string, (socket: Socket, part: Buffer, n: number) => void, string]>([
    ['asks for the password', (socket) => socket.write(authentication(3)), 'team-sign-in-insecure password'],
    [
      'asks for the password’s MD5',
      (socket) => socket.write(authentication(5, randomBytes(4))),
      'team-sign-in-insecure password'
    ],
    ['asks for nothing', (socket) => socket.write(ready), 'team-sign-in-insecure none'],
    [
      'asks for a proof and goes on without giving its own',
      (socket, part, n) => socket.write(n === 1 ? sasl : n === 2 ? challenge(part) : ready),
      'team-sign-in-insecure none'
    ],
    [
      'asks for a proof and does not wait for it',
      (socket, _part, n) => socket.write(n === 1 ? sasl : ready),
      'team-sign-in-insecure none'
    ],
    [
      'gives a wrong proof',
      (socket, part, n) =>
        socket.write(
          n === 1 ? sasl : n === 2 ? challenge(part) : authentication(12, `v=${randomBytes(32).toString('base64')}`)
        ),
      'team-sign-in-insecure proof'
    ],
    [
      'repeats another nonce',
      (socket, _part, n) => socket.write(n === 1 ? sasl : challenge(Buffer.from('r=other'))),
      'team-sign-in-insecure proof'
    ],
    [
      'demands a day of work for the proof',
      (socket, part, n) => socket.write(n === 1 ? sasl : challenge(part, 2_000_000_000)),
      'team-sign-in-insecure proof'
    ],
    ['knows only other ways', (socket) => socket.write(authentication(10, 'PLAIN\0\0')), 'team-sign-in-insecure proof'],
    ['asks in an unknown way', (socket) => socket.write(authentication(99)), 'team-answer-unusable malformed'],
    [
      'speaks another protocol',
      (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'team-database-unreachable timeout'
    ],
    ['sends rubbish', (socket) => socket.write(Buffer.alloc(4096, 0x52)), 'team-database-unreachable timeout'],
    ['says nothing', () => undefined, 'team-database-unreachable timeout'],
    ['closes at once', (socket) => socket.end(), 'team-database-lost']
  ])('that %s gets nothing', async (_, answer, expected) => {
    const { target, received } = await hostile(answer)
    expect(await refusal(target)).toBe(expected)
    gaveNothing(received)
  })

  it('that sends without end is cut off', async () => {
    const { target, received } = await hostile((socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(message('N', Buffer.alloc(60_000)))) continue
      }
      socket.on('drain', more)
      more()
    })
    expect(await refusal(target, { ...quick, connectSeconds: 30, answerBytes: 5_000_000 })).toBe(
      'team-answer-unusable too-large'
    )
    gaveNothing(received)
  })

  it('elsewhere is not spoken to without TLS', async () => {
    expect(await refusal({ host: '203.0.113.1', port: 5432, ...secret, trust: undefined })).toBe(
      'team-database-unencrypted'
    )
  })

  describe('behind a certificate', () => {
    /** Agrees to TLS, then shows a certificate. */
    const secured = async (issued: Issued): Promise<{ target: TeamTarget; received: Buffer[]; inside: Buffer[] }> => {
      const inside: Buffer[] = []
      const { target, received } = await hostile((socket, _part, n) => {
        if (n !== 1) return
        socket.removeAllListeners('data')
        socket.write('S')
        const server = new tls.TLSSocket(socket, {
          isServer: true,
          secureContext: tls.createSecureContext({ cert: issued.cert, key: issued.key })
        })
        server.on('error', () => undefined)
        server.on('data', (part: Buffer) => inside.push(part))
      })
      return { target: { ...target, trust: trusting(authority.cert) }, received, inside }
    }
    const day = 86_400_000
    it.each<[string, () => Issued, string]>([
      [
        'of an unknown authority',
        () => createTestAuthority().issue({ names: ['127.0.0.1'] }),
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
      ],
      ['for another name', () => authority.issue({ names: ['db.example.com'] }), 'ERR_TLS_CERT_ALTNAME_INVALID'],
      [
        'that has expired',
        () =>
          authority.issue({
            names: ['127.0.0.1'],
            notBefore: new Date(Date.now() - 2 * day),
            notAfter: new Date(Date.now() - day)
          }),
        'CERT_HAS_EXPIRED'
      ]
    ])('%s gets nothing', async (_, issue, reason) => {
      const { target, received, inside } = await secured(issue())
      expect(await refusal(target)).toBe(`team-database-untrusted ${reason}`)
      gaveNothing([...received, ...inside])
    })

    it('that it does not show: without TLS it is left', async () => {
      const { target, received } = await hostile((socket) => socket.write('N'))
      expect(await refusal({ ...target, trust: trusting(authority.cert) })).toBe('team-database-unencrypted')
      gaveNothing(received)
    })

    it('and words slipped in before the encryption are not read', async () => {
      const { target, received } = await hostile((socket) => socket.write(Buffer.concat([Buffer.from('S'), ready])))
      expect(await refusal({ ...target, trust: trusting(authority.cert) })).toMatch(/^team-/)
      gaveNothing(received)
    })
  })
})
