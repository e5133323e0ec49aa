/** Navigation targets of menus, shortcuts and the palette. */
import type { Router } from 'vue-router'
import type { MenuCommand } from '#contract/ipc/ipc.ts'
import { operations } from '#contract/verification/operations.ts'

interface Openers {
  open: boolean
  shortcuts: boolean
}

/** Runs a command of the host's menu. */
export function openMenu(
  command: Exclude<MenuCommand, 'print' | 'lock' | 'screen-share'>,
  router: Router,
  palette: Openers
): void {
  if (command === 'command-palette') palette.open = true
  else if (command === 'help') void router.push({ name: 'about' })
  else if (command === 'new-check') void router.push({ name: 'start', query: { to: 'check' } })
  else void router.push({ name: command })
}

/** Opens the operation with this number in the table, from 1. */
export function openOperation(number: number, router: Router): void {
  const operation = operations[number - 1]
  if (operation) void router.push({ name: 'verify', params: { operation: operation.id } })
}
