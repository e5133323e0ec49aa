/**
 * A restored history does not contain what was sent since its backup: whatever state a batch was in, none of it is
 * sent again without a user's confirmation, and the spend guard knows the verifications or reports that they are
 * unknown.
 */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BatchState, BatchSummary } from '#contract/batches/batches.ts'
import { isHeld } from '#contract/batches/held-batches.ts'
import type { RunRequest } from '#contract/history/queries.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let workspace: TestConsole
let connectionId: string
let lasting: boolean
beforeEach(async () => {
  workspace = await startTestConsole()
  const { history } = await workspace.get('app.state')
  lasting = history.state === 'ready' && history.kept === 'file'
  connectionId = (await workspace.get('practice.start')).id
})
afterEach(() => workspace.dispose())

const show = (id: string): Promise<BatchSummary> => workspace.get('batches.show', { id })
const state = async (id: string): Promise<BatchState> => (await show(id)).state
const until = (id: string, wanted: BatchState): Promise<void> =>
  expect.poll(() => state(id), { timeout: 30_000 }).toBe(wanted)

async function make(ids: readonly string[], pace = 0): Promise<string> {
  const text = ['applicant_id', ...ids].join('\n')
  const { checkId } = await workspace.get('batches.checkText', {
    name: 'rows.csv',
    text,
    reading: { operations: ['get-applicant-details'] }
  })
  return (
    await workspace.get('batches.create', {
      checkId,
      connectionId,
      name: 'Rows',
      atOnce: 1,
      pace,
      skipDuplicates: true,
      skipRecent: true
    })
  ).id
}
const ids = ['R-1', 'R-2', 'PRACTICE-cut', 'R-4', 'R-5']
/** Requests that reached the service for the batch, with any outcome. */
const requests = (): number => workspace.practice.ledger().length
const doubled = (): number => requests() - new Set(workspace.practice.ledger().map(({ digest }) => digest)).size

/** How a batch gets into each state, and how it continues after the backup. */
const ways: Readonly<Record<BatchState, { reach(): Promise<string>; goOn(id: string): Promise<unknown> }>> = {
  made: { reach: () => make(ids), goOn: (id) => workspace.get('batches.start', { id }) },
  running: {
    async reach() {
      // One per second, so that it is still running after the backup.
      const id = await make(ids, 60)
      await workspace.get('batches.start', { id })
      await expect.poll(async () => (await show(id)).counts.answered, { timeout: 20_000 }).toBeGreaterThan(0)
      return id
    },
    goOn: async () => undefined
  },
  paused: {
    async reach() {
      const id = await make(ids, 60)
      await workspace.get('batches.start', { id })
      await expect.poll(async () => (await show(id)).counts.answered, { timeout: 20_000 }).toBeGreaterThan(0)
      await workspace.get('batches.pause', { id })
      await until(id, 'paused')
      return id
    },
    goOn: (id) => workspace.get('batches.start', { id })
  },
  stopped: {
    async reach() {
      const id = await make([...Array.from({ length: 10 }, (_, index) => `PRACTICE-401.${index}`), ...ids])
      await workspace.get('batches.start', { id })
      await until(id, 'stopped')
      return id
    },
    goOn: (id) => workspace.get('batches.start', { id })
  },
  cancelled: {
    async reach() {
      const id = await make(ids)
      await workspace.get('batches.cancel', { id })
      return id
    },
    goOn: async () => undefined
  },
  finished: {
    async reach() {
      const id = await make(ids)
      await workspace.get('batches.start', { id })
      await until(id, 'finished')
      return id
    },
    goOn: async () => undefined
  }
}

async function damageHistory(): Promise<void> {
  await workspace.close()
  await writeFile(join(workspace.dataFolder, 'history', 'history.db'), Buffer.alloc(8192, 1))
  workspace = await startTestConsole(workspace)
  expect((await workspace.get('app.state')).history).toMatchObject({ state: 'failed' })
}

describe.each([
  ['opens', true],
  ['is damaged', false]
] as const)('where the history that was set aside %s', (_, opens) => {
  test.each(Object.keys(ways) as BatchState[])('a batch that was %s at the backup sends nothing twice', async (at) => {
    expect(lasting, 'a keychain for tests').toBe(true)
    const id = await ways[at].reach()
    const backup = await workspace.get('backups.create')
    await ways[at].goOn(id)
    await until(id, at === 'cancelled' ? 'cancelled' : 'finished')
    const sent = requests()
    if (!opens) await damageHistory()

    const restored = await workspace.get('backups.restore', { id: backup.id })
    const over = at === 'cancelled' || at === 'finished'
    expect(restored).toMatchObject({ history: { state: 'ready' }, held: { known: opens, batches: over ? 0 : 1 } })
    const held = await show(id)
    expect(isHeld(held)).toBe(!over)
    expect(held.counts.open).toBe(0)
    if (!over) expect(held.counts).toMatchObject({ waiting: 0 })

    // Nothing is sent without confirmation, and with it only what was certainly not sent.
    expect(await workspace.ask('batches.start', { id })).toMatchObject({
      ok: false,
      failure: { code: over ? 'batch-not-startable' : opens ? 'batch-restored' : 'batch-restored-unknown' }
    })
    expect(requests()).toBe(sent)
    if (over) return
    await workspace.get('batches.resolve', { id, as: 'sent' })
    const { events } = await workspace.get('audit.page', { groups: ['batches'], limit: 200 })
    const resolved = events.filter(({ kind }) => kind === 'batch.resolved')
    expect(resolved.map(({ operator }) => operator)).toEqual(['tester'])
    // Veridesk itself holds a restored batch: no operator stopped it.
    expect(
      events.filter(({ words }) => words.startsWith('Batch stopped (batch-restored')).map(({ operator }) => operator)
    ).toContain(undefined)
    await workspace.get('batches.start', { id, afterRestore: true })
    await until(id, 'finished')
    expect(await show(id)).toMatchObject({ unresolved: 0, counts: { open: 0, waiting: 0 } })
    expect(requests()).toBe(sent)
    expect(doubled()).toBe(0)
    expect(await workspace.get('audit.verify')).toMatchObject({ intact: true })
  })
})

test('rows that the previous history never sent are sent once, after the confirmation', async () => {
  const id = await make([...ids, 'R-6', 'R-7', 'R-8'], 60)
  await workspace.get('batches.start', { id })
  await expect.poll(async () => (await show(id)).counts.answered, { timeout: 20_000 }).toBeGreaterThan(0)
  const backup = await workspace.get('backups.create')
  await expect.poll(() => requests(), { timeout: 20_000 }).toBeGreaterThan(4)
  await workspace.get('batches.pause', { id })
  await until(id, 'paused')
  const restored = await workspace.get('backups.restore', { id: backup.id })
  expect(restored.held).toMatchObject({ known: true, batches: 1 })
  const held = await show(id)
  expect(held.counts.waiting).toBe(8 - requests())
  expect(held.counts.answered + held.counts.unknown).toBe(requests())
  await workspace.get('batches.start', { id, afterRestore: true })
  await until(id, 'finished')
  expect(requests()).toBe(8)
  expect(doubled()).toBe(0)
})

test('unknown rows that somebody has counted as sent since the backup are not sent again', async () => {
  const id = await make(['PRACTICE-cut.1', 'PRACTICE-cut.2', 'R-1'])
  const backup = await workspace.get('backups.create')
  await workspace.get('batches.start', { id })
  await until(id, 'finished')
  expect((await show(id)).counts).toMatchObject({ answered: 1, unknown: 2 })
  await workspace.get('batches.resolve', { id, rows: [2], as: 'sent' })
  // What is to be sent again is so after the restore, too.
  await workspace.get('batches.resolve', { id, rows: [3], as: 'again' })
  await workspace.get('backups.restore', { id: backup.id })
  expect((await show(id)).counts).toMatchObject({ waiting: 1, unknown: 2 })
})

test('failed rows of a restored batch, which may have run again since, are held as well', async () => {
  const id = await make(['PRACTICE-400', 'R-1'])
  await workspace.get('batches.start', { id })
  await until(id, 'finished')
  const backup = await workspace.get('backups.create')
  const first = await workspace.get('batches.again', { id })
  await workspace.get('batches.start', { id: first.id })
  await until(first.id, 'finished')
  await workspace.get('backups.restore', { id: backup.id })
  const second = await workspace.get('batches.again', { id })
  expect(isHeld(second)).toBe(true)
  expect(await workspace.ask('batches.start', { id: second.id })).toMatchObject({
    failure: { code: 'batch-restored-rerun' }
  })
  await workspace.get('batches.start', { id: second.id, afterRestore: true })
  await until(second.id, 'finished')
})

test('a paused batch stays held over a restart, a second backup and a second restore', async () => {
  const id = await ways.paused.reach()
  const backup = await workspace.get('backups.create')
  await workspace.get('batches.start', { id })
  await until(id, 'finished')
  const sent = requests()
  await workspace.get('backups.restore', { id: backup.id })
  const later = await workspace.get('backups.create')
  for (const each of [later, backup]) {
    await workspace.get('backups.restore', { id: each.id })
    await workspace.close()
    workspace = await startTestConsole(workspace)
    const held = await show(id)
    expect(isHeld(held)).toBe(true)
    expect(held.counts).toMatchObject({ waiting: 0, open: 0 })
    expect(await workspace.ask('batches.start', { id })).toMatchObject({ ok: false })
  }
  expect(requests()).toBe(sent)
})

describe('the spend guard after a restore', () => {
  const order = (applicantId: string): RunRequest => ({
    runId: crypto.randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: applicantId }
  })

  test('knows the requests that the previous history sent', async () => {
    await workspace.get('verification.run', order('G-1'))
    const backup = await workspace.get('backups.create')
    await workspace.get('verification.run', order('G-2'))
    const sent = requests()
    expect(await workspace.get('backups.restore', { id: backup.id })).toMatchObject({ held: { known: true, sent: 1 } })
    expect(await workspace.get('verification.run', order('G-1'))).toMatchObject({ kind: 'recently-answered' })
    expect(await workspace.get('verification.run', order('G-2'))).toMatchObject({
      kind: 'may-have-been-sent',
      earlier: { kind: 'sent' }
    })
    expect(requests()).toBe(sent)
    expect(await workspace.get('verification.run', order('G-3'))).toMatchObject({ kind: 'recorded' })
    expect(await workspace.get('verification.run', { ...order('G-2'), repeatAnyway: true })).toMatchObject({
      kind: 'recorded'
    })
    // Rows of a new batch are compared with it as well.
    const { checkId } = await workspace.get('batches.checkText', {
      name: 'x.csv',
      text: 'applicant_id\nG-2\nG-4\n',
      reading: { operations: ['get-applicant-details'] }
    })
    expect(await workspace.get('batches.recentDuplicates', { checkId, connectionId })).toMatchObject({ rows: 1 })
  })

  test('reports unknown if the previous files do not open', async () => {
    await workspace.get('verification.run', order('G-1'))
    const backup = await workspace.get('backups.create')
    await workspace.get('verification.run', order('G-2'))
    const sent = requests()
    await damageHistory()
    expect(await workspace.get('backups.restore', { id: backup.id })).toMatchObject({ held: { known: false } })
    expect(await workspace.get('verification.run', order('G-1'))).toMatchObject({ kind: 'recently-answered' })
    for (const id of ['G-2', 'G-3'])
      expect(await workspace.get('verification.run', order(id))).toMatchObject({
        kind: 'may-have-been-sent',
        earlier: { kind: 'not-known' }
      })
    expect(requests()).toBe(sent)
    expect(await workspace.get('verification.run', { ...order('G-3'), repeatAnyway: true })).toMatchObject({
      kind: 'recorded'
    })
  })

  test('drops a person who is erased afterwards', async () => {
    await workspace.get('verification.run', order('G-1'))
    const backup = await workspace.get('backups.create')
    await workspace.get('verification.run', { ...order('G-1'), repeatAnyway: true })
    await workspace.get('backups.restore', { id: backup.id })
    expect(
      await workspace.get('erasure.run', { applicantId: 'G-1', confirmation: 'G-1', reason: 'asked for' })
    ).toMatchObject({ records: 1 })
    expect(await workspace.get('verification.run', order('G-1'))).toMatchObject({ kind: 'recorded' })
    expect((await readdir(workspace.dataFolder)).filter((name) => name.startsWith('history-set-aside-'))).toHaveLength(
      1
    )
  })
})
