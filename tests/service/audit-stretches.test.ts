/**
 * A verification in short slices gives exactly the result of one in a single slice, and accepts changes between two of
 * them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuditTrail } from '#core/audit/audit-trail.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { WalkState, WalkStep } from '#wire/history/audit-walk.ts'
import type { Engine } from '#store/engine/engine.ts'
import { Walk } from '#store/audit/walk.ts'
import { historyFolder, openHistory } from '#core/history/open.ts'
import { Subjects } from '#store/storage/subjects.ts'
import type { Writer } from '#store/records/writer.ts'
import { launchInNode } from '../../electron/hosts/node/workers.ts'
import { seeded, type Random } from './support/random.ts'
import { damages } from './support/trail-damage.ts'
import { furnished, headsOf, sceneOf, walkScene, type Scene } from './support/trail-scene.ts'
import { add, answer, clock, inFolder, intentOf, opened, secretsInMemory } from './history-fixtures.ts'

/** Verifies in slices as short as possible, with a turn of the event loop between two. */
async function walked(scene: Scene): Promise<WalkStep> {
  const walk = new Walk(scene, new Subjects(scene.subjects))
  for (let from: WalkState | undefined; ;) {
    const step = walk.step({ from, until: walk.size, known: headsOf(scene), slice: 0 })
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
    const begun = engine.commit(
      Array.from(
        { length: 50 },
        (_, m) => (writer: Writer) => writer.begin(intentOf({ applicant: `APP-${(n + m) % 90}` }))
      )
    )
    engine.commit(
      begun.map((one, m) => (writer: Writer) => writer.finish(one.ok ? one.value.id : '', answer(`Reply ${m}`)))
    )
  }
  // A large response.
  add(engine, { applicant: 'APP-LARGE' }, answer('Large', 200, 'x'.repeat(200_000)))
  for (let n = 0; n < 60; n += 1) add(engine, { applicant: `APP-${n}` }, answer('Longer', 200, 'y'.repeat(5000)))
  scene = sceneOf(engine.dbs, engine.last)
})
afterAll(() => engine.close())

/** One to three changes in different places, and the result for them; undone afterwards. */
async function damaged<T>(random: Random, turn: number, validated: () => T | Promise<T>): Promise<T> {
  const kinds = Object.values(damages)
  const small = [
    'a changed sealed part',
    'a changed response',
    'a changed record in the list',
    'a sealed part replaced by another one'
  ]
  for (const db of [scene.history, scene.subjects]) db.exec('BEGIN')
  try {
    for (let more = random(3); more > 0; more -= 1) damages[small[random(small.length)] ?? '']?.(scene, random)
    kinds[turn % kinds.length]?.(scene, random)
    return await validated()
  } finally {
    for (const db of [scene.history, scene.subjects]) db.exec('ROLLBACK')
  }
}

describe('a verification in short slices', () => {
  it('finds the same first break as one in a single slice', { timeout: 60_000 }, async () => {
    const random = seeded(7)
    const kinds = new Set<string>()
    for (let turn = 0; turn < 128; turn += 1)
      await damaged(random, turn, async () => {
        const whole = walkScene(scene, 1e9)
        expect(await walked(scene)).toEqual(whole)
        if (whole.kind === 'broken') kinds.add(whole.broken.why)
      })
    expect([...kinds].sort()).toEqual(['anchor', 'body', 'gap', 'hash', 'payload', 'projection', 'tail'])
    expect(await walked(scene)).toEqual(walkScene(scene, 1e9))
  })

  it('verifies no more what is erased between two of them', () => {
    const gone = engine.erasure.scope('APP-7')
    if (!gone.ok) throw new Error(gone.failure.code)
    const walk = new Walk(engine.dbs, new Subjects(engine.dbs.subjects))
    const until = walk.size
    const first = walk.step({ until, known: [], slice: 0 })
    if (first.kind !== 'more') throw new Error('the first stretch is not the last')
    const order = {
      at: 1,
      operator: 'tester',
      reason: 'asked',
      cause: 'request',
      subjects: gone.value.subjects,
      backupsRewritten: 0,
      copiesNotReached: []
    } as const
    expect(engine.erasure.erase(order).ok).toBe(true)
    const rest = new Walk(engine.dbs, new Subjects(engine.dbs.subjects)).step({
      from: first.state,
      until,
      known: [],
      slice: 1e9
    })
    expect(rest).toMatchObject({ kind: 'whole', state: { seq: until } })
    expect(rest.kind === 'whole' && rest.state.erased).toBeGreaterThan(10)
    scene = sceneOf(engine.dbs, engine.last)
  })
})

describe('a history that is closed while it is verified', () => {
  it('closes at once, and the verification says so', () =>
    inFolder(async (folder) => {
      const history = await openHistory({
        folder: historyFolder(folder),
        secrets: secretsInMemory(),
        launch: launchInNode(),
        clock
      })
      if (!history.ok) throw new Error(history.failure.code)
      const { store } = history.value
      for (let n = 0; n < 4500; n += 500) await Promise.all(Array.from({ length: 500 }, () => store.begin(intentOf())))
      // A fast computer verifies all of it in one slice of the usual length, and would leave nothing to close.
      const inShortSlices = {
        ...store,
        audit: { ...store.audit, walk: (task) => store.audit.walk({ ...task, slice: 0 }) }
      } satisfies HistoryStore
      const auditTrail = createAuditTrail({
        clock,
        operator: 'tester',
        history: () => ({ ok: true, value: inShortSlices }),
        onFailure: () => undefined
      })
      let closed: Promise<void> | undefined
      const verdict = await auditTrail.verify((verified, total) => {
        if (verified < total) closed ??= store.close()
      })
      expect(verdict).toMatchObject({ ok: false, failure: { code: 'history-unavailable' } })
      await closed
      expect(await store.ended).toBe('it was asked to end')
    }))
})
