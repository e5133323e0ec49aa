/** Who has carried out an erasure; new keys after one; and keys that expire where an installation is away. */
import { describe, expect, it } from 'vitest'
import { ok } from '#contract/failures/result.ts'
import { acknowledgementKind, acknowledgements } from '#exchange/erasures/known.ts'
import { expireKeys, isExpired, keyLifetime } from '#exchange/erasures/expiry.ts'
import { isRenewalDue, renewalRule } from '#exchange/erasures/acknowledge.ts'
import { exchangeOnce } from '#exchange/log/round.ts'
import {
  at,
  contentKey,
  Database,
  exchanging,
  hashText,
  installed,
  keysOf,
  membersOf,
  type Draft,
  type Exchanging
} from './support/team-log.ts'

const minute = 60_000
const day = 24 * 60 * minute
const checkOf = (applicantId: string, subject: number): Draft => ({
  kind: 'record.begun',
  subject,
  plain: { operator: 'Ada Lovelace' },
  sealed: { input: {}, applicantId }
})
const saidBy = ({ events }: Exchanging): number => events.all.filter(({ kind }) => kind === acknowledgementKind).length
const settle = async (now: number, ...all: readonly Exchanging[]): Promise<void> => {
  for (let n = 0; n < 4; n += 1) for (const each of all) while ((await each.round({}, { now })).more);
}

/** Three members; what each of them checked has arrived everywhere. */
async function three(): Promise<{
  readonly database: Database
  readonly ada: Exchanging
  readonly ben: Exchanging
  readonly carla: Exchanging
}> {
  const database = new Database()
  const [one, two, last] = [
    installed(0, { applicants: { 1: { applicantId: 'APP-1' } } }),
    installed(0, { applicants: { 5: { applicantId: 'APP-1' } } }),
    installed()
  ]
  const everybody = membersOf(one, two, last)
  const [ada, ben, carla] = [
    exchanging(database, everybody, one),
    exchanging(database, everybody, two),
    exchanging(database, everybody, last)
  ]
  ada.events.append(checkOf('APP-1', 1))
  ben.events.append(checkOf('APP-1', 5))
  await settle(at, ada, ben, carla)
  return { database, ada, ben, carla }
}
/** Erases subject 1 of an installation. @returns The number of the event. */
function erased(one: Exchanging, number = 1): number {
  one.events.erase(number)
  return one.events.head.seq
}
const acknowledgedBy = (who: Exchanging, seq: number): readonly string[] =>
  who.store.erasures
    .carriedOut(who.installation, seq)
    .map(({ by }) => by)
    .sort()

describe('an erasure', () => {
  it('is acknowledged by each installation that has carried it out, once, with the time', async () => {
    const { ada, ben, carla } = await three()
    const seq = erased(ada)
    expect(ada.store.erasures.isShared(seq)).toBe(false)
    await settle(at + minute, ada)
    expect(ada.store.erasures.isShared(seq)).toBe(true)
    expect(acknowledgedBy(ada, seq)).toEqual([])
    expect(ada.store.erasures.pendingAt(ben.installation, ada.installation)).toBeGreaterThan(0)
    await settle(at + minute, ben, ada)
    expect(acknowledgedBy(ada, seq)).toEqual([ben.installation])
    await settle(at + minute, carla, ada, ben)
    expect(acknowledgedBy(ada, seq)).toEqual([ben.installation, carla.installation])
    expect(ada.store.erasures.carriedOut(ada.installation, seq)[0]?.at).toBe(
      ben.events.all.find(({ kind }) => kind === acknowledgementKind)?.at
    )
    const said = [ben, carla].map(saidBy)
    await settle(at + 3 * minute, ada, ben, carla)
    expect([ben, carla].map(saidBy)).toEqual(said)
    for (const [who, by] of [
      [ada, ben],
      [ada, carla],
      [ben, carla],
      [carla, ben]
    ] as const)
      expect(who.store.erasures.pendingAt(by.installation, who.installation)).toBe(0)
  })

  it('names the installation that still has records of its own about the applicant', async () => {
    const { ada, ben, carla } = await three()
    erased(ada)
    await settle(at + minute, ada, ben, carla)
    expect([ada, carla].map(({ store }) => store.erasures.keptAt(ben.installation))).toEqual([1, 1])
    ben.events.erase(5)
    await settle(at + 2 * minute, ben, ada, carla)
    expect([ada, carla].map(({ store }) => store.erasures.keptAt(ben.installation))).toEqual([0, 0])
  })

  it('is acknowledged only when the keys are gone, and everything has arrived', async () => {
    const { ada, ben } = await three()
    erased(ada)
    await settle(at + minute, ada)
    // Nothing is sent that says so before the key is removed here.
    const before = ben.store.subjects.find({ installation: ada.installation, number: 1 })
    expect(before?.key).toBeDefined()
    await ben
      .round({
        events: async () => ({ ok: false, failure: { code: 'team-database-lost', details: { host: 'test' } } }) as never
      })
      .catch(() => undefined)
    expect(saidBy(ben)).toBe(0)
    await ben.round({}, { now: at + minute })
    expect(ben.store.subjects.find({ installation: ada.installation, number: 1 })).toEqual({ closed: 'erased' })
    expect(saidBy(ben)).toBe(1)
  })

  it('is acknowledged again after a crash before it was noted', async () => {
    const { ada, ben } = await three()
    const seq = erased(ada)
    await settle(at + minute, ada)
    const history = {
      ...ben.history,
      acknowledge: async (erasures: never) => {
        await ben.history.acknowledge(erasures)
        throw new Error('crash')
      }
    }
    await exchangeOnce({ ...ben.parts, history }, { now: at + minute, waiting: 0 }).catch(() => undefined)
    await settle(at + minute, ben, ada)
    expect(saidBy(ben)).toBe(2)
    expect(acknowledgedBy(ada, seq)).toEqual([ben.installation])
  })

  it('of an installation that shares nothing is acknowledged by nobody, and said by nobody', async () => {
    const { ada, ben } = await three()
    const silent = { ...ben.parts, isSharing: false }
    const seq = erased(ada)
    await settle(at + minute, ada)
    await exchangeOnce(silent, { now: at + minute, waiting: 0 })
    expect(saidBy(ben)).toBe(0)
    expect(ben.store.subjects.find({ installation: ada.installation, number: 1 })).toEqual({ closed: 'erased' })
    await settle(at + minute, ada)
    expect(acknowledgedBy(ada, seq)).toEqual([])
  })
})

describe('an acknowledgement', () => {
  const say = ({ events }: Exchanging, erasures: unknown): void =>
    void events.append({ kind: acknowledgementKind, subject: 0, plain: { operator: 'Ada Lovelace', erasures } })

  it('of an event that nobody has signed yet counts for nothing, also once there is one with that number', async () => {
    const { ada, ben, carla } = await three()
    const next = ada.events.head.seq + 1
    say(carla, { [ada.installation]: [next, hashText('ab')] })
    await settle(at, carla)
    const seq = erased(ada)
    expect(seq).toBe(next)
    await ada.round({}, { now: at + minute })
    expect(acknowledgedBy(ada, seq)).toEqual([])
    expect(ada.store.erasures.pendingAt(carla.installation, ada.installation)).toBeGreaterThan(0)
    await settle(at + minute, ben, ada)
    expect(acknowledgedBy(ada, seq)).toEqual([ben.installation])
  })

  it('that names an event which erases nothing counts for nothing', async () => {
    const { ada, carla } = await three()
    const seq = erased(ada)
    const other = ada.events.append()
    await ada.round({}, { now: at + minute })
    say(carla, { [ada.installation]: [other.seq, other.hash] })
    await carla.round({ events: async () => ok([]) }, { now: at + minute })
    await ada.round({}, { now: at + minute })
    expect(acknowledgedBy(ada, seq)).toEqual([])
  })

  it('of one’s own erasures, or of another form, counts for nothing and stops nothing', async () => {
    const { ada, ben, carla } = await three()
    const seq = erased(ada)
    const { hash } = ada.events.head
    say(ada, { [ada.installation]: [seq, hash] })
    for (const wrong of [
      { [ada.installation]: [seq] },
      { [ada.installation]: [0, hash] },
      { ada: [seq, hash] },
      { [ada.installation]: [seq, 'xyz'] },
      [1],
      'all',
      null
    ])
      say(carla, wrong)
    await settle(at, carla, ada)
    expect(acknowledgedBy(ada, seq)).toEqual([carla.installation])
    await settle(at, ben, ada)
    expect(acknowledgedBy(ada, seq)).toEqual([ben.installation, carla.installation].sort())
  })

  it('of a member who was removed before it is refused with the rest; one from before counts', async () => {
    const { database, ada, ben, carla } = await three()
    const seq = erased(ada)
    await settle(at + minute, ada)
    const last = { seq: carla.events.head.seq, hash: carla.events.head.hash }
    const without = {
      mailboxes: () => [],
      at: (installation: string, point: { readonly seq: number }) => {
        if (installation !== carla.installation) return ada.parts.members.at(installation, point)
        return point.seq <= last.seq ? { publicKey: carla.publicKey, last } : { refused: 'removed' as const }
      }
    }
    await settle(at + minute, carla)
    expect(saidBy(carla)).toBe(1)
    const stays = exchanging(database, without, ada)
    for (let n = 0; n < 3; n += 1) await stays.round({}, { now: at + minute })
    expect(acknowledgedBy(stays, seq)).toEqual([])
    await settle(at + minute, ben, ada)
    // Where nothing of the removal is known, it counts.
    expect(acknowledgedBy(ada, seq)).toContain(carla.installation)
    const members = [
      { installation: ben.installation, name: 'Ben', role: 'analyst' },
      { installation: carla.installation, name: 'Carla', role: 'removed' },
      { installation: ada.installation, name: 'Ada', role: 'supervisor' }
    ]
    expect(acknowledgements(members, ada.installation, [])).toEqual([
      { installation: ben.installation, name: 'Ben', state: 'pending' },
      { installation: carla.installation, name: 'Carla', state: 'removed' }
    ])
    expect(acknowledgements(members, ada.installation, [{ by: carla.installation, at: 5 }])[1]).toEqual({
      installation: carla.installation,
      name: 'Carla',
      state: 'acknowledged',
      at: 5
    })
  })
})

describe('new keys', () => {
  const begun: number[] = []
  const renewing = {
    rank: 0,
    begin: async (epoch: number) => {
      begun.push(epoch)
      return ok(true)
    }
  }
  const round = async (one: Exchanging, now: number, keys = one.parts.keys) =>
    exchangeOnce({ ...one.parts, keys, renewing }, { now, waiting: 0 })

  it('follow an erasure by anybody, once several can share them, and once an epoch is old enough', async () => {
    const { ada, ben } = await three()
    begun.length = 0
    await round(ben, at)
    erased(ada)
    await settle(at + 2 * day, ada)
    await round(ben, at + 2 * day)
    await round(ben, at + 2 * day + renewalRule.gather - 1)
    expect(begun).toEqual([])
    const done = await round(ben, at + 2 * day + renewalRule.gather)
    expect(begun).toEqual([1])
    expect(done).toMatchObject({ ok: true, value: { more: true, outdated: true } })
    // What was sealed in an epoch before needs no other.
    const next = keysOf([1, contentKey], [2, Buffer.alloc(32, 7)])
    for (const days of [2, 3, 4]) await round(ben, at + days * day + renewalRule.gather, next)
    expect(begun).toEqual([1])
  })

  it('follow an erasure of one’s own, too, and are nobody’s affair but a supervisor’s', async () => {
    const { ada } = await three()
    begun.length = 0
    erased(ada)
    await settle(at + day, ada)
    await settle(at + 3 * day, ada)
    expect(begun).toEqual([])
    await round(ada, at + 3 * day)
    expect(begun).toEqual([1])
  })

  it.each([
    ['nothing was erased', { since: undefined, epochSince: 0, rank: 0 }, 10 * day, false],
    [
      'others may still be gathered',
      { since: 10 * day, epochSince: 0, rank: 0 },
      10 * day + renewalRule.gather - 1,
      false
    ],
    ['an erasure has waited', { since: 10 * day, epochSince: 0, rank: 0 }, 10 * day + renewalRule.gather, true],
    [
      'another supervisor comes first',
      { since: 10 * day, epochSince: 0, rank: 2 },
      10 * day + renewalRule.gather + renewalRule.stagger,
      false
    ],
    [
      'nobody else did it',
      { since: 10 * day, epochSince: 0, rank: 2 },
      10 * day + renewalRule.gather + 2 * renewalRule.stagger,
      true
    ],
    [
      'an epoch began just before',
      { since: 10 * day, epochSince: 10 * day - 1, rank: 0 },
      10 * day + renewalRule.gather,
      false
    ],
    ['it has rested', { since: 10 * day, epochSince: 10 * day, rank: 0 }, 11 * day, true],
    ['the clock was set back', { since: 10 * day, epochSince: 10 * day, rank: 0 }, day, true]
  ])('when %s', (_what, state, now, due) => {
    expect(isRenewalDue(state, now)).toBe(due)
  })
})

describe('keys of colleagues’ applicants', () => {
  const known = (who: Exchanging, of: Exchanging) =>
    who.store.subjects.find({ installation: of.installation, number: 1 })

  it('expire 30 days after the last exchange, and arrive again with the next', async () => {
    const { ada, ben } = await three()
    await settle(at, ada, ben)
    expect(expireKeys(ben.store, at + keyLifetime)).toBe(0)
    expect(known(ben, ada)).toMatchObject({ applicant: 'APP-1' })
    // A look that failed is no exchange.
    await ben
      .round(
        {
          heads: async () =>
            ({ ok: false, failure: { code: 'team-database-lost', details: { host: 'test' } } }) as never
        },
        { now: at + keyLifetime }
      )
      .catch(() => undefined)
    expect(isExpired(ben.store, at + keyLifetime + 1)).toBe(true)
    expect(expireKeys(ben.store, at + keyLifetime + 1)).toBe(1)
    expect(known(ben, ada)).toEqual({ closed: 'awaited' })
    expect(expireKeys(ben.store, at + keyLifetime + 1)).toBe(0)
    await settle(at + keyLifetime + day, ben)
    expect(known(ben, ada)).toMatchObject({ applicant: 'APP-1' })
    expect(isExpired(ben.store, at + keyLifetime + day)).toBe(false)
  })

  it('do not arrive again if they were erased meanwhile, and the erasure still finds one’s own', async () => {
    const { ada, ben } = await three()
    expireKeys(ben.store, at + 2 * keyLifetime)
    erased(ada)
    await ada.round({}, { now: at + minute })
    await settle(at + 2 * keyLifetime, ben)
    expect(known(ben, ada)).toEqual({ closed: 'erased' })
    expect(ben.store.subjects.erasuresPending()).toEqual([5])
  })

  it('stay while an installation has never exchanged anything, or its clock is set back by less than they are kept', async () => {
    const { ada, ben } = await three()
    expect(expireKeys(ben.store, at - keyLifetime)).toBe(0)
    expect(known(ben, ada)).toMatchObject({ applicant: 'APP-1' })
    const alone = exchanging(new Database(), membersOf(), installed())
    expect(isExpired(alone.store, at)).toBe(false)
  })

  it('are removed if the last exchange is that far in the future: the clock was ahead then, and they would stay until that date', async () => {
    const { ben } = await three()
    expect(expireKeys(ben.store, at - 2 * keyLifetime)).toBe(1)
  })
})
