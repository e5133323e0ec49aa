/** Rounds of the exchange with a database that says what it likes: noticed, bounded, and never the end of the program. */
import { describe, expect, it } from 'vitest'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import { refusals } from '#team/database/schema.ts'
import { anchorKind } from '#exchange/log/anchors.ts'
import { teamTables, type ShownHead, type TeamTables } from '#team/log/database.ts'
import { isSharedWorkOnHold } from '#team/log/standing.ts'
import {
  at,
  copyOf,
  Database,
  exchanging,
  forged,
  hashText,
  installed,
  membersOf,
  shown,
  stateOf,
  type Exchanging,
  type Installation
} from './support/team-log.ts'

const codes = (failures: readonly Failure[]): readonly string[] =>
  failures.map(({ code, details }) =>
    [code, details && 'reason' in details ? details.reason : ''].filter(Boolean).join(' ')
  )
const findings = ({ store }: Exchanging): readonly string[] =>
  codes(store.findings.all().map(({ failure: each }) => each))

/** Two members, one of whom has received some events of the other. */
async function pair(count = 6) {
  const [first, second] = [installed(count), installed(1)]
  const database = new Database()
  const all = membersOf(first, second)
  const [ada, ben] = [exchanging(database, all, first), exchanging(database, all, second)]
  await ada.round()
  await ben.round()
  return { database, ada, ben }
}
const headsOf = (...heads: readonly ShownHead[]): Partial<TeamTables> => ({ heads: async () => ok(heads) })
const headOf = ({ installation, events }: Installation): ShownHead => ({
  installation,
  seq: events.head.seq,
  hash: Buffer.from(events.head.hash, 'hex')
})
/** Says in the database that another one has received events of an installation. */
const anchors = (by: Exchanging, heads: Readonly<Record<string, readonly [number, string]>>): void =>
  void by.events.append({ kind: anchorKind, plain: { heads } })

describe('rounds', () => {
  it('in whatever order, end with one state at every installation', async () => {
    const database = new Database()
    database.page = 300
    const all = [installed(700), installed(3), installed(0)]
    const everybody = all.map((one) => exchanging(database, membersOf(...all), one))
    for (const index of [1, 0, 2, 0, 1, 2, 2, 1, 0]) {
      await everybody[index]!.round()
      all[index]!.events.add(index)
    }
    for (let n = 0; n < 3; n += 1) for (const each of everybody) await each.round()
    expect(new Set(everybody.map((each) => stateOf(each.store, each))).size).toBe(1)
    expect(everybody.map(({ store }) => store.findings.all())).toEqual([[], [], []])
    expect(await everybody[0]!.round()).toEqual({
      sent: 0,
      received: 0,
      keys: 0,
      claims: 0,
      found: [],
      anchored: false,
      awaited: 0,
      more: false,
      outdated: false
    })
  })

  it('anchor what has arrived, and confirm it at its own installation', async () => {
    const { ada, ben } = await pair()
    expect((await ben.round({}, { waiting: 600_000 })).anchored).toBe(true)
    await ben.round()
    await ada.round()
    expect(ben.events.all.at(-1)).toMatchObject({ kind: anchorKind })
    expect(ada.store.confirmation(ada.installation, 6)).toEqual({ installations: 1, at })
    expect((await ada.round({}, { waiting: 600_000 })).anchored).toBe(true)
    await ada.round()
    // Nothing of it calls for another one.
    for (const each of [ben, ada, ben]) expect((await each.round({}, { waiting: 600_000 })).anchored).toBe(false)
  })
})

describe('a database that is wrong about an installation', () => {
  it('and shows another past, however long ago it began, gives the proof in few questions', async () => {
    const { database, ada, ben } = await pair(3000)
    const copy = copyOf(ada, 1234)
    copy.events.add(2000, { plain: { operator: 'Somebody else' } })
    const first = database.of(ada.installation)
    const theirs = shown(
      copy,
      Array.from({ length: 14 }, (_, index) => (index + 1) * 231)
    )
    // It has fewer events, or more.
    for (const until of [2310, 3234]) {
      const other = exchanging(database, membersOf(ada, ben), ben)
      database.rows.set(ada.installation, first)
      await other.round()
      database.rows.set(ada.installation, theirs.slice(0, until))
      database.asked = { events: 0, hashes: 0 }
      expect(codes((await other.round()).found)).toContain('team-events-forked')
      expect(other.store.findings.all().map(({ failure: each }) => each)).toContainEqual(
        failure('team-events-forked', { installation: ada.installation, event: 1235 })
      )
      expect(database.asked.hashes).toBeLessThan(15)
    }
  })

  it('and answers with hashes one by one, does not keep it busy', async () => {
    const { ada, ben } = await pair(2000)
    let asked = 0
    const other = Buffer.alloc(32, 1)
    const round = ben.round({
      ...headsOf({ ...headOf(ada), hash: other }, headOf(ben)),
      hashes: async (_installation, until) => {
        asked += 1
        return ok([{ seq: until, hash: other }])
      }
    })
    expect(codes((await round).found)).toHaveLength(1)
    expect(asked).toBeLessThan(50)
  })

  it.each<[string, Partial<TeamTables>, string]>([
    ['no hashes', { hashes: async () => ok([]) }, 'hidden'],
    [
      'hashes of other events',
      { hashes: async (_installation, until) => ok([{ seq: until + 1, hash: Buffer.alloc(32) }]) },
      'hidden'
    ],
    ['hashes of the first event alone', { hashes: async () => ok([{ seq: 1, hash: Buffer.alloc(32) }]) }, 'hidden'],
    [
      'other hashes and no events',
      {
        hashes: async (_installation, until) => ok([{ seq: until, hash: Buffer.alloc(32) }]),
        events: async () => ok([])
      },
      'hash'
    ],
    ['the hashes that are known', {}, 'hash']
  ])('and names another head, with %s, is found', async (_what, answers, reason) => {
    const { ada, ben } = await pair()
    for (const head of [
      { ...headOf(ada), hash: Buffer.alloc(32, 1) },
      { ...headOf(ada), seq: 4, hash: Buffer.alloc(32, 1) }
    ]) {
      await ben.round({ ...headsOf(head, headOf(ben)), ...answers })
      expect(findings(ben)).toContain(`team-events-refused ${reason}`)
      expect(ben.store.head(ada.installation).seq).toBe(6)
    }
  })

  it('and names events that it does not show, is found', async () => {
    const { ada, ben } = await pair()
    expect(codes((await ben.round(headsOf({ ...headOf(ada), seq: 2 ** 40 - 1 }, headOf(ben)))).found)).toEqual([
      'team-events-refused hidden'
    ])
    expect(findings(ben)).toEqual(['team-events-refused hidden'])
    await ben.round()
    expect(findings(ben)).toEqual([])
  })

  it('and withholds what another one has received, is found, even if it hides the installation as a whole', async () => {
    const { database, ada, ben } = await pair()
    const carla = installed()
    const members = membersOf(ada, ben, carla)
    const third = exchanging(database, members, carla)
    anchors(ben, { [ada.installation]: [6, ada.events.head.hash], [hashText('ee').slice(0, 32)]: [1, hashText('ab')] })
    await ben.round()
    const hidden = headsOf(headOf(ben))
    expect(codes((await third.round(hidden)).found)).toEqual(['team-events-withheld'])
    expect(third.store.findings.all()[0]?.failure).toEqual(
      failure('team-events-withheld', {
        installation: ada.installation,
        other: ben.installation,
        expected: 6,
        found: 0
      })
    )
    await third.round()
    expect(findings(third)).toEqual([])
  })

  it('and shows others another event, is found by what they anchor', async () => {
    const { ada, ben } = await pair()
    const carla = installed()
    const ours = exchanging(new Database(), membersOf(ada, ben, carla), carla)
    anchors(ben, { [ada.installation]: [5, hashText('ab')] })
    const rows = new Map([ada, ben].map((each) => [each.installation, shown(each)]))
    const answers: Partial<TeamTables> = {
      ...headsOf(headOf(ada), headOf(ben)),
      events: async (installation, after) => ok((rows.get(installation) ?? []).slice(after))
    }
    expect(codes((await ours.round(answers)).found)).toEqual(['team-views-differ'])
    // It stays until a person has dealt with it.
    await ours.round(answers)
    expect(findings(ours)).toEqual(['team-views-differ'])
    expect(isSharedWorkOnHold(ours.store.findings.all())).toBe(true)
  })

  it('and shows less than before, holds shared work', async () => {
    const { database, ada, ben } = await pair()
    database.rows.set(ada.installation, database.of(ada.installation).slice(0, 3))
    const { found } = await ben.round(headsOf(headOf(ben)))
    expect(found).toEqual([
      failure('team-events-rolled-back', { installation: ada.installation, found: 0, expected: 6 })
    ])
    expect(isSharedWorkOnHold(ben.store.findings.all())).toBe(true)
  })

  it('and shows less of a removed member than the signed list names, is found', async () => {
    const one = installed(6)
    const last = { seq: 6, hash: one.events.head.hash }
    const other = installed(1)
    const database = new Database()
    const ben = exchanging(
      database,
      {
        mailboxes: () => [],
        at: (installation) =>
          installation === one.installation ? { publicKey: one.publicKey, last } : { publicKey: other.publicKey }
      },
      other
    )
    database.rows.set(one.installation, shown(one, [3, 6]).slice(0, 3))
    expect((await ben.round()).found).toEqual([
      failure('team-events-rolled-back', { installation: one.installation, found: 3, expected: 6 })
    ])
  })

  it('and invents installations, is not asked about them, and they are forgotten again', async () => {
    const { database, ada, ben } = await pair()
    database.asked.events = 0
    const invented = Array.from({ length: 300 }, (_, index) => ({
      installation: (index + 4096).toString(16).padStart(32, 'd'),
      seq: 9,
      hash: Buffer.alloc(32)
    }))
    expect((await ben.round(headsOf(headOf(ada), headOf(ben), ...invented))).found).toHaveLength(300)
    expect(database.asked.events).toBe(0)
    expect(new Set(findings(ben))).toEqual(new Set(['team-installation-refused unknown']))
    expect(isSharedWorkOnHold(ben.store.findings.all())).toBe(false)
    await ben.round()
    expect(findings(ben)).toEqual([])
  })
})

describe('a member that does harm', () => {
  it('with values that nobody can write down, is refused, and others are received', async () => {
    const { database, ada, ben } = await pair()
    for (const text of ['{"a":1e999}', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`]) {
      const bad = installed()
      bad.events.append({ text, values: hashText('ab') })
      database.rows.set(bad.installation, forged(bad))
      const members = membersOf(ada, ben, bad)
      const other = exchanging(database, members, ben)
      expect((await other.round()).received).toBe(6)
      expect(findings(other)).toEqual(['team-events-refused values'])
      database.rows.delete(bad.installation)
    }
  })

  it('and anchors events that this installation does not have, says that it was restored', async () => {
    const { ada, ben } = await pair()
    anchors(ben, { [ada.installation]: [9, hashText('ab')] })
    await ben.round()
    expect(codes((await ada.round()).found)).toEqual(['team-views-differ'])
  })
})

describe('the events of this installation', () => {
  it('are sent again by a database that lost them, and the loss is found once', async () => {
    const { database, ada } = await pair()
    database.rows.set(ada.installation, database.of(ada.installation).slice(0, 0))
    expect((await ada.round()).found).toEqual([
      failure('team-events-rolled-back', { installation: ada.installation, found: 0, expected: 6 })
    ])
    expect(database.of(ada.installation)).toHaveLength(6)
    expect((await ada.round()).found).toEqual([])
    // What else was lost with them, such as which rows of a batch were sent, nobody sends again.
    expect([findings(ada), isSharedWorkOnHold(ada.store.findings.all())]).toEqual([['team-events-rolled-back'], true])
    ada.store.findings.acknowledge(ada.installation, 'team-events-rolled-back', {
      by: ada.installation,
      operator: 'ada',
      at,
      reason: 'A backup was restored'
    })
    await ada.round()
    expect([findings(ada), isSharedWorkOnHold(ada.store.findings.all())]).toEqual([['team-events-rolled-back'], false])
    // The next loss is another one.
    database.rows.set(ada.installation, database.of(ada.installation).slice(0, 0))
    expect(codes((await ada.round()).found)).toEqual(['team-events-rolled-back'])
    expect(isSharedWorkOnHold(ada.store.findings.all())).toBe(true)
  })

  it('of which the database lost some, are noted even if the line is lost while they are sent', async () => {
    const { database, ada } = await pair()
    database.rows.set(ada.installation, [])
    await expect(ada.round({ append: async () => failed('team-database-lost', { host: 'db' }) })).rejects.toThrow(
      'team-database-lost'
    )
    expect(findings(ada)).toEqual(['team-events-rolled-back'])
  })

  it('that are refused, are found once, since when they are', async () => {
    const { ada } = await pair()
    ada.events.add(1)
    const refusing: Partial<TeamTables> = {
      append: async () => failed('team-database-refused', { host: 'db', sqlState: refusals.gap })
    }
    expect(codes((await ada.round(refusing)).found)).toEqual(['team-segment-refused gap'])
    const again = await ada.round(refusing, { now: at + 2000 })
    expect([again.found, again.unshared?.code]).toEqual([[], 'team-segment-refused'])
    expect(ada.store.findings.all()).toMatchObject([{ firstAt: at, lastAt: at }])
    expect((await ada.round()).sent).toBe(1)
    expect(findings(ada)).toEqual([])
  })

  it('are never sent over others that it signed: it was restored', async () => {
    const { ada } = await pair()
    ada.events.all.splice(3)
    ada.events.add(1)
    expect(await ada.round()).toMatchObject({
      sent: 0,
      unshared: { code: 'team-installation-restored', details: { event: 6 } }
    })
  })

  it('in segments that end early, follow each other', async () => {
    const one = installed()
    for (let n = 0; n < 5; n += 1) one.events.append({ plain: { text: '字'.repeat(350 * 1024) } })
    const database = new Database()
    expect((await exchanging(database, membersOf(one), one).round()).sent).toBe(5)
    expect(database.of(one.installation).map(({ seq, sig }) => [seq, sig !== null])).toEqual([
      [1, false],
      [2, true],
      [3, false],
      [4, true],
      [5, true]
    ])
  })
})

describe('answers of the database', () => {
  const tables = (rows: unknown): TeamTables => teamTables({ query: async () => ok(rows as never) }, 'db')
  const unusable = failed('team-answer-unusable', { host: 'db', reason: 'rows' })
  const head = { standby: false, installation: Buffer.alloc(16, 1), seq: '3', hash: Buffer.alloc(32) }
  const event = { seq: '3', hash: Buffer.alloc(32), epoch: 1, body: Buffer.alloc(1024), sig: null }

  it('have their form, or are not used', async () => {
    expect(await tables([head]).heads()).toEqual(ok([{ installation: '01'.repeat(16), seq: 3, hash: head.hash }]))
    expect(await tables([{ standby: false, installation: null, seq: null, hash: null }]).heads()).toEqual(ok([]))
    expect(await tables([{ ...head, standby: true }]).heads()).toEqual(failed('team-database-standby', { host: 'db' }))
    expect(await tables([event]).events('01'.repeat(16), 2)).toEqual(ok([{ ...event, seq: 3 }]))
    for (const change of [
      { standby: undefined },
      { standby: 'f' },
      { seq: 3 },
      { seq: '0' },
      { seq: '-1' },
      { seq: '1e3' },
      { seq: '1099511627776' },
      { seq: null },
      { hash: Buffer.alloc(31) },
      { hash: '00' },
      { installation: 'x' },
      { installation: Buffer.alloc(15) }
    ])
      expect(await tables([{ ...head, ...change }]).heads()).toEqual(unusable)
    for (const change of [
      { seq: 3 },
      { epoch: '1' },
      { epoch: -1 },
      { epoch: 0.5 },
      { body: 'x' },
      { sig: Buffer.alloc(63) },
      { sig: undefined }
    ])
      expect(await tables([{ ...event, ...change }]).events('01'.repeat(16), 2)).toEqual(unusable)
    for (const rows of [undefined, null, {}, [[]]]) expect(await tables(rows).heads()).toEqual(unusable)
    expect(await tables(Array.from({ length: 4001 }, () => head)).heads()).toEqual(unusable)
    expect(await tables(Array.from({ length: 4097 }, () => event)).events('01'.repeat(16), 2)).toEqual(unusable)
  })
})
