/** Actions while no history is open are recorded once one is, in this start or in a later one. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import { keepEarlyNotes } from '#core/audit/early-notes.ts'
import type { AuditNote } from '#wire/history/audit-notes.ts'
import { createAuditTrail, type AuditTrail } from '#core/audit/audit-trail.ts'
import type { HistoryStore } from '#wire/history/store.ts'

const changed = { kind: 'setting.changed', plain: { name: 'theme', from: 'light', to: 'dark' } } as const
const started = { kind: 'program.started', plain: { version: '1', host: 'preview' } } as const
const stopped = { kind: 'program.stopped', plain: { version: '1' } } as const
let folder: string
let now: number
const path = (): string => join(folder, 'early-notes.json')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-early-'))
  now = 1000
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A start of the console; `open` gives it a history, which `closed` removes again. */
function start(more: { readonly inMemory?: boolean; readonly lasting?: boolean } = {}) {
  let store: HistoryStore | undefined
  const faults: string[] = []
  const auditTrail: AuditTrail = createAuditTrail({
    clock: { now: () => now, monotonic: () => now } as never,
    operator: 'tester',
    history: () => (store ? ok(store) : failed('history-unavailable', { reason: 'opening' })),
    onFailure: ({ code }) => void faults.push(code),
    ...(!more.inMemory && { early: keepEarlyNotes(folder, now) }),
    lasting: () => more.lasting ?? true
  })
  return {
    auditTrail,
    faults,
    open(failing = false): (readonly [string, number])[] {
      const written: (readonly [string, number])[] = []
      const note = (each: AuditNote) =>
        failing ? Promise.resolve(failed('disk-full')) : (written.push([each.kind, each.at]), Promise.resolve(ok(null)))
      store = { audit: { note } } as unknown as HistoryStore
      return written
    },
    close: () => void (store = undefined)
  }
}

test.each([true, false])('in one start: after its beginning, with its own time (in memory: %s)', async (inMemory) => {
  const one = start({ inMemory })
  await one.auditTrail.note(changed)
  const written = one.open()
  now = 2000
  await Promise.all([one.auditTrail.note(started), one.auditTrail.note(changed)])
  expect(written).toEqual([
    ['program.started', 2000],
    ['setting.changed', 1000],
    ['setting.changed', 2000]
  ])
  expect(one.faults).toEqual([])
})

describe('over starts', () => {
  test('whose history never opened: in the first that does, once', async () => {
    for (const at of [1000, 2000]) {
      now = at
      const one = start()
      await one.auditTrail.note(changed)
      await one.auditTrail.note(stopped)
    }
    now = 3000
    for (const wanted of [
      [
        ['program.started', 3000],
        ['setting.changed', 1000],
        ['setting.changed', 2000]
      ],
      [['program.started', 3000]]
    ]) {
      const one = start()
      const written = one.open()
      await one.auditTrail.note(started)
      expect(written).toEqual(wanted)
    }
  })

  test('a history of the session has them as well, and does not take them with it', async () => {
    const one = start({ lasting: false })
    await one.auditTrail.note(changed)
    const session = one.open()
    await one.auditTrail.note(started)
    await one.auditTrail.note(changed)
    expect(session).toEqual([
      ['program.started', 1000],
      ['setting.changed', 1000],
      ['setting.changed', 1000]
    ])
    const two = start()
    const written = two.open()
    await two.auditTrail.note(started)
    expect(written.map(([kind]) => kind)).toEqual(['program.started', 'setting.changed'])
  })

  test('a history that could not take them leaves them for the next', async () => {
    const one = start()
    await one.auditTrail.note(changed)
    one.open(true)
    await one.auditTrail.note(started)
    expect(one.faults).toEqual(['disk-full', 'disk-full'])
    const two = start()
    const written = two.open()
    await two.auditTrail.note(started)
    expect(written.map(([kind]) => kind)).toEqual(['program.started', 'setting.changed'])
  })
})

describe('the file', () => {
  test('holds at most 1,000, the latest, and nothing that names whom it concerns', async () => {
    const early = keepEarlyNotes(folder, now)
    const at = (time: number): AuditNote => ({ ...changed, at: time, operator: 'tester' })
    writeFileSync(
      path(),
      JSON.stringify({
        format: 'veridesk-early-notes',
        version: 1,
        data: Array.from({ length: 1000 }, (_, index) => at(index))
      })
    )
    await early.add(at(1000))
    await early.add({
      kind: 'view.opened',
      plain: { what: 'applicant' },
      about: { applicantId: 'APP-SECRET' },
      at: 1001,
      operator: 'tester'
    })
    const kept = (await early.all()).map((note) => note.at)
    expect(kept).toEqual(Array.from({ length: 1001 }, (_, index) => index + 1))
    expect(readFileSync(path(), 'utf8')).not.toContain('APP-SECRET')
  })

  test('that is newer, or cannot be written, is left as it is; the notes are remembered', async () => {
    const newer = '{"format":"veridesk-early-notes","version":2,"data":{}}'
    writeFileSync(path(), newer)
    for (const prepare of [() => undefined, () => (rmSync(path()), mkdirSync(path()))]) {
      prepare()
      const one = start()
      await one.auditTrail.note(changed)
      const written = one.open()
      await one.auditTrail.note(started)
      expect(written.map(([kind]) => kind)).toEqual(['program.started', 'setting.changed'])
      if (statSync(path()).isFile()) expect(readFileSync(path(), 'utf8')).toBe(newer)
    }
  })
})
