/** A history that does not open: each reason has its message and suitable remedies; nothing is discarded. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FailureCode } from '#contract/failures/failures.ts'
import { failureTable } from '#contract/failures/table.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { openEngine } from '#store/engine/opening.ts'
import { fileNames, historyFolder, openFile } from '#wire/sqlite/files.ts'
import { derivedKey } from '#kit/sealing/seal.ts'
import { intentOf } from '../service/history-fixtures.ts'
import { expect, noKeychain, test as base, usePractice } from './fixtures/workspace.ts'
import { smallDisk } from './fixtures/disk.ts'
import { historyKey, seedHistory, withoutHistoryKey } from './fixtures/history.ts'
import { HistoryPage } from './pages/history.ts'
import { DataManagementPage } from './pages/records.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const some = 40
const beginning = (code: FailureCode): string => failureTable[code].what.split(/ ?\(?\{/)[0] ?? ''

const test = base.extend<{ files: string; key: string }>({
  files: async ({ workspace, dataFolder }, use) => {
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    if (workspace.keyring) await seedHistory(dataFolder, workspace.keyring, some)
    await use(historyFolder(dataFolder))
  },
  key: async ({ workspace, dataFolder }, use) =>
    use(workspace.keyring ? await historyKey(workspace.keyring, dataFolder) : '')
})

test('damaged: the file is kept, and a new history begins when the user chooses it', async ({
  workspace,
  files,
  dataFolder
}) => {
  const bytes = readFileSync(join(files, fileNames.history))
  bytes.fill(0x5a, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 64)
  writeFileSync(join(files, fileNames.history), bytes)

  const page = await workspace.open()
  const shell = new Shell(page)
  await usePractice(page)
  await expect(shell.stateChips).toContainText('History not open')
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
  await expect(verify.failure).toContainText('Nothing was sent. Every verification is recorded before it is sent.')

  await shell.open('History')
  const history = new HistoryPage(page)
  await expect(history.failure.first()).toContainText(beginning('history-damaged'))
  await history.tryAgain.click()
  await expect(history.failure.first()).toContainText(beginning('history-damaged'))
  await history.setAside.click()
  const dialog = shell.dialog('Set the history aside?')
  const go = dialog.getByRole('button', { name: 'Set aside and start new' })
  await expect(go).toBeDisabled()
  await dialog.getByRole('textbox').fill('set aside')
  await go.click()
  await expect(shell.message).toContainText('A new history was started. The old file was kept.')
  await expect(history.empty).toBeVisible()
  const aside = readdirSync(dataFolder).find((name) => name.startsWith('history-set-aside-'))
  expect(readFileSync(join(dataFolder, aside ?? '', fileNames.history)).equals(bytes)).toBe(true)
})

test('newer: the user is asked to update, and setting aside is not offered', async ({ workspace, files, key }) => {
  const file = openFile(files, 'history', derivedKey(Buffer.from(key, 'hex'), fileNames.history).toString('hex'))
  file.pragma('user_version=999')
  file.close()
  const page = await workspace.open()
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.failure).toContainText(beginning('history-newer'))
  await expect(history.failure).toContainText('format 999')
  await expect(history.setAside).toHaveCount(0)
})

test('busy: opens with “Try again” as soon as the other process releases it', async ({ workspace, files, key }) => {
  const other = openEngine({ folder: files, masterKey: key, now: Date.now() })
  if (!other.ok) throw new Error(sentencesOf(other.failure).what)
  const page = await workspace.open()
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.failure).toContainText(beginning('history-busy'))
  await expect(history.setAside).toHaveCount(0)
  other.value.engine.close()
  await history.tryAgain.click()
  await expect(history.total).toHaveText(`${some} records`)
})

test('key missing: no new history over the old one; found again with the restored key', async ({
  workspace,
  files,
  dataFolder
}) => {
  if (!workspace.keyring) return
  const restore = await withoutHistoryKey(workspace.keyring, dataFolder)
  try {
    const page = await workspace.open()
    const history = new HistoryPage(page)
    await history.open()
    await expect(history.failure).toContainText(beginning('history-key-missing'))
    await expect(history.setAside).toBeVisible()
    expect(existsSync(join(files, fileNames.history))).toBe(true)
    await restore()
    await history.tryAgain.click()
    await expect(history.total).toHaveText(`${some} records`)
  } finally {
    await restore()
  }
})

test('no keychain for an existing history: it stays closed, and the user can work for this session', async ({
  workspace,
  files,
  dataFolder
}) => {
  const before = readFileSync(join(files, fileNames.history))
  const page = await workspace.open(noKeychain)
  const shell = new Shell(page)
  await usePractice(page)
  await expect(shell.stateChips).toContainText('History not open')
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.failure).toContainText(failureTable['keychain-absent'].what)
  await history.forSession.click()
  await expect(shell.stateChips).toContainText('History for this session only')
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
  await expect(verify.record.status).toHaveText('200')
  await history.open()
  await expect(history.rows).toHaveCount(1)

  const again = await workspace.again()
  await new HistoryPage(again).open()
  await expect(new HistoryPage(again).total).toHaveText(`${some} records`)
  expect(readFileSync(join(historyFolder(dataFolder), fileNames.history)).length).toBeGreaterThanOrEqual(before.length)
})

test('no keychain and no history: records are kept for this session, and no file is created', async ({
  workspace,
  dataFolder
}) => {
  const page = await workspace.open(noKeychain)
  const shell = new Shell(page)
  await usePractice(page)
  await expect(shell.stateChips).toContainText('No keychain')
  await expect(shell.stateChips).toContainText('History for this session only')
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
  await expect(verify.record.status).toHaveText('200')
  expect(existsSync(historyFolder(dataFolder))).toBe(false)

  // The remedy that the message names is available, and says why it does not work yet.
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.rows).toHaveCount(1)
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await expect(shell.message).toContainText(failureTable['keychain-absent'].what)
  await expect(history.rows).toHaveCount(1)
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  await expect(dataManagement.recovery).toContainText('so a recovery key cannot open it')
  await expect(dataManagement.recovery.getByRole('button')).toBeDisabled()
})

test('disk full: the history is read-only and searchable, nothing is sent, and it becomes writable again', async ({
  workspace,
  files,
  key
}) => {
  const engine = openEngine({ folder: files, masterKey: key, now: Date.now() })
  if (!engine.ok) throw new Error(sentencesOf(engine.failure).what)
  // A verification left open by a crash must be updated at the next start, which a full disk prevents.
  engine.value.engine.commit([(writer) => writer.begin(intentOf({ applicant: 'APP-LEFT-OPEN' }))])
  engine.value.engine.close()
  const disk = smallDisk(files)
  test.skip(disk === undefined, 'mounting a small disk needs root')
  try {
    const page = await workspace.open()
    const shell = new Shell(page)
    await usePractice(page)
    await expect(shell.stateChips).toContainText('Disk full: read-only')
    const history = new HistoryPage(page)
    await history.open()
    await expect(history.total).toHaveText(`${some + 1} records`)
    await expect(page.getByTestId('read-only')).toContainText(failureTable['history-read-only'].what)
    await history.search.fill('APP-LEFT-OPEN')
    await expect(history.rows).toHaveCount(1)
    await history.rows.first().click()
    await expect(page.getByRole('main')).toContainText('APP-LEFT-OPEN')
    const verify = new VerifyPage(page)
    await verify.open('get-applicant-details')
    await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
    await expect(verify.failure).toContainText(failureTable['history-read-only'].what)

    await history.open()
    await page.getByTestId('read-only').getByRole('button', { name: 'Try again' }).click()
    await expect(shell.message).toContainText('The disk is still full.')
    disk?.free()
    await page.getByTestId('read-only').getByRole('button', { name: 'Try again' }).click()
    await expect(shell.message).toContainText('The history is open for writing again.')
    await expect(page.getByTestId('read-only')).toHaveCount(0)
    await verify.open('get-applicant-details')
    await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
    await expect(verify.record.status).toHaveText('200')
    await workspace.close()
  } finally {
    disk?.remove()
  }
})
