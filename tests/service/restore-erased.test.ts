/**
 * What is derived from an erased applicant can end: a backup that was made while a request of theirs was in progress is restored,
 * and a running batch goes on past their rows.
 */
import { mkdtempSync, rmSync } from 'node:fs'
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

  test('a running batch goes on past the rows of an applicant who is erased while they wait', async () => {
    const text = ['applicant_id', 'E-1', 'E-2', 'E-3', 'E-4', 'E-5', 'E-6'].join('\n')
    const { checkId } = await workspace.get('batches.checkText', {
      name: 'rows.csv',
      text,
      reading: { operation: 'get-applicant-details' }
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
    await workspace.get('batches.start', { id })
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
