/** A verification that a second thread helps with says exactly what one without it says, whatever becomes of the thread. */
import { createSecretKey } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuditTrail } from '#core/audit/audit-trail.ts'
import { type WalkState, type WalkStep } from '#core/history/api/audit-walk.ts'
import type { Engine } from '#core/history/engine/engine.ts'
import { openerBeside, type LaunchOpener } from '#core/history/audit/opener.ts'
import { OpenerMemory, slotState, type SealedPart } from '#core/history/audit/opener-memory.ts'
import { Openings } from '#core/history/audit/openings.ts'
import { Walk } from '#core/history/audit/walk.ts'
import { historyFolder, openHistory } from '#core/history/open.ts'
import { commitmentOf, newKey, seal } from '#core/history/storage/seal.ts'
import { Subjects } from '#core/history/storage/subjects.ts'
import type { Writer } from '#core/history/records/writer.ts'
import { launchInNode } from '#core/workers/node.ts'
import { seeded, type Random } from '../../scripts/prove/random.ts'
import { damages } from '../../scripts/prove/trail-damage.ts'
import { furnished, headsOf, sceneOf, walkScene, type Scene } from '../../scripts/prove/trail-scene.ts'
import { add, answer, clock, inFolder, intentOf, opened, secretsInMemory } from './history-fixtures.ts'

const real = openerBeside(new URL('../../electron/core/history/worker/worker.ts', import.meta.url).href)

/** An opener that has every batch as soon as it is posted, and does this with it. */
const quick = (act: (memory: OpenerMemory, slot: number) => void): LaunchOpener => (memory) => {
  const post = memory.post.bind(memory)
  memory.post = (slot, count) => {
    post(slot, count)
    if (memory.take(slot)) act(memory, slot)
  }
}
const fits = ({ key, purpose, sealed, commitment }: SealedPart): boolean => commitmentOf(createSecretKey(key), purpose, sealed)?.equals(commitment) === true
const validate = (memory: OpenerMemory, slot: number): void => memory.setState(slot, memory.read(slot).every(fits) ? slotState.fine : slotState.doubtful)

/** Openers that do what a thread may do, at its best and at its worst. */
const openers: Readonly<Record<string, LaunchOpener>> = {
  'is always quicker': quick(validate),
  'is done with some batches only': quick((memory, slot) => void (slot % 3 > 0 && validate(memory, slot))),
  'never starts': () => undefined,
  'could not be started': (memory) => memory.leave(),
  'takes every batch and is never heard of again': quick(() => undefined),
  'takes a batch and is gone': quick((memory) => memory.leave()),
  'finds that nothing fits': quick((memory, slot) => memory.setState(slot, slotState.doubtful))
}

/** Walks in stretches as short as can be, with a turn of the event loop between two. */
async function walked(scene: Scene, openings: Openings): Promise<WalkStep> {
  const walk = new Walk(scene, new Subjects(scene.subjects))
  walk.share(openings)
  for (let from: WalkState | undefined; ; ) {
    const step = walk.step({ from, until: walk.size, known: headsOf(scene), slice: 1 })
    if (step.kind !== 'more') return step
    from = step.state
    await new Promise(setImmediate)
  }
}

let engine: Engine
let scene: Scene
beforeAll(() => {
  engine = opened()
  furnished(engine)
  for (let n = 0; n < 400; n += 50) {
    const begun = engine.commit(Array.from({ length: 50 }, (_, m) => (writer: Writer) => writer.begin(intentOf({ applicant: `APP-${(n + m) % 90}` }))))
    engine.commit(begun.map((one, m) => (writer: Writer) => writer.finish(one.ok ? one.value.id : '', answer(`Reply ${m}`))))
  }
  // Larger than a slot.
  add(engine, { applicant: 'APP-LARGE' }, answer('Large', 200, 'x'.repeat(200_000)))
  for (let n = 0; n < 60; n += 1) add(engine, { applicant: `APP-${n}` }, answer('Longer', 200, 'y'.repeat(5000)))
  scene = sceneOf(engine.dbs, engine.last)
})
afterAll(() => engine.close())

/** One to three changes in different places, and the verdict on them; undone afterwards. */
async function damaged<T>(random: Random, turn: number, validated: () => T | Promise<T>): Promise<T> {
  const kinds = Object.values(damages)
  const small = ['a changed sealed part', 'a changed reply', 'a changed record of the list', 'a sealed part put in the place of another']
  for (const db of [scene.history, scene.subjects]) db.exec('BEGIN')
  try {
    for (let more = random(3); more > 0; more -= 1) damages[small[random(small.length)] ?? '']?.(scene, random)
    kinds[turn % kinds.length]?.(scene, random)
    return await validated()
  } finally {
    for (const db of [scene.history, scene.subjects]) db.exec('ROLLBACK')
  }
}

describe('a verification that is shared between two threads', () => {
  it('finds the same first break, in the same words, as one thread alone', { timeout: 60_000 }, async () => {
    const shared = new Openings(real, 1)
    const random = seeded(7)
    const kinds = new Set<string>()
    for (let turn = 0; turn < 128; turn += 1)
      await damaged(random, turn, async () => {
        const alone = walkScene(scene)
        expect(await walked(scene, shared)).toEqual(alone)
        if (alone.kind === 'broken') kinds.add(alone.broken.why)
      })
    expect([...kinds].sort()).toEqual(['anchor', 'body', 'gap', 'hash', 'payload', 'projection', 'tail'])
    expect(await walked(scene, shared)).toEqual(walkScene(scene))
    shared.close()
  })

  it.each(Object.entries(openers))('says the same with an opener that %s', async (_, launch) => {
    const random = seeded(11)
    for (let turn = 0; turn < 16; turn += 1) {
      const shared = new Openings(launch, 1)
      await damaged(random, turn, async () => expect(await walked(scene, shared)).toEqual(walkScene(scene)))
      shared.close()
    }
    const shared = new Openings(launch, 1)
    expect(await walked(scene, shared)).toMatchObject({ kind: 'whole', state: { seq: scene.size, opened: (walkScene(scene) as { state: WalkState }).state.opened } })
    shared.close()
  })

  it('leaves nothing open between two stretches: what is erased there is verified no more', async () => {
    const gone = engine.erasure.scope('APP-7')
    if (!gone.ok) throw new Error(gone.failure.code)
    const memories: OpenerMemory[] = []
    const shared = new Openings((memory) => void memories.push(memory), 1)
    const walk = new Walk(engine.dbs, new Subjects(engine.dbs.subjects))
    walk.share(shared)
    const until = walk.size
    const first = walk.step({ until, known: [], slice: 0 })
    if (first.kind !== 'more') throw new Error('the first stretch is not the last')
    const bytes = (): Buffer => Buffer.from(memories[0]?.shared ?? new SharedArrayBuffer(0))
    const keys = (engine.dbs.subjects.prepare('SELECT key FROM subject').pluck().all() as Buffer[]).filter((key) => bytes().includes(key))
    expect(keys).toEqual([])
    const order = { at: 1, operator: 'tester', reason: 'asked', cause: 'request', subjects: gone.value.subjects, backupsRewritten: 0, copiesNotReached: [] } as const
    expect(engine.erasure.erase(order).ok).toBe(true)
    const fresh = new Walk(engine.dbs, new Subjects(engine.dbs.subjects))
    fresh.share(shared)
    const rest = fresh.step({ from: first.state, until, known: [], slice: 1e9 })
    expect(rest).toMatchObject({ kind: 'whole', state: { seq: until } })
    expect(rest.kind === 'whole' && rest.state.erased).toBeGreaterThan(10)
    scene = sceneOf(engine.dbs, engine.last)
  })
})

const parts = Array.from({ length: 30 }, (_, n): SealedPart => {
  const key = newKey()
  const purpose = n % 2 ? 'record.begun' : 'reply.body'
  return { key, purpose, ...seal(key, purpose, `payload ${n} `.repeat(n)) }
})

describe('openings', () => {
  it.each([...Object.entries(openers), ['is real', real] as const])('of many batches, with an opener that %s, tell the first part that does not fit', (_, launch) => {
    const random = seeded(3)
    const openings = new Openings(launch, 1)
    for (let turn = 0; turn < 40; turn += 1) {
      // More batches than there are slots. Every third part is the reply of the event of the part before it, so that
      // such a pair stands astride each two batches; there most parts are changed, and often both of a pair.
      const count = 300 + random(1500)
      const places = Array.from({ length: random(4) }, () => (random(3) === 0 ? random(count) : 48 * (1 + random(count / 48 - 1)) - 1))
      const bad = new Set(places.flatMap((n) => [n, n + random(2)]))
      const seqOf = (n: number): number => 1 + n - Math.floor(n / 3)
      const whyOf = (n: number): 'payload' | 'body' => (n > 0 && n % 3 === 0 ? 'body' : 'payload')
      openings.prepare(count)
      for (let n = 0; n < count; n += 1) {
        const part = parts[n % parts.length] ?? (parts[0] as SealedPart)
        const sealed = bad.has(n) ? Buffer.concat([part.sealed, Buffer.alloc(1)]) : part.sealed
        openings.add({ ...part, sealed, seq: seqOf(n), why: whyOf(n), record: n })
      }
      const first = Math.min(count, ...bad)
      const expected = first < count ? { at: seqOf(first), why: whyOf(first) } : undefined
      const told = openings.settle()
      expect(told && { at: told.at, why: told.why }).toEqual(expected)
      expect(openings.doubtful).toBe(false)
    }
    openings.close()
  })
})

describe('the opener’s thread', () => {
  const post = (memory: OpenerMemory, slot: number, batch: readonly SealedPart[]): void => {
    batch.reduce((at, part) => memory.write(slot, at, part) ?? Number.NaN, 0)
    memory.post(slot, batch.length)
  }

  it('opens what is posted, says what does not fit, wipes the keys, and ends when it is told', async () => {
    const memory = new OpenerMemory()
    real(memory)
    post(memory, 3, parts)
    await expect.poll(() => memory.state(3), { timeout: 5000 }).toBe(slotState.fine)
    const [one, two] = parts
    if (!one || !two) throw new Error('there are parts')
    post(memory, 5, [one, { ...two, commitment: one.commitment }])
    post(memory, 6, [{ ...one, key: two.key }])
    post(memory, 7, [{ ...one, purpose: 'record.ended' }])
    for (const slot of [5, 6, 7]) await expect.poll(() => memory.state(slot), { timeout: 5000 }).toBe(slotState.doubtful)
    const left = Buffer.from(memory.shared)
    for (const { key } of parts) expect(left.includes(key)).toBe(false)
    expect(memory.gone).toBe(false)
    memory.end()
    await expect.poll(() => memory.gone, { timeout: 5000 }).toBe(true)
  })

  it('ends by itself when nothing comes, and another is started for the next verification', async () => {
    const memories: OpenerMemory[] = []
    const shared = new Openings((memory) => {
      memories.push(memory)
      real(memory)
    }, 1)
    expect((await walked(scene, shared)).kind).toBe('whole')
    await expect.poll(() => memories[0]?.gone, { timeout: 8000 }).toBe(true)
    expect((await walked(scene, shared)).kind).toBe('whole')
    expect(memories).toHaveLength(2)
    shared.close()
  })

  it('that has no entry is gone, which is no failure', async () => {
    const memory = new OpenerMemory()
    openerBeside('file:///nowhere/worker.js')(memory)
    await expect.poll(() => memory.gone, { timeout: 5000 }).toBe(true)
  })
})

describe('a history that is closed while it is verified', () => {
  it('closes at once, and the verification says so', () =>
    inFolder(async (folder) => {
      const history = await openHistory({ folder: historyFolder(folder), secrets: secretsInMemory(), launch: launchInNode(), clock })
      if (!history.ok) throw new Error(history.failure.what)
      const { store } = history.value
      for (let n = 0; n < 4500; n += 500) await Promise.all(Array.from({ length: 500 }, () => store.begin(intentOf())))
      const auditTrail = createAuditTrail({ clock, operator: 'tester', history: () => ({ ok: true, value: store }), onFailure: () => undefined })
      let closed: Promise<void> | undefined
      const verdict = await auditTrail.verify((verified, total) => {
        if (verified < total) closed ??= store.close()
      })
      expect(verdict).toMatchObject({ ok: false, failure: { code: 'history-unavailable' } })
      await closed
      expect(await store.ended).toBe('it was told to end')
    }))
})
