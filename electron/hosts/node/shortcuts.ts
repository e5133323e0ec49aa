/**
 * Shortcuts of the host's commands: native accelerators in Electron, a key listener in the preview. One list for
 * both.
 */
import type { MenuCommand } from '#contract/ipc/ipc.ts'

export interface CommandShortcut {
  readonly command: MenuCommand
  readonly label: string
  /** In Electron's notation; CmdOrCtrl is Command on macOS and Control elsewhere. Absent for an entry of the menu without keys. */
  readonly accelerator?: string
}

const everywhere: readonly CommandShortcut[] = [
  { command: 'queue', label: 'Queue' },
  { command: 'applicants', label: 'Applicants' },
  { command: 'batches', label: 'Batches' },
  { command: 'history', label: 'History', accelerator: 'CmdOrCtrl+H' },
  { command: 'new-verification', label: 'New verification', accelerator: 'CmdOrCtrl+N' },
  { command: 'overview', label: 'Overview' },
  { command: 'catalogue', label: 'Catalogue' },
  { command: 'evidence', label: 'Evidence' },
  { command: 'audit', label: 'Audit trail' },
  { command: 'administration', label: 'Administration' },
  { command: 'connections', label: 'Connections', accelerator: 'CmdOrCtrl+Shift+C' },
  { command: 'data-management', label: 'Data management' },
  { command: 'team', label: 'Team' },
  { command: 'keys', label: 'Keys and evidence' },
  { command: 'settings', label: 'Settings', accelerator: 'CmdOrCtrl+,' },
  { command: 'diagnosis', label: 'Network diagnosis' },
  { command: 'about', label: 'About Veridesk' },
  // Its keys stay with the page, which knows what it searches.
  { command: 'find', label: 'Find' },
  { command: 'command-palette', label: 'Command palette', accelerator: 'CmdOrCtrl+K' },
  { command: 'print', label: 'Print', accelerator: 'CmdOrCtrl+P' },
  { command: 'lock', label: 'Lock Veridesk', accelerator: 'CmdOrCtrl+Shift+L' },
  { command: 'screen-share', label: 'Screen-share mode', accelerator: 'CmdOrCtrl+Shift+M' },
  { command: 'help', label: 'Help', accelerator: 'F1' }
]

/** On macOS, Command H hides the application: the history has the shortcut that browsers give it there. */
const onMac: Readonly<Partial<Record<MenuCommand, string>>> = { history: 'Cmd+Y' }

/** The shortcuts of a platform. */
export const commandShortcuts = (platform: NodeJS.Platform): readonly CommandShortcut[] =>
  everywhere.map((shortcut) => {
    const accelerator = (platform === 'darwin' && onMac[shortcut.command]) || shortcut.accelerator
    return { ...shortcut, ...(accelerator && { accelerator }) }
  })

/** The labels of a menu with a letter each that opens the entry while the menu is shown: one that no other entry has, if there is one. */
export function withMnemonics(labels: readonly string[]): string[] {
  const taken = new Set<string>()
  return labels.map((label) => {
    // Beginnings of words are found first.
    const places = [...label.matchAll(/\b[a-z]/gi), ...label.matchAll(/[a-z]/gi)]
    const free = places.find(([letter]) => !taken.has(letter.toLowerCase()))
    if (!free) return label
    taken.add(free[0].toLowerCase())
    return `${label.slice(0, free.index)}&${label.slice(free.index)}`
  })
}
