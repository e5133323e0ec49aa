/** Shared batches as they arrive: what may be sent of them, and what is not there yet. */
import { describe, expect, it } from 'vitest'
import type { BatchSummary } from '#contract/batches/batches.ts'
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import type { BatchDraft, SharedTerms } from '#wire/history/batches.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { TeamBatchWorker } from '#team/thread/batches.ts'
import { ReceivedBatches } from '#exchange/batches/reading.ts'
import { createBatchSharing } from '#core/team/batches/sharing.ts'
import { connectionNamed } from '../service/history-fixtures.ts'
import { by, colleague, here, hostile, type Colleague, type Here } from './support/team-activity.ts'
import { team, valueOf, type Draft } from './support/team-log.ts'

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
/** A batch whose rows are recorded for the team; nobody counts them yet. */
function given(ben: Colleague, rows: readonly number[], inTeam = team): { readonly id: string; share(): void } {
  const { batches, batchSharing } = ben.engine
  const { id } = ben.write((writer) => batches.create(writer, draft))
  ben.write((writer) =>
    batches.add(
      writer,
      id,
      rows.map((row) => ({ row, state: 'waiting', cells: [`APP-${row}`], applicantId: `APP-${row}` }))
    )
  )
  ben.write((writer) => batches.seal(writer, id))
  const last = valueOf(batchSharing.last(id))
  ben.write((writer) => batchSharing.give(writer, id, 0, 500, by(1)))
  const terms = { rows: rows.at(-1) ?? 0, team: inTeam, sharer: ben.installation }
  return { id, share: () => void ben.write((writer) => batchSharing.share(writer, id, terms, by(2), last)) }
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
    expect(read(ours).toSend(id, ben.installation, 1, 2)).toEqual({
      awaited: false,
      rows: [1, 2].map((row) => ({ row, cells: [`APP-${row}`], applicantId: `APP-${row}` }))
    })
    expect(
      read(ours)
        .toSend(id, ben.installation, 3, 3)
        .rows.map(({ row }) => row)
    ).toEqual([3])
    expect(read(ours).toSend(id, 'somebody else', 1, 2)).toEqual(nothing)
  })

  it('have numbers with gaps, if only some rows of a file are sent again', () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    const { id, share } = given(ben, [2, 7])
    share()
    ben.share(ours)
    expect(
      read(ours)
        .toSend(id, ben.installation, 1, 2)
        .rows.map(({ row }) => row)
    ).toEqual([2])
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
  const header = (sharer: string, more: object): readonly Draft[] => [
    { kind: 'connection.noted', subject: null, plain: { ref: 1, snapshot } },
    {
      kind: 'batch.shared',
      plain: {
        id,
        operation: draft.operations.at(0),
        connection: 1,
        rows: 3,
        count: 3,
        team,
        sharer,
        atOnce: 1,
        pace: 0,
        operator: 'm',
        ...more
      }
    }
  ]
  const row = (number: number, state: unknown = 'waiting'): Draft => ({
    kind: 'batch.shared',
    plain: { id, row: number, state, operator: 'm' },
    sealed: { cells: [`X-${number}`] }
  })
  /** What can be sent of a batch with these rows, if the event of the batch says so. */
  const sent = (rows: readonly Draft[], more: object = {}): readonly number[] | 'awaited' => {
    const ours = here()
    const one = hostile(ours, rows)
    for (const each of header(one.installation, more)) one.events.append(each)
    ours.take(one)
    const { awaited, rows: found } = read(ours).toSend(id, one.installation, 1, 3)
    return awaited ? 'awaited' : found.map((each) => each.row)
  }

  it('are all of a batch, or none: a row that is missing or malformed may be on its way', () => {
    expect(sent([row(1), row(2), row(3)])).toEqual([1, 2, 3])
    expect(sent([row(1), row(3)])).toBe('awaited')
    expect(sent([row(1), row(2, 'of a later version'), row(3)])).toBe('awaited')
    expect(sent([row(1), row(2), row(3)], { count: 2 })).toBe('awaited')
  })

  it('are none of a batch that does not say how many rows it has, of which team it is, or that is another installation’s', () => {
    for (const more of [
      { count: undefined },
      { team: undefined },
      { team: 7 },
      { team: 'c0' },
      { sharer: undefined },
      { sharer: '0'.repeat(32) }
    ])
      expect(sent([row(1), row(2), row(3)], more), JSON.stringify(more)).toBe('awaited')
  })
})

/** What people do here with the batches that arrived. @param own Of this installation, by ID. */
function sharingAt(ours: Here, own: Readonly<Record<string, SharedTerms>> = {}, present = team) {
  const asked: string[] = []
  const worker: Partial<TeamBatchWorker> = {
    received: async () => ok(read(ours).all()),
    find: async (id) => ok(read(ours).find(id)),
    names: async () => ok({}),
    figures: async () => ok({ runner: undefined, installations: [] }),
    isFinished: async () => ok(false),
    free: async () => ok(null),
    take: async () => {
      asked.push('take')
      return failed('team-database-lost', { host: 'here' })
    }
  }
  const shown = Object.keys(own).map(
    (id) =>
      ({
        id,
        name: 'Own',
        operations: draft.operations,
        connection: draft.connection,
        shared: true,
        createdAt: 1
      }) as BatchSummary
  )
  const batches: Partial<HistoryStore['batches']> = {
    list: async () => ok(shown),
    show: async (id) => {
      const found = shown.find((each) => each.id === id)
      return found ? ok(found) : failed('batch-missing')
    },
    draft: async (id) => (own[id] ? ok({ ...draft, shared: own[id] }) : failed('batch-missing'))
  }
  const sharing = createBatchSharing({
    clock: { now: () => 0, monotonic: () => 0 },
    operator: 'anna',
    consoleVersion: '0',
    newId: () => '',
    look: () => undefined,
    history: async () =>
      ok({ batches, sharedBatches: { join: async () => failed('batch-missing') } } as unknown as HistoryStore),
    worker: async () => ok(worker as TeamBatchWorker),
    place: () => ok({ installation: 'anna', team: present, kept: [] })
  })
  const run = (id: string, shared: SharedTerms) =>
    sharing.run({
      id,
      draft: { ...draft, shared },
      journal: { release: async () => ok(null), begun: async () => ok([]) }
    } as unknown as Parameters<typeof sharing.run>[0])
  return { ...sharing, run, asked }
}
const elsewhere = 'e1'.repeat(32)

describe('a run of a colleague’s batch', () => {
  it('does not begin before the batch is here again', async () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    const { id, share } = given(ben, [1, 2])
    share()
    const { run, asked } = sharingAt(ours)
    const terms = { rows: 2, count: 2, team, sharer: ben.installation, from: ben.installation }
    expect(await run(id, terms)).toMatchObject({
      failure: { code: 'team-batch-unusable', details: { reason: 'awaited' } }
    })
    expect(asked).toEqual([])
    ben.share(ours)
    expect(await run(id, terms)).toMatchObject({ failure: { code: 'team-database-lost' } })
  })
})

describe('a batch that was shared in another team', () => {
  const refused = { ok: false, failure: { code: 'team-batch-unusable', details: { reason: 'team' } } }

  it('of a colleague is not offered, taken over or run', async () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    const [before, now] = [given(ben, [1, 2], elsewhere), given(ben, [1, 2])]
    for (const each of [before, now]) each.share()
    ben.share(ours)
    const { list, takeOver, locate, run, asked } = sharingAt(ours)
    expect(valueOf(await list()).map(({ id }) => id)).toEqual([now.id])
    expect(await takeOver(before.id, draft.connection)).toMatchObject(refused)
    expect(await takeOver(now.id, draft.connection)).toMatchObject({ failure: { code: 'batch-missing' } })
    expect(await locate(before.id)).toMatchObject({ failure: { code: 'batch-missing' } })
    const terms = { rows: 2, count: 2, sharer: ben.installation, from: ben.installation }
    expect(await run(before.id, { ...terms, team: elsewhere })).toMatchObject(refused)
    // Whatever is recorded here.
    expect(await run(before.id, { ...terms, team })).toMatchObject(refused)
    expect(asked).toEqual([])
  })

  it('here is not offered, taken over or run', async () => {
    const terms = { rows: 2, count: 2, sharer: 'anna' }
    const { list, takeOver, progress, run, asked } = sharingAt(here(), {
      before: { ...terms, team: elsewhere },
      now: { ...terms, team }
    })
    expect(valueOf(await list()).map(({ id }) => id)).toEqual(['now'])
    expect(await takeOver('before', draft.connection)).toMatchObject(refused)
    expect(await takeOver('now', draft.connection)).toMatchObject({ ok: true })
    expect(await progress('before')).toMatchObject(refused)
    expect(await progress('now')).toMatchObject({ ok: true })
    expect(await run('before', { ...terms, team: elsewhere })).toMatchObject(refused)
    expect(asked).toEqual([])
    expect(await run('now', { ...terms, team })).toMatchObject({ failure: { code: 'team-database-lost' } })
  })
})
