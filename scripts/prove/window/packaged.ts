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
import { inProofFolder } from '../../../tests/service/support/proof-folder.ts'
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

/** One line of the table: how often it was tried, how often it was as required, and what was not. */
interface Finding {
  readonly what: string
  readonly tried: number
  readonly held: number
  readonly faults: readonly string[]
}
const findingOf = ({ what, held, fault }: Tried): Finding => ({
  what,
  tried: 1,
  held: held ? 1 : 0,
  faults: held ? [] : [fault]
})
/** The end of what a program has said. */
const said = ({ code, text }: Started, length: number): string =>
  `ended with ${code} and said ${JSON.stringify(text.slice(-length))}`

/** The packaged program with a home for its user, and the runtime as it is before it is packaged. */
interface Subject {
  readonly program: string
  readonly home: string
  readonly runtime: string
  readonly sized: SectionRun['sized']
}

async function fuses(program: string): Promise<Finding[]> {
  return (await fuseStates(program)).map(({ fuse, on, state }) =>
    findingOf({
      what: `fuse ${fuse} ${on ? 'on' : 'off'}`,
      held: state === on,
      fault: `fuse ${fuse} is not ${on ? 'on' : 'off'}`
    })
  )
}

async function otherFlags({ program, home, sized }: Subject): Promise<Finding[]> {
  const chosen = flags.slice(0, sized(flags.length, 3))
  const faults: string[] = []
  for (const flag of chosen) {
    const { code, text, dialog } = await start(program, home, [flag])
    if (!dialog || !text.includes('Veridesk does not start with'))
      faults.push(`${flag} ended with ${code}: ${JSON.stringify(text.slice(0, 200))}`)
  }
  const usual = await start(program, home, [])
  return [
    {
      what: 'other start flags refused, in a dialog',
      tried: chosen.length,
      held: chosen.length - faults.length,
      faults
    },
    findingOf({
      what: 'starts without any of them',
      held: usual.ran,
      fault: `the program did not start: it ${said(usual, 300)}`
    })
  ]
}

/** Variables that turn the runtime into Node or load a script. */
async function variablesOfNode({ program, home, runtime }: Subject): Promise<Finding[]> {
  const mark = `ran-${process.pid}`
  // The control: without the fuse the same variable turns the program into Node.
  const unfused = execFileSync(runtime, ['-e', `console.log('${mark}')`], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    encoding: 'utf8'
  })
  const script = join(home, 'x.cjs')
  const tried = {
    ELECTRON_RUN_AS_NODE: await start(program, home, ['-e', `console.log('${mark}')`], { ELECTRON_RUN_AS_NODE: '1' }),
    NODE_OPTIONS: await start(program, home, [], { NODE_OPTIONS: `--require ${script}` })
  }
  const found = Object.entries(tried).map(([name, started]) => {
    const { ran, text } = started
    const effect = !ran || text.split('\n').includes(mark) || text.includes('Cannot find module')
    return findingOf({
      what: `${name} has no effect`,
      held: !effect,
      fault: `${name} has an effect: the program ${said(started, 200)}`
    })
  })
  return unfused.includes(mark)
    ? found
    : [...found, withoutControl('the same variable has no effect without the fuse either')]
}

/** What the control did not show: nothing was tried. */
const withoutControl = (why: string): Finding => ({
  what: 'controls',
  tried: 1,
  held: 0,
  faults: [`${why}, so nothing was tried`]
})

async function variablesRefused({ program, home, sized }: Subject): Promise<Finding[]> {
  const found: Finding[] = []
  for (const name of refusedVariables.slice(0, sized(refusedVariables.length, 2))) {
    const started = await start(program, home, [], { [name]: 'http' })
    found.push(
      findingOf({
        what: `${name} refused, in a dialog`,
        held: started.dialog && started.text.includes(`the environment variable ${name} is set`),
        fault: `${name}: the program ${said(started, 200)}`
      })
    )
  }
  return found
}

/** Variables that each write a file with what is printed, loaded or encrypted, if the runtime heeds them. */
async function variablesThatReveal({ program, home }: Subject): Promise<Finding> {
  const [keys, log] = [join(home, 'keys'), join(home, 'log')]
  const revealing = {
    SSLKEYLOGFILE: keys,
    ELECTRON_LOG_FILE: log,
    ELECTRON_ENABLE_LOGGING: 'file',
    CHROME_LOG_FILE: log
  }
  const revealed = await start(program, home, [], revealing)
  const files = [keys, log].filter(
    (path) =>
      existsSync(path) && statSync(path).size > 0 && /CONSOLE|TRAFFIC|CLIENT_RANDOM/.test(readFileSync(path, 'utf8'))
  )
  return findingOf({
    what: `${Object.keys(revealing).join(', ')} have no effect`,
    held: revealed.ran && files.length === 0,
    fault: `with variables that reveal, the program ended with ${revealed.code} and wrote ${files.join(', ')}`
  })
}

/** Only the program that Electron brings along, for folders that are not packaged, knows `-r`. */
async function modulePreloaded({ program, home, runtime }: Subject): Promise<Finding[]> {
  const [module, loaded] = [join(home, 'module.cjs'), join(home, 'loaded')]
  writeFileSync(module, `require('node:fs').writeFileSync(${JSON.stringify(loaded)}, '')`)
  execFileSync(runtime, ['-r', module, '-e', ''], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } })
  const isEffectiveBefore = existsSync(loaded)
  rmSync(loaded, { force: true })
  const preloaded = await start(program, home, ['-r', module])
  const found = findingOf({
    what: '-r with a module has no effect',
    held: !existsSync(loaded) && preloaded.ran,
    fault: `-r has an effect: the program ${said(preloaded, 200)}`
  })
  return isEffectiveBefore ? [found] : [found, withoutControl('the module has no effect where it is loaded')]
}

async function variablesForTests({ program, home }: Subject): Promise<Finding> {
  const redirected = join(home, 'redirected')
  const started = await start(program, home, [], { VERIDESK_DATA: redirected, VERIDESK_TEST_ATTACH: '1' })
  const faults = [
    ...(existsSync(redirected) ? ['VERIDESK_DATA has an effect on the packaged program'] : []),
    ...(started.ran ? [] : [`with variables for tests the program ${said(started, 200)}`])
  ]
  return { what: 'variables for tests have no effect', tried: 1, held: faults.length === 0 ? 1 : 0, faults }
}

/** A home that the user of the program can read, with the key of the display. */
function makeHome(folder: string): string {
  const home = join(folder, 'home')
  mkdirSync(home)
  const authority = process.env['XAUTHORITY']
  if (authority && existsSync(authority)) copyFileSync(authority, displayKey(home))
  if (process.getuid?.() === 0)
    for (const path of [home, displayKey(home)].filter((each) => existsSync(each))) chownSync(path, nobody, nobody)
  return home
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
    const output = join(folder, 'packaged')
    pack(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? dirname(runtime.executablePath), output)
    progress('packaged')
    const [packaged] = packagedBelow(output)
    if (!packaged) throw new Error('nothing was packaged')
    // Readable for the user that runs it, and a home of its own.
    for (const path of [folder, output]) chmodSync(path, 0o755)
    const { program } = packaged
    const subject: Subject = { program, home: makeHome(folder), runtime: runtime.executablePath, sized }
    const found: Finding[] = [
      ...(await fuses(program)),
      ...(await otherFlags(subject)),
      ...(await variablesOfNode(subject)),
      ...(await variablesRefused(subject)),
      await variablesThatReveal(subject),
      ...(await fromDesktopEntry(program, folder, subject.home)).map(findingOf),
      ...(await modulePreloaded(subject)),
      await variablesForTests(subject)
    ]
    const megabytes = Math.round(statSync(program).size / 1e6)
    return {
      notes: [`Packaged for ${packaged.system} with Electron ${here.electron}; the program has ${megabytes} MB.`],
      table: table(found.map(({ what, tried, held }) => [what, tried, held])),
      notRun: [
        {
          name: 'a changed archive that must not start',
          why: 'Electron checks the archive’s integrity on macOS and Windows only'
        },
        { name: 'an AppImage as one file', why: 'its tool set is a download' }
      ],
      faults: found.flatMap(({ faults }) => faults),
      versions: { electron: here.electron }
    }
  })
}
