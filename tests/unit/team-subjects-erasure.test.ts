/** Erasures in a team: they reach every member, survive a crash between any two steps, and cannot be undone or made up. */
import { describe, expect, it } from 'vitest'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { OwnHistory } from '#team/thread/ports.ts'
import { exchangeOnce } from '#exchange/log/round.ts'
import type { TeamTables } from '#team/log/database.ts'
import { withdrawalKind } from '#exchange/subjects/erasures.ts'
import { subjectTag, tagKey } from '#exchange/subjects/tags.ts'
import {
  at,
  contentKey,
  Database,
  Events,
  exchanging,
  installed,
  membersOf,
  receivedStore,
  team,
  type Draft,
  type Exchanging,
  type Installation
} from './support/team-log.ts'

const minute = 60_000
const tagOf = ({ installation }: Pick<Exchanging, 'installation'>, number: number): string =>
  subjectTag(tagKey(contentKey), { team, installation, number }).toString('hex')
const findings = ({ store }: Exchanging): readonly string[] => store.findings.all().map(({ failure: { code } }) => code)
const checkOf = (applicantId: string, subject: number): Draft => ({
  kind: 'record.begun',
  subject,
  plain: { operator: 'Ada Lovelace' },
  sealed: { input: {}, applicantId }
})
const closedFor = (who: Exchanging, of: Installation, number: number): string | undefined =>
  who.store.subjects.find({ installation: of.installation, number })?.closed

/** The subjects of which an installation has said that it deletes the keys. */
const withdrawnBy = ({ events }: Installation): unknown =>
  (JSON.parse(events.all.find(({ kind }) => kind === withdrawalKind)?.plain ?? '{}') as { readonly subjects?: unknown })
    .subjects

/** Three members who have checked APP-1, as their subjects 1, 5 and 9, and somebody else. Everything has arrived everywhere. */
async function shared(): Promise<{
  readonly database: Database
  readonly all: readonly [Exchanging, Exchanging, Exchanging]
  readonly dan: Exchanging
}> {
  const database = new Database()
  const [one, two, three] = [1, 5, 9].map((number) => {
    const made = installed(0, {
      applicants: { [number]: { applicantId: 'APP-1' }, [number + 1]: { applicantId: `APP-${number + 1}` } }
    })
    made.events.append(checkOf('APP-1', number))
    made.events.append(checkOf(`APP-${number + 1}`, number + 1))
    return made
  }) as [Installation, Installation, Installation]
  const late = installed()
  const everybody = membersOf(one, two, three, late)
  const all = [
    exchanging(database, everybody, one),
    exchanging(database, everybody, two),
    exchanging(database, everybody, three)
  ] as const
  await settle(at, ...all)
  // Joins once all is over.
  return { database, all, dan: exchanging(database, everybody, late) }
}

async function settle(now: number, ...all: readonly Exchanging[]): Promise<void> {
  for (let n = 0; n < 3; n += 1) for (const each of all) while ((await each.round({}, { now })).more);
}

/** The parts of a round, of which one step in order fails: before it has an effect, or when it has had one. */
function failing(
  parts: Exchanging['parts'],
  step: number,
  isDone: boolean
): { readonly parts: Exchanging['parts']; readonly steps: () => number } {
  let count = 0
  const wrapped =
    <Given extends readonly unknown[], T>(work: (...given: Given) => Promise<Result<T, Failure>>) =>
    async (...given: Given): Promise<Result<T, Failure>> => {
      count += 1
      if (count !== step) return work(...given)
      if (isDone) await work(...given)
      return failed('team-database-lost', { host: 'test' })
    }
  const { tables, history } = parts
  const broken: TeamTables = {
    heads: wrapped(tables.heads),
    events: wrapped(tables.events),
    hashes: wrapped(tables.hashes),
    append: wrapped(tables.append),
    missing: wrapped(tables.missing),
    boxes: wrapped(tables.boxes),
    giveBox: wrapped(tables.giveBox),
    keys: {
      missing: wrapped(tables.keys.missing),
      rows: wrapped(tables.keys.rows),
      put: wrapped(tables.keys.put),
      erase: wrapped(tables.keys.erase)
    },
    claims: { number: wrapped(tables.claims.number), from: wrapped(tables.claims.from) }
  }
  const past: OwnHistory = {
    read: wrapped(history.read),
    subjects: wrapped(history.subjects),
    anchor: wrapped(history.anchor),
    withdraw: wrapped(history.withdraw),
    acknowledge: wrapped(history.acknowledge),
    claims: wrapped(history.claims)
  }
  return { parts: { ...parts, tables: broken, history: past }, steps: () => count }
}

/** Everybody knows of the erasure, nobody has a key of the applicant, and who joins later finds nothing wrong. */
async function expectErased({ database, all, dan }: Awaited<ReturnType<typeof shared>>, from = 10): Promise<void> {
  const [ada, ben, carla] = all
  await settle(at + from * minute, ...all)
  for (const [whose, number] of [
    [ada, 1],
    [ben, 5],
    [carla, 9]
  ] as const) {
    expect(database.subjectKeys.get(tagOf(whose, number))?.wrapped).toBeNull()
    for (const who of all.filter((each) => each !== whose)) expect(closedFor(who, whose, number)).toBe('erased')
    for (const who of all.filter((each) => each !== whose))
      expect(who.store.subjects.find({ installation: whose.installation, number: number + 1 })).toMatchObject({
        applicant: `APP-${number + 1}`
      })
  }
  expect(all.map(({ store }) => store.subjects.erasuresPending())).toEqual([[], [5], [9]])
  for (const minutes of [10, 20, 30]) await settle(at + (from + minutes) * minute, dan)
  expect(
    [
      [ada, 1],
      [ben, 5],
      [carla, 9]
    ].map(([whose, number]) => closedFor(dan, whose as Exchanging, number as number))
  ).toEqual(['erased', 'erased', 'erased'])
  expect([...all, dan].map(findings)).toEqual([[], [], [], []])
}

describe('an erasure', () => {
  it('reaches every member and every installation that had the applicant, and those who join later', async () => {
    const made = await shared()
    const [ada, ben] = made.all
    expect(ben.store.subjects.find({ installation: ada.installation, number: 1 })).toMatchObject({ applicant: 'APP-1' })
    ada.events.erase(1)
    await expectErased(made)
  })

  it('reaches them also if a round of who erases is cut off at any step', async () => {
    let cutOff = 0
    for (let [step, steps] = [1, 1]; step === steps; step += 1)
      for (const isDone of [false, true]) {
        const made = await shared()
        const [ada] = made.all
        ada.events.erase(1)
        const broken = failing(ada.parts, step, isDone)
        await exchangeOnce(broken.parts, { now: at + minute, waiting: 0 })
        // The last attempt is one whose round had no further step.
        steps = broken.steps() < step ? 0 : step + 1
        cutOff = step - 1
        // Without anybody else's help.
        await settle(at + 2 * minute, ada)
        for (const [whose, number] of [
          [ada, 1],
          [made.all[1], 5],
          [made.all[2], 9]
        ] as const)
          expect(made.database.subjectKeys.get(tagOf(whose, number))?.wrapped).toBeNull()
        expect(withdrawnBy(ada)).toEqual({ [made.all[1].installation]: [5], [made.all[2].installation]: [9] })
        await expectErased(made)
      }
    expect(cutOff).toBeGreaterThan(4)
  }, 60_000)

  it.each([
    ['learns of it', false],
    ['says it for somebody who does not', true]
  ])(
    'reaches them also if a round of who %s is cut off at any step',
    async (_what, isLater) => {
      let cutOff = 0
      for (let [step, steps] = [1, 1]; step === steps; step += 1)
        for (const isDone of [false, true]) {
          const made = await shared()
          const [ada, ben] = made.all
          ada.events.erase(1)
          // She is cut off herself, before she can say which keys of colleagues go.
          await ada.round({}, { now: at + minute })
          if (isLater) await ben.round({}, { now: at + minute })
          const broken = failing(ben.parts, step, isDone)
          await exchangeOnce(broken.parts, { now: at + (isLater ? 30 : 1) * minute, waiting: 0 })
          // The last attempt is one whose round had no further step.
          steps = broken.steps() < step ? 0 : step + 1
          cutOff = step - 1
          if (isLater) {
            await settle(at + 31 * minute, ben)
            expect(withdrawnBy(ben)).toEqual({ [ben.installation]: [5], [made.all[2].installation]: [9] })
          }
          await expectErased(made, 40)
        }
      expect(cutOff).toBeGreaterThan(isLater ? 3 : 2)
    },
    60_000
  )

  it('removes what others shared of the applicant, also where who erases never had it', async () => {
    const database = new Database()
    const [one, two, three] = [
      installed(0, { applicants: { 1: { applicantId: 'APP-1' } } }),
      installed(),
      installed(0, { applicants: { 9: { applicantId: 'APP-1' } } })
    ]
    const everybody = membersOf(one, two, three)
    const [ada, ben, carla] = [one, two, three].map((each) => exchanging(database, everybody, each)) as [
      Exchanging,
      Exchanging,
      Exchanging
    ]
    ada.events.append(checkOf('APP-1', 1))
    carla.events.append(checkOf('APP-1', 9))
    await settle(at, carla, ben)
    // Nothing of the third one reaches her.
    const withheld = {
      heads: async () => {
        const shown = await ada.parts.tables.heads()
        return shown.ok
          ? { ...shown, value: shown.value.filter(({ installation }) => installation !== carla.installation) }
          : shown
      }
    }
    await ada.round(withheld)
    await settle(at, ben, carla)
    expect(closedFor(ben, carla, 9)).toBeUndefined()
    ada.events.erase(1)
    await ada.round(withheld)
    await ben.round()
    expect(closedFor(ben, carla, 9)).toBe('erased')
    // Its owner is not there: somebody who knows both deletes the key, in time, and says so.
    for (const minutes of [0, 9]) await settle(at + minutes * minute, ben)
    expect(database.subjectKeys.get(tagOf(carla, 9))?.wrapped).not.toBeNull()
    await settle(at + 20 * minute, ben)
    expect(database.subjectKeys.get(tagOf(carla, 9))?.wrapped).toBeNull()
    expect(withdrawnBy(ben)).toEqual({ [carla.installation]: [9] })
    await settle(at + 20 * minute, carla)
    expect(carla.store.subjects.erasuresPending()).toEqual([9])
  })

  it('is said by one of those who could, as far as they know of each other', async () => {
    const { all } = await shared()
    const [ada, ben, carla] = all
    ada.events.erase(1)
    await settle(at, ...all)
    // She said it for all of them, before anybody else had reason to.
    for (const minutes of [10, 20, 30]) await settle(at + minutes * minute, ...all)
    expect(
      [ada, ben, carla].map((each) => each.events.all.filter(({ kind }) => kind === withdrawalKind).length)
    ).toEqual([1, 0, 0])
  })

  it('takes checks that were linked to the applicant with it', async () => {
    const database = new Database()
    const [one, two] = [
      installed(0, { applicants: { 1: { applicantId: 'APP-1' } } }),
      installed(0, { applicants: { 5: { applicantId: 'APP-1' }, 8: { applicantId: 'APP-8' } } })
    ]
    const everybody = membersOf(one, two)
    const [ada, ben] = [one, two].map((each) => exchanging(database, everybody, each)) as [Exchanging, Exchanging]
    ada.events.append(checkOf('APP-1', 1))
    ben.events.append(checkOf('APP-1', 5))
    for (const [subject, record] of [
      [6, 60],
      [7, 70]
    ] as const)
      ben.events.append({ kind: 'record.begun', subject, record, plain: {}, sealed: { input: {} } })
    ben.events.append({ kind: 'link.made', subject: 5, record: 60, plain: {}, sealed: { applicantId: 'APP-1' } })
    // A link cannot take somebody else's data with it.
    ben.events.append({ ...checkOf('APP-8', 8), record: 80 })
    ben.events.append({ kind: 'link.made', subject: 5, record: 80, plain: {}, sealed: { applicantId: 'APP-1' } })
    await settle(at, ada, ben)
    expect(closedFor(ada, ben, 6)).toBeUndefined()
    ada.events.erase(1)
    await settle(at, ada, ben)
    expect([5, 6, 7, 8].map((number) => closedFor(ada, ben, number))).toEqual([
      'erased',
      'erased',
      undefined,
      undefined
    ])
    expect([5, 6, 7, 8].map((number) => database.subjectKeys.get(tagOf(ben, number))?.wrapped === null)).toEqual([
      true,
      true,
      false,
      false
    ])
  })

  it('says which keys of colleagues it deletes, before it does', async () => {
    const {
      all: [ada, ben, carla]
    } = await shared()
    ada.events.erase(1)
    await ada.round()
    expect(withdrawnBy(ada)).toEqual({ [ben.installation]: [5], [carla.installation]: [9] })
    expect(JSON.stringify(ada.events.all.map(({ plain }) => plain))).not.toContain('APP-1')
  })

  it('takes what colleagues shared of an applicant from here at once, without the database', async () => {
    const made = await shared()
    const [ada, ben] = made.all
    ada.store.subjects.eraseApplicants(['APP-1'])
    expect(closedFor(ada, ben, 5)).toBe('erased')
    ada.events.erase(1)
    await expectErased(made)
  })

  it('cannot be undone by an installation that was away, or that lost what it knew', async () => {
    const made = await shared()
    const {
      database,
      all: [ada, ben, carla]
    } = made
    ada.events.erase(1)
    await settle(at + minute, ada, carla)
    // Its history has the applicant, and its file of what was received is a new one: it publishes everything again.
    ben.events.append(checkOf('APP-1', 5))
    const again = { ...ben.parts, store: receivedStore() }
    for (let n = 0; n < 3; n += 1)
      expect(await exchangeOnce(again, { now: at + 2 * minute, waiting: 0 })).toMatchObject({ ok: true })
    expect(database.subjectKeys.get(tagOf(ben, 5))?.wrapped).toBeNull()
    expect(again.store.subjects.erasuresPending()).toEqual([5])
    expect(again.store.findings.all()).toEqual([])
    await carla.round({}, { now: at + 3 * minute })
    expect(closedFor(carla, ben, 5)).toBe('erased')
  })

  it('takes back what an installation shared of the applicant before it learned of the erasure', async () => {
    const database = new Database()
    const [one, two, three] = [
      installed(0, { applicants: { 1: { applicantId: 'APP-1' } } }),
      installed(0, { applicants: { 5: { applicantId: 'APP-1' } } }),
      installed()
    ]
    const everybody = membersOf(one, two, three)
    const [ada, ben, carla] = [one, two, three].map((each) => exchanging(database, everybody, each)) as [
      Exchanging,
      Exchanging,
      Exchanging
    ]
    ada.events.append(checkOf('APP-1', 1))
    ben.events.append()
    await settle(at, ada, ben, carla)
    ada.events.erase(1)
    await settle(at, ada, carla)
    // Offline until now.
    ben.events.append(checkOf('APP-1', 5))
    await ben.round({ events: async () => failed('team-database-lost', { host: 'test' }) }).catch(() => undefined)
    await settle(at, carla)
    expect(carla.store.subjects.find({ installation: ben.installation, number: 5 })).toMatchObject({
      applicant: 'APP-1'
    })
    for (const minutes of [1, 2]) await settle(at + minutes * minute, ben, carla)
    expect(closedFor(carla, ben, 5)).toBe('erased')
    expect(ben.store.subjects.erasuresPending()).toEqual([5])
    // Once it erases the applicant itself, nothing is left to do.
    ben.events.erase(5)
    await settle(at + 2 * minute, ben)
    expect(ben.store.subjects.erasuresPending()).toEqual([])
  })

  it('that names a former number counts under the one that followed, as far as both have the same events', async () => {
    const database = new Database()
    const former = installed(0, { applicants: { 1: { applicantId: 'APP-1' }, 2: { applicantId: 'APP-2' } } })
    former.events.append(checkOf('APP-1', 1))
    const events = new Events(former.events.all)
    for (const [number, key] of former.events.keys) events.keys.set(number, key)
    const next = installed(0, { applicants: { 1: { applicantId: 'APP-1' }, 2: { applicantId: 'APP-3' } }, events })
    former.events.append(checkOf('APP-2', 2))
    events.append(checkOf('APP-3', 2))
    const [one, two] = [installed(), installed()]
    const everybody = membersOf(former, next, one, two)
    const [old, current, ben, carla] = [former, next, one, two].map((each) =>
      exchanging(database, everybody, each)
    ) as [Exchanging, Exchanging, Exchanging, Exchanging]
    await settle(at, old, current, ben, carla)
    ben.events.append({
      kind: 'team.withdrawn',
      subject: 0,
      plain: { operator: 'ben', subjects: { [former.installation]: [1, 2] } }
    })
    await settle(at + minute, ben, carla, current)
    expect([closedFor(carla, old, 1), closedFor(carla, old, 2), closedFor(carla, current, 1)]).toEqual([
      'erased',
      'erased',
      'erased'
    ])
    expect(carla.store.subjects.find({ installation: next.installation, number: 2 })).toMatchObject({
      applicant: 'APP-3'
    })
    expect(current.store.subjects.erasuresPending()).toEqual([1])
  })

  it('does not concern an applicant who returns as a new subject', async () => {
    const made = await shared()
    const [ada, ben] = made.all
    ada.events.erase(1)
    await expectErased(made)
    ada.events.append(checkOf('APP-1', 3))
    await settle(at + 50 * minute, ada, ben)
    expect(ben.store.subjects.find({ installation: ada.installation, number: 3 })).toMatchObject({ applicant: 'APP-1' })
    expect(closedFor(ben, ada, 1)).toBe('erased')
  })
})

describe('a database', () => {
  it('that shows a key again after its erasure gives it to nobody', async () => {
    const made = await shared()
    const {
      database,
      all: [ada],
      dan
    } = made
    const before = new Map(database.subjectKeys)
    ada.events.erase(1)
    await expectErased(made)
    for (const [tag, row] of before) database.subjectKeys.set(tag, row)
    const late = exchanging(database, dan.parts.members, dan)
    await settle(at + 60 * minute, ...made.all, late)
    for (const who of [...made.all.slice(1), late]) expect(closedFor(who, ada, 1)).toBe('erased')
  })

  it('that lost events, and has erased keys again, gets them erased again', async () => {
    const made = await shared()
    const {
      database,
      all: [ada]
    } = made
    const [rows, keys] = [[...database.of(ada.installation)], new Map(database.subjectKeys)]
    ada.events.erase(1)
    await expectErased(made)
    database.rows.set(ada.installation, rows)
    database.subjectKeys.clear()
    for (const [tag, row] of keys) if (tag !== tagOf(ada, 2)) database.subjectKeys.set(tag, row)
    await settle(at + 60 * minute, ada)
    expect(database.subjectKeys.get(tagOf(ada, 1))?.wrapped).toBeNull()
    // And the keys that it lost.
    expect(database.subjectKeys.get(tagOf(ada, 2))?.wrapped).toHaveLength(61)
    // The event of the erasure itself need not be among what was lost.
    database.rows.set(ada.installation, database.of(ada.installation).slice(0, -1))
    database.subjectKeys.set(tagOf(ada, 1), keys.get(tagOf(ada, 1))!)
    await settle(at + 70 * minute, ada)
    expect(database.subjectKeys.get(tagOf(ada, 1))?.wrapped).toBeNull()
  })

  it('that says a key was erased, without anybody’s signature, makes its owner erase nothing', async () => {
    const {
      database,
      all: [ada, ben]
    } = await shared()
    ada.events.append(checkOf('APP-4', 4))
    database.subjectKeys.set(tagOf(ada, 4), { epoch: 1, wrapped: null })
    for (const now of [at, at + minute, at + 2 * minute]) await ada.round({}, { now })
    expect(findings(ada)).toEqual(['team-applicant-keys-missing'])
    expect(ada.store.subjects.erasuresPending()).toEqual([])
    for (const now of [at, at + minute, at + 2 * minute]) await ben.round({}, { now })
    expect(findings(ben)).toEqual(['team-applicant-keys-missing'])
    expect(closedFor(ben, ada, 4)).toBe('awaited')
  })
})

describe('a member', () => {
  it.each([
    ['numbers that are none', { subjects: [1.5, -1, 'x', null, 2 ** 60] }],
    ['no list', { subjects: 'all' }],
    ['no object', [1, 2]],
    ['nothing', {}]
  ])('that erases %s erases nothing, and ends nothing', async (_what, plain) => {
    const {
      all: [ada, ben]
    } = await shared()
    for (const kind of ['subject.erased', withdrawalKind] as const)
      ada.events.append({
        kind,
        subject: 0,
        text: JSON.stringify(plain),
        plain: {},
        ...(Array.isArray(plain) && { values: '00'.repeat(32) })
      })
    await ada.round().catch(() => undefined)
    await ben.round()
    expect(closedFor(ben, ada, 1)).toBeUndefined()
  })

  it('can name subjects that nobody knows yet: they are erased when they arrive', async () => {
    const {
      database,
      all: [ada, ben],
      dan
    } = await shared()
    ada.events.append({
      kind: withdrawalKind,
      subject: 0,
      plain: { subjects: { [dan.installation]: [77], ['ff'.repeat(16)]: [1] } }
    })
    await settle(at, ada, ben)
    dan.events.append(checkOf('APP-77', 77))
    await settle(at, dan, ben)
    expect(closedFor(ben, dan, 77)).toBe('erased')
    expect(database.subjectKeys.has(tagOf({ installation: 'ff'.repeat(16) }, 1))).toBe(false)
  })
})
