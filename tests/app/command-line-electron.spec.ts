/** The command line of Electron's program: no display, no window, the terminal's own streams, and the rule of one host at a time. */
import { spawn } from 'node:child_process'
import { credentials } from '#contract/connections/credentials.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { startPracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { commandLineSwitches } from '../../electron/hosts/main/role.ts'
import type { CliRun } from './fixtures/cli.ts'
import { hostEnvironment } from './fixtures/hosts.ts'
import { electronRuntime } from './fixtures/runtime.ts'
import { ask, expect, inKeyring, test as base } from './fixtures/workspace.ts'

type Run = (words: readonly string[], input?: string) => Promise<CliRun>

const test = base.extend<{ run: Run }>({
  run: async ({ workspace, dataFolder, home }, use) => {
    const runtime = electronRuntime()
    if ('missing' in runtime) throw new Error(runtime.missing)
    const {
      DISPLAY: _x11,
      WAYLAND_DISPLAY: _wayland,
      ...environment
    } = {
      ...hostEnvironment({ dataFolder, home }),
      ...runtime.environment,
      ...(workspace.keyring && inKeyring(workspace.keyring))
    }
    await use(
      (words, input = '') =>
        new Promise((resolve, reject) => {
          const child = spawn(
            runtime.executablePath,
            [...runtime.args, ...commandLineSwitches, '--', ...words, '--data', dataFolder],
            { cwd: home, env: environment }
          )
          let [out, error] = ['', '']
          child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')))
          child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString('utf8')))
          child.once('error', reject)
          child.once('close', (code) => resolve({ code, out, error }))
          child.stdin.on('error', () => undefined)
          child.stdin.end(input)
        })
    )
  }
})

const lookup = operationOf('get-applicant-details')

test(
  'without a display it keeps credentials from standard input, verifies, and ends with the command’s exit code',
  { tag: '@electron-only' },
  async ({ run, workspace }) => {
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    test.setTimeout(120_000)
    const practice = await startPracticeService()
    try {
      const headers = credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}\n`).join('')
      expect(
        await run(['connection', 'add', 'Bank', '--base-url', practice.baseUrl, '--credentials-stdin'], headers)
      ).toMatchObject({ code: 0, error: '' })
      const verified = await run(['verify', lookup.id, '--applicant-id', 'APP-0042', '--json'])
      expect(verified).toMatchObject({ code: 0, error: '' })
      expect(JSON.parse(verified.out)).toMatchObject({ input: { applicant_id: 'APP-0042' } })
      expect((await run(['history', 'search', 'APP-0042'])).out).toContain('APP-0042')
      const unknown = await run(['frobnicate'])
      expect(unknown).toMatchObject({ code: exitCodes.usage.code, out: '' })
      expect(unknown.error).toMatch(/^There is no command/)
    } finally {
      await practice.close()
    }
  }
)

test(
  'while the window is open it sends nothing, and the window keeps its data',
  { tag: '@electron-only' },
  async ({ run, workspace }) => {
    const page = await workspace.open()
    const refused = await run(['connection', 'list'])
    expect(refused).toMatchObject({ code: exitCodes.unavailable.code, out: '' })
    expect(refused.error).toMatch(/^Veridesk is already running with the data in .+\nNothing was sent or changed\./)
    // The window is there before its history is: the refusal may come in between.
    await expect.poll(async () => (await ask(page, 'app.state')).history.state).toBe('ready')
  }
)
