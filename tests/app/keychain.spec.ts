/** A keychain that cannot be used: absent, locked or hung. The window opens at once and shows the next step. */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failureTable } from '#contract/failures/table.ts'
import { startPracticeService } from '#practice/service.ts'
import { startKeyring, type Keyring } from '../service/support/keyring.ts'
import { searchFolders } from '../service/support/secret-forms.ts'
import { counted, times } from './fixtures/counts.ts'
import { ask, expect, inKeyring, noKeychain, test, useService } from './fixtures/workspace.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

test.skip(process.platform !== 'linux', 'faults are made in a keyring of Linux')
/** The sentences that a panel shows. */
const sentencesOf = (code: 'keychain-absent' | 'keychain-locked' | 'keychain-hung'): readonly string[] => {
  const { what, impact, nextStep } = failureTable[code]
  return [what, impact, nextStep]
}

test.beforeEach(({ workspace }) => test.skip(!workspace.keyring, 'needs a keyring for tests'))

test(
  'absent: credentials are kept only for this session',
  { tag: '@electron-instead' },
  async ({ workspace, practice }) => {
    const page = await workspace.open(noKeychain)
    const shell = new Shell(page)
    await expect(shell.stateChips).toContainText('No keychain')
    await useService(page, practice)
    const connections = new ConnectionsPage(page)
    await connections.open()
    for (const words of sentencesOf('keychain-absent')) await expect(connections.keychain).toContainText(words)
    await expect(connections.card('Test service').sessionOnly).toBeVisible()
    const verify = new VerifyPage(page)
    await verify.open('get-applicant-details')
    await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
    await expect(verify.record.status).toHaveText('200')

    const again = await workspace.again(noKeychain)
    await new ConnectionsPage(again).open()
    await expect(new ConnectionsPage(again).card('Test service').credential('API key')).toContainText('Not set')
  }
)

/** Unlocks a keyring as its owner does, with the password that `scripts/with-keyring.sh` uses for a locked one. */
async function unlock(keyring: Keyring): Promise<void> {
  const daemon = spawn('gnome-keyring-daemon', ['--unlock', '--replace', '--components=secrets'], {
    env: { ...process.env, ...keyring.env },
    stdio: ['pipe', 'ignore', 'ignore']
  })
  daemon.stdin.end('made by a test\n')
  await once(daemon, 'exit')
  // It takes over from the locked one after this program has ended: whoever asks before is answered by the other.
  await expect.poll(() => isLocked(keyring)).toBe('boolean false')
}

/** What the session's keyring says about itself. */
function isLocked({ env }: Keyring): string | undefined {
  const ask = [
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.secrets',
    '/org/freedesktop/secrets/aliases/default',
    'org.freedesktop.DBus.Properties.Get'
  ]
  const { stdout } = spawnSync('dbus-send', [...ask, 'string:org.freedesktop.Secret.Collection', 'string:Locked'], {
    env: { ...process.env, ...env },
    encoding: 'utf8'
  })
  return /boolean (?:true|false)/.exec(stdout)?.[0]
}

test('locked: reported as such, and “Try again” works once it is unlocked', async ({ workspace }) => {
  const keyring = await startKeyring('locked')
  try {
    const page = await workspace.open(inKeyring(keyring))
    const shell = new Shell(page)
    await expect(shell.stateChips).toContainText('Keychain locked', { timeout: 15_000 })
    const connections = new ConnectionsPage(page)
    await connections.open()
    for (const words of sentencesOf('keychain-locked')) await expect(connections.keychain).toContainText(words)
    await connections.keychainTryAgain.click()
    // The button has its name again when the attempt is over; the message itself has been shown before.
    await expect(connections.keychainTryAgain).toBeEnabled()
    await expect(connections.keychain).toContainText(failureTable['keychain-locked'].what)
    await unlock(keyring)
    await connections.keychainTryAgain.click()
    await expect(connections.keychain).toHaveCount(0)
    await expect(shell.stateChips).toBeEmpty()
  } finally {
    await keyring.end()
  }
})

test(
  'hung: the window stays usable while it waits for the keychain',
  { tag: '@electron-instead' },
  async ({ workspace, practice, dataFolder }) => {
    const keyring = await startKeyring()
    keyring.signal('SIGSTOP')
    try {
      const page = await workspace.open(inKeyring(keyring))
      const shell = new Shell(page)
      await expect(shell.heading).toBeVisible()
      await shell.open('Settings')
      await expect(shell.heading).toHaveText('Administration')
      await expect(shell.stateChips).toContainText('Keychain not responding', { timeout: 15_000 })
      const connections = new ConnectionsPage(page)
      await connections.open()
      for (const words of sentencesOf('keychain-hung')) await expect(connections.keychain).toContainText(words)
      await useService(page, practice)
      await expect(connections.card('Test service').sessionOnly).toBeVisible()
      const verify = new VerifyPage(page)
      await verify.open('get-applicant-details')
      await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
      await expect(verify.record.status).toHaveText('200')

      keyring.signal('SIGCONT')
      await connections.open()
      await connections.keychainTryAgain.click()
      await expect(connections.keychain).toHaveCount(0)
      expect((await ask(page, 'app.state')).keychain).toBe('ready')
      expect(existsSync(dataFolder)).toBe(true)
    } finally {
      keyring.signal('SIGCONT')
      await keyring.end()
    }
  }
)

/** The environment of such a keychain, and what ends it. */
async function environmentOf(kind: 'absent' | 'locked' | 'hung'): Promise<{
  readonly environment: Readonly<Record<string, string>>
  end(): Promise<void>
}> {
  if (kind === 'absent') return { environment: noKeychain, end: async () => undefined }
  const keyring = await startKeyring(kind === 'locked' ? 'locked' : 'unlocked')
  if (kind === 'hung') keyring.signal('SIGSTOP')
  return {
    environment: inKeyring(keyring),
    async end() {
      keyring.signal('SIGCONT')
      await keyring.end()
    }
  }
}

const secret = (of: string): string => `Canary+${of}/${randomBytes(18).toString('base64url')}=`

test.describe('credentials of a session without a keychain', () => {
  test.use({ ownHost: true })

  test(
    'are in no file, however it ends',
    { tag: '@electron-instead' },
    async ({ openHost, dataFolder, home, folder }) => {
      test.setTimeout(90_000 * times)
      let [sessions, files, started] = [0, 0, 0]
      for (const kind of ['absent', 'locked', 'hung'] as const) {
        const { environment, end } = await environmentOf(kind)
        try {
          for (let round = 0; round < times; round += 1) {
            const values = {
              'api-key': secret('key'),
              'api-secret': secret('secret'),
              'authorization': secret('bearer')
            }
            const service = await startPracticeService({ credentials: values })
            const from = Date.now()
            const session = await openHost({ dataFolder, home, environment })
            await expect(new Shell(session.page).heading).toBeVisible()
            // A call to the page, since a painted page may not be usable yet.
            started = Math.max(started, (await session.page.evaluate(() => Date.now())) - from)
            await expect.poll(async () => (await ask(session.page, 'app.state')).keychain).toBe(kind)
            const { id: connectionId } = await useService(session.page, service, { name: `Round ${kind} ${round}` })
            const ending = await ask(session.page, 'verification.run', {
              runId: crypto.randomUUID(),
              connectionId,
              operation: 'get-applicant-details',
              input: { applicant_id: `APP-${round}` },
              repeatAnyway: true
            })
            expect(ending).toMatchObject({ kind: 'recorded', record: { reply: { status: 200 } } })
            if (sessions % 2 === 0) session.process.kill('SIGKILL')
            await session.close().catch(() => undefined)
            await service.close()
            const searched = searchFolders([dataFolder, home], Object.values(values))
            expect(searched.hits).toEqual([])
            sessions += 1
            files += searched.files
          }
        } finally {
          await end()
        }
      }
      // The search finds one that is there.
      const [control, there] = [join(folder, 'control'), secret('control')]
      await mkdir(control)
      await writeFile(join(control, 'a'), `x${Buffer.from(`{"key":"${there}"}`).toString('base64')}`)
      await writeFile(join(control, 'b'), encodeURIComponent(there))
      expect(searchFolders([control], [there]).hits).toHaveLength(2)
      counted({
        'sessions': sessions,
        'files searched': files,
        'with a credential': 0,
        'most milliseconds to a window': Math.round(started)
      })
    }
  )
})
