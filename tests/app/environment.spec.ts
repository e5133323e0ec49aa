/** The environment and the flags of a start: what is not allowed has no effect, and what has acted already ends the start visibly. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { credentials } from '#contract/connections/credentials.ts'
import { startPracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { commandLineSwitches } from '../../electron/hosts/main/role.ts'
import { dialogsOf } from './fixtures/dialogs.ts'
import { endInTime, family, unlessGone } from './fixtures/ending.ts'
import { hostEnvironment, previewProgram } from './fixtures/hosts.ts'
import { electronRuntime } from './fixtures/runtime.ts'
import { expect, inKeyring, test } from './fixtures/workspace.ts'

test.use({ ownHost: true })

/** What would redirect, reveal or load something, in a host or in what it starts. */
const unwanted = (folder: string): Record<string, string> => ({
  SSLKEYLOGFILE: join(folder, 'keys'),
  ELECTRON_LOG_FILE: join(folder, 'log'),
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  DEBUG: '*',
  PGHOST: '192.0.2.1',
  PGPASSWORD: 'x',
  GTK_MODULES: 'x',
  GIO_EXTRA_MODULES: folder,
  CHROME_LOG_FILE: join(folder, 'chrome'),
  LD_AUDIT_UNUSED: 'x',
  SOMETHING_NEW: 'x'
})

/** The names of the variables of all processes that a host has started (Linux). */
async function namesBelow(host: number): Promise<string[]> {
  const environments = (): string[] =>
    family(host)
      .filter((pid) => pid !== host)
      .map((pid) => unlessGone(() => readFileSync(`/proc/${pid}/environ`, 'utf8'), ''))
  await expect.poll(() => environments().filter((text) => text !== '').length).toBeGreaterThan(2)
  return [
    ...new Set(
      environments()
        .flatMap((text) => text.split('\0'))
        .map((each) => each.split('=')[0] ?? '')
    )
  ]
}

/** Those of Electron’s main process, and of one that it starts as it starts its workers: Electron overwrites what /proc says of both. */
async function namesInElectron(electron: ElectronApplication, folder: string): Promise<string[]> {
  const script = join(folder, 'tell.cjs')
  writeFileSync(script, 'process.parentPort.postMessage(Object.keys(process.env))')
  return electron.evaluate(async ({ utilityProcess }, path) => {
    const child = utilityProcess.fork(path)
    const told = await new Promise<string[]>((resolve) => child.once('message', resolve))
    return [...Object.keys(process.env), ...told]
  }, script)
}

test(
  'a host and its processes have no variable but those that are listed',
  { tag: '@electron' },
  async ({ folder, workspace }) => {
    const given = unwanted(folder)
    const page = await workspace.open({
      ...given,
      ...(workspace.keyring && inKeyring(workspace.keyring)),
      LC_PAPER: 'C.UTF-8',
      VERIDESK_OTHER: 'kept'
    })
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    const { process: host, electron } = workspace.session()
    const names = electron ? await namesInElectron(electron, folder) : await namesBelow(host.pid ?? 0)
    expect(names).toEqual(expect.arrayContaining(['HOME', 'LC_PAPER', 'VERIDESK_OTHER']))
    expect(names.filter((name) => name in given)).toEqual([])
    expect(['keys', 'log', 'chrome'].filter((name) => existsSync(join(folder, name)))).toEqual([])
  }
)

interface Refused {
  readonly child: ChildProcess
  readonly text: () => string
}

/** A start whose output is no terminal. */
function startWith(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Refused {
  const child = spawn(program, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  return { child, text: () => text }
}

test('the preview does not start with NODE_DEBUG, and says why', async ({ dataFolder, home }) => {
  const { child, text } = startWith(process.execPath, [previewProgram, '--headless', '--data', dataFolder], {
    ...hostEnvironment({ dataFolder, home }),
    NODE_DEBUG: 'http'
  })
  await endInTime(once(child, 'exit'), child)
  expect(child.exitCode).toBe(2)
  expect(text()).toContain('Veridesk does not start while the environment variable NODE_DEBUG is set')
  expect(existsSync(dataFolder)).toBe(false)
})

test(
  'the window does not start with NODE_DEBUG, and says why in a dialog',
  { tag: '@electron-only' },
  async ({ dataFolder, home }) => {
    const runtime = electronRuntime()
    if ('missing' in runtime) throw new Error(runtime.missing)
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const env = {
      ...hostEnvironment({ dataFolder, home }),
      ...runtime.environment,
      VERIDESK_DATA: dataFolder,
      NODE_DEBUG: 'http'
    }
    const { child, text } = startWith(runtime.executablePath, [...runtime.args, '--disable-gpu', ...root], env)
    try {
      // On Linux the system’s box for errors has this title, and the application’s name within.
      await expect.poll(() => dialogsOf(child.pid ?? 0), { timeout: 20_000 }).toEqual(['Error'])
      expect(text()).toContain('Veridesk does not start while the environment variable NODE_DEBUG is set')
      expect(existsSync(dataFolder)).toBe(false)
    } finally {
      child.kill('SIGKILL')
    }
  }
)

test(
  'with a terminal, the window says why on it, and ends',
  { tag: '@electron-only' },
  async ({ dataFolder, home }) => {
    const runtime = electronRuntime()
    if ('missing' in runtime) throw new Error(runtime.missing)
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const env = {
      ...hostEnvironment({ dataFolder, home }),
      ...runtime.environment,
      VERIDESK_DATA: dataFolder,
      NODE_DEBUG: 'http'
    }
    // A terminal of its own, whose end is the program’s.
    const { child, text } = startWith(
      'script',
      ['-qec', [runtime.executablePath, ...runtime.args, '--disable-gpu', ...root].join(' '), '/dev/null'],
      env
    )
    await endInTime(once(child, 'close'), child)
    expect(child.exitCode).toBe(2)
    expect(text()).toContain('Veridesk does not start while the environment variable NODE_DEBUG is set')
  }
)

test(
  'without a display, the window says so, or why it does not start, and ends',
  { tag: '@electron-only' },
  async ({ dataFolder, home }) => {
    test.skip(process.platform !== 'linux', 'other systems have one')
    const runtime = electronRuntime()
    if ('missing' in runtime) throw new Error(runtime.missing)
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const env = {
      ...hostEnvironment({ dataFolder, home }),
      ...runtime.environment,
      VERIDESK_DATA: dataFolder,
      ...{ DISPLAY: '', WAYLAND_DISPLAY: '' }
    }
    const starts: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
      [{}, 'Veridesk’s window needs a display'],
      [{ NODE_DEBUG: 'http' }, 'Veridesk does not start while the environment variable NODE_DEBUG is set']
    ]
    for (const [more, says] of starts) {
      const { child, text } = startWith(runtime.executablePath, [...runtime.args, '--disable-gpu', ...root], {
        ...env,
        ...more
      })
      await endInTime(once(child, 'close'), child)
      expect(text()).toContain(says)
      expect(child.exitCode).toBe(2)
    }
    expect(existsSync(dataFolder)).toBe(false)
  }
)

test(
  'the installed command line sends nothing with NODE_DEBUG, and prints no credential',
  { tag: '@electron-only' },
  async ({ workspace, dataFolder, home }) => {
    const runtime = electronRuntime()
    if ('missing' in runtime) throw new Error(runtime.missing)
    const service = await startPracticeService()
    try {
      const run = async (
        words: readonly string[],
        more: Readonly<Record<string, string>> = {}
      ): Promise<{ code: number | null; text: string }> => {
        const env = {
          ...hostEnvironment({ dataFolder, home }),
          ...runtime.environment,
          ...(workspace.keyring && inKeyring(workspace.keyring)),
          ...more
        }
        const child = spawn(
          runtime.executablePath,
          [...runtime.args, ...commandLineSwitches, '--', ...words, '--data', dataFolder],
          { env }
        )
        let text = ''
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
        child.stdin.end(credentials.map(({ id, header }) => `${header}: ${service.credentials[id]}\n`).join(''))
        await endInTime(once(child, 'close'), child)
        return { code: child.exitCode, text }
      }
      const verify = [
        'verify',
        'get-applicant-details',
        '--applicant-id',
        'PRACTICE-pass',
        '--connection',
        'Bank',
        '--credentials-stdin',
        '--without-history',
        '--repeat'
      ]
      expect(
        await run(['connection', 'add', 'Bank', '--base-url', service.baseUrl, '--credentials-stdin'])
      ).toMatchObject({ code: 0 })
      expect(await run(verify)).toMatchObject({ code: 0 })
      const sent = service.ledger().length
      const refused = await run(verify, { NODE_DEBUG: 'http,net' })
      expect(
        Object.entries(service.credentials)
          .filter(([, value]) => refused.text.includes(value))
          .map(([name]) => name)
      ).toEqual([])
      expect(refused.code).toBe(exitCodes.failed.code)
      expect(refused.text).toContain('NODE_DEBUG')
      expect(service.ledger()).toHaveLength(sent)
    } finally {
      await service.close()
    }
  }
)
