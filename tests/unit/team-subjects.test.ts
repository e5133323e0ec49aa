/** Keys of subjects that members exchange: tags, wrapping, and what a database or a member may put in their place. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import { unseal } from '#kit/sealing/seal.ts'
import { wrapSubjectKey } from '#exchange/keys/vault.ts'
import { refusals } from '#team/database/schema.ts'
import { applicantIn } from '#exchange/subjects/arriving.ts'
import { keyTables, type KeyTables } from '#team/subjects/database.ts'
import { exchangeOnce } from '#exchange/log/round.ts'
import { subjectTag, tagKey } from '#exchange/subjects/tags.ts'
import {
  at,
  contentKey,
  Database,
  exchanging,
  flipped,
  installed,
  keys,
  keysOf,
  membersOf,
  receivedStore,
  team,
  type Draft,
  type Exchanging
} from './support/team-log.ts'

const minute = 60_000
const id = (n: number): string => n.toString(16).padStart(32, '0')
const tagOf = ({ installation }: Pick<Exchanging, 'installation'>, number: number): string =>
  subjectTag(tagKey(contentKey), { team, installation, number }).toString('hex')
const codes = (failures: readonly Failure[]): readonly string[] =>
  failures.map(({ code, details }) => `${code} ${details && 'count' in details ? details.count : ''}`.trim())
const findings = ({ store }: Exchanging): readonly string[] =>
  codes(store.findings.all().map(({ failure: each }) => each))

/** A check of an applicant, with what it says about it. */
const checkOf = (applicantId: string | undefined, subject: number): Draft => ({
  kind: 'record.begun',
  subject,
  plain: { operator: 'Ada Lovelace' },
  sealed: { input: {}, applicantId }
})

/** The key and applicant that an installation has of a colleague's subject. */
function known(
  who: Exchanging,
  of: Exchanging,
  number: number
): { readonly key: Buffer | undefined; readonly applicant: string | undefined } {
  const found = who.store.subjects.find({ installation: of.installation, number })
  return { key: found?.key, applicant: found?.applicant }
}

/** Two members, of whom the first has checked the applicants APP-1 (subject 1) and APP-2 (2), and a document without one (3). */
function pair(using = keys): { readonly database: Database; readonly ada: Exchanging; readonly ben: Exchanging } {
  const database = new Database()
  const one = installed(0, { applicants: { 1: { applicantId: 'APP-1' }, 2: { applicantId: 'APP-2' } } })
  const two = installed(0, { applicants: { 5: { applicantId: 'APP-1' } } })
  const all = membersOf(one, two)
  one.events.append(checkOf('APP-1', 1))
  one.events.append(checkOf('APP-2', 2))
  one.events.append(checkOf(undefined, 3))
  return { database, ada: exchanging(database, all, one, using), ben: exchanging(database, all, two, using) }
}
/** The first one’s keys have arrived at the second. */
async function shared(): Promise<ReturnType<typeof pair>> {
  const made = pair()
  await made.ada.round()
  await made.ben.round()
  return made
}

describe('a tag', () => {
  const key = tagKey(contentKey)
  const place = { team, installation: id(1), number: 7 }

  it('is another one for another team, installation, number or key, and has 32 bytes', () => {
    const tags = [
      subjectTag(key, place),
      subjectTag(key, { ...place, team: 'c1'.repeat(32) }),
      subjectTag(key, { ...place, installation: id(2) }),
      subjectTag(key, { ...place, number: 8 }),
      subjectTag(tagKey(randomBytes(32)), place)
    ]
    expect(new Set(tags.map((tag) => tag.toString('hex'))).size).toBe(tags.length)
    expect(tags.every(({ length }) => length === 32)).toBe(true)
  })

  it('stays the same, so that keys of later epochs find the rows of earlier ones', () => {
    const fixed = tagKey(Buffer.alloc(32, 1))
    expect(subjectTag(fixed, place).toString('hex')).toBe(
      'f3ed33f27666336307c2099e534854f9f47d39e435117a7b0fac14f99afad5e5'
    )
  })
})

describe('keys of subjects', () => {
  it('are published before the events, and open them at a colleague, who learns whom they are about', async () => {
    const { database, ada, ben } = pair()
    const order: string[] = []
    const tables = database.tables(ada.installation)
    await ada.round({
      keys: {
        ...tables.keys,
        put: async (...given) => {
          order.push('keys')
          return tables.keys.put(...given)
        }
      },
      append: async (given) => {
        order.push('events')
        return tables.append(given)
      }
    })
    expect(order).toEqual(['keys', 'events'])
    expect(await ben.round()).toMatchObject({ received: 3, keys: 3, more: false, outdated: false, found: [] })
    expect([1, 2, 3].map((number) => known(ben, ada, number).applicant)).toEqual(['APP-1', 'APP-2', undefined])
    const part = ben.store.sealedAt(ada.installation, 1)
    expect(unseal(known(ben, ada, 1).key!, part!.kind, part!.sealed)?.payload).toContain('APP-1')
  })

  it('are the same size in the database, whoever they are about, and none of it can be read there', async () => {
    const { database, ada } = pair()
    ada.events.append(checkOf('A'.repeat(5000), 4))
    await ada.round()
    const rows = [...database.subjectKeys]
    expect(rows).toHaveLength(4)
    expect(new Set(rows.map(([, { wrapped }]) => wrapped?.length)).size).toBe(1)
    const seen = Buffer.concat(rows.flatMap(([tag, { wrapped }]) => [Buffer.from(tag, 'hex'), wrapped!]))
    for (const key of ada.events.keys.values()) expect(seen.includes(key)).toBe(false)
  })

  it('are published once, and not for events that share no values or whose key is gone', async () => {
    const { database, ada } = pair()
    let given = 0
    const tables = database.tables(ada.installation)
    const counted = {
      keys: {
        ...tables.keys,
        put: async (epoch: number, all: Parameters<KeyTables['put']>[1]) => {
          given += all.length
          return tables.keys.put(epoch, all)
        }
      }
    }
    await ada.round(counted)
    expect(given).toBe(3)
    ada.events.append(checkOf('APP-1', 1))
    ada.events.append({ kind: 'view.opened', subject: 9, sealed: { what: 'something' } })
    ada.events.append({ kind: 'link.removed', subject: 10 })
    await ada.round(counted)
    expect(given).toBe(3)
  })

  it('name the applicant also if its first events are kept at their installation', async () => {
    const { ada, ben } = pair()
    // What is shared begins with a note; the applicant is named by a check afterwards.
    ada.events.append({ kind: 'note.made', subject: 12, sealed: { text: 'Looked at by hand' } })
    await ada.round()
    await ben.round()
    expect(known(ben, ada, 12)).toEqual({ key: ada.events.keys.get(12), applicant: undefined })
    ada.events.append(checkOf('APP-12', 12))
    ada.events.append(checkOf('APP-13', 12))
    await ada.round()
    expect(await ben.round()).toMatchObject({ keys: 1 })
    expect(known(ben, ada, 12)).toEqual({ key: ada.events.keys.get(12), applicant: 'APP-12' })
  })

  it('are neither given nor erased before the user has chosen what is shared, and received nevertheless', async () => {
    const { database, ada, ben } = await shared()
    ben.events.append(checkOf('APP-1', 5))
    ben.store.subjects.eraseApplicants(['APP-2'])
    const before = new Map(database.subjectKeys)
    ada.events.append(checkOf('APP-4', 4))
    await ada.round()
    expect(await exchangeOnce({ ...ben.parts, isSharing: false }, { now: at, waiting: 0 })).toMatchObject({
      ok: true,
      value: { sent: 0, keys: 1 }
    })
    expect(
      [...database.subjectKeys].filter(([tag, row]) => before.get(tag)?.wrapped !== row.wrapped).map(([tag]) => tag)
    ).toEqual([tagOf(ada, 4)])
  })

  it('are not published for what is kept', async () => {
    const { database, ada } = pair()
    const read: typeof ada.history.read = async (task) => {
      const page = await ada.history.read(task)
      return page.ok
        ? ok({
            ...page.value,
            events: page.value.events.map((event) => (event.subject === 2 ? { ...event, kept: true as const } : event))
          })
        : page
    }
    expect(
      await exchangeOnce({ ...ada.parts, history: { ...ada.history, read } }, { now: at, waiting: 0 })
    ).toMatchObject({ ok: true, value: { sent: 3 } })
    expect([...database.subjectKeys.keys()].sort()).toEqual([tagOf(ada, 1), tagOf(ada, 3)].sort())
  })

  it('are received in pages, and the round says when there are more', async () => {
    const { ada, ben } = pair()
    for (let number = 100; number < 1110; number += 1) ada.events.append(checkOf(`APP-${number}`, number))
    while ((await ada.round()).more);
    const first = await ben.round()
    expect(first).toMatchObject({ keys: 1000, more: true })
    expect(await ben.round()).toMatchObject({ keys: 13, more: false })
    expect(known(ben, ada, 1109).applicant).toBe('APP-1109')
  })

  it('arrive for events that were received before the keys of the team', async () => {
    const { database, ada } = pair()
    await ada.round()
    const late = exchanging(database, membersOf(ada), installed(), { ...keys, vault: () => undefined })
    expect(await late.round()).toMatchObject({ received: 3, keys: 0, found: [] })
  })

  it('count only if they open what their installation signed, whoever wrapped them', async () => {
    const { database, ada, ben } = pair()
    await ada.round()
    // A member can wrap a key of its own for any tag, and names somebody else with it.
    const wrapped = wrapSubjectKey(randomBytes(32), { team, tag: tagOf(ada, 1) }, keys.vault()!)
    database.subjectKeys.set(tagOf(ada, 1), { epoch: 1, wrapped })
    expect(codes((await ben.round()).found)).toEqual(['team-applicant-keys-refused 1'])
    expect(known(ben, ada, 1)).toEqual({ key: undefined, applicant: undefined })
    expect(known(ben, ada, 2).applicant).toBe('APP-2')
  })
})

describe('a sealed part', () => {
  const part = async (draft: Draft) => {
    const { database, ada, ben } = pair()
    ada.events.append({ ...draft, subject: 11 })
    await ada.round()
    await ben.round()
    expect(database.subjectKeys.size).toBe(4)
    return { part: ben.store.sealedAt(ada.installation, 4)!, key: ada.events.keys.get(11)! }
  }
  it.each([
    ['a check', { kind: 'record.begun', sealed: { applicantId: 'APP-9' } }, { applicant: 'APP-9' }],
    ['a link', { kind: 'link.made', sealed: { applicantId: 'APP-9' } }, { applicant: 'APP-9' }],
    ['a check without one', { kind: 'record.begun', sealed: {} }, {}],
    ['something that is no text', { kind: 'record.begun', sealed: { applicantId: 9 } }, {}],
    // Anybody may write anything into a note.
    ['a note', { kind: 'note.made', sealed: { applicantId: 'APP-9' } }, {}]
  ] as const)('of %s', async (_what, draft, expected) => {
    const { part: sealed, key } = await part(draft)
    expect(applicantIn(key, sealed)).toEqual(expected)
    expect(applicantIn(randomBytes(32), sealed)).toBeUndefined()
    expect(applicantIn(key, { ...sealed, values: '00'.repeat(32) })).toBeUndefined()
  })
})

describe('a database', () => {
  it('that swaps rows, changes bytes or epochs, or shows another length is noticed, and opens nothing', async () => {
    const { database, ada, ben } = pair()
    await ada.round()
    const honest = new Map(database.subjectKeys)
    const [one, two] = [honest.get(tagOf(ada, 1))!, honest.get(tagOf(ada, 2))!]
    const attacks: readonly (readonly [string, typeof one, typeof two])[] = [
      ['swapped', two, one],
      ['changed', { ...one, wrapped: flipped(one.wrapped!, 20) }, { ...two, wrapped: flipped(two.wrapped!, 60) }],
      ['short', { ...one, wrapped: one.wrapped!.subarray(1) }, { ...two, wrapped: Buffer.alloc(0) }],
      [
        'long',
        { ...one, wrapped: Buffer.alloc(4096) },
        { ...two, wrapped: Buffer.concat([two.wrapped!, Buffer.alloc(1)]) }
      ]
    ]
    let now = at
    for (const [, first, second] of attacks) {
      database.subjectKeys.set(tagOf(ada, 1), first).set(tagOf(ada, 2), second)
      now += 2 * minute
      await ben.round({}, { now })
      expect(findings(ben)).toEqual(['team-applicant-keys-refused 2'])
      expect(known(ben, ada, 1).key ?? known(ben, ada, 2).key).toBeUndefined()
    }
    // Once it is as it was, they arrive, and the finding is gone.
    for (const [tag, row] of honest) database.subjectKeys.set(tag, row)
    expect(await ben.round({}, { now: now + 2 * minute })).toMatchObject({ keys: 2 })
    expect(findings(ben)).toEqual([])
  })

  it.each([
    ['an older epoch, with the key of the newer one', 1, 2],
    ['a newer epoch, with the key of the older one', 2, 1]
  ])('that shows %s opens nothing', async (_what, shownAs, wrappedFor) => {
    const second = randomBytes(32)
    const { database, ada, ben } = pair(keysOf([1, contentKey], [2, second]))
    await ada.round()
    const epoch = wrappedFor === 2 ? keysOf([2, second]) : keys
    for (const number of [1, 2, 3])
      database.subjectKeys.set(tagOf(ada, number), {
        epoch: shownAs,
        wrapped: wrapSubjectKey(ada.events.keys.get(number)!, { team, tag: tagOf(ada, number) }, epoch.vault()!)
      })
    expect(await ben.round()).toMatchObject({ keys: 0 })
    expect(findings(ben)).toEqual(shownAs === 2 ? ['team-applicant-keys-refused 3'] : [])
  })

  it('that has keys of a newer epoch is a reason to read the list of members, for who gives keys as for who asks', async () => {
    const { database, ada, ben } = await shared()
    for (const [tag, row] of database.subjectKeys) database.subjectKeys.set(tag, { ...row, epoch: 2 })
    ada.events.append(checkOf('APP-4', 4))
    database.subjectKeys.set(tagOf(ada, 4), { epoch: 2, wrapped: Buffer.alloc(61) })
    expect(await ada.round()).toMatchObject({ sent: 1, outdated: true })
    expect(await ben.round()).toMatchObject({ received: 1, keys: 0, outdated: true })
  })

  it('that drops or empties rows makes nobody believe in an erasure', async () => {
    const { database, ada, ben } = pair()
    await ada.round()
    database.subjectKeys.delete(tagOf(ada, 1))
    database.subjectKeys.set(tagOf(ada, 2), { epoch: 1, wrapped: null })
    // The first time, an erasure may be on its way.
    expect(await ben.round()).toMatchObject({ keys: 1, found: [] })
    expect(await ben.round({}, { now: at + minute / 2 })).toMatchObject({ found: [] })
    expect(codes((await ben.round({}, { now: at + minute })).found)).toEqual(['team-applicant-keys-missing 2'])
    expect(ben.store.subjects.find({ installation: ada.installation, number: 2 })).toEqual({ closed: 'awaited' })
    // Its owner notices with the next keys that it gives, and does not believe it either.
    expect(ada.store.subjects.erasuresPending()).toEqual([])
  })

  it('is asked for what it did not have once a minute, by any clock', async () => {
    const { database, ada, ben } = pair()
    await ada.round()
    database.subjectKeys.delete(tagOf(ada, 1))
    let asked = 0
    const tables = database.tables(ben.installation)
    const counted = {
      keys: {
        ...tables.keys,
        rows: async (tags: readonly Buffer[]) => {
          asked += tags.length
          return tables.keys.rows(tags)
        }
      }
    }
    for (const now of [at, at + 1000, at + minute - 1]) await ben.round(counted, { now })
    expect(asked).toBe(3)
    await ben.round(counted, { now: at + minute })
    expect(asked).toBe(4)
    // The clock was set back.
    await ben.round(counted, { now: at - 24 * 60 * minute })
    expect(asked).toBe(5)
  })

  it('that never had many keys does not keep new ones waiting', async () => {
    const { database, ada, ben } = pair()
    for (let number = 100; number < 1200; number += 1) ada.events.append(checkOf(`APP-${number}`, number))
    while ((await ada.round()).more);
    const rows = new Map(database.subjectKeys)
    database.subjectKeys.clear()
    while ((await ben.round()).more);
    ada.events.append(checkOf('APP-4', 4))
    await ada.round()
    let asked = 0
    const tables = database.tables(ben.installation)
    const counted = {
      keys: {
        ...tables.keys,
        rows: async (tags: readonly Buffer[]) => {
          asked += tags.length
          return tables.keys.rows(tags)
        }
      }
    }
    expect(await ben.round(counted, { now: at + 5 * minute })).toMatchObject({ keys: 1, more: false })
    // A page of the others.
    expect(asked).toBe(1001)
    for (const [tag, row] of rows) database.subjectKeys.set(tag, row)
    expect(await ben.round({}, { now: at + 10 * minute })).toMatchObject({ keys: 1000, more: true })
    expect(await ben.round({}, { now: at + 10 * minute })).toMatchObject({ keys: 103, more: false })
  })

  it('that refuses without end, or answers in another form, is not asked without end', async () => {
    const { database, ada } = pair()
    let put = 0
    const tables = database.tables(ada.installation)
    const refusing = {
      keys: {
        ...tables.keys,
        put: async () => {
          put += 1
          return failed('team-database-refused', { host: 'test', sqlState: refusals.erasedKey })
        }
      }
    }
    await expect(ada.round(refusing)).rejects.toThrow('team-database-refused')
    expect(put).toBe(3)
    const line = (rows: unknown) => keyTables({ query: async () => ok(rows as []) }, 'test')
    const tag = randomBytes(32)
    const row = { tag, vault_epoch: 1, wrapped: Buffer.alloc(61) }
    expect(await line([row]).rows([tag])).toEqual(
      ok([{ tag: tag.toString('hex'), epoch: 1, wrapped: Buffer.alloc(61) }])
    )
    for (const rows of [
      [{ ...row, tag: 'x' }],
      [{ ...row, vault_epoch: '1' }],
      [{ ...row, vault_epoch: -1 }],
      [{ ...row, wrapped: 'x' }],
      [{ ...row, wrapped: undefined }],
      [row, row],
      'x',
      undefined
    ])
      expect(await line(rows).rows([tag])).toEqual({
        ok: false,
        failure: failure('team-answer-unusable', { host: 'test', reason: 'rows' })
      })
  })
})

describe('a new epoch', () => {
  it('wraps everything anew also where the file that says what was published is lost', async () => {
    const { database, ada } = pair()
    for (let number = 100; number < 400; number += 1) ada.events.append(checkOf(undefined, number))
    while ((await ada.round()).more);
    const again = { ...ada.parts, keys: keysOf([1, contentKey], [2, randomBytes(32)]), store: receivedStore() }
    for (let n = 0; n < 4; n += 1)
      expect(await exchangeOnce(again, { now: at, waiting: 0 })).toMatchObject({ ok: true, value: { sent: 0 } })
    expect([...database.subjectKeys.values()].map(({ epoch }) => epoch)).toEqual(Array.from({ length: 303 }, () => 2))
  })

  it('wraps everything anew, in pages, whenever it is interrupted', async () => {
    const database = new Database()
    const one = installed(0)
    const all = membersOf(one)
    for (let number = 1; number <= 700; number += 1) one.events.append(checkOf(undefined, number))
    const before = exchanging(database, all, one)
    while ((await before.round()).more);
    const after = keysOf([1, contentKey], [2, randomBytes(32)])
    const ada = { ...before, parts: { ...before.parts, keys: after } }
    const epochs = (): readonly number[] =>
      [1, 2].map((epoch) => [...database.subjectKeys.values()].filter((row) => row.epoch === epoch).length)
    expect(await exchangeOnce(ada.parts, { now: at, waiting: 0 })).toMatchObject({ ok: true, value: { more: true } })
    expect(epochs()).toEqual([444, 256])
    // The answer to the next page is lost, after it was stored.
    const lost = {
      ...ada.parts.tables,
      keys: {
        ...ada.parts.tables.keys,
        put: async (...given: Parameters<KeyTables['put']>) => {
          await ada.parts.tables.keys.put(...given)
          return failed('team-database-lost', { host: 'test' })
        }
      }
    }
    expect(await exchangeOnce({ ...ada.parts, tables: lost }, { now: at, waiting: 0 })).toMatchObject({ ok: false })
    for (let n = 0; n < 3; n += 1) await exchangeOnce(ada.parts, { now: at, waiting: 0 })
    expect(epochs()).toEqual([0, 700])
    expect(await exchangeOnce(ada.parts, { now: at, waiting: 0 })).toMatchObject({ ok: true, value: { more: false } })
  })
})
