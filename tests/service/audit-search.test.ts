/** Searching and filtering the audit trail, in both directions, and exporting what is filtered. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AuditEvent, AuditFilter } from '#contract/evidence/audit.ts'
import { createExports } from '#core/exports/exports.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import type { Engine } from '#store/engine/engine.ts'
import { openHistory } from '#core/history/open.ts'
import { add, answer, clock, connectionNamed, opened, secretsInMemory } from './history-fixtures.ts'
import { launchWorkers } from './support/workers.ts'

const at = 1_760_000_100_000
const branch = connectionNamed('Branch', '00000000-0000-4000-8000-00000000000b')
const batch = '01900000-0000-7000-8000-00000000000c'
let engine: Engine
let record: string

beforeEach(() => {
  engine = opened()
  for (let n = 0; n < 900; n += 1) add(engine, { applicant: `APP-${n % 300}`, startedAt: at + n }, answer())
  record = add(engine, { applicant: 'APP-7', connection: branch, startedAt: at + 900 }, answer())
  add(engine, { applicant: 'APP-8', batchId: batch, startedAt: at + 901 }, answer())
  const note = (operator: string, kind: 'export.made' | 'view.opened', plain: object, applicantId?: string): void =>
    void engine.commit([
      (writer) =>
        engine.audit.note(writer, {
          kind,
          at,
          operator,
          plain,
          ...(applicantId && { about: { applicantId } })
        } as Parameters<Engine['audit']['note']>[1])
    ])
  note('B. Mensah', 'export.made', { what: 'history', format: 'csv', rows: 3 })
  note('A. Okafor', 'view.opened', { what: 'applicant' }, 'APP-7')
})
afterEach(() => engine.close())

/** All pages of a filter, and how many there were. */
function found(filter: AuditFilter, way: 'down' | 'up' = 'down'): readonly AuditEvent[] {
  const events: AuditEvent[] = []
  for (let next: number | undefined = way === 'down' ? Number.MAX_SAFE_INTEGER : 0; next !== undefined;) {
    const page = engine.audit.page({ ...filter, limit: 50, ...(way === 'down' ? { before: next } : { after: next }) })
    events.push(...page.events)
    expect(page.older).toBe(page.next !== undefined)
    next = page.next
  }
  return events
}
const kinds = (filter: AuditFilter): string[] => found(filter).map(({ kind }) => kind)

it('finds events by words, operator, kind and what they are about, alone and combined', () => {
  expect(kinds({ search: 'with 3 ENTRIES' })).toEqual(['export.made'])
  expect(kinds({ search: 'export.m' })).toEqual(['export.made'])
  expect(kinds({ operator: 'okafor' })).toEqual(['view.opened'])
  expect(kinds({ operator: 'okafor', search: 'export' })).toEqual([])
  expect(kinds({ about: record })).toEqual(['record.ended', 'record.begun'])
  expect(kinds({ about: batch })).toEqual(['record.ended', 'record.begun'])
  expect(kinds({ about: 'branch' })).toEqual(['record.ended', 'record.begun', 'connection.noted'])
  expect(kinds({ about: branch.id, kinds: ['connection.noted'] })).toEqual(['connection.noted'])
  // Four records of the applicant, each begun and ended, and one view.
  expect(kinds({ about: 'APP-7' })).toHaveLength(9)
  expect(kinds({ about: 'APP-7', groups: ['views'] })).toEqual(['view.opened'])
  expect(kinds({ about: 'APP-7', kinds: ['record.ended'] })).toEqual(Array.from({ length: 4 }, () => 'record.ended'))
  expect(kinds({ groups: ['views'], kinds: ['export.made'] })).toEqual([])
  expect(kinds({ about: 'APP-70000' })).toEqual([])
})

it('lists the same events in both directions, whatever the filter', () => {
  const everything = found({})
  expect(everything.map(({ seq }) => seq)).toEqual(
    Array.from({ length: everything.length }, (_, index) => everything.length - index)
  )
  for (const filter of [
    {},
    { groups: ['verifications'] },
    { kinds: ['record.begun'] },
    { search: 'started' },
    { about: 'APP-7' }
  ] satisfies AuditFilter[]) {
    const down = found(filter).map(({ seq }) => seq)
    expect(down.length, JSON.stringify(filter)).toBeGreaterThan(0)
    expect(
      found(filter, 'up').map(({ seq }) => seq),
      JSON.stringify(filter)
    ).toEqual(down.toReversed())
  }
})

it('reads for a limited time per page, and goes on where it stopped', () => {
  const spent = performance.now
  let now = 0
  // Each look at the clock is ten milliseconds after the one before.
  performance.now = () => (now += 10)
  try {
    const page = engine.audit.page({ search: 'no such words', limit: 50 })
    expect([page.events, page.older]).toEqual([[], true])
    expect(page.next).toBeGreaterThan(1)
    expect(found({ search: 'used for the first time' }).map(({ kind }) => kind)).toEqual([
      'connection.noted',
      'connection.noted'
    ])
  } finally {
    performance.now = spent
  }
})

it('exports what is filtered, oldest first, as CSV and JSON lines, and notes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-audit-export-'))
  const history = await openHistory({
    folder: join(folder, 'history'),
    secrets: secretsInMemory(),
    launch: launchWorkers,
    clock,
    kept: 'session'
  })
  if (!history.ok) throw new Error(history.failure.code)
  const { store } = history.value
  const notes: { readonly kind: string; readonly plain: object }[] = []
  let path = join(folder, 'out.csv')
  const exports = createExports({
    clock,
    consoleVersion: 'test',
    store: async () => ({ ok: true, value: store }),
    chooseSavePath: async () => path,
    files: createChosenFiles(mkdtempSync(join(folder, 'own-'))),
    auditTrail: { note: async (note) => void notes.push(note) },
    progress: () => undefined
  })
  for (const [operator, rows] of [
    ['=A. Okafor', 1],
    ['B. Mensah', 2],
    ['=A. Okafor', 3]
  ] as const)
    await store.audit.note({
      kind: 'export.made',
      at,
      operator,
      plain: { what: 'history', format: 'csv', rows }
    } as Parameters<typeof store.audit.note>[0])
  const exportId = '00000000-0000-4000-8000-0000000000ee'
  expect(await exports.audit({ exportId, filter: { operator: 'okafor' }, format: 'csv' })).toMatchObject({
    ok: true,
    value: { rows: 2 }
  })
  const rows = parse(readFileSync(path), { columns: true, bom: true }) as Record<string, string>[]
  expect(rows.map(({ event, kind, operator }) => [event, kind, operator]).slice(0, 2)).toEqual([
    ['1', 'export.made', "'=A. Okafor"],
    ['3', 'export.made', "'=A. Okafor"]
  ])
  path = join(folder, 'out.jsonl')
  await exports.audit({ exportId, filter: {}, format: 'jsonl' })
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines[0]).toMatchObject({ format: 'veridesk-audit-trail', version: 1, filter: {} })
  expect(lines.slice(1, -1).map(({ seq, operator }) => [seq, operator])).toEqual([
    [1, '=A. Okafor'],
    [2, 'B. Mensah'],
    [3, '=A. Okafor']
  ])
  expect(lines.at(-1)).toEqual({ end: true, rows: 3 })
  expect(notes.map(({ plain }) => plain)).toMatchObject([
    { what: 'audit-trail', rows: 2 },
    { what: 'audit-trail', rows: 3 }
  ])
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
