/** The packaged program: its fuses read back, and its start with flags and variables that would open it to others. */
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as Builder from 'electron-builder'
import { dialogsOf } from '../../../tests/app/fixtures/dialogs.ts'
import { electronRuntime, repository } from '../../../tests/app/fixtures/runtime.ts'
import setup from '../../../tests/app/fixtures/setup.ts'
import { refusedVariables } from '../../../electron/hosts/node/environment.ts'
import { fuseStates, packagedBelow } from '../../checks/fuses.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { inProofFolder } from '../proof-folder.ts'
import { electronHere } from './electron-here.ts'

/** Start flags that would give others access, and one that nobody has heard of: the program takes those on its list alone. */
const flags = [
  '--remote-debugging-port=0',
  '--remote-debugging-pipe',
  '--inspect',
  '--inspect-brk=0',
  '--js-flags=--expose-gc',
  '--proxy-server=127.0.0.1:9',
  '--proxy-pac-url=http://127.0.0.1:9',
  '--host-rules=MAP * 127.0.0.1',
  '--ignore-certificate-errors',
  '--disable-web-security',
  '--no-sandbox',
  '--disable-setuid-sandbox',
  '--load-extension=/tmp',
  '--user-data-dir=/tmp/elsewhere',
  '--enable-logging',
  '--log-net-log=/tmp/elsewhere',
  '--renderer-cmd-prefix=echo',
  '--single-process',
  '--in-process-gpu',
  '--disable-features=X',
  '--headless',
  '--require=/tmp/x.js',
  '--REMOTE-DEBUGGING-PORT=0',
  '--unheard-of'
] as const

interface Started {
  readonly code: number | null
  readonly text: string
  /** Whether it still ran when its time was over. A program that crashes has no code either. */
  readonly ran: boolean
  /** Whether it has shown a dialog, as for what it refuses. */
  readonly dialog: boolean
}

/** `nobody` on every Linux. Chromium has no sandbox for root, and the program accepts no flag that turns it off. */
const nobody = 65_534

/** Where a home has the key of the display, which root alone can read elsewhere. */
const displayKey = (home: string): string => join(home, '.Xauthority')

/** Starts the program as an ordinary user and ends it after a while, if it has not ended by itself. */
function start(
  program: string,
  home: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {}
): Promise<Started> {
  return new Promise((resolve, reject) => {
    const asRoot = process.getuid?.() === 0
    const child = spawn(program, [...args], {
      cwd: home,
      env: {
        PATH: process.env['PATH'] ?? '',
        DISPLAY: process.env['DISPLAY'] ?? '',
        XAUTHORITY: displayKey(home),
        HOME: home,
        ...environment
      },
      ...(asRoot && { uid: nobody, gid: nobody }),
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    let [ran, dialog] = [false, false]
    const end = (): void => {
      clearInterval(look)
      ran = child.exitCode === null && child.signalCode === null
      child.kill('SIGKILL')
    }
    const late = setTimeout(end, 8000)
    // A dialog stays until a person closes it.
    const look = setInterval(() => {
      dialog ||= text.includes('does not start') && dialogsOf(child.pid ?? 0).length > 0
      if (dialog) end()
    }, 200)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(late)
      clearInterval(look)
      resolve({ code, text, ran, dialog })
    })
  })
}

/** Packages the build into a folder with the Electron of this machine. */
function pack(runtimeFolder: string, output: string): void {
  const version = readFileSync(join(runtimeFolder, 'version'), 'utf8').trim().replace(/^v/, '')
  const builder = join(repository, 'node_modules', 'electron-builder', 'cli.js')
  execFileSync(
    process.execPath,
    [
      builder,
      '--publish',
      'never',
      '--dir',
      `-c.electronDist=${runtimeFolder}`,
      `-c.electronVersion=${version}`,
      `-c.directories.output=${output}`
    ],
    { cwd: repository, stdio: ['ignore', 'ignore', 'pipe'] }
  )
}

interface Tried {
  readonly what: string
  readonly held: boolean
  readonly fault: string
}

/**
 * The folder that an AppImage mounts, with the builder's own script and desktop entry, started as that entry says: an AppImage
 * itself cannot be made without the builder's download. Where there are no user namespaces it must say so.
 */
async function fromDesktopEntry(program: string, folder: string, home: string): Promise<Tried[]> {
  const mounted = join(folder, 'mounted')
  cpSync(dirname(program), mounted, { recursive: true, verbatimSymlinks: true })
  const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
  const { generateAppRunScript } = builder('app-builder-lib/out/targets/appimage/appImageUtil.js') as {
    generateAppRunScript(names: object): string
  }
  writeFileSync(
    join(mounted, 'AppRun'),
    generateAppRunScript({
      DesktopFileName: 'veridesk.desktop',
      ExecutableName: 'veridesk',
      ProductName: 'Veridesk',
      ProductFilename: 'Veridesk',
      ResourceName: 'appimagekit-veridesk'
    })
  )
  const { build, Platform, Arch } = builder('electron-builder') as typeof Builder
  let entry = ''
  await build({
    projectDir: repository,
    prepackaged: mounted,
    publish: 'never',
    targets: Platform.LINUX.createTarget('AppImage', Arch.x64),
    config: { directories: { output: join(folder, 'appimage') } },
    effectiveOptionComputed: async ({ desktop }: { readonly desktop: string }) => ((entry = desktop), true)
  } as Builder.CliOptions)
  // %U: no addresses.
  const [run = '', ...args] = (/^Exec=(.*)$/m.exec(entry)?.[1] ?? '').split(' ').filter((word) => word !== '%U')
  for (const path of [join(mounted, 'AppRun'), program]) chmodSync(path, 0o755)
  chmodSync(mounted, 0o755)
  const asMounted = { APPIMAGE: join(home, 'Veridesk.AppImage'), APPDIR: mounted }
  const allowed = await start(join(mounted, run), home, args, asMounted)
  // A system that refuses them: the script asks by this program.
  const refusing = join(folder, 'refusing')
  mkdirSync(refusing)
  writeFileSync(join(refusing, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const without = await start(join(mounted, run), home, args, {
    ...asMounted,
    PATH: `${refusing}:${process.env['PATH'] ?? ''}`
  })
  return [
    {
      what: 'an AppImage’s folder starts by its desktop entry',
      held: allowed.ran && !allowed.text.includes('does not start'),
      fault: `${entry}: the program ended with ${allowed.code} and said ${JSON.stringify(allowed.text.slice(-300))}`
    },
    {
      what: 'without user namespaces it is refused, in a dialog that names deb and rpm',
      held: without.dialog && without.text.includes('Install the deb or rpm package instead'),
      fault: `without user namespaces the program ended with ${without.code} and said ${JSON.stringify(without.text.slice(-300))}`
    }
  ]
}

/** Packages the program and reads it back. Errors: wrong fuses, and flags or variables that have an effect. */
export async function provePackaged({ sized, progress }: SectionRun): Promise<Measured> {
  setup()
  const table = (rows: (string | number)[][]): NonNullable<Measured['table']> => ({
    columns: ['asked of the packaged program', 'tried', 'as required'],
    rows
  })
  const here = electronHere()
  const runtime = electronRuntime()
  const what = 'the packaged program'
  if ('missing' in runtime || 'why' in here)
    return { table: table([]), notRun: [{ name: what, why: 'why' in here ? here.why : 'there is no Electron' }] }
  if (process.platform !== 'linux')
    return {
      table: table([]),
      notRun: [{ name: what, why: `this section knows the layout of Linux only, and this is ${process.platform}` }]
    }
  return inProofFolder(async (folder) => {
    const faults: string[] = []
    const rows: (string | number)[][] = []
    const output = join(folder, 'packaged')
    pack(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? dirname(runtime.executablePath), output)
    progress('packaged')
    const [packaged] = packagedBelow(output)
    if (!packaged) throw new Error('nothing was packaged')
    for (const { fuse, on, state } of await fuseStates(packaged.program)) {
      const held = state === on
      rows.push([`fuse ${fuse} ${on ? 'on' : 'off'}`, 1, held ? 1 : 0])
      if (!held) faults.push(`fuse ${fuse} is not ${on ? 'on' : 'off'}`)
    }
    // Readable for the user that runs it, and a home of its own.
    for (const path of [folder, output]) chmodSync(path, 0o755)
    const home = join(folder, 'home')
    mkdirSync(home)
    const authority = process.env['XAUTHORITY']
    if (authority && existsSync(authority)) copyFileSync(authority, displayKey(home))
    if (process.getuid?.() === 0)
      for (const path of [home, displayKey(home)].filter((each) => existsSync(each))) chownSync(path, nobody, nobody)
    const chosen = flags.slice(0, sized(flags.length, 3))
    let refused = 0
    for (const flag of chosen) {
      const { code, text, dialog } = await start(packaged.program, home, [flag])
      if (dialog && text.includes('Veridesk does not start with')) refused += 1
      else faults.push(`${flag} ended with ${code}: ${JSON.stringify(text.slice(0, 200))}`)
    }
    rows.push(['other start flags refused, in a dialog', chosen.length, refused])
    const mark = `ran-${process.pid}`
    const usual = await start(packaged.program, home, [])
    rows.push(['starts without any of them', 1, usual.ran ? 1 : 0])
    if (!usual.ran)
      faults.push(`the program did not start: it ended with ${usual.code}: ${JSON.stringify(usual.text.slice(-300))}`)
    // The control: without the fuse the same variable turns the program into Node.
    const unfused = execFileSync(runtime.executablePath, ['-e', `console.log('${mark}')`], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      encoding: 'utf8'
    })
    if (!unfused.includes(mark))
      faults.push('the same variable has no effect without the fuse either, so nothing was tried')
    const asNode = await start(packaged.program, home, ['-e', `console.log('${mark}')`], { ELECTRON_RUN_AS_NODE: '1' })
    const script = join(home, 'x.cjs')
    const option = await start(packaged.program, home, [], { NODE_OPTIONS: `--require ${script}` })
    for (const [name, { code, text, ran }] of [
      ['ELECTRON_RUN_AS_NODE', asNode],
      ['NODE_OPTIONS', option]
    ] as const) {
      const effect = !ran || text.split('\n').includes(mark) || text.includes('Cannot find module')
      rows.push([`${name} has no effect`, 1, effect ? 0 : 1])
      if (effect)
        faults.push(
          `${name} has an effect: the program ended with ${code} and said ${JSON.stringify(text.slice(-200))}`
        )
    }
    for (const name of refusedVariables.slice(0, sized(refusedVariables.length, 2))) {
      const { code, text, dialog } = await start(packaged.program, home, [], { [name]: 'http' })
      const held = dialog && text.includes(`the environment variable ${name} is set`)
      rows.push([`${name} refused, in a dialog`, 1, held ? 1 : 0])
      if (!held) faults.push(`${name}: the program ended with ${code} and said ${JSON.stringify(text.slice(-200))}`)
    }
    // Each of these writes a file with what is printed, loaded or encrypted, if the runtime heeds it.
    const [keys, log] = [join(home, 'keys'), join(home, 'log')]
    const revealing = {
      SSLKEYLOGFILE: keys,
      ELECTRON_LOG_FILE: log,
      ELECTRON_ENABLE_LOGGING: 'file',
      CHROME_LOG_FILE: log
    }
    const revealed = await start(packaged.program, home, [], revealing)
    const files = [keys, log].filter(
      (path) =>
        existsSync(path) && statSync(path).size > 0 && /CONSOLE|TRAFFIC|CLIENT_RANDOM/.test(readFileSync(path, 'utf8'))
    )
    rows.push([`${Object.keys(revealing).join(', ')} have no effect`, 1, revealed.ran && files.length === 0 ? 1 : 0])
    if (!revealed.ran || files.length > 0)
      faults.push(`with variables that reveal, the program ended with ${revealed.code} and wrote ${files.join(', ')}`)
    for (const { what, held, fault } of await fromDesktopEntry(packaged.program, folder, home)) {
      rows.push([what, 1, held ? 1 : 0])
      if (!held) faults.push(fault)
    }
    const redirected = join(home, 'redirected')
    // Only the program that Electron brings along, for folders that are not packaged, knows `-r`.
    const [module, loaded] = [join(home, 'module.cjs'), join(home, 'loaded')]
    writeFileSync(module, `require('node:fs').writeFileSync(${JSON.stringify(loaded)}, '')`)
    execFileSync(runtime.executablePath, ['-r', module, '-e', ''], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
    })
    if (!existsSync(loaded)) faults.push('the module has no effect where it is loaded, so nothing was tried')
    rmSync(loaded, { force: true })
    const preloaded = await start(packaged.program, home, ['-r', module])
    const effective = existsSync(loaded) || !preloaded.ran
    rows.push(['-r with a module has no effect', 1, effective ? 0 : 1])
    if (effective)
      faults.push(
        `-r has an effect: the program ended with ${preloaded.code} and said ${JSON.stringify(preloaded.text.slice(-200))}`
      )
    const forTests = await start(packaged.program, home, [], { VERIDESK_DATA: redirected, VERIDESK_TEST_ATTACH: '1' })
    rows.push(['variables for tests have no effect', 1, existsSync(redirected) || !forTests.ran ? 0 : 1])
    if (existsSync(redirected)) faults.push('VERIDESK_DATA has an effect on the packaged program')
    if (!forTests.ran)
      faults.push(
        `with variables for tests the program ended with ${forTests.code}: ${JSON.stringify(forTests.text.slice(-200))}`
      )
    const megabytes = Math.round(statSync(packaged.program).size / 1e6)
    return {
      notes: [`Packaged for ${packaged.system} with Electron ${here.electron}; the program has ${megabytes} MB.`],
      table: table(rows),
      notRun: [
        {
          name: 'a changed archive that must not start',
          why: 'Electron checks the archive’s integrity on macOS and Windows only'
        },
        { name: 'an AppImage as one file', why: 'its tool set is a download' }
      ],
      faults,
      versions: { electron: here.electron }
    }
  })
}
