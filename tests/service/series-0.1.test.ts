/** Packs from a history of version 0.1 that goes on: its events have no links, and later ones count them. */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Evidence, PackPlain } from '#wire/history/evidence.ts'
import type { Engine } from '#store/engine/engine.ts'
import { fileNames, openFile } from '#wire/sqlite/files.ts'
import { derivedKey } from '#kit/sealing/seal.ts'
import { add, answer, inFolder, opened, packOf } from './history-fixtures.ts'

const fixture = join(import.meta.dirname, '..', 'fixtures', 'data-folder-0.1')
const { entries } = JSON.parse(readFileSync(join(fixture, 'keychain.json'), 'utf8')) as {
  readonly entries: Readonly<Record<string, string>>
}
const masterKey = Object.entries(entries).find(([name]) => name.startsWith('history/master-key'))?.[1] ?? ''
const by = { at: 1_790_000_000_000, operator: 'tester' }

const onCopy = (work: (engine: Engine, folder: string) => void): Promise<void> =>
  inFolder((folder) => {
    cpSync(join(fixture, 'folder', 'history'), folder, { recursive: true })
    const engine = opened(folder, masterKey)
    try {
      work(engine, folder)
    } finally {
      if (engine.dbs.history.open) engine.close()
    }
  })

/** Throws unless links continue without a gap from the events of version 0.1, and reach the end that the pack names. */
function complete({ events, head }: Evidence): void {
  const made = events.at(-1)
  const { series } = Object.fromEntries(
    (made && 'version' in made ? (made.plain.entries ?? []) : []).map(([, name, value]) => [name, value])
  ) as unknown as PackPlain
  expect(made?.seq).toBe(head.seq)
  for (const [kind, , count, last] of series) {
    let [n, before] = [count, last]
    for (
      let event = events.find(({ seq }) => seq === before);
      event && 'version' in event;
      event = events.find(({ seq }) => seq === before)
    ) {
      expect(event.links[kind]?.[0]).toBe(n)
      before = event.links[kind]?.[1] ?? 0
      n -= 1
    }
    const earlier = events.filter((event) => !('version' in event) && event.kind !== 'connection.noted')
    if (series.length === 1) expect([earlier.length, earlier.at(-1)?.seq ?? 0]).toEqual([n, before])
  }
}

test('a pack has the events of both versions, and none is missing', () =>
  onCopy((engine) => {
    const people = engine.dbs.subjects
      .prepare('SELECT applicant FROM subject WHERE applicant IS NOT NULL')
      .pluck()
      .all() as string[]
    const known = people.filter((id) => engine.applicants.read.show(id).ok)
    expect(known.length).toBeGreaterThan(20)
    for (const applicant of known) {
      const [before] = engine.commit([(writer) => engine.applicants.note(writer, applicant, 'Goes on.', by)])
      expect(before).toMatchObject({ ok: true })
      add(engine, { applicant }, answer())
      complete(packOf(engine, { kind: 'applicant', id: applicant }))
    }
    const batches = engine.dbs.history.prepare('SELECT id FROM batch').pluck().all() as string[]
    for (const id of batches) {
      engine.commit([(writer) => engine.batches.setState(writer, id, 'paused', by)])
      complete(packOf(engine, { kind: 'batch', id }))
    }
    const records = engine.dbs.history.prepare('SELECT lower(hex(id)) FROM record').pluck().all() as string[]
    for (const hex of records.slice(0, 40))
      complete(
        packOf(engine, { kind: 'record', id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') })
      )
    const mixed = packOf(engine, { kind: 'applicant', id: 'APP-1001' })
    expect(new Set(mixed.events.map((event) => 'version' in event))).toEqual(new Set([true, false]))
    expect(engine.walk.step({ until: engine.walk.size, known: [], slice: 1e9 })).toMatchObject({ kind: 'whole' })
  }))

test.each(['links', 'digests'])('an event of version 0.1 that was given %s is damage', (column) =>
  onCopy((engine, folder) => {
    const seq = engine.walk.size - 20
    engine.close()
    const db = openFile(folder, 'history', derivedKey(Buffer.from(masterKey, 'hex'), fileNames.history).toString('hex'))
    expect(db.prepare('SELECT links FROM event WHERE seq = ?').pluck().get(seq)).toBeNull()
    db.exec(
      `DROP TRIGGER event_never_changes; UPDATE event SET ${column} = ${column === 'links' ? "'{}'" : 'zeroblob(48)'} WHERE seq = ${seq}`
    )
    db.close()
    expect(() => opened(folder, masterKey)).toThrow('history-damaged')
  })
)
