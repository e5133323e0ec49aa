/** Shared batches as they arrive: what may be sent of them, and what is not there yet. */
import { describe, expect, it } from 'vitest'
import { failure } from '#contract/failures.ts'
import { ok } from '#contract/result.ts'
import type { BatchDraft } from '#core/history/api/batches.ts'
import type { TeamBatchWorker } from '#core/team/batches/interface.ts'
import { ReceivedBatches } from '#core/team/batches/reading.ts'
import { createBatchSharing } from '#core/team/batches/sharing.ts'
import { connectionNamed } from '../service/history-fixtures.ts'
import { by, colleague, here, hostile, type Colleague, type Here } from './support/team-activity.ts'
import { valueOf, type Draft } from './support/team-log.ts'

const draft: BatchDraft = {
  name: 'Rows', fileName: 'rows.csv', sha256: '0'.repeat(64), operation: 'get-applicant-details', connection: connectionNamed('Sandbox'), atOnce: 2, pace: 0, createdAt: 1_760_000_000_000,
  operator: 'ben', consoleVersion: '0.0.0', layout: { columns: ['applicant_id'], delimiter: ',', mapping: { applicant_id: 0 }, applicantColumn: 0 }
}
/** A batch whose rows are recorded for the team; nobody counts them yet. */
function given(ben: Colleague, rows: readonly number[]): { readonly id: string; share(): void } {
  const { batches, batchSharing } = ben.engine
  const { id } = ben.write(() => batches.create(draft))
  ben.write(() => batches.add(id, rows.map((row) => ({ row, state: 'waiting', cells: [`APP-${row}`], applicantId: `APP-${row}` })), undefined))
  ben.write((writer) => batches.seal(id, writer))
  const last = valueOf(batchSharing.last(id))
  ben.write((writer) => batchSharing.give(id, 0, 500, by(1), writer))
  return { id, share: () => void ben.write((writer) => batchSharing.share(id, { rows: rows.at(-1) ?? 0, chunkRows: 2 }, by(2), last, writer)) }
}
const read = ({ db }: Here): ReceivedBatches => new ReceivedBatches(db)
const nothing = { rows: [], awaited: true }

describe('the rows of a colleague’s batch that can be sent', () => {
  it('are none before the batch itself has arrived: they may be on their way', () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    const { id, share } = given(ben, [1, 2, 3])
    expect(read(ours).toSend(id, ben.installation, 1, 2)).toEqual(nothing)
    ben.share(ours)
    expect(read(ours).toSend(id, ben.installation, 1, 2)).toEqual(nothing)
    share()
    ben.share(ours)
    expect(read(ours).toSend(id, ben.installation, 1, 2)).toEqual({ awaited: false, rows: [1, 2].map((row) => ({ row, cells: [`APP-${row}`], applicantId: `APP-${row}` })) })
    expect(read(ours).toSend(id, ben.installation, 3, 3).rows.map(({ row }) => row)).toEqual([3])
    expect(read(ours).toSend(id, 'somebody else', 1, 2)).toEqual(nothing)
  })

  it('have numbers with gaps, if only some rows of a file are sent again', () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    const { id, share } = given(ben, [2, 7])
    share()
    ben.share(ours)
    expect(read(ours).toSend(id, ben.installation, 1, 2).rows.map(({ row }) => row)).toEqual([2])
    expect(read(ours).toSend(id, ben.installation, 3, 4)).toEqual({ awaited: false, rows: [] })
  })

  it('are none while a key is awaited', () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    const { id, share } = given(ben, [1, 2])
    share()
    ben.share(ours, false)
    expect(read(ours).toSend(id, ben.installation, 1, 2)).toEqual(nothing)
  })

  const id = '019a0000-0000-7000-8000-000000000001'
  const snapshot = JSON.stringify(connectionNamed('Sandbox'))
  const header = (more: object): readonly Draft[] => [
    { kind: 'connection.noted', subject: null, plain: { ref: 1, snapshot } },
    { kind: 'batch.shared', plain: { id, operation: draft.operation, connection: 1, rows: 3, chunkRows: 3, count: 3, atOnce: 1, pace: 0, operator: 'm', ...more } }
  ]
  const row = (number: number, state: unknown = 'waiting'): Draft => ({ kind: 'batch.shared', plain: { id, row: number, state, operator: 'm' }, sealed: { cells: [`X-${number}`] } })
  const sent = (drafts: readonly Draft[]): { readonly awaited: boolean; readonly rows: readonly { readonly row: number }[] } => {
    const ours = here()
    const { installation } = hostile(ours, drafts)
    return read(ours).toSend(id, installation, 1, 3)
  }

  it('are all of a batch, or none: a row that is missing or malformed may be on its way', () => {
    expect(sent([row(1), row(2), row(3), ...header({})]).rows.map((each) => each.row)).toEqual([1, 2, 3])
    expect(sent([row(1), row(3), ...header({})])).toEqual(nothing)
    expect(sent([row(1), row(2, 'of a later version'), row(3), ...header({})])).toEqual(nothing)
    expect(sent([row(1), row(2), row(3), ...header({ count: 2 })])).toEqual(nothing)
    expect(sent([row(1), row(2), row(3), ...header({ count: undefined })])).toEqual(nothing)
  })
})

describe('a run of a colleague’s batch', () => {
  it('does not begin before the batch is here again', async () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    const { id, share } = given(ben, [1, 2])
    share()
    const asked: string[] = []
    const worker = {
      find: async (of: string) => ok(read(ours).find(of)),
      open: async () => {
        asked.push('open')
        return { ok: false, failure: failure('team-database-lost', { host: 'here' }) } as const
      }
    } as Partial<TeamBatchWorker> as TeamBatchWorker
    const sharing = createBatchSharing({
      clock: { now: () => 0, monotonic: () => 0 }, operator: 'anna', consoleVersion: '0', newId: () => '', look: () => undefined,
      history: async () => ({ ok: false, failure: failure('team-missing') }), worker: async () => ok(worker), place: () => ok({ installation: 'anna', kept: [] })
    })
    const order = { id, draft: { ...draft, shared: { rows: 2, chunkRows: 2, count: 2, from: ben.installation } }, store: {}, journal: { release: async () => ok(null) }, requestSeconds: 1 }
    const run = () => sharing.run(order as unknown as Parameters<typeof sharing.run>[0])
    expect(await run()).toMatchObject({ failure: { code: 'team-batch-unusable', details: { reason: 'awaited' } } })
    expect(asked).toEqual([])
    ben.share(ours)
    expect(await run()).toMatchObject({ failure: { code: 'team-database-lost' } })
  })
})
