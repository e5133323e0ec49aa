/** What Electron itself decides about sample data: its own start with a folder of its own, and the end of Chromium's files in it. */
import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { _electron } from '@playwright/test'
import { dialogsOf } from './fixtures/dialogs.ts'
import { endInTime } from './fixtures/ending.ts'
import { hostEnvironment, release, windowUrl } from './fixtures/hosts.ts'
import { electronRuntime } from './fixtures/runtime.ts'
import { endSamples, openFilesOf, sampleFolders, sampleProcesses } from './fixtures/sample.ts'
import { ask, expect, test as base } from './fixtures/workspace.ts'

const test = base.extend<{ temporary: string }>({
  temporary: async ({ folder }, use) => {
    const temporary = join(folder, 'tmp')
    await mkdir(temporary, { mode: 0o700 })
    await use(temporary)
    endSamples(temporary)
  }
})

/** How the tests start Electron, with an option. */
function started(option: readonly string[]): {
  readonly program: string
  readonly args: string[]
  readonly environment: Readonly<Record<string, string>>
} {
  const runtime = electronRuntime()
  if ('missing' in runtime) throw new Error(runtime.missing)
  const asRoot = process.getuid?.() === 0
  return {
    program: runtime.executablePath,
    args: [...runtime.args, '--disable-gpu', '--disable-dev-shm-usage', ...(asRoot ? ['--no-sandbox'] : []), ...option],
    environment: runtime.environment
  }
}

test(
  'started with --sample, it has sample data in a temporary folder, and leaves nothing of it',
  { tag: '@electron-only' },
  async ({ home, temporary, dataFolder }) => {
    test.setTimeout(180_000)
    const { program, args, environment } = started(['--sample'])
    const electron = await _electron.launch({
      executablePath: program,
      args,
      timeout: 60_000,
      env: { ...hostEnvironment({ dataFolder, home }), ...environment, TMPDIR: temporary, VERIDESK_TEST_ATTACH: '1' }
    })
    await release(electron)
    const child = electron.process()
    const page = await electron.firstWindow()
    await page.waitForURL(windowUrl)
    await expect(page.getByRole('region', { name: 'Sample data' })).toContainText(
      'Everything is deleted when you close this window.'
    )
    await expect
      .poll(
        async () => {
          const { sample } = await ask(page, 'app.state')
          return sample?.failure?.code ?? sample?.done === sample?.total
        },
        { timeout: 90_000 }
      )
      .toBe(true)
    expect((await ask(page, 'applicants.list', { limit: 200 })).applicants).toHaveLength(200)
    const [folder, ...others] = sampleFolders(temporary)
    expect(others).toEqual([])
    expect(readdirSync(join(temporary, folder ?? ''))).toEqual(expect.arrayContaining(['history', 'browser']))
    expect(await ask(page, 'sample.open').catch((reason: unknown) => String(reason))).toContain('sample-not-opened')
    const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve([child.exitCode])
    await page
      .getByRole('button', { name: 'Close and delete' })
      .click()
      .catch(() => undefined)
    await endInTime(ended, child)
    expect(child.exitCode).toBe(0)
    // Chromium writes its files until the end, and none of them may come back.
    expect(sampleFolders(temporary)).toEqual([])
  }
)

test(
  'the button starts the program again, which ends with its window alone',
  { tag: '@electron-only' },
  async ({ openHost, dataFolder, home, temporary }) => {
    test.setTimeout(180_000)
    test.skip(process.platform !== 'linux', 'reads /proc')
    const session = await openHost({ dataFolder, home, environment: { TMPDIR: temporary } })
    const { page } = session
    await page
      .getByRole('main')
      .getByRole('button', { name: /^(?:Explore|Open) sample data$/ })
      .click()
    await expect(page.getByTestId('announcer')).toContainText('Sample data is open in a window of its own.', {
      timeout: 60_000
    })
    expect(sampleFolders(temporary)).toHaveLength(1)
    const running = sampleProcesses(temporary)
    expect(running.length).toBeGreaterThan(0)
    // It has nothing of the user's data open.
    expect(running.flatMap(openFilesOf).filter((path) => path.startsWith(dataFolder))).toEqual([])
    // It stays when the console that opened it closes.
    await session.close()
    expect(sampleProcesses(temporary)).toEqual(expect.arrayContaining([running[0]]))
    expect(sampleFolders(temporary)).toHaveLength(1)
    for (const pid of running.slice(0, 1)) process.kill(pid, 'SIGTERM')
    await expect.poll(() => sampleFolders(temporary), { timeout: 30_000 }).toEqual([])
    await expect.poll(() => sampleProcesses(temporary), { timeout: 30_000 }).toEqual([])
  }
)

test(
  'with --sample and another data folder it does not start, and says why',
  { tag: '@electron-only' },
  async ({ home, temporary, dataFolder }) => {
    const { program, args, environment } = started(['--sample'])
    const child = spawn(program, args, {
      env: { ...hostEnvironment({ dataFolder, home }), ...environment, TMPDIR: temporary, VERIDESK_DATA: dataFolder }
    })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    try {
      await expect.poll(() => dialogsOf(child.pid ?? 0), { timeout: 20_000 }).toEqual(['Error'])
      expect(text).toContain('Veridesk does not start with --sample and another data folder together')
    } finally {
      child.kill('SIGKILL')
    }
    expect(sampleFolders(temporary)).toEqual([])
  }
)
