/** A row without a recorded outcome gets one at the next opening, whatever the state of its batch. */
import { describe, expect, it } from 'vitest'
import { batchStates, type BatchState } from '#contract/batches/batches.ts'
import { type Failure } from '#contract/failures/failures.ts'
import type { BatchDraft } from '#wire/history/batches.ts'
import { codeOfBatch } from '#store/batches/codes.ts'
import type { Engine } from '#store/engine/engine.ts'
import { add, answer, connectionNamed, inFolder, intentOf, opened } from './history-fixtures.ts'

const draft: BatchDraft = {
  name: 'Rows',
  fileName: 'rows.csv',
  sha256: '0'.repeat(64),
  operations: ['get-applicant-details'],
  connection: connectionNamed('Sandbox'),
  atOnce: 2,
  pace: 0,
  createdAt: 1_760_000_000_000,
  operator: 'tester',
  consoleVersion: '1.0.0',
  layout: { columns: ['applicant_id'], delimiter: ',', mapping: { applicant_id: 0 }, applicantColumn: -1 }
}

/** A batch of three rows: answered, started, waiting. */
function batchWithOpenRow(engine: Engine): { id: string; record: string } {
  const done = <T>(result: { ok: true; value: T } | { ok: false; failure: Failure } | undefined): T => {
    if (!result?.ok) throw new Error(result?.failure.code)
    return result.value
  }
  const { batches } = engine
  const { id } = done(engine.commit([(writer) => batches.create(writer, draft)])[0])
  done(
    engine.commit([
      (writer) =>
        batches.add(
          writer,
          id,
          [1, 2, 3].map((row) => ({ row, state: 'waiting' as const, cells: [`A-${row}`], applicantId: `A-${row}` }))
        )
    ])[0]
  )
  done(engine.commit([(writer) => batches.seal(writer, id)])[0])
  const begin = (row: number): string => {
    const intent = intentOf({ operation: 'get-applicant-details', applicant: `A-${row}`, batchId: id })
    return done(engine.commit([(writer) => batches.step(writer, id, { begin: { row, intent } })])[0]).begun?.id ?? ''
  }
  const first = begin(1)
  done(
    engine.commit([
      (writer) => batches.step(writer, id, { finish: { row: 1, recordId: first, ending: answer(), again: false } })
    ])[0]
  )
  return { id, record: begin(2) }
}

const expected: Readonly<Record<BatchState, BatchState>> = {
  made: 'made',
  running: 'paused',
  paused: 'paused',
  stopped: 'stopped',
  cancelled: 'cancelled',
  finished: 'finished'
}

describe('a batch left with a row without an outcome', () => {
  it.each(batchStates)('in the state “%s” has it unknown at the next opening', (state) =>
    inFolder((folder) => {
      const before = opened(folder)
      const { id, record } = batchWithOpenRow(before)
      before.dbs.history.prepare('UPDATE batch SET state = ? WHERE id = ?').run(codeOfBatch(state), id)
      before.close()
      const after = opened(folder)
      expect(after.batches.read.show(id)).toMatchObject({
        value: { state: expected[state], unresolved: 1, counts: { open: 0, unknown: 1, answered: 1 } }
      })
      expect(after.queries.record(record)).toMatchObject({
        value: { state: 'unknown', failure: { code: 'interrupted' } }
      })
      const [resolved] = after.commit([
        (writer) => after.batches.resolve(writer, id, undefined, 'sent', { at: 1_760_000_100_000, operator: 'tester' })
      ])
      expect(resolved).toMatchObject({ ok: true, value: { unresolved: 0 } })
      expect(after.verify()).toMatchObject({ intact: true })
      after.close()
    })
  )

  it('does not end over it: whatever ends a batch ends its rows', () => {
    const engine = opened()
    const { id } = batchWithOpenRow(engine)
    add(engine)
    const [finished] = engine.commit([
      (writer) => engine.batches.setState(writer, id, 'finished', { at: 1_760_000_100_000, operator: undefined })
    ])
    expect(finished).toMatchObject({
      ok: true,
      value: { state: 'finished', unresolved: 1, counts: { open: 0, unknown: 1, cancelled: 1 } }
    })
    expect(engine.verify()).toMatchObject({ intact: true })
  })
})
