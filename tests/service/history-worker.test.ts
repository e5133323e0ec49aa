/**
 * The history and its worker: keys, groups of writes, a killed worker, and the line to it.
 * @deadlines
 */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { historyFolder, masterKeyAccount, openHistory, setAsideHistory, type OpenHistory } from '#core/history/open.ts'
import type { LaunchWorker, WorkerLine } from '#wire/worker-line.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { launchInNode, processLine } from '../../electron/hosts/node/workers.ts'
import type { HistoryWorker } from '#wire/history/thread.ts'
import { connect } from '#wire/rpc.ts'
import { seed } from '../../scripts/seed.ts'
import {
  answer,
  clock,
  connectionNamed,
  inFolder,
  intentOf,
  lost,
  opened,
  secretsInMemory,
  testKey
} from './history-fixtures.ts'

const entry = new URL('../../electron/store/worker/worker.ts', import.meta.url)
const inProcess: LaunchWorker = () => processLine(entry)

async function open(folder: string, secrets: SecretStore, launch = launchInNode(), kept?: 'file' | 'session') {
  const result = await openHistory({ folder: historyFolder(folder), secrets, launch, clock, kept })
  if (!result.ok) throw new Error(`${result.failure.code}: ${sentencesOf(result.failure).what}`)
  return result.value
}
const failureCode = async (folder: string, secrets: SecretStore): Promise<string | undefined> => {
  const result = await openHistory({ folder: historyFolder(folder), secrets, launch: launchInNode(), clock })
  if (result.ok) await result.value.store.close()
  return result.ok ? undefined : result.failure.code
}
async function run(store: OpenHistory, n: number): Promise<string> {
  const begun = await store.begin(intentOf({ applicant: `APP-${n}`, startedAt: 1_760_000_000_000 + n }))
  if (!begun.ok) throw new Error(begun.failure.code)
  const ended = await store.finish(begun.value.id, answer(`Reply ${n}`))
  if (!ended.ok) throw new Error(ended.failure.code)
  return begun.value.id
}

describe.each([
  ['a thread', launchInNode()],
  ['a process', inProcess]
] as const)('the history in %s', (_, launch) => {
  it('still has its content when it is opened again', () =>
    inFolder(async (folder) => {
      const secrets = secretsInMemory()
      const { store, opened } = await open(folder, secrets, launch)
      expect(opened).toEqual({ records: 0, interrupted: 0 })
      expect(secrets.entries.get(masterKeyAccount)).toMatch(/^[0-9a-f]{64}$/)
      const ids = await Promise.all(Array.from({ length: 200 }, (_, n) => run(store, n)))
      // A search right after a finish must find it.
      expect(await store.page({ filter: { search: 'reply 199' }, limit: 5 })).toMatchObject({
        ok: true,
        value: { records: [{ id: ids[199] }] }
      })
      await store.close()
      const again = await open(folder, secrets, launch)
      expect(again.opened).toEqual({ records: 200, interrupted: 0 })
      expect(await again.store.record(ids[7]!)).toMatchObject({ ok: true, value: { fullMessage: 'Reply 7' } })
      expect(await again.store.verifyChain()).toMatchObject({ value: { intact: true } })
      expect(await again.store.integrity()).toEqual({ ok: true, value: 'ok' })
      await again.store.close()
      expect(await again.store.counts({})).toMatchObject({ ok: false, failure: { code: 'history-unavailable' } })
    }))
})

describe('writes that arrive at the same time', () => {
  it('are committed together, each with its own answer', () =>
    inFolder(async (folder) => {
      const { store } = await open(folder, secretsInMemory())
      const begun = await Promise.all(
        Array.from({ length: 500 }, (_, n) => store.begin(intentOf({ applicant: `APP-${n % 50}` })))
      )
      const seqs = begun.map((result) => (result.ok ? result.value.seq : 0))
      expect(seqs).toEqual(Array.from({ length: 500 }, (_, n) => n + 1))
      const id = (begun[0]?.ok && begun[0].value.id) || ''
      const [first, twice, wrong, resolved] = await Promise.all([
        store.finish(id, lost),
        store.finish(id, lost),
        store.finish('0190a000-0000-7000-8000-000000000000', lost),
        store.resolve(id, 'undetermined', '', { at: 5, operator: 'tester' })
      ])
      expect([first.ok, twice.ok, wrong.ok, resolved.ok]).toEqual([true, false, false, true])
      expect(await store.counts({ connections: [connectionNamed('x').id] })).toMatchObject({
        value: { total: 500, states: { open: 499, unknown: 1 }, unresolved: 0 }
      })
      await store.close()
    }))

  it('share their syncs: many at once take a fraction of the time of one after the other', () =>
    inFolder(async (folder) => {
      const { store } = await open(folder, secretsInMemory())
      const each = async (work: () => Promise<unknown>, count: number): Promise<number> => {
        const from = performance.now()
        await work()
        return (performance.now() - from) / count
      }
      const single = await each(async () => {
        for (let n = 0; n < 200; n += 1) await store.begin(intentOf({ applicant: `APP-${n}` }))
      }, 200)
      const grouped = await each(
        () => Promise.all(Array.from({ length: 2000 }, (_, n) => store.begin(intentOf({ applicant: `B-${n}` })))),
        2000
      )
      expect(grouped).toBeLessThan(single / 2)
      await store.close()
    }))
})

describe('writes that never pause', () => {
  it('keep nobody from the figures, from a filter or from an applicant by part of an ID', () =>
    inFolder(async (folder) => {
      const engine = opened(historyFolder(folder), testKey)
      seed(engine, 12_000, 1_760_000_000_000)
      engine.close()
      const secrets = secretsInMemory(new Map([[masterKeyAccount, testKey]]))
      const { store } = await open(folder, secrets)
      let [over, written] = [false, 0]
      const writes = (async () => {
        for (; !over; written += 1) await run(store, written)
      })()
      const period = { edges: [1_700_000_000_000, 1_800_000_000_000], offsets: [{ from: 0, minutes: 0 }] }
      const figures = async () => {
        for (;;) {
          const shown = await store.overview.show(period)
          if (!shown.ok || shown.value.kind === 'counted') return shown
        }
      }
      const shown = await figures()
      // Three steps, each beside a write or two: nobody waited for a break in the writes.
      expect(written).toBeLessThan(100)
      const list = await store.applicants.list({ search: 'APP-', limit: 5 })
      const counts = await store.counts({ states: ['answered'] })
      over = true
      await writes
      expect(shown.ok && shown.value.kind === 'counted' && shown.value.total).toBeGreaterThan(0)
      expect(counts.ok && counts.value.total).toBeGreaterThan(0)
      expect(list.ok && list.value.applicants.length).toBe(5)
      await store.close()
    }))
})

describe('a worker that is killed', () => {
  it('loses no committed write, and leaves open intents that become unknown', () =>
    inFolder(async (folder) => {
      const secrets = secretsInMemory()
      const finished: string[] = []
      const begunOnly = new Set<string>()
      for (let round = 0; round < 5; round += 1) {
        let line: WorkerLine | undefined
        const { store } = await open(folder, secrets, () => (line = processLine(entry)))
        // By the number of writes, for how many a machine does in a time differs; eleven others are in flight then.
        const killAt = finished.length + 15 * (round + 1)
        const flights = Array.from({ length: 12 }, async (_, lane) => {
          for (let n = 0; ; n += 1) {
            const begun = await store.begin(intentOf({ applicant: `APP-${round}-${lane}-${n}` }))
            if (!begun.ok) return begun.failure.code
            begunOnly.add(begun.value.id)
            const ended = await store.finish(begun.value.id, answer(`Reply ${n}`))
            if (!ended.ok) return ended.failure.code
            begunOnly.delete(begun.value.id)
            finished.push(begun.value.id)
            if (finished.length >= killAt) line?.kill()
          }
        })
        expect(new Set(await Promise.all(flights))).toEqual(new Set(['history-unavailable']))
        expect(await store.counts({})).toMatchObject({ ok: false, failure: { code: 'history-unavailable' } })
      }
      const { store, opened } = await open(folder, secrets)
      expect(finished.length).toBeGreaterThan(100)
      expect(opened.records).toBeGreaterThanOrEqual(finished.length)
      const kept = await Promise.all(finished.map((id) => store.record(id)))
      expect(kept.filter((result) => !result.ok || result.value.state !== 'answered')).toEqual([])
      for (const id of begunOnly) {
        const result = await store.record(id)
        // Its result may have become durable although the answer was lost; it is never open or missing.
        expect(['unknown', 'answered']).toContain(result.ok && result.value.state)
        if (result.ok && result.value.state === 'unknown') expect(result.value.failure?.code).toBe('interrupted')
      }
      expect(await store.counts({ states: ['open'] })).toMatchObject({ value: { total: 0 } })
      expect(await store.verifyChain()).toMatchObject({ value: { intact: true } })
      expect(await store.integrity()).toEqual({ ok: true, value: 'ok' })
      await store.close()
    }))
})

describe('the master key', () => {
  it('that is missing never leads to a new file over the old one', () =>
    inFolder(async (folder) => {
      const secrets = secretsInMemory()
      const { store } = await open(folder, secrets)
      const id = await run(store, 1)
      await store.close()
      const kept = secrets.entries.get(masterKeyAccount)!
      secrets.entries.clear()
      expect(await failureCode(folder, secrets)).toBe('history-key-missing')
      expect(secrets.entries.size).toBe(0)
      secrets.entries.set(masterKeyAccount, 'f'.repeat(64))
      expect(await failureCode(folder, secrets)).toBe('history-key-wrong')
      secrets.entries.set(masterKeyAccount, 'short')
      expect(await failureCode(folder, secrets)).toBe('history-key-wrong')
      secrets.entries.set(masterKeyAccount, kept)
      const again = await open(folder, secrets)
      expect(await again.store.record(id)).toMatchObject({ ok: true })
      await again.store.close()
    }))

  it('is read back before any file is created with it', () =>
    inFolder(async (folder) => {
      const forgetful: SecretStore = {
        ...secretsInMemory(),
        get: () => Promise.resolve({ ok: true, value: undefined })
      }
      expect(await failureCode(folder, forgetful)).toBe('history-unavailable')
      expect(existsSync(historyFolder(folder))).toBe(false)
    }))

  it('is not needed for a history of this session, which leaves no file', () =>
    inFolder(async (folder) => {
      const { store } = await open(folder, secretsInMemory(), launchInNode(), 'session')
      const id = await run(store, 3)
      expect(await store.record(id)).toMatchObject({ ok: true })
      expect(await store.counts({ search: 'Reply 3' })).toMatchObject({ value: { total: 1 } })
      await store.close()
      expect(readdirSync(folder)).toEqual([])
    }))
})

describe('an open intent of an earlier run', () => {
  it('is found at start and becomes unknown', () =>
    inFolder(async (folder) => {
      const secrets = secretsInMemory()
      const { store } = await open(folder, secrets)
      const begun = await store.begin(intentOf())
      await store.close()
      const again = await open(folder, secrets)
      expect(again.opened).toEqual({ records: 1, interrupted: 1 })
      const id = (begun.ok && begun.value.id) || ''
      expect(await again.store.record(id)).toMatchObject({
        value: { state: 'unknown', failure: { code: 'interrupted' } }
      })
      expect(await again.store.resolve(id, 'processed', 'seen in the ledger', { at: 1, operator: 'tester' })).toEqual({
        ok: true,
        value: null
      })
      await again.store.close()
      const third = await open(folder, secrets)
      expect(third.opened.interrupted).toBe(0)
      await third.store.close()
    }))
})

describe('setting a history aside', () => {
  it('moves every file, deletes nothing, and allows a new history', () =>
    inFolder(async (folder) => {
      const secrets = secretsInMemory()
      const { store } = await open(folder, secrets)
      await run(store, 1)
      await store.close()
      writeFileSync(join(historyFolder(folder), 'a-note.txt'), 'kept')
      const before = readdirSync(historyFolder(folder))
      const aside = await setAsideHistory(historyFolder(folder), clock, secrets)
      expect(aside.ok && readdirSync(aside.value)).toEqual(before)
      const again = await open(folder, secrets)
      expect(again.opened.records).toBe(0)
      await again.store.close()
    }))

  it('is the remedy if files known to the keychain are missing', () =>
    inFolder(async (folder) => {
      const secrets = secretsInMemory()
      const { store } = await open(folder, secrets)
      await run(store, 1)
      await store.close()
      rmSync(historyFolder(folder), { recursive: true })
      expect(await failureCode(folder, secrets)).toBe('history-damaged')
      expect(existsSync(historyFolder(folder))).toBe(false)
      expect(await setAsideHistory(historyFolder(folder), clock, secrets)).toMatchObject({ ok: true })
      const again = await open(folder, secrets)
      expect(again.opened.records).toBe(0)
      await again.store.close()
    }))
})

describe('a line to a worker', () => {
  it('answers an unknown method, and a bug, with a failure that quotes nothing', async () => {
    const line = connect<HistoryWorker & { readonly batches: { missing(): Promise<unknown> } }>(
      launchInNode()('history')
    )
    for (const method of [line.api.toString, line.api.batches.missing])
      expect(await method()).toMatchObject({ ok: false, failure: { code: 'internal' } })
    const bug = JSON.stringify(await line.api.open({ folder: '/nowhere', masterKey: 'secret value', now: 0 }))
    expect(bug).toContain('internal')
    expect(bug).not.toContain('secret value')
    line.end()
    expect(await line.ended).toBe('it was asked to end')
    expect(await line.api.counts({})).toMatchObject({ ok: false, failure: { code: 'internal' } })
  })

  it('tells of an entry that is not there', async () => {
    const line = connect<HistoryWorker>(processLine('/nowhere/worker.ts'))
    expect(await line.api.open({ folder: '/nowhere', masterKey: undefined, now: 0 })).toMatchObject({ ok: false })
  })
})
