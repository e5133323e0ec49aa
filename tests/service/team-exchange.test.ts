/** Events exchanged through a real PostgreSQL: shared, received, confirmed; and what its administrator can do to them. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Failure } from '#contract/failures/failures.ts'
import { schemaSql } from '#team/database/schema.ts'
import { readContent } from '#team/log/content.ts'
import { startExchange, type ExchangeState } from '#exchange/log/exchange.ts'
import { isForkProof } from '#team/log/fork.ts'
import type { Round } from '#exchange/log/round.ts'
import { isSharedWorkOnHold } from '#team/log/standing.ts'
import { clock } from './history-fixtures.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { exchanging, type Exchanging } from './support/team-exchange.ts'
import { addressOf, installed, requestOf, valueOf as value, type Installation } from './support/team-installation.ts'
import { some } from './support/times.ts'

const hand = { at: 1_790_000_000_000, operator: 'tester' }
const codes = (failures: readonly Failure[]): readonly string[] =>
  failures.map(({ code, details }) =>
    [code, details && 'reason' in details ? details.reason : ''].filter(Boolean).join(' ')
  )

describe.skipIf(!hasPostgres)('installations of a team', () => {
  let starting: Promise<TeamDatabase> | undefined
  let database: TeamDatabase
  let arrived: Installation[]
  let open: Exchanging[]
  let anna: Exchanging
  let ben: Exchanging
  const sql = (text: string): string => database.postgres.sql(text, 'team')
  const idOf = ({ one }: Exchanging): string => `'\\x${one.installation}'`

  async function member(name: string): Promise<Exchanging> {
    const [founder] = arrived
    const one = await installed(database, name)
    arrived.push(one)
    if (founder) {
      const invitation = value(await founder.team.invite())
      const request = await requestOf(one, readFileSync(founder.file, 'utf8'), invitation?.words ?? '')
      value(await founder.team.admit({ ...request, role: 'analyst' }))
    } else value(await one.team.create({ name, database: addressOf(database) }))
    const made = await exchanging(one)
    open.push(made)
    return made
  }
  /** What an installation has received of another one: kinds and plain texts. */
  const seenBy = (who: Exchanging, of: Exchanging) =>
    who.received.events(of.one.installation, 0, 10_000).map(({ content }) => {
      const event = readContent(content)
      if (!event || event === 'newer') throw new Error('no event')
      return event
    })
  const round = async (who: Exchanging, waiting?: number): Promise<Round> => value(await who.round(waiting))

  beforeEach(async () => {
    database = await (starting ??= startTeamDatabase())
    sql('DROP SCHEMA veridesk CASCADE')
    sql(schemaSql)
    arrived = []
    open = []
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    await anna.refresh()
  })
  afterEach(async () => {
    await Promise.all(open.map((each) => each.close()))
    for (const { folder } of arrived) rmSync(folder, { recursive: true, force: true })
  })
  afterAll(async () => (await starting)?.end())

  it('share what they did, and the database can read nothing of it', async () => {
    await anna.check('APP-1', 'A message of the service')
    value(await anna.store.applicants.note('APP-1', 'Looked at by hand', hand))
    value(
      await anna.store.audit.note({
        kind: 'view.opened',
        operator: 'anna.weber',
        at: hand.at,
        plain: { what: 'history' }
      })
    )
    await round(anna)
    expect(await round(ben)).toMatchObject({
      found: [],
      received: value(await anna.store.exchange.read({ after: 0, events: 0, bytes: 0, kept: [] })).last.seq
    })
    const seen = seenBy(ben, anna)
    expect(seen.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['record.begun', 'record.ended', 'note.made', 'view.opened'])
    )
    expect(seen.find(({ kind }) => kind === 'note.made')).toMatchObject({
      plain: { text: expect.stringContaining('tester') as string }
    })
    // That somebody looked at something is covered by the chain; who and what stays at the installation.
    const looked = seen.find(({ kind }) => kind === 'view.opened')
    expect(looked?.plain).toBeNull()
    expect(looked?.values).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), null])
    const stored = sql(`SELECT string_agg(encode(body, 'escape'), '') FROM veridesk.event`)
    for (const text of ['record.begun', 'tester', 'Sandbox', 'APP-1', 'A message', 'by hand'])
      expect(stored).not.toContain(text)
    // Sizes tell nothing but the order of magnitude.
    expect(sql(`SELECT bool_and(octet_length(body) IN (1024, 2048, 4096, 8192)) FROM veridesk.event`).trim()).toBe('t')
  })

  it('end with the same state, in whatever order they exchange', async () => {
    const carla = await member('Carla Ruiz')
    for (const each of [anna, ben]) await each.refresh()
    for (let n = 0; n < 5; n += 1) {
      for (const each of [anna, ben, carla]) await each.check(`APP-${n}`)
      await round(n % 2 === 0 ? carla : ben)
    }
    for (let n = 0; n < 2; n += 1) for (const each of [ben, carla, anna]) await each.settle()
    const [first, ...others] = await Promise.all([anna, ben, carla].map((each) => each.hash()))
    expect(others).toEqual([first, first])
    expect(await round(ben)).toMatchObject({ sent: 0, received: 0, found: [] })
  })

  it('send many events in signed segments, and take them in pages', async () => {
    for (let n = 0; n < 15; n += 1)
      await Promise.all(Array.from({ length: 20 }, (_, index) => anna.check(`APP-${n}-${index}`)))
    await anna.settle()
    await ben.settle()
    const { last } = value(await anna.store.exchange.read({ after: 0, events: 0, bytes: 0, kept: [] }))
    expect(last.seq).toBeGreaterThan(600)
    expect(ben.received.head(anna.one.installation)).toMatchObject({ seq: last.seq })
    expect(
      Number(
        sql(
          'SELECT max(seq - before) FROM (SELECT seq, lag(seq, 1, 0::bigint) OVER (ORDER BY seq) AS before FROM veridesk.event WHERE sig IS NOT NULL) AS signed'
        )
      )
    ).toBe(256)
  })

  it('confirm what has arrived, and a confirmation names who and what', async () => {
    await anna.check('APP-1')
    await anna.settle()
    await ben.settle()
    const seq = ben.received.head(anna.one.installation).seq
    expect(anna.received.confirmation(anna.one.installation, seq)).toEqual({ installations: 0 })
    // As after ten minutes.
    expect(await round(ben, 600_000)).toMatchObject({ anchored: true })
    await ben.settle()
    await anna.settle()
    expect(anna.received.confirmation(anna.one.installation, seq)).toMatchObject({ installations: 1 })
    // Confirmations of confirmations would never end.
    expect(await round(anna, 600_000)).toMatchObject({ anchored: false })
  })

  it('receive the past when they join later, also across new keys', async () => {
    await anna.check('APP-1')
    await ben.check('APP-2')
    for (const each of [anna, ben]) await each.settle()
    value(await anna.one.team.remove({ installation: ben.one.installation, name: 'Ben Okoro' }))
    const carla = await member('Carla Ruiz')
    await anna.refresh()
    await anna.check('APP-3')
    await anna.settle()
    expect(await carla.settle()).toMatchObject({ found: [] })
    expect(seenBy(carla, anna).filter(({ kind }) => kind === 'record.begun')).toHaveLength(2)
    expect(seenBy(carla, ben).filter(({ kind }) => kind === 'record.begun')).toHaveLength(1)
    expect(sql('SELECT array_agg(DISTINCT epoch ORDER BY epoch) FROM veridesk.event').trim()).toBe('{1,2}')
  })

  it('take nothing of a removed member but what it had shared, even if the database still lets it in', async () => {
    await ben.check('APP-1')
    await ben.settle()
    const before = Number(sql(`SELECT seq FROM veridesk.head WHERE installation = ${idOf(ben)}`))
    value(await anna.one.team.remove({ installation: ben.one.installation, name: 'Ben Okoro' }))
    await anna.refresh()
    await ben.check('APP-2')
    // It has not noticed its removal, and still seals with the former keys.
    expect(await round(ben)).toMatchObject({ sent: 2 })
    expect(codes((await round(anna)).found)).toEqual(['team-installation-refused removed'])
    expect(anna.received.head(ben.one.installation).seq).toBe(before)
  })

  it('keep the past of a removed member, whatever the database says about its end', async () => {
    await ben.check('APP-1')
    await ben.settle()
    await ben.check('APP-2')
    await ben.settle()
    await anna.settle()
    const before = anna.received.head(ben.one.installation).seq
    // A false end would make everybody refuse what it did.
    sql(
      `UPDATE veridesk.head SET hash = sha256('false'), seq = seq + 7 WHERE installation = ${idOf(ben)};
       INSERT INTO veridesk.event SELECT installation, seq + 7, sha256('false'), epoch, body, sig FROM veridesk.event WHERE installation = ${idOf(ben)} ORDER BY seq DESC LIMIT 1`
    )
    value(await anna.one.team.remove({ installation: ben.one.installation, name: 'Ben Okoro' }))
    sql(
      `DELETE FROM veridesk.event WHERE installation = ${idOf(ben)} AND seq > ${before};
       UPDATE veridesk.head h SET seq = e.seq, hash = e.hash FROM veridesk.event e WHERE h.installation = ${idOf(ben)} AND e.installation = h.installation AND e.seq = ${before}`
    )
    const carla = await member('Carla Ruiz')
    expect(await carla.settle()).toMatchObject({ found: [] })
    expect(carla.received.head(ben.one.installation).seq).toBe(before)
  })

  describe('notice what the database’s administrator did', () => {
    beforeEach(async () => {
      for (let n = 0; n < 4; n += 1) {
        await anna.check(`APP-${n}`)
        await anna.settle()
      }
      await ben.settle()
      for (let n = 4; n < 6; n += 1) {
        await anna.check(`APP-${n}`)
        await anna.settle()
      }
      sql(
        'CREATE TABLE veridesk.events_before AS SELECT * FROM veridesk.event; CREATE TABLE veridesk.heads_before AS SELECT * FROM veridesk.head'
      )
    })
    const seqOf = (who: Exchanging): number =>
      Number(sql(`SELECT seq FROM veridesk.head WHERE installation = ${idOf(who)}`))

    const attacks: readonly (readonly [what: string, attack: (seq: number) => string, expected: string])[] = [
      [
        'an event that is missing',
        (seq: number) => `DELETE FROM veridesk.event WHERE seq = ${seq}`,
        'team-events-refused gap'
      ],
      [
        'a byte that is another',
        (seq: number) =>
          `UPDATE veridesk.event SET body = set_byte(body, 100, get_byte(body, 100) # 1) WHERE seq = ${seq}`,
        'team-events-refused body'
      ],
      [
        'a body in another place',
        (seq: number) =>
          `UPDATE veridesk.event e SET body = o.body FROM veridesk.events_before o WHERE e.seq = ${seq} AND o.seq = ${seq} - 1`,
        'team-events-refused body'
      ],
      [
        'a hash that is another',
        (seq: number) => `UPDATE veridesk.event SET hash = sha256('x') WHERE seq = ${seq}`,
        'team-events-refused body'
      ],
      [
        'a signature that is missing',
        () => 'UPDATE veridesk.event SET sig = NULL WHERE sig IS NOT NULL',
        'team-events-refused unsigned'
      ],
      [
        'a signature of another event',
        () =>
          `UPDATE veridesk.event SET sig = (SELECT sig FROM veridesk.events_before WHERE sig IS NOT NULL ORDER BY seq LIMIT 1) WHERE sig IS NOT NULL`,
        'team-events-refused signature'
      ],
      [
        'events that are named and not shown',
        (seq: number) => `DELETE FROM veridesk.event WHERE seq >= ${seq}`,
        'team-events-refused hidden'
      ],
      ['another epoch', (seq: number) => `UPDATE veridesk.event SET epoch = 2 WHERE seq >= ${seq}`, 'team-key-awaited'],
      [
        'an answer in another form',
        () => `ALTER TABLE veridesk.event DROP CONSTRAINT event_hash_check; UPDATE veridesk.event SET hash = 'x'`,
        'team-answer-unusable'
      ]
    ]
    it.each(some(attacks, 4))('%s', async (_what, attack, expected) => {
      const known = ben.received.head(anna.one.installation).seq
      // Of the first segment that has not arrived.
      sql(attack(known + 1))
      const done = await ben.round()
      // What has no form of an answer ends the round; the rest is a finding about one installation.
      if (done.ok) expect(codes(done.value.found)).toEqual([expected])
      else expect(done.failure.code).toBe(expected)
      expect(ben.received.head(anna.one.installation).seq).toBe(known)
      if (expected.startsWith('team-events-refused')) expect(isSharedWorkOnHold(ben.received.findings.all())).toBe(true)
      // Once it is as it was, everything arrives, and the finding is gone.
      sql('DELETE FROM veridesk.event; INSERT INTO veridesk.event SELECT * FROM veridesk.events_before')
      await ben.settle()
      expect(ben.received.head(anna.one.installation).seq).toBe(seqOf(anna))
      expect(ben.received.findings.all()).toEqual([])
    })

    it('an older state, such as a backup that was restored: its own events are sent again', async () => {
      await ben.settle()
      sql(
        `DELETE FROM veridesk.event WHERE seq > 3;
         UPDATE veridesk.head h SET seq = e.seq, hash = e.hash FROM veridesk.event e WHERE e.installation = h.installation AND e.seq = 3`
      )
      expect(codes((await round(ben)).found)).toContain('team-events-rolled-back')
      expect(isSharedWorkOnHold(ben.received.findings.all())).toBe(true)
      expect(codes((await round(anna)).found)).toContain('team-events-rolled-back')
      await anna.settle()
      await ben.settle()
      expect(seqOf(anna)).toBe(ben.received.head(anna.one.installation).seq)
      // The database may also have lost which rows of a batch were sent, so a person ends the alarm.
      expect([...new Set(codes(ben.received.findings.all().map(({ failure }) => failure)))]).toEqual([
        'team-events-rolled-back'
      ])
      const by = { by: ben.one.installation, operator: 'ben', at: 0, reason: 'A backup was restored' }
      for (const { installation } of ben.received.findings.all())
        ben.received.findings.acknowledge(installation, 'team-events-rolled-back', by)
      await ben.settle()
      expect(isSharedWorkOnHold(ben.received.findings.all())).toBe(false)
      expect(codes(ben.received.findings.all().map(({ failure }) => failure))).toContain('team-events-rolled-back')
    })

    it('events in the name of an installation that it did not sign', async () => {
      sql(
        `UPDATE veridesk.event SET hash = sha256('forged') WHERE installation = ${idOf(anna)} AND seq = ${seqOf(anna)};
         UPDATE veridesk.head SET hash = sha256('forged') WHERE installation = ${idOf(anna)}`
      )
      expect(await round(anna)).toMatchObject({
        unshared: { code: 'team-events-refused', details: { reason: 'signature' } }
      })
    })

    it('events that another installation has received and that are withheld here', async () => {
      const carla = await member('Carla Ruiz')
      for (const each of [anna, ben]) await each.refresh()
      await carla.settle()
      await round(carla, 600_000)
      await carla.settle()
      // What is left of Anna here ends where Ben's view ended.
      const known = ben.received.head(anna.one.installation)
      sql(
        `DELETE FROM veridesk.event WHERE installation = ${idOf(anna)} AND seq > ${known.seq};
         UPDATE veridesk.head SET seq = ${known.seq}, hash = '\\x${known.hash.toString('hex')}' WHERE installation = ${idOf(anna)}`
      )
      await round(ben)
      expect(
        codes((await round(ben)).found).concat(codes(ben.received.findings.all().map(({ failure }) => failure)))
      ).toContain('team-events-withheld')
      expect(isSharedWorkOnHold(ben.received.findings.all())).toBe(true)
    })
  })

  it('prove a fork: two histories that one installation has signed', async () => {
    await anna.check('APP-1')
    await anna.settle()
    await ben.settle()
    // A copy of the data folder from before, as after a restore without a new number.
    await anna.close()
    open = open.filter((each) => each !== anna)
    cpSync(join(anna.one.folder, 'history'), join(anna.one.folder, 'copy'), { recursive: true })
    // The keychain is restored with it: otherwise the history itself notices that events are missing.
    const keychain = new Map(anna.one.secrets.entries)
    const first = await exchanging(anna.one)
    open.push(first)
    await first.check('APP-2')
    await first.settle()
    await ben.settle()
    await first.close()
    open = open.filter((each) => each !== first)
    rmSync(join(anna.one.folder, 'history'), { recursive: true })
    cpSync(join(anna.one.folder, 'copy'), join(anna.one.folder, 'history'), { recursive: true })
    for (const [account, text] of keychain) anna.one.secrets.entries.set(account, text)
    const second = await exchanging(anna.one)
    open.push(second)
    await second.check('APP-3')
    // The honest database has the first one's events: the second notices that they are its own.
    expect(await round(second)).toMatchObject({ sent: 0, unshared: { code: 'team-installation-restored' } })
    // A database that helps it to a second past.
    const seq = Number(sql(`SELECT seq FROM veridesk.head WHERE installation = ${idOf(anna)}`))
    const start = seq - 2
    const shared = value(await second.store.exchange.read({ after: start, events: 0, bytes: 0, kept: [] }))
    sql(
      `DELETE FROM veridesk.event WHERE installation = ${idOf(anna)} AND seq > ${start};
       UPDATE veridesk.head SET seq = ${start}, hash = '\\x${shared.before}' WHERE installation = ${idOf(anna)}`
    )
    await second.settle()
    expect(codes((await round(ben)).found)).toContain('team-events-forked')
    const proof: unknown = JSON.parse(ben.received.forkOf(anna.one.installation) ?? 'null')
    expect(isForkProof(proof)).toBe(true)
    expect(JSON.stringify(proof)).not.toContain('APP-')
    // Nothing more is accepted from it.
    const known = ben.received.head(anna.one.installation)
    await second.check('APP-4')
    await second.settle()
    await round(ben)
    expect(ben.received.head(anna.one.installation)).toEqual(known)
  })

  it('go on without the database, and catch up when it is back', async () => {
    const states: ExchangeState[] = []
    const exchange = startExchange({
      ...anna.parts,
      host: '127.0.0.1',
      clock,
      random: () => 0.5,
      open: anna.openLine,
      onChange: (state) => void states.push(state),
      after: (milliseconds, run) => {
        const timer = setTimeout(run, milliseconds)
        return () => clearTimeout(timer)
      }
    })
    await anna.check('APP-1')
    exchange.look()
    const sent = (): number => states.reduce((sum, { round }) => sum + (round?.sent ?? 0), 0)
    await expect.poll(sent, { timeout: 20_000 }).toBeGreaterThan(0)
    await database.postgres.kill()
    await expect.poll(() => exchange.state().connected, { timeout: 20_000 }).toBe(false)
    await anna.check('APP-2')
    await database.postgres.start()
    await expect
      .poll(() => exchange.state().connected && exchange.state().failure === undefined, { timeout: 30_000 })
      .toBe(true)
    exchange.look()
    const { last } = value(await anna.store.exchange.read({ after: 0, events: 0, bytes: 0, kept: [] }))
    await expect
      .poll(() => Number(sql(`SELECT seq FROM veridesk.head WHERE installation = ${idOf(anna)}`)), { timeout: 20_000 })
      .toBe(last.seq)
    await exchange.close()
  }, 120_000)
})
