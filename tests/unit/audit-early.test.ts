import { expect, test } from 'vitest'
import { failed } from '#contract/failures.ts'
import { ok } from '#contract/result.ts'
import type { AuditNote } from '#core/audit/notes.ts'
import { createTrail } from '#core/audit/trail.ts'
import type { HistoryStore } from '#core/ports.ts'

test('what is done before a history is open is noted when it is, with its own time, after the start', async () => {
  const written: AuditNote[] = []
  const store = { audit: { note: (note: AuditNote) => { written.push(note); return Promise.resolve(ok(null)) } } } as unknown as HistoryStore
  let open = false
  let now = 1000
  const trail = createTrail({
    clock: { now: () => now, monotonic: () => now } as never,
    operator: 'tester',
    history: () => (open ? ok(store) : failed('history-unavailable', { detail: 'it is still being opened' })),
    onFailure: () => { throw new Error('a note failed') }
  })
  const changed = { kind: 'setting.changed', plain: { name: 'theme', from: 'light', to: 'dark' } } as const
  await trail.note(changed)
  expect(written).toEqual([])
  open = true
  now = 2000
  await trail.note({ kind: 'program.started', plain: { version: '1', host: 'preview' } })
  await trail.note(changed)
  expect(written.map(({ kind, at }) => [kind, at])).toEqual([['program.started', 2000], ['setting.changed', 1000], ['setting.changed', 2000]])
})
