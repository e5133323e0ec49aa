/** The native menu. Commands for the window are sent as events; all others are system roles. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import { administrationTabs, recordPlaces, workPlaces } from '#contract/app/places.ts'
import type { MenuCommand } from '#contract/ipc/ipc.ts'
import { commandShortcuts, withMnemonics } from '../node/shortcuts.ts'

/** Names of the system's own entries, which Electron gives without a letter. */
const roles = {
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select all',
  resetZoom: 'Actual size',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  togglefullscreen: 'Full screen'
} as const satisfies Partial<Record<NonNullable<MenuItemConstructorOptions['role']>, string>>

/** Sets the application's menu. */
export function setMenu(onCommand: (command: MenuCommand) => void): void {
  const isMac = process.platform === 'darwin'
  const entry = (command: MenuCommand): MenuItemConstructorOptions => {
    const found = commandShortcuts(process.platform).find((shortcut) => shortcut.command === command)
    return {
      id: command,
      label: found?.label ?? command,
      ...(found?.accelerator && { accelerator: found.accelerator }),
      click: () => onCommand(command)
    }
  }
  /** Shown with its keys, which the page takes itself. */
  const find: MenuItemConstructorOptions = { ...entry('find'), accelerator: 'CmdOrCtrl+F', registerAccelerator: false }
  const ofSystem = (role: keyof typeof roles): MenuItemConstructorOptions => ({ role, label: roles[role] })
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  /** macOS has no letters in menus. */
  const lettered = (entries: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] => {
    const labels = withMnemonics(entries.map(({ label }) => label ?? ''))
    return entries.map((each, index) => (each.label === undefined || isMac ? each : { ...each, label: labels[index] }))
  }
  const template: MenuItemConstructorOptions[] = [
    ...(isMac
      ? [
          {
            role: 'appMenu',
            submenu: [
              entry('about'),
              separator,
              entry('settings'),
              separator,
              { role: 'hide' },
              { role: 'hideOthers' },
              { role: 'unhide' },
              separator,
              { role: 'quit' }
            ]
          } satisfies MenuItemConstructorOptions
        ]
      : []),
    {
      label: '&File',
      submenu: lettered([
        entry('print'),
        entry('lock'),
        separator,
        ...(isMac ? [] : [entry('settings'), separator]),
        isMac ? { role: 'close' } : { role: 'quit', label: 'Quit' }
      ])
    },
    {
      label: '&Edit',
      submenu: lettered([
        ofSystem('undo'),
        ofSystem('redo'),
        separator,
        ofSystem('cut'),
        ofSystem('copy'),
        ofSystem('paste'),
        ofSystem('selectAll'),
        separator,
        find
      ])
    },
    {
      label: '&Go',
      submenu: lettered([
        ...workPlaces.map(entry),
        separator,
        ...recordPlaces.map(entry),
        separator,
        entry('administration'),
        ...administrationTabs.filter((tab) => tab !== 'settings').map(entry),
        separator,
        entry('command-palette')
      ])
    },
    {
      label: '&View',
      submenu: lettered([
        entry('screen-share'),
        separator,
        ofSystem('resetZoom'),
        ofSystem('zoomIn'),
        ofSystem('zoomOut'),
        separator,
        ofSystem('togglefullscreen')
      ])
    },
    {
      role: 'help',
      label: '&Help',
      submenu: lettered([entry('help'), entry('diagnosis'), ...(isMac ? [] : [separator, entry('about')])])
    }
  ]
  // What some systems show of their own accord.
  app.setAboutPanelOptions({ applicationName: 'Veridesk', applicationVersion: app.getVersion(), version: '' })
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
