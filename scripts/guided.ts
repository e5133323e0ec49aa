/**
 * The console's main task, driven headless through its real window: a new user starts the practice service, validates a
 * passport, reads the answer, closes the window, opens it again and finds the verification in the history. `npm start`
 * runs it without a display; it leaves only a screenshot.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Locator, type Page } from '@playwright/test'
import { operationOf } from '#contract/verification/operations.ts'
import { outcomes } from '#contract/verification/outcomes.ts'

const root = join(import.meta.dirname, '..')
const screenshot = join(root, 'out', 'veridesk-first-check.png')
/** Milliseconds for any single step; none takes a second on an ordinary machine. */
const patience = 20_000
const passport = operationOf('validate-passport')
/** A keychain that outlives the window; without one, history and credentials last only for the session. */
const keychain = process.platform !== 'linux' || process.env['VERIDESK_KEYRING_PID'] !== undefined

const say = (text: string): void => console.log(`  ${text}`)

interface OpenConsole {
  readonly page: Page
  close(): Promise<void>
}

/** The address that the preview host prints when it listens for a test. */
function addressOf(host: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const listen = (chunk: Buffer): void => {
      output += chunk.toString('utf8')
      const found = /^DevTools for tests: (http:\/\/127\.0\.0\.1:\d+)$/m.exec(output)
      if (found?.[1]) resolve(found[1])
    }
    host.stdout?.on('data', listen)
    host.stderr?.on('data', listen)
    host.once('exit', (code) => reject(new Error(`the preview host ended with ${code}:\n${output.trim()}`)))
    setTimeout(
      () => reject(new Error(`the preview host did not open its window in time:\n${output.trim()}`)),
      patience
    ).unref()
  })
}

async function pageOf(browser: Browser): Promise<Page> {
  const [context] = browser.contexts()
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page', { timeout: patience }))
  if (!page) throw new Error('the preview host shows no page')
  page.setDefaultTimeout(patience)
  return page
}

/** Opens the console on a data folder as a user would, but headless. */
async function openConsole(dataFolder: string): Promise<OpenConsole> {
  const host = spawn(
    process.execPath,
    [join(root, 'out', 'preview', 'main.js'), '--data', dataFolder, '--headless', '--size', '1280x860'],
    {
      cwd: root,
      env: { ...process.env, VERIDESK_TEST_PORT: '1' },
      stdio: ['ignore', 'pipe', 'pipe']
    }
  )
  const end = (): void => void host.kill('SIGKILL')
  process.once('exit', end)
  const ended = once(host, 'exit')
  const browser = await chromium.connectOverCDP(await addressOf(host), { timeout: patience })
  return {
    page: await pageOf(browser),
    close: async () => {
      await browser.close()
      host.kill('SIGTERM')
      await ended
      process.off('exit', end)
    }
  }
}

/** A value of the record as the window shows it. */
const fact = (record: Locator, label: string): Locator =>
  record
    .locator('dt')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd[1]')

async function shown(record: Locator): Promise<{ outcome: string; status: string; message: string; id: string }> {
  await record.waitFor()
  const text = await record.innerText()
  // The facts of a record may be folded: then they have no text that is drawn.
  const id = ((await fact(record, 'Record').textContent()) ?? '').trim()
  if (id === '') throw new Error('the record shows no ID')
  return {
    outcome: outcomes.find(({ label }) => text.includes(label))?.label ?? 'of no kind known',
    status: await record.getByTestId('status').innerText(),
    message: (await record.getByTestId('message').innerText()).trim(),
    id
  }
}

async function firstCheck(page: Page): Promise<{ id: string; message: string }> {
  await page.getByRole('heading', { name: 'Welcome to Veridesk' }).waitFor()
  say('The window is open, on its first-run page.')
  await page.getByRole('button', { name: 'Practise sending without an account' }).click()
  await page.getByRole('button', { name: 'Open the first verification' }).click()
  say('The practice service is running; its connection is chosen and its credentials are set.')

  await page.getByRole('link', { name: passport.shortTitle, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: passport.title, exact: true }).waitFor()
  for (const field of passport.fields) await page.locator(`input[name="${field.name}"]`).fill(field.example)
  say(`${passport.title}: ${passport.fields.map((field) => `${field.name} = ${field.example}`).join(', ')}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()

  const answer = await shown(page.getByTestId('record'))
  say(`Outcome  ${answer.outcome}`)
  say(`Status   ${answer.status}`)
  say(`Message  ${answer.message}`)
  say(`Record   ${answer.id}`)
  await page.screenshot({ path: screenshot })
  return answer
}

async function findAgain(page: Page, sought: { id: string; message: string }): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('row').filter({ hasText: sought.message }).first().click()
  const found = await shown(page.getByTestId('record'))
  if (found.id !== sought.id) throw new Error(`the history shows record ${found.id} instead of ${sought.id}`)
  say('Found in the history: the same record with the same message.')
}

const dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-guided-'))
mkdirSync(join(root, 'out'), { recursive: true })
let open: OpenConsole | undefined
try {
  console.log('\nOne guided check against the practice service, in a data folder of its own:')
  open = await openConsole(dataFolder)
  const check = await firstCheck(open.page)
  if (keychain) {
    await open.close()
    say('The window is closed and opened again.')
    open = await openConsole(dataFolder)
  } else {
    say('There is no keychain here, so the history lasts for this session only: the window is loaded again instead.')
    await open.page.reload()
  }
  await findAgain(open.page, check)
  console.log(`\nVeridesk works on this machine. Screenshot: ${screenshot}`)
  console.log(
    'For the window itself, start it on a machine with a display. Next steps: README.md, npm run cli -- --help'
  )
} catch (error) {
  console.error(`\nThe guided check did not get through: ${error instanceof Error ? error.message : String(error)}`)
  const pictured = await open?.page.screenshot({ path: screenshot }).catch(() => undefined)
  if (pictured) console.error(`What the window showed: ${screenshot}`)
  console.error('Next step: type “npm test -- preview”, which says more, and report the result.')
  process.exitCode = 1
} finally {
  await open?.close().catch(() => undefined)
  rmSync(dataFolder, { recursive: true, force: true })
}
