/** The lock in a window: what it empties, what comes back, and who may open it. */
import type { Page } from '@playwright/test'
import { operationOf } from '#contract/verification/operations.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { secretsOfFolder } from '#core/history/folder-keys.ts'
import { fileNames } from '#wire/sqlite/files.ts'
import { derivedKey } from '#kit/sealing/seal.ts'
import { keychainIn } from '../service/support/keyring.ts'
import { inspect } from './fixtures/axe.ts'
import { begin, idsCsv, newBatch } from './fixtures/batch.ts'
import { family } from './fixtures/ending.ts'
import { heapHolds, processHolds } from './fixtures/memory.ts'
import { canHaveSystemBus, startSystemBus } from '../service/support/system-bus.ts'
import { electronRuntime } from './fixtures/runtime.ts'
import { ask, expect, test, usePractice, type Workspace } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { LockPage } from './pages/lock.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const canary = 'CANARY-7Q'
const [first, second] = ['seven green kettles', 'nine yellow kettles']

/** Each key of the data folder (the history's, those of its files, that of the drafts) as it can be in memory. */
async function keysOf(workspace: Workspace, dataFolder: string): Promise<Record<string, Buffer>> {
  const { keychain } = keychainIn(workspace.keyring?.env ?? {})
  const own = secretsOfFolder(keychain, dataFolder)
  const [master, drafts] = [await own.get(masterKeyAccount), await own.get(`${masterKeyAccount}-drafts`)]
  await keychain.close()
  if (!master.ok || master.value === undefined || !drafts.ok) throw new Error('no key')
  const found = Buffer.from(master.value, 'hex')
  const keys: Record<string, Buffer> = {
    history: found,
    ...(drafts.value !== undefined && { drafts: Buffer.from(drafts.value, 'hex') })
  }
  for (const name of Object.values(fileNames)) keys[name] = derivedKey(found, name)
  return Object.fromEntries(
    Object.entries(keys).flatMap(([name, key]) => {
      const text = key.toString('hex')
      return [
        [`${name} as bytes`, key],
        [`${name} as text`, Buffer.from(text)],
        [`${name} as wide text`, Buffer.from(text, 'utf16le')]
      ]
    })
  )
}
/** Which of the keys each process of the host holds. */
const keysHeld = (workspace: Workspace, keys: Record<string, Buffer>): string[] => {
  const host = workspace.session().process.pid ?? 0
  return family(host).flatMap((pid) => processHolds(pid, keys).map((key) => `${pid === host ? 'core' : pid}: ${key}`))
}
/** A locked window loads anew, and answers nothing meanwhile. */
const working = (page: Page): Promise<string> =>
  ask(page, 'app.state').then(
    ({ lock }) => lock?.working ?? 'nothing',
    () => 'loading'
  )
const wiped = (page: Page) => expect.poll(() => working(page), { timeout: 30_000 }).toBe('nothing')
/** A passphrase is stretched on purpose, which a busy computer takes some seconds for. */
const stretched = { timeout: 40_000 }

test.use({ ownHost: true })

test(
  'a lock empties the window, from the keyboard alone, and unlocking brings the drafts back',
  { tag: '@electron-instead' },
  async ({ workspace, practice, dataFolder }) => {
    test.setTimeout(180_000)
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    const page = await begin(workspace, practice)
    const verify = new VerifyPage(page)
    await verify.open('get-applicant-details')
    await verify.run('get-applicant-details', { applicant_id: canary })
    await expect(verify.record.root).toBeVisible()
    await goTo(page, `/applicants/${canary}`)
    await expect(new Shell(page).heading).toContainText(canary)
    // Each reads the key of the history for itself.
    const { id } = await ask(page, 'backups.create')
    await ask(page, 'backups.check', { id })
    await ask(page, 'recovery.create')
    await ask(page, 'backups.restore', { id })
    await verify.open('validate-kyc-photo')
    // The search finds keys while they are in use.
    expect(keysHeld(workspace, await keysOf(workspace, dataFolder))).not.toEqual([])
    await verify.fill('validate-kyc-photo', { photo_url: `https://files.example.com/${canary}.jpg` })
    const { electron } = workspace.session()
    if (electron) await electron.evaluate(({ powerMonitor }) => void powerMonitor.emit('lock-screen'))
    else await page.keyboard.press('ControlOrMeta+Shift+L')
    const lock = new LockPage(page)
    await expect(lock.heading).toBeVisible()
    await expect(lock.root).toContainText(electron ? 'The screen was locked.' : 'You locked it.')
    await expect(lock.unlock).toBeFocused()
    await wiped(page)
    expect(await heapHolds(page, canary), 'the heap of the page').toEqual([])
    // The session that created the keys.
    expect(
      keysHeld(workspace, await keysOf(workspace, dataFolder)),
      'keys in the memory of the host’s processes'
    ).toEqual([])
    await inspect(page, 'the lock page')
    await page.keyboard.press('ControlOrMeta+k')
    await expect(new Shell(page).palette).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(lock.root).toHaveCount(0)
    // Back where the person was, in the field that was being filled in.
    const title = operationOf('validate-kyc-photo').title
    await expect(new Shell(page).announced).toHaveText(`Unlocked. ${title}`)
    await expect(verify.field(operationOf('validate-kyc-photo').fields[0]?.label ?? '')).toBeFocused()
    await expect(verify.field(operationOf('validate-kyc-photo').fields[0]?.label ?? '')).toHaveValue(
      `https://files.example.com/${canary}.jpg`
    )
  }
)

test(
  'the screen’s lock by logind locks the window',
  { tag: '@electron' },
  async ({ host, openHost, dataFolder, home, hostEnvironment }) => {
    test.skip(host !== 'electron' || !canHaveSystemBus, 'the preview has no screen to lock; needs a system bus')
    const runtime = electronRuntime()
    if ('missing' in runtime) throw new Error(runtime.missing)
    const bus = await startSystemBus()
    const { page, close } = await openHost({
      dataFolder,
      home,
      environment: { ...hostEnvironment, XDG_SESSION_ID: 'c7' },
      executable: bus.starter(runtime.executablePath)
    })
    try {
      await usePractice(page)
      const lock = new LockPage(page)
      // Sent until it is noticed: the watcher needs a moment to start.
      await expect(async () => {
        bus.send('/org/freedesktop/login1/session/c7', 'org.freedesktop.login1.Session.Lock')
        await expect(lock.heading).toBeVisible({ timeout: 500 })
      }).toPass()
      await expect(lock.root).toContainText('The screen was locked.')
    } finally {
      await close()
      await bus.end()
    }
  }
)

test(
  'a passphrase: the next start is locked, wrong ones are refused, the recovery key sets another, and no key is in memory',
  { tag: '@electron-instead' },
  async ({ workspace, practice, dataFolder }) => {
    test.setTimeout(240_000)
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    let page = await begin(workspace, practice)
    await expect.poll(async () => (await ask(page, 'app.state')).history.state).toBe('ready')
    const keys = await keysOf(workspace, dataFolder)
    const { key } = await ask(page, 'recovery.create')
    await goTo(page, '/administration/settings')
    await page.getByRole('button', { name: 'Set passphrase' }).click()
    const form = page.getByRole('form', { name: 'Set passphrase' })
    await form.getByLabel('New passphrase').fill('password1234')
    await form.getByLabel('Repeat passphrase').fill('password1234')
    await expect(form.getByText('This passphrase is too easy to guess')).toBeVisible()
    await form.getByLabel('New passphrase').fill(first)
    await form.getByLabel('Repeat passphrase').fill(first)
    await inspect(page, 'the form of a passphrase')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('button', { name: 'Change passphrase' })).toBeVisible(stretched)

    page = await workspace.again()
    const lock = new LockPage(page)
    await expect(lock.heading).toBeVisible()
    await expect(lock.passphrase).toBeFocused()
    await lock.passphrase.fill('eight green kettles')
    await page.keyboard.press('Enter')
    await expect(lock.root).toContainText('The passphrase is wrong', stretched)
    await expect(lock.passphrase).toHaveValue('')
    await inspect(page, 'the lock page after a wrong passphrase')
    await lock.passphrase.fill(first)
    await page.keyboard.press('Enter')
    await expect(lock.root).toHaveCount(0, stretched)
    await new Shell(page).paletteGo('lock veridesk')
    await expect(lock.heading).toBeVisible()
    await wiped(page)
    expect(keysHeld(workspace, keys), 'keys in the memory of the host’s processes').toEqual([])
    await lock.forgotten.click()
    await lock.recovery.getByLabel('Recovery key').fill(key)
    await lock.recovery.getByLabel('New passphrase').fill(second)
    await lock.recovery.getByLabel('Repeat passphrase').fill(second)
    await inspect(page, 'a forgotten passphrase')
    await lock.recovery.getByRole('button', { name: 'Set passphrase and unlock' }).click()
    await expect(lock.root).toHaveCount(0, stretched)
    expect((await ask(page, 'app.state')).history.state).toBe('ready')
  }
)

test('a running batch is paused, or continues while the page says so', async ({ workspace, practice }) => {
  test.setTimeout(120_000)
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await begin(workspace, practice)
  const lock = new LockPage(page)
  for (const choice of ['continue', 'pause'] as const) {
    await ask(page, 'settings.change', { lockBatch: choice })
    // Rows take some seconds, during which the console is locked; the batch that is paused has more than it begins.
    const rows = idsCsv(40, (row) =>
      choice === 'pause' ? `PRACTICE-slow-4.${row}` : row === 2 ? 'PRACTICE-slow-10' : `${choice}-${row}`
    )
    const form = await newBatch(page, rows)
    await form.go('Send')
    await form.start.click()
    await expect.poll(async () => (await ask(page, 'batches.list', { limit: 1 }))[0]?.state).toBe('running')
    await page.keyboard.press('ControlOrMeta+Shift+L')
    await expect(lock.heading).toBeVisible()
    await expect(lock.root).toContainText('You locked it.')
    if (choice === 'continue') await expect(lock.root).toContainText('A batch is still running')
    await wiped(page)
    // The window that has loaded anew answers before it is drawn.
    await expect(lock.unlock).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(lock.root).toHaveCount(0)
    await expect
      .poll(async () => (await ask(page, 'batches.list', { limit: 1 }))[0]?.state, { timeout: 15_000 })
      .toBe(choice === 'continue' ? 'finished' : 'paused')
  }
})
