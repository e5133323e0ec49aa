/** A person's actions are in the audit trail under that person's name. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AuditEvent } from '#contract/evidence/audit.ts'
import {
  askedByFile,
  decideThere,
  evidenceWorkspace,
  furnish,
  savedPack,
  type SavedPack
} from './evidence-workspace.ts'
import { batchOf, batchThatRan, checked, lasts, liveConnection, readRows, standsAs } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { commandLine } from './support/program.ts'

let console: TestConsole
let folder: string
let colleagues: SavedPack
let asked: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-actions-'))
  const colleague = await evidenceWorkspace(folder, 'colleague')
  const id = await furnish(colleague)
  colleagues = await savedPack(colleague, folder, { kind: 'record', id })
  await decideThere(colleague, 'colleague')
  asked = await askedByFile(colleague, folder)
  await colleague.store.close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  console = await startTestConsole()
})
afterEach(() => console.dispose())

/** Oldest first, without the view of this query itself. */
const events = async (...kinds: readonly string[]): Promise<AuditEvent[]> =>
  (await console.get('audit.page', { limit: 200 })).events
    .filter(({ kind, words }) => kinds.includes(kind) && words !== 'Audit trail opened.')
    .reverse()
const turns = async () => (await events('batch.changed')).map(({ words, operator }) => [words, operator])

test('who resolved an unknown outcome is in the audit trail and with the record', async () => {
  const id = await checked(console, 'PRACTICE-cut')
  const record = await console.get('history.resolve', { id, as: 'processed', note: 'asked by telephone' })
  expect(await events('record.resolved')).toMatchObject([{ operator: 'tester', recordId: id }])
  expect(record.resolved).toMatchObject({ as: 'processed', operator: 'tester' })
})

test('who started, paused and cancelled a live batch is in the audit trail, and what Veridesk did by itself is nobody’s', async () => {
  const connection = await liveConnection(console)
  const id = await batchOf(console, ['PRACTICE-slow-1', 'A-2'], connection)
  await console.get('batches.start', { id, confirmation: 'Real' })
  await console.get('batches.pause', { id })
  await standsAs(console, id, 'paused')
  await console.get('batches.start', { id, confirmation: 'Real' })
  await standsAs(console, id, 'finished')
  const other = await batchOf(console, ['A-3'], connection)
  await console.get('batches.cancel', { id: other })
  expect(await turns()).toEqual([
    ['Batch started.', 'tester'],
    ['Batch paused.', 'tester'],
    ['Batch resumed.', 'tester'],
    ['Batch finished.', undefined],
    ['Batch cancelled.', 'tester']
  ])
})

test('a running batch that is cancelled was cancelled by its operator', async () => {
  const id = await batchOf(console, ['PRACTICE-slow-1', 'A-2'])
  await console.get('batches.start', { id })
  await console.get('batches.cancel', { id })
  await standsAs(console, id, 'cancelled')
  expect((await turns()).at(-1)).toEqual(['Batch cancelled.', 'tester'])
})

test('a batch that is run again is attributed to the operator who did so, not to the author of the first', async ({
  skip
}) => {
  const id = await batchThatRan(console, ['PRACTICE-400'])
  await console.close()
  console = await startTestConsole(console, 'another')
  skip(!(await lasts(console)), 'no keychain here, so nothing outlives the session; the runner provides one')
  await console.get('batches.again', { id })
  expect((await events('batch.made')).map(({ operator }) => operator)).toEqual(['tester', 'another'])
})

test('who resolved the unknown rows of a batch is in the audit trail', async () => {
  const id = await batchThatRan(console, ['PRACTICE-cut'])
  await console.get('batches.resolve', { id, as: 'again' })
  expect(await events('record.resolved')).toMatchObject([{ operator: 'tester' }])
  expect((await turns()).at(-1)).toEqual(['Batch paused.', 'tester'])
})

test('who read and answered a colleague’s request is in their own audit trail, with the note sealed', async () => {
  Object.assign(console, { open: asked, save: join(folder, 'answer.veridesk-approval') })
  const opened = await console.get('cases.open')
  expect(await events('view.opened')).toMatchObject([{ words: 'Case opened.', operator: 'tester' }])
  await console.get('cases.answer', {
    caseId: opened?.caseId ?? '',
    signer: opened?.verdict.signedBy ?? '',
    agrees: false,
    note: 'Kanari 4711'
  })
  expect(existsSync(console.save ?? '')).toBe(true)
  expect(await events('approval.answered')).toMatchObject([
    {
      words: expect.stringMatching(/^Request of a colleague for approval answered: returned/) as string,
      operator: 'tester'
    }
  ])
})

test('a request whose answer was not saved was not answered', async () => {
  console.open = asked
  const opened = await console.get('cases.open')
  expect(
    await console.get('cases.answer', {
      caseId: opened?.caseId ?? '',
      signer: opened?.verdict.signedBy ?? '',
      agrees: true,
      note: ''
    })
  ).toBeNull()
  expect(await events('approval.answered')).toEqual([])
})

test('who verified a pack or the audit trail, and how that ended, is in the audit trail', async () => {
  console.open = colleagues.path
  await console.get('evidence.check')
  await writeFile(
    (console.open = join(folder, 'forged.json')),
    colleagues.text.replace('"payload":"ey', '"payload":"ez')
  )
  await console.get('evidence.check')
  await console.get('audit.verify')
  expect((await events('evidence.verified')).map(({ words, operator }) => [words, operator])).toEqual([
    [`Evidence pack ${colleagues.view.digest.slice(0, 16)} verified.`, 'tester'],
    ['Evidence pack refused.', 'tester'],
    ['Audit trail verified: intact.', 'tester']
  ])
})

test('the recovery key’s use is in the history that it opened', async ({ skip }) => {
  skip(!(await lasts(console)), 'no keychain here, so nothing outlives the session; the runner provides one')
  const { key } = await console.get('recovery.create')
  await console.close()
  const bus = process.env['DBUS_SESSION_BUS_ADDRESS']
  process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent'
  try {
    console = await startTestConsole(console, 'locksmith')
    expect(await console.get('recovery.open', { key })).toMatchObject({ state: 'ready' })
    expect((await events('setting.changed')).at(-1)).toMatchObject({
      words: 'The recovery key was used to open the history.',
      operator: 'locksmith'
    })
    await console.close()
  } finally {
    process.env['DBUS_SESSION_BUS_ADDRESS'] = bus
  }
})

test('a recovery key of another history that was entered is noted, and not which', async ({ skip }) => {
  skip(!(await lasts(console)), 'no keychain here, so nothing outlives the session; the runner provides one')
  const { key } = await console.get('recovery.create')
  await console.get('recovery.create')
  expect(await console.ask('recovery.open', { key })).toMatchObject({
    ok: false,
    failure: { code: 'recovery-key-wrong' }
  })
  const changes = await events('setting.changed')
  expect(changes.at(-1)).toMatchObject({ words: 'The recovery key was entered and did not fit.', operator: 'tester' })
  expect(JSON.stringify(changes)).not.toContain(key.slice(0, 4))
})

test('who set a history aside is in the new history', async () => {
  await console.get('history.setAside')
  expect(await events('setting.changed')).toMatchObject([
    { words: 'The history was set aside, and a new one begun.', operator: 'tester' }
  ])
})

test('rows that leave Veridesk in a file are exports, whoever names the file', async () => {
  const id = await batchOf(console, ['A-1', ''])
  await (await console.veridesk.batches()).saveTo(id, 'results', join(folder, 'results.csv'))
  const checkId = await readRows(console, ['A-1', '\u0007'])
  console.save = join(folder, 'invalid.csv')
  expect(await console.get('batches.saveInvalid', { checkId })).toMatchObject({ rows: 1 })
  expect((await events('export.made')).map(({ words, operator }) => [words, operator])).toEqual([
    ['Export (batch, results) with 1 entry saved.', 'tester'],
    ['Export (invalid rows, csv) with 1 entry saved.', 'tester']
  ])
})

test('the receipt of an erasure that was saved is an export', async () => {
  await checked(console, 'PRACTICE-pass')
  const { id } = await console.get('erasure.run', {
    applicantId: 'PRACTICE-pass',
    confirmation: 'PRACTICE-pass',
    reason: 'asked'
  })
  console.save = join(folder, 'receipt.json')
  await console.get('erasure.saveReceipt', { id })
  expect((await events('export.made')).map(({ words, operator }) => [words, operator])).toEqual([
    ['Export (receipt, json) with 1 entry saved.', 'tester']
  ])
})

test('each copy to the clipboard is in the audit trail, and not what was copied', async () => {
  await console.get('app.copy', { text: 'Kanari 4711' })
  await console.get('app.copied', { text: 'Kanari' })
  const copies = await events('text.copied')
  expect(copies.map(({ words, operator }) => [words, operator])).toEqual([
    ['Text of 11 characters copied to the clipboard.', 'tester'],
    ['Text of 6 characters copied to the clipboard.', 'tester']
  ])
  expect(JSON.stringify(await console.get('audit.page', { limit: 200 }))).not.toContain('Kanari')
})

test('an earlier answer that the spend guard shows is a view of its record', async () => {
  const id = await checked(console)
  const { id: connectionId } = await console.get('practice.start')
  const again = { connectionId, operation: 'get-applicant-details', input: { applicant_id: 'PRACTICE-pass' } } as const
  expect(await console.get('verification.run', { runId: randomUUID(), ...again })).toMatchObject({
    kind: 'recently-answered',
    earlier: { id }
  })
  expect(await events('view.opened')).toMatchObject([
    { words: 'Details of a record opened.', recordId: id, operator: 'tester' }
  ])
})

test('each view of the rows of a batch is in the audit trail, also where a host without a window asks', async () => {
  const id = await batchOf(console, ['A-1', 'A-2'])
  const visit = randomUUID()
  for (const offset of [0, 1, 0]) await console.get('batches.rows', { id, offset, limit: 1, visit })
  await (await console.veridesk.batches()).rows({ id, offset: 0, limit: 1 })
  expect(
    (await events('view.opened'))
      .filter(({ words }) => words.startsWith('Rows'))
      .map(({ words, operator }) => [words, operator])
  ).toEqual([
    ['Rows of a batch opened.', 'tester'],
    ['Rows of a batch opened.', 'tester']
  ])
})

test('the command line leaves the same events', async ({ skip }) => {
  skip(!(await lasts(console)), 'no keychain here, so nothing outlives the session; the runner provides one')
  const [id, batch] = [await checked(console), await batchThatRan(console, ['PRACTICE-cut'])]
  await console.close()
  for (const words of [
    ['history', 'search', 'PRACTICE'],
    ['history', 'show', id],
    ['batch', 'show', batch],
    ['batch', 'save', batch, '--out', join(folder, 'saved.csv')],
    ['batch', 'resolve', batch, '--as', 'sent'],
    ['audit', 'verify']
  ])
    await promisify(execFile)(process.execPath, [commandLine, ...words, '--data', console.dataFolder])
  console = await startTestConsole(console)
  const all = await events('view.opened', 'export.made', 'record.resolved', 'evidence.verified')
  expect(all.map(({ words }) => words)).toEqual([
    'History searched.',
    'Details of a record opened.',
    'Rows of a batch opened.',
    'Export (batch, results) with 1 entry saved.',
    'Unknown outcome resolved as processed.',
    'Audit trail verified: intact.'
  ])
  expect(all.every(({ operator }) => operator === userInfo().username)).toBe(true)
})
