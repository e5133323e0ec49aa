/** The native menu. Commands for the window are sent as events; all others are system roles. */
import { Menu, type MenuItemConstructorOptions } from 'electron'
import { recordPlaces, workPlaces } from '#contract/app/places.ts'
import type { MenuCommand } from '#contract/ipc/ipc.ts'
import { commandShortcuts } from '../node/shortcuts.ts'

/** Sets the application's menu. */
export function setMenu(onCommand: (command: MenuCommand) => void): void {
  const entry = (command: MenuCommand): MenuItemConstructorOptions => {
    const found = commandShortcuts(process.platform).find((shortcut) => shortcut.command === command)
    return {
      id: command,
      label: found?.label ?? command,
      ...(found?.accelerator && { accelerator: found.accelerator }),
      click: () => onCommand(command)
    }
  }
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const isMac = process.platform === 'darwin'
  const template: MenuItemConstructorOptions[] = [
    ...(isMac
      ? [
          {
            role: 'appMenu',
            submenu: [
              { role: 'about' },
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
      submenu: [
        entry('print'),
        entry('lock'),
        separator,
        ...(isMac ? [] : [entry('settings'), separator]),
        { role: isMac ? 'close' : 'quit' }
      ]
    },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' }
      ]
    },
    {
      label: '&Go',
      submenu: [
        ...workPlaces.map(entry),
        separator,
        ...recordPlaces.map(entry),
        separator,
        entry('administration'),
        entry('connections'),
        separator,
        entry('command-palette')
      ]
    },
    {
      label: '&View',
      submenu: [
        entry('screen-share'),
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' }
      ]
    },
    {
      role: 'help',
      submenu: [entry('help'), ...(isMac ? [] : [{ role: 'about' } satisfies MenuItemConstructorOptions])]
    }
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
