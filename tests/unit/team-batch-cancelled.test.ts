/** A shared batch that is cancelled while rows wait here, as after a crash: colleagues send them, and their outcomes count. */
import { describe, expect, it } from 'vitest'
import type { RowState } from '#contract/batches/rows.ts'
import type { BatchDraft } from '#wire/history/batches.ts'
import { connectionNamed } from '../service/history-fixtures.ts'
import { by, colleague, type Colleague } from './support/team-activity.ts'
import { team, valueOf } from './support/team-log.ts'

const draft: BatchDraft = {
  name: 'Rows',
  fileName: 'rows.csv',
  sha256: '0'.repeat(64),
  operations: ['get-applicant-details'],
  connection: connectionNamed('Sandbox'),
  atOnce: 2,
  pace: 0,
  createdAt: 1_760_000_000_000,
  operator: 'ben',
  consoleVersion: '0.0.0',
  layout: { columns: ['applicant_id'], delimiter: ',', mapping: { applicant_id: 0 }, applicantColumn: 0 }
}
const rows = [1, 2, 3, 4]
function made(ben: Colleague): string {
  const { id } = ben.write((writer) => ben.engine.batches.create(writer, draft))
  ben.write((writer) =>
    ben.engine.batches.add(
      writer,
      id,
      rows.map((row) => ({ row, state: 'waiting', cells: [`APP-${row}`], applicantId: `APP-${row}` }))
    )
  )
  ben.write((writer) => ben.engine.batches.seal(writer, id))
  return id
}
/** Shared and running, with the first three rows waiting here. */
function running(ben: Colleague): string {
  const { batches, batchSharing } = ben.engine
  const id = made(ben)
  ben.write((writer) => batchSharing.give(writer, id, 0, 500, by(1)))
  ben.write((writer) =>
    batchSharing.share(writer, id, { rows: 4, team, sharer: ben.installation }, by(2), valueOf(batchSharing.last(id)))
  )
  ben.write((writer) => batches.setState(writer, id, 'running', by(3)))
  ben.write((writer) =>
    batchSharing.accept(
      writer,
      id,
      [1, 2, 3].map((row) => ({ row }))
    )
  )
  return id
}
const statesOf = ({ engine }: Colleague, id: string): readonly RowState[] =>
  valueOf(engine.batches.read.results(id, { after: 0, limit: 10, records: false })).rows.map(({ state }) => state)

describe('a batch of a team that is cancelled after a crash', () => {
  it('gives its waiting rows back to the team, and no row whose applicant was erased', () => {
    const ben = colleague('Ben Okoro')
    const { batches, batchSharing } = ben.engine
    const id = running(ben)
    ben.write((writer) => batchSharing.withdraw(writer, id, 3))
    ben.write((writer) => batches.recover(4, writer))
    expect(statesOf(ben, id)).toEqual(['waiting', 'waiting', 'cancelled', 'shared'])
    const { state, counts } = ben.write((writer) => batches.setState(writer, id, 'cancelled', by(5)))
    expect(state).toBe('cancelled')
    expect(counts).toMatchObject({ shared: 3, cancelled: 1, waiting: 0 })
    expect(statesOf(ben, id)).toEqual(['shared', 'shared', 'cancelled', 'shared'])
  })

  it('cancels the waiting rows of applicants who were erased here', () => {
    const ben = colleague('Ben Okoro')
    const { batches, erasure } = ben.engine
    const id = running(ben)
    ben.write((writer) => batches.recover(4, writer))
    valueOf(
      erasure.erase({
        ...by(5),
        cause: 'request',
        reason: 'asked for',
        subjects: valueOf(erasure.scope('APP-1')).subjects
      })
    )
    ben.write((writer) => batches.setState(writer, id, 'cancelled', by(6)))
    expect(statesOf(ben, id)).toEqual(['cancelled', 'shared', 'shared', 'shared'])
  })

  it('cancels the rows of a batch of one installation alone', () => {
    const ben = colleague('Ben Okoro')
    const id = made(ben)
    ben.write((writer) => ben.engine.batches.setState(writer, id, 'cancelled', by(2)))
    expect(statesOf(ben, id)).toEqual(rows.map(() => 'cancelled'))
  })
})
