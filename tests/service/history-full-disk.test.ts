/** A history on a completely full disk: a real file system of 8 MB. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { openEngine } from '#store/engine/opening.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { createCurrentHistory } from '#core/history/current.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { add, answer, clock, intentOf, opened, secretsInMemory, testKey } from './history-fixtures.ts'
import { launchWorkers } from './support/workers.ts'

const now = 1_760_000_000_000
let disk = ''
let mounted = false

beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'veridesk-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk], { stdio: 'ignore' })
    mounted = true
  } catch {
    mounted = false
  }
})
afterEach(() => {
  if (mounted) execFileSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})

/** Fills the disk completely. */
function fill(): void {
  for (const size of [1024 * 1024, 4096, 1]) {
    try {
      for (;;) appendFileSync(join(disk, `filler-${size}`), Buffer.alloc(size))
    } catch {
      // Full for this block size.
    }
  }
  expect(() => writeFileSync(join(disk, 'one more'), 'x')).toThrow('ENOSPC')
}
const free = (): void => [1024 * 1024, 4096, 1].forEach((size) => rmSync(join(disk, `filler-${size}`), { force: true }))

/** What a killed process leaves on disk: records in the logs, an open intent, and an index that is behind. */
function crashedOn(folder: string): { readonly ids: readonly string[]; readonly left: string } {
  const before = mkdtempSync(join(tmpdir(), 'veridesk-crashed-'))
  const engine = opened(before)
  const ids = [
    add(engine, { applicant: 'APP-1' }, answer('Paint is dry')),
    add(engine, { applicant: 'APP-2' }, answer('Ink is wet'))
  ]
  engine.indexer.drain()
  ids.push(add(engine, { applicant: 'APP-3' }, answer('Not in the index yet')))
  const left = add(engine, { applicant: 'APP-4' }, null)
  cpSync(before, folder, { recursive: true })
  engine.close()
  rmSync(before, { recursive: true })
  return { ids, left }
}

const search = (text: string) => ({ filter: { search: text }, limit: 10 })

describe('on a full disk', () => {
  it('a history can be paged, searched and verified; nothing is written, and nothing is lost', (context) => {
    if (!mounted) return context.skip('mounting a small disk needs root')
    const folder = join(disk, 'history')
    const { ids, left } = crashedOn(folder)
    fill()
    const files = ['history.db', 'history.db-wal', 'subjects.db', 'subjects.db-wal'].map((name) => join(folder, name))
    const bytes = files.map((path) => readFileSync(path))

    const result = openEngine({ folder, masterKey: testKey, now })
    if (!result.ok) throw new Error(sentencesOf(result.failure).what)
    const { engine } = result.value
    expect(engine.readOnly).toBe(true)
    const { queries } = engine
    expect(queries.page({ filter: {}, limit: 10 }).records.map(({ id }) => id)).toEqual([left, ...[...ids].reverse()])
    expect(queries.page(search('paint is')).records.map(({ id }) => id)).toEqual([ids[0]])
    expect(queries.page(search('not in the index')).records.map(({ id }) => id)).toEqual([ids[2]])
    expect(queries.counts({ search: 'not in the index' }).total).toBe(1)
    for (const id of [...ids, left]) expect(queries.record(id)).toMatchObject({ ok: true, value: { id } })
    expect(queries.record(left)).toMatchObject({ value: { state: 'open' } })
    expect(engine.verify()).toMatchObject({ intact: true })
    expect(engine.commit([(writer) => writer.begin(intentOf())])).toMatchObject([
      { ok: false, failure: { code: 'history-read-only' } }
    ])
    expect(files.map((path) => readFileSync(path))).toEqual(bytes)
    engine.close()

    // Again, with whatever the first attempt left; then there is space.
    const again = openEngine({ folder, masterKey: testKey, now })
    expect(again).toMatchObject({ ok: true, value: { engine: { readOnly: true, records: 4 } } })
    if (again.ok) again.value.engine.close()
    free()
    const writable = openEngine({ folder, masterKey: testKey, now })
    if (!writable.ok) throw new Error(sentencesOf(writable.failure).what)
    expect(writable.value).toMatchObject({ interrupted: 1, engine: { readOnly: false, records: 4 } })
    expect(writable.value.engine.queries.record(left)).toMatchObject({ value: { state: 'unknown' } })
    expect(writable.value.engine.queries.page(search('not in the index')).records.map(({ id }) => id)).toEqual([ids[2]])
    add(writable.value.engine, {}, answer('Written again'))
    expect(writable.value.engine.verify()).toMatchObject({ intact: true })
    writable.value.engine.close()
  })

  it('a lost index is rebuilt in memory', (context) => {
    if (!mounted) return context.skip('mounting a small disk needs root')
    const folder = join(disk, 'history')
    const { ids } = crashedOn(folder)
    writeFileSync(join(folder, 'search.db'), Buffer.alloc(8192, 7))
    fill()
    const result = openEngine({ folder, masterKey: testKey, now })
    if (!result.ok) throw new Error(sentencesOf(result.failure).what)
    expect(result.value.engine.readOnly).toBe(true)
    expect(result.value.engine.queries.page(search('paint is')).records.map(({ id }) => id)).toEqual([ids[0]])
    result.value.engine.close()
  })

  it('a history that fills it while open can still be searched', (context) => {
    if (!mounted) return context.skip('mounting a small disk needs root')
    const engine = opened(join(disk, 'history'))
    add(engine, {}, answer('Indexed'))
    engine.indexer.drain()
    const id = add(engine, { applicant: 'APP-9' }, answer('Came last of all'))
    fill()
    expect(engine.queries.page(search('came last')).records.map((record) => record.id)).toEqual([id])
    expect(engine.queries.record(id)).toMatchObject({ ok: true })
    engine.close()
  })

  it('no history is created: a first start reports the full disk, and creates it once there is space', (context) => {
    if (!mounted) return context.skip('mounting a small disk needs root')
    const folder = join(disk, 'history')
    fill()
    expect(openEngine({ folder, masterKey: testKey, now })).toMatchObject({ ok: false, failure: { code: 'disk-full' } })
    free()
    const engine = opened(folder)
    add(engine)
    engine.close()
  })

  it('the console reports it, refuses writes, and makes it writable again on request', async (context) => {
    if (!mounted) return context.skip('mounting a small disk needs root')
    const { ids } = crashedOn(historyFolder(disk))
    fill()
    const keychain = secretsInMemory()
    keychain.entries.set(masterKeyAccount, testKey)
    let [told, replaced] = [0, 0]
    const current = createCurrentHistory({
      dataFolder: disk,
      keychain,
      session: createSessionSecrets(),
      launch: launchWorkers,
      clock,
      changed: () => (told += 1),
      replaced: () => (replaced += 1)
    })
    onTestFinished(() => current.close())
    expect(await current.open()).toEqual({
      state: 'ready',
      kept: 'file',
      recordsAtOpening: 4,
      interrupted: 0,
      readOnly: true
    })
    const store = current.store()
    if (!store.ok) throw new Error(sentencesOf(store.failure).what)
    expect(await store.value.begin(intentOf())).toMatchObject({ ok: false, failure: { code: 'history-read-only' } })
    expect(await store.value.record(ids[0] ?? '')).toMatchObject({ ok: true })
    // Again on a full disk, and then with space.
    expect(await current.open()).toMatchObject({ state: 'ready', readOnly: true })
    free()
    expect(await current.open()).toEqual({ state: 'ready', kept: 'file', recordsAtOpening: 4, interrupted: 1 })
    expect(told).toBe(3)
    expect(replaced, 'it is the same one').toBe(0)
    const writable = current.store()
    expect(writable.ok && (await writable.value.begin(intentOf()))).toMatchObject({ ok: true })
  })
})
