/** The audit trail under damage, its proofs, its pages, and its speed. */
import { describe, expect, it } from 'vitest'
import { verifyConsistency, verifyInclusion } from '#kit/hashing/merkle.ts'
import type { AuditNote } from '#wire/history/audit-notes.ts'
import { anchorAccount, readAnchor } from '#core/audit/anchor.ts'
import { auditKinds } from '#contract/evidence/event-sentences.ts'
import { createAuditTrail } from '#core/audit/audit-trail.ts'
import { historyFolder, openHistory } from '#core/history/open.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { Walk } from '#store/audit/walk.ts'
import { Subjects } from '#store/storage/subjects.ts'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { proveTrail } from './support/trail.ts'
import { proveRollbacks } from './support/trail-rollback.ts'
import { rechain } from './support/trail-damage.ts'
import { furnished, openScene, walkScene } from './support/trail-scene.ts'
import { measuredWalk, quickest } from './support/trail-speed.ts'
import { add, answer, clock, inFolder, intentOf, lost, opened, secretsInMemory, testKey } from './history-fixtures.ts'
import { counted, times } from './support/times.ts'
import { launchWorkers } from './support/workers.ts'

const by = { at: 1_760_000_100_000, operator: 'tester' }
const note = (engine: Engine, one: AuditNote): void => void engine.commit([(writer) => engine.audit.note(writer, one)])

describe('a verification', () => {
  it('finds every kind of damage, wherever it is', ({ task }) =>
    inFolder(async (folder) => {
      const engine = opened(folder)
      furnished(engine)
      engine.close()
      const scene = openScene(folder, testKey)
      expect(walkScene(scene)).toMatchObject({ kind: 'whole', state: { seq: scene.size, erased: 0, records: 25 } })
      const tried = 450 * times
      const proved = proveTrail(scene, tried)
      counted(task, { 'times': tried, 'found': proved.found, 'missed or misplaced': proved.missed.length })
      expect(proved).toEqual({ tried, found: tried, missed: [] })
      expect(walkScene(scene).kind).toBe('whole')
      scene.history.close()
      scene.subjects.close()
    }))

  it.each(['connection.noted', 'record.begun', 'record.ended', 'subject.erased'])(
    'reports an event %s that no application wrote, although the chain is valid',
    (kind) =>
      inFolder((folder) => {
        const engine = opened(folder)
        furnished(engine)
        engine.close()
        const scene = openScene(folder, testKey)
        const forged = (plain: string): unknown => {
          scene.history.exec('BEGIN; DROP TRIGGER IF EXISTS event_never_changes')
          const seq = scene.history
            .prepare(
              'SELECT coalesce(max(seq) FILTER (WHERE kind = ?), min(seq) FILTER (WHERE sealed IS NULL)) FROM event'
            )
            .pluck()
            .get(kind) as number
          scene.history.prepare('UPDATE event SET kind = ?, plain = ? WHERE seq = ?').run(kind, plain, seq)
          rechain(scene.history, seq)
          const found = walkScene(scene)
          scene.history.exec('ROLLBACK')
          return { seq, found }
        }
        for (const plain of ['{"id":', 'null', '7', '{}', '[]', '']) {
          const { seq, found } = forged(plain) as { seq: number; found: unknown }
          expect(found, plain).toMatchObject({ kind: 'broken', broken: { at: seq } })
        }
        scene.history.close()
        scene.subjects.close()
      })
  )

  it('is not needed if whole files are restored: opening refuses each', ({ task }) =>
    inFolder((folder) => {
      const { tried, missed } = proveRollbacks(folder, 6 * times)
      counted(task, { 'times': tried, 'found': tried - missed.length, 'missed or misplaced': missed.length })
      expect({ tried, missed }).toEqual({ tried: 24 * times, missed: [] })
    }))

  it('finds a destroyed key that exists again', () => {
    const engine = opened()
    furnished(engine)
    add(engine, { applicant: 'APP-BACK' }, lost)
    const rows = engine.dbs.subjects.prepare(`SELECT ref, key FROM subject WHERE applicant = 'APP-BACK'`).all() as {
      ref: number
      key: Buffer
    }[]
    const order = {
      at: by.at,
      operator: 'tester',
      reason: 'asked',
      cause: 'request',
      subjects: rows.map(({ ref }) => ref)
    } as const
    const erased = engine.erasure.erase(order)
    if (!erased.ok) throw new Error(erased.failure.code)
    const walked = () =>
      new Walk(engine.dbs, new Subjects(engine.dbs.subjects)).step({ until: engine.walk.size, known: [], slice: 1e9 })
    expect(walked()).toMatchObject({ kind: 'whole' })
    for (const { ref, key } of rows)
      engine.dbs.subjects.prepare('INSERT INTO subject (ref, key) VALUES (?, ?)').run(ref, key)
    expect(walked()).toMatchObject({ kind: 'broken', broken: { at: erased.value.event, why: 'projection' } })
    engine.close()
  })

  it('still verifies after an erasure, and counts what is gone; a manually removed key is damage', () => {
    const engine = opened()
    furnished(engine)
    const subjectOf = (id: string): number =>
      engine.dbs.subjects.prepare('SELECT ref FROM subject WHERE applicant = ?').pluck().get(id) as number
    const eventsOf = (subject: number): number[] =>
      engine.dbs.history
        .prepare('SELECT seq FROM event WHERE subject = ? ORDER BY seq')
        .pluck()
        .all(subject) as number[]
    // Keys that the engine used are still in its memory; subjects that are read again show what is gone.
    const walked = () =>
      new Walk(engine.dbs, new Subjects(engine.dbs.subjects)).step({ until: engine.walk.size, known: [], slice: 1e9 })
    const asked = subjectOf('APP-3')
    expect(eventsOf(asked)).toHaveLength(8)
    const erased = engine.erasure.erase({
      at: by.at,
      operator: 'tester',
      reason: 'asked',
      cause: 'request',
      subjects: [asked]
    })
    expect(erased.ok).toBe(true)
    expect(walked()).toMatchObject({ kind: 'whole', state: { erased: 8 } })

    const taken = subjectOf('APP-4')
    engine.dbs.subjects.exec(`DELETE FROM subject WHERE applicant = 'APP-4'`)
    const [first = 0] = eventsOf(taken)
    expect(walked()).toMatchObject({ kind: 'broken', broken: { at: first, why: 'payload', verified: first - 1 } })
    // As in a copy that was made before the erasure of another audit trail.
    engine.dbs.subjects.prepare('INSERT INTO taken VALUES (?)').run(taken)
    expect(walked()).toMatchObject({ kind: 'whole', state: { erased: 16 } })
    engine.close()
  })

  it('runs in slices that leave the thread to others', async () => {
    const engine = opened()
    for (let n = 0; n < 4000; n += 400) {
      const begun = engine.commit(
        Array.from({ length: 400 }, (_, m) => (writer: Writer) => writer.begin(intentOf({ applicant: `APP-${n + m}` })))
      )
      engine.commit(
        begun.map((one, m) => (writer: Writer) => writer.finish(one.ok ? one.value.id : '', answer(`Reply ${m % 40}`)))
      )
    }
    const walk = quickest([await measuredWalk(engine)])
    expect(walk.events).toBe(8041)
    expect(walk.slices).toBeGreaterThan(3)
    engine.close()
  })
})

describe('a proof', () => {
  it('shows one event without the others, in every later tree, and each tree to begin with the earlier ones', () => {
    const engine = opened()
    furnished(engine)
    for (let n = 0; n < 700; n += 1) note(engine, { ...by, kind: 'view.opened', plain: { what: 'record' } })
    expect(engine.proofs.warm(0)).toBe(false)
    while (!engine.proofs.warm(25));
    const { seq: size, root } = engine.proofs.head()
    const bytes = (nodes: readonly string[]): Buffer[] => nodes.map((node) => Buffer.from(node, 'hex'))
    for (const [seq, at] of [
      [1, 1],
      [1, size],
      [size, size],
      [257, 512],
      [300, 600],
      [256, 257]
    ] as const) {
      const proof = engine.proofs.inclusion(seq, at)
      if (!proof.ok) throw new Error(proof.failure.code)
      const { leaf, path } = proof.value
      expect(
        verifyInclusion(Buffer.from(leaf, 'hex'), seq - 1, at, bytes(path), Buffer.from(proof.value.root, 'hex'))
      ).toBe(true)
      const grown = engine.proofs.consistency(at)
      if (!grown.ok) throw new Error(grown.failure.code)
      expect(grown.value.root).toBe(root)
      expect(
        verifyConsistency(
          at,
          size,
          bytes(grown.value.path),
          Buffer.from(proof.value.root, 'hex'),
          Buffer.from(root, 'hex')
        )
      ).toBe(true)
    }
    expect(engine.proofs.inclusion(size + 1)).toMatchObject({ ok: false, failure: { code: 'event-missing' } })
    const walked = engine.walk.step({ until: size, known: [], slice: 1e9 })
    expect(walked.kind === 'whole' && walked.state.hash).toBe(engine.proofs.head().hash)
    engine.close()
  })
})

describe('the page', () => {
  it('describes every event in words, newest first, paged without gaps', () => {
    const engine = opened()
    furnished(engine)
    const all = engine.audit.page({ limit: 200 }).events
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: all.length }, (_, n) => all.length - n))
    for (const { kind, words } of all) {
      expect(auditKinds[kind], kind).toBeDefined()
      expect(words).toMatch(/^[^{}]+\.$/)
      expect(words).not.toMatch(/undefined|null|\[object/)
    }
    expect(all.find(({ kind }) => kind === 'decision.made')).toMatchObject({
      group: 'decisions',
      operator: 'tester',
      applicantId: 'APP-1',
      erased: false
    })
    const paged = []
    for (let before: number | undefined; ;) {
      const page = engine.audit.page({ limit: 7, before })
      paged.push(...page.events)
      before = page.events.at(-1)?.seq
      if (!page.older) break
    }
    expect(paged).toEqual(all)
    const views = engine.audit.page({ limit: 200, groups: ['views', 'settings'] }).events
    expect(views.map(({ words }) => words)).toEqual([
      'Setting theme changed from “light” to “dark”.',
      'Details of a record opened.'
    ])
    const checks = engine.audit.page({ limit: 200, groups: ['verifications'] }).events
    expect(checks).toEqual(all.filter(({ group }) => group === 'verifications'))
    expect(engine.audit.page({ limit: 1, at: 1_760_000_000_003 }).events[0]?.at).toBeLessThanOrEqual(1_760_000_000_003)
    expect(engine.audit.page({ limit: 5, at: 1 }).events).toEqual([])
    engine.close()
  })
})

describe('the anchor in the keychain', () => {
  const launch = launchWorkers
  const open = async (folder: string, secrets: ReturnType<typeof secretsInMemory>) =>
    openHistory({ folder: historyFolder(folder), secrets, launch, clock })
  const run = async (folder: string, secrets: ReturnType<typeof secretsInMemory>, applicant: string): Promise<void> => {
    const history = await open(folder, secrets)
    if (!history.ok) throw new Error(sentencesOf(history.failure).what)
    const begun = await history.value.store.begin(intentOf({ applicant }))
    if (begun.ok) await history.value.store.finish(begun.value.id, answer())
    await history.value.store.close()
  }

  it('is the last event at each close, and shows when all files together were rolled back', () =>
    inFolder(async (folder) => {
      const secrets = secretsInMemory()
      await run(folder, secrets, 'APP-1')
      const first = await readAnchor(secrets, historyFolder(folder))
      expect(first).toMatchObject({ ok: true, value: { seq: 4 } })
      cpSync(historyFolder(folder), join(folder, 'older'), { recursive: true })
      await run(folder, secrets, 'APP-2')
      expect(await readAnchor(secrets, historyFolder(folder))).toMatchObject({ value: { seq: 6 } })
      rmSync(historyFolder(folder), { recursive: true })
      cpSync(join(folder, 'older'), historyFolder(folder), { recursive: true })
      const before = readdirSync(historyFolder(folder))
      expect(await open(folder, secrets)).toMatchObject({
        ok: false,
        failure: { code: 'history-damaged', details: { reason: 'events-missing', count: 2 } }
      })
      expect(readdirSync(historyFolder(folder))).toEqual(before)
      secrets.entries.set(anchorAccount(historyFolder(folder)), 'nonsense')
      expect(await open(folder, secrets)).toMatchObject({ ok: false, failure: { code: 'history-damaged' } })
    }))

  it('is part of a verification, which reports its progress', () =>
    inFolder(async (folder) => {
      const secrets = secretsInMemory()
      await run(folder, secrets, 'APP-1')
      const history = await open(folder, secrets)
      if (!history.ok) throw new Error(sentencesOf(history.failure).what)
      const { store } = history.value
      const auditTrail = createAuditTrail({
        clock,
        operator: 'tester',
        history: () => ({ ok: true, value: store }),
        onFailure: () => undefined
      })
      const told: [number, number][] = []
      const verdict = await auditTrail.verify((verified, total) => told.push([verified, total]))
      expect(verdict).toMatchObject({ ok: true, value: { intact: true, events: 4, opened: 3, anchor: { seq: 4 } } })
      expect(told.at(-1)).toEqual([4, 4])
      expect(verdict.ok && verdict.value.intact && verdict.value.head).toEqual(
        ((await store.audit.head()) as { value: unknown }).value
      )
      await store.close()
    }))

  it('of one folder does not affect another', () =>
    inFolder(async (folder) => {
      const secrets = secretsInMemory()
      await run(join(folder, 'one'), secrets, 'APP-1')
      await run(join(folder, 'two'), secrets, 'APP-1')
      await run(join(folder, 'one'), secrets, 'APP-2')
      expect([...secrets.entries.keys()].filter((account) => account.startsWith('history/anchor/'))).toHaveLength(2)
    }))
})
