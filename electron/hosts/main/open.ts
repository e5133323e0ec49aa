/** The Electron host, from its start to its window. What must happen before the app is ready comes first. */
import { join } from 'node:path'
import { app, dialog } from 'electron'
import type { Failure } from '#contract/failures/failures.ts'
import { fail, type Result } from '#contract/failures/result.ts'
import { ownFolders } from '#wire/files/own-names.ts'
import { makeFolder } from '#wire/files/regular.ts'
import type { RefusedVariable } from '../node/environment.ts'
import { createOpenings, type Openings } from '../node/openings.ts'
import { dataFolderOfStart, sampleRefusal } from '../node/policies/at-start.ts'
import { lockPrepared, prepareDataFolder } from '../node/prepare-folder.ts'
import { defaultStart, lacksDisplay, refusedOptions, refusedSecond, released, type Refusal } from './start.ts'
import { leave, openConsole, type Ground } from './console.ts'
import { refusedFlags, switchOf } from './flags.ts'
import { watchFaults } from './faults.ts'
import { guardApp } from './guards.ts'
import { registerScheme } from './protocol.ts'

const start = defaultStart()

/**
 * Begins a start; Electron waits for it, because it does not accept a folder that does not exist yet.
 *
 * @param variable One of the environment that no start may have.
 */
export async function open(variable: RefusedVariable | undefined): Promise<void> {
  const refused = refusedOptions(start, variable)
  if (refused) refuse(refused)
  else await (start.sample ? beginSample() : beginOwn())
}

/** On the user's own data. */
async function beginOwn(): Promise<void> {
  const chosen = await dataFolderOfStart(start.dataFolder)
  const prepared = chosen.ok ? await prepareDataFolder(chosen.value) : chosen
  if (!chosen.ok || !prepared.ok) return leaveWhenReady(prepared)
  begin(chosen.value, await browserFolderIn(prepared.value.path), {
    claim: (onRaise) => lockPrepared(prepared.value, onRaise)
  })
}

/** On sample data, in a folder that is locked from its creation on. */
async function beginSample(): Promise<void> {
  const refusal = await sampleRefusal()
  if (refusal) return leaveWhenReady(fail(refusal))
  let raise = (): void => undefined
  const { openSampleFolder } = await import('../node/sample-folder.ts')
  const opened = await openSampleFolder(() => raise())
  if (!opened.ok) return leaveWhenReady(opened)
  const claim: Ground['claim'] = async (onRaise) => {
    raise = onRaise
    return opened
  }
  begin(opened.value.path, await browserFolderIn(opened.value.path), { claim, deleteSample: opened.value.remove })
}

/** A dialog needs the app. */
function leaveWhenReady(refused: Result<unknown, Failure>): void {
  if (!refused.ok) void app.whenReady().then(() => leave(refused.failure))
}

/** Chromium's own folder; the data folder itself if it cannot be created, as on a full disk. */
async function browserFolderIn(folder: string): Promise<string> {
  const path = join(folder, ownFolders.browser)
  return makeFolder(path).then(
    () => path,
    () => folder
  )
}

function begin(dataFolder: string, browserFolder: string, ground: Omit<Ground, 'openings'>): void {
  app.setPath('userData', dataFolder)
  // Separates Chromium's files from the console's own.
  app.setPath('sessionData', browserFolder)
  const refusal = refusedSecond()
  if (refusal) return refuse(refusal)
  // For every page, whatever its own preferences. As root, which occurs only in tests, Chromium has no sandbox to
  // enable.
  if (app.isPackaged || process.getuid?.() !== 0) app.enableSandbox()
  registerScheme()
  guardApp()
  watchFaults(() => app.quit())
  const openings = openingsOfSystem()
  // Not awaited: Electron becomes ready only after this file has been loaded completely.
  void Promise.all([app.whenReady(), released(start)]).then(() => openConsole(start, { ...ground, openings }))
}

/** What the system asks this program to open: by its arguments, a second start, or on macOS by events. */
function openingsOfSystem(): Openings {
  const openings = createOpenings()
  openings.ask(start.args, process.cwd())
  app.on('second-instance', (_event, args, folder) => openings.ask(args.slice(1), folder))
  for (const event of ['open-url', 'open-file'] as const)
    app.on(event as 'open-url', (happened, asked) => {
      happened.preventDefault()
      openings.ask([asked], '/')
    })
  return openings
}

/** Ends the start and says why: on standard error, and in a dialog where nobody would see that. */
function refuse({ sentence, code }: Refusal): void {
  process.stderr.write(`${sentence}\n`)
  if (code === 0 || process.stderr.isTTY || lacksDisplay()) return app.exit(code)
  // On Linux a dialog needs the display, which Electron opens next; what the flags ask for must not happen until then.
  if (app.isPackaged) for (const flag of refusedFlags(start.args)) app.commandLine.removeSwitch(switchOf(flag))
  void app.whenReady().then(() => {
    dialog.showErrorBox('Veridesk', sentence)
    app.exit(code)
  })
}
