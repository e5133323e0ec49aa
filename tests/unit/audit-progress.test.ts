/** How a verification reports its progress: often enough to be seen, but not with every slice. */
import { expect, it } from 'vitest'
import { createAuditTrail } from '#core/audit/audit-trail.ts'
import { walkStart } from '#store/audit/walk.ts'
import type { HistoryStore } from '#wire/history/store.ts'

it('begins with the first slice, only increases, skips invisible steps, and ends at the end', async () => {
  let now = 0
  const audit = {
    anchors: () => Promise.resolve({ ok: true, value: { until: 4000, known: [] } }),
    walk: ({ from = walkStart }: { from?: typeof walkStart }) => {
      now += 25
      const state = { ...from, seq: from.seq + 100 }
      return Promise.resolve({ ok: true, value: { kind: state.seq === 4000 ? 'whole' : 'more', state } })
    }
  }
  const store = { audit } as unknown as HistoryStore
  const auditTrail = createAuditTrail({
    clock: { now: () => now, monotonic: () => now },
    operator: 'tester',
    history: () => ({ ok: true, value: store }),
    onFailure: () => undefined
  })
  const told: number[] = []
  expect(await auditTrail.verify((verified, total) => told.push(verified / total))).toMatchObject({
    ok: true,
    value: { intact: true, events: 4000, took: 1000 }
  })
  expect(told).toEqual([0.025, 0.125, 0.225, 0.325, 0.425, 0.525, 0.625, 0.725, 0.825, 0.925, 1])
})
