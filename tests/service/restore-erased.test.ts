/**
 * What is derived from an erased applicant can end: a backup that was made while a request of theirs was in progress is restored,
 * and a running batch goes on past their rows.
 */
import type { BatchReading } from '#contract/batches/batches.ts'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { packedEvents } from './support/packs.ts'
import { check, erase, openWorkspace, person, store, value, type Workspace } from './support/erasure-workspace.ts'
import { answer, connectionNamed, intentOf, lost } from './history-fixtures.ts'

const day = 86_400_000

describe('a backup that was made while a request was in progress', () => {
  let dataFolder: string
  let one: Workspace
  beforeEach(async () => {
    dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-restore-erased-'))
    one = await openWorkspace(dataFolder)
  })
  afterEach(async () => {
    await one.current.close()
    rmSync(dataFolder, { recursive: true, force: true })
  })

  /** A backup with an open record of the person, which then ends. */
  async function backupInProgress(ending = answer()): Promise<{ readonly backup: string; readonly record: string }> {
    await check(one, { applicant: 'APP-STAYS' })
    const begun = await value(store(one).begin(intentOf({ applicant: person, startedAt: Date.now() - 2 * day })))
    const backup = (await value(one.backups.make())).id
    await value(store(one).finish(begun.id, ending))
    return { backup, record: begun.id }
  }
  const ways = {
    'on request': () => erase(one),
    async 'by retention'() {
      one.settings = { ...one.settings, retentionDays: { [connectionNamed('Sandbox').id]: 1 } }
      // The other record is older still: both go.
      const { digest } = await value(one.retention.plan())
      return one.retention.run({ digest, reason: 'past its days' })
    }
  }

  test.each(Object.keys(ways) as (keyof typeof ways)[])(
    'is restored after its applicant was erased %s',
    async (way) => {
      const { backup, record } = await backupInProgress(way === 'on request' ? answer() : lost)
      await value(ways[way]())
      expect((await value(one.backups.list())).backups).toMatchObject([{ id: backup, state: 'whole' }])

      expect(await value(one.backups.restore(backup))).toMatchObject({
        history: { state: 'ready', recordsAtOpening: 2 }
      })
      expect(await value(store(one).record(record))).toMatchObject({ state: 'unknown', erased: true, input: {} })
      // The event of the erasure is lost, and one of the restore takes its place, also after another start. The receipt is that
      // of the erasure itself.
      await one.current.close()
      one = await openWorkspace(dataFolder, one.secrets.entries)
      const { events } = await value(store(one).audit.page({ limit: 50 }))
      const records = way === 'on request' ? '1 record' : '2 records'
      expect(events.filter(({ kind }) => kind === 'subject.erased').map(({ words }) => words)).toEqual([
        `Personal data that was erased before removed again by a restore: ${records}.`
      ])
      expect(await value(one.retention.receipts())).toMatchObject([{ replaced: true }])
      expect(await value(store(one).verifyChain())).toMatchObject({ intact: true })
      expect(await value(one.backups.make())).toMatchObject({ state: 'whole', records: 2 })
      // Whoever looks at the outcome can still record what came of it.
      await value(store(one).resolve(record, 'processed', 'asked the service', { at: Date.now(), operator: 'tester' }))
    }
  )
})

describe('in a console', () => {
  let workspace: TestConsole
  let connectionId: string
  beforeEach(async () => {
    workspace = await startTestConsole()
    connectionId = (await workspace.get('practice.start')).id
  })
  afterEach(() => workspace.dispose())
  const eraseNow = (applicantId: string) =>
    workspace.get('erasure.run', { applicantId, confirmation: applicantId, reason: 'asked for' })

  test('the record that was open in the backup fits its audit trail and a pack', async () => {
    const applicantId = 'PRACTICE-slow-3'
    const ending = workspace.get('verification.run', {
      runId: crypto.randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: applicantId }
    })
    await expect.poll(() => workspace.practice.ledger().length, { timeout: 20_000 }).toBe(1)
    const backup = await workspace.get('backups.create')
    const ended = await ending
    if (ended.kind !== 'recorded') throw new Error(ended.kind)
    expect(ended.record.state).toBe('answered')
    await eraseNow(applicantId)
    await workspace.get('backups.restore', { id: backup.id })
    expect(await workspace.get('history.record', { id: ended.record.id })).toMatchObject({
      state: 'unknown',
      erased: true
    })
    expect(await workspace.get('audit.verify')).toMatchObject({ intact: true })
    const events = await packedEvents(workspace, { kind: 'record', id: ended.record.id })
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['record.begun', 'record.ended']))
  })

  /** A batch of two rows, whose first cells a person corrected, not started. */
  async function correctedBatch(): Promise<string> {
    const reading: BatchReading = { operations: ['get-applicant-details'] }
    const { checkId } = await workspace.get('batches.checkText', {
      name: 'rows.csv',
      text: 'applicant_id\nTYPO-1\nTYPO-2\n',
      reading
    })
    const corrections = [1, 2].map((number) => ({ row: number + 1, column: 0, value: `PERSON-${number}` }))
    await workspace.get('batches.recheck', { checkId, reading: { ...reading, corrections } })
    const order = { checkId, connectionId, name: 'Rows', atOnce: 1, pace: 0, skipDuplicates: true, skipRecent: true }
    return (await workspace.get('batches.create', order)).id
  }
  async function runToEnd(id: string): Promise<void> {
    await workspace.get('batches.start', { id, afterRestore: true })
    await expect
      .poll(async () => (await workspace.get('batches.show', { id })).state, { timeout: 20_000 })
      .toBe('finished')
  }
  /** What any list, page and file of the batch and the history says. */
  async function everythingSaid(id: string): Promise<string> {
    const rows = await workspace.get('batches.rows', { id, offset: 0, limit: 9 })
    const records = await Promise.all(
      rows.rows.flatMap(({ recordId }) => (recordId ? [workspace.get('history.record', { id: recordId })] : []))
    )
    const texts = [JSON.stringify([rows, records])]
    for (const format of ['csv', 'jsonl'] as const) {
      workspace.save = workspace.fileAt(`all.${format}`)
      await workspace.get('exports.history', { exportId: crypto.randomUUID(), filter: {}, format })
      texts.push(readFileSync(workspace.save, 'utf8'))
      await workspace.get('batches.save', { id, file: format === 'csv' ? 'results' : 'lossless' })
      texts.push(readFileSync(workspace.save, 'utf8'))
    }
    return texts.join('\n')
  }

  test('what a file says in a corrected cell goes with the applicant whose row it is', async () => {
    const id = await correctedBatch()
    await runToEnd(id)
    const before = await everythingSaid(id)
    expect(before.match(/TYPO-1/g)?.length).toBeGreaterThan(5)
    await eraseNow('PERSON-1')
    const after = await everythingSaid(id)
    expect(after).not.toMatch(/TYPO-1|PERSON-1/)
    expect(after).toContain('the file says “TYPO-2”, corrected to “PERSON-2”')
    expect(await workspace.get('audit.verify')).toMatchObject({ intact: true })
  })

  test('corrections come back with a backup, and are sent', async () => {
    const id = await correctedBatch()
    const backup = await workspace.get('backups.create')
    await eraseNow('PERSON-2')
    await workspace.get('backups.restore', { id: backup.id })
    expect(await everythingSaid(id)).not.toMatch(/TYPO-2|PERSON-2/)
    await runToEnd(id)
    const { rows } = await workspace.get('batches.rows', { id, offset: 0, limit: 9 })
    expect(rows.map(({ state, corrections }) => [state, corrections?.[0]?.said])).toEqual([
      ['answered', 'TYPO-1'],
      ['cancelled', undefined]
    ])
    expect(await workspace.get('history.record', { id: rows[0]?.recordId ?? '' })).toMatchObject({
      input: { applicant_id: 'PERSON-1' },
      corrections: [{ said: 'TYPO-1', value: 'PERSON-1', by: 'tester' }]
    })
  })

  test('a running batch goes on past the rows of an applicant who is erased while they wait', async () => {
    const text = ['applicant_id', 'E-1', 'E-2', 'E-3', 'E-4', 'E-5', 'E-6'].join('\n')
    const { checkId } = await workspace.get('batches.checkText', {
      name: 'rows.csv',
      text,
      reading: { operations: ['get-applicant-details'] }
    })
    const { id } = await workspace.get('batches.create', {
      checkId,
      connectionId,
      name: 'Rows',
      atOnce: 1,
      pace: 60,
      skipDuplicates: true,
      skipRecent: true
    })
    await workspace.get('batches.start', { id, afterRestore: true })
    await expect
      .poll(async () => (await workspace.get('batches.show', { id })).counts.answered, { timeout: 20_000 })
      .toBeGreaterThan(0)
    await eraseNow('E-5')
    await expect
      .poll(async () => (await workspace.get('batches.show', { id })).state, { timeout: 30_000 })
      .not.toBe('running')
    expect(await workspace.get('batches.show', { id })).toMatchObject({
      state: 'finished',
      counts: { answered: 5, cancelled: 1, waiting: 0 }
    })
    expect(workspace.practice.ledger()).toHaveLength(5)
  })
})
