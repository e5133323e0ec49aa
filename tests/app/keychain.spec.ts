/** A keychain that cannot be used: absent, locked or hung. The window opens at once and shows the next step. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { credentials } from '#contract/connections/credentials.ts'
import { failureTable } from '#contract/failures/table.ts'
import { startKeyring, type Keyring } from '../service/support/keyring.ts'
import { ask, expect, inKeyring, noKeychain, test, useService } from './fixtures/workspace.ts'
import { textsIn } from './fixtures/files.ts'
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
  'absent: credentials are kept only for this session, and never in a file',
  { tag: '@electron' },
  async ({ workspace, practice, dataFolder, home }) => {
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
    for (const credential of credentials)
      for (const folder of [dataFolder, home])
        expect(textsIn(folder)).not.toContain(practice.credentials[credential.id])

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
  { tag: '@electron' },
  async ({ workspace, practice, dataFolder }) => {
    const keyring = await startKeyring()
    keyring.signal('SIGSTOP')
    try {
      const page = await workspace.open(inKeyring(keyring))
      const shell = new Shell(page)
      await expect(shell.heading).toBeVisible()
      await shell.open('Settings')
      await expect(shell.heading).toHaveText('Settings')
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
      for (const credential of credentials)
        expect(textsIn(dataFolder)).not.toContain(practice.credentials[credential.id])

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
