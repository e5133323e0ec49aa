/**
 * The name of everything that Veridesk creates in a data folder, once: who writes one takes its name from here, and who asks
 * whether the folder is Veridesk's alone (its permissions) asks here. A name written elsewhere would make the folder look foreign.
 */
import { basename, extname } from 'node:path'

/** Files. An unusable one may be set aside under its name and why: `settings.damaged-….json`. */
export const ownFiles = {
  settings: 'settings.json',
  connections: 'connections.json',
  dataFolder: 'data-folder.json',
  earlyNotes: 'early-notes.json',
  policiesInForce: 'policies-in-force.json',
  lock: 'lock.json',
  updates: 'updates.json',
  forwarding: 'forwarding.json',
  certificates: 'evidence-certificates.json',
  unfinishedFiles: 'unfinished-files.json',
  team: 'team.json',
  window: 'window.json',
  drafts: 'drafts.sealed',
  erasedKeys: 'erased-keys.txt',
  running: 'running.lock'
} as const

/** Folders. */
export const ownFolders = {
  history: 'history',
  restored: 'history-restored',
  unfinishedRestore: 'history-restored.unfinished',
  backups: 'backups',
  documents: 'documents',
  logs: 'logs',
  team: 'team',
  browser: 'browser'
} as const

/** Begins the name of a history that was replaced; its time follows. */
export const setAsideName = 'history-set-aside-'

/** Why a file is set aside, as in its name. */
export type AsideReason = 'damaged' | 'newer' | 'unreadable'
const asideReasons = ['damaged', 'newer', 'unreadable'] as const satisfies readonly AsideReason[]

/** The name of a file that is set aside: `settings.damaged-20260131T120000Z-1f2e.json`. */
export function asideName(name: string, why: AsideReason, mark: string): string {
  const extension = extname(name)
  return `${basename(name, extension)}.${why}-${mark}${extension}`
}

/** What Electron and Chromium create beside them. */
const chromium = /^(Crashpad|DIPS.*|Singleton.*)$/

const plain: ReadonlySet<string> = new Set([...Object.values(ownFiles), ...Object.values(ownFolders)])
const asides = Object.values(ownFiles).flatMap((name) =>
  asideReasons.map((why) => asideName(name, why, '\0').split('\0') as [string, string])
)

/** Whether Veridesk, or Electron for it, creates something with this name in a data folder. */
export function isOwnName(name: string): boolean {
  if (plain.has(name) || name.startsWith(setAsideName) || chromium.test(name)) return true
  // The lock's generations, and a temporary file of `writeAtomically` that a kill left.
  if ((name.startsWith(`${ownFiles.running}.`) && /\.\d+$/.test(name)) || /^\..+\.new-[\w.]+$/.test(name)) return true
  return asides.some(
    ([start, end]) =>
      name.startsWith(start) &&
      name.endsWith(end) &&
      /^[\w-]+$/.test(name.slice(start.length, name.length - end.length))
  )
}
