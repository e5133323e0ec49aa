/** The frame around every view: side bar, top strip, notices, passing words, palette. */
import type { Locator, Page } from '@playwright/test'
import { operationOf, type OperationId } from '#contract/operations.ts'

export interface Frame {
  readonly heading: Locator
  readonly strip: Locator
  readonly mode: Locator
  readonly notices: Locator
  readonly word: Locator
  readonly announcer: Locator
  readonly chips: Locator
  readonly palette: Locator
  readonly paletteInput: Locator
  readonly shortcuts: Locator
  readonly dialog: Locator
  link(name: string): Locator
  openOperation(id: OperationId): Promise<void>
  openView(name: 'History' | 'Connections' | 'Settings' | 'Help' | 'Getting started'): Promise<void>
  choose(connection: string): Promise<void>
}

/** Titles of the views, as their headings say them. */
const headings = { 'History': 'History', 'Connections': 'Connections', 'Settings': 'Settings', 'Help': 'Help and diagnosis', 'Getting started': 'Welcome to Veridesk' }

export function frame(page: Page): Frame {
  const side = page.getByRole('navigation', { name: 'Main' })
  const strip = page.getByRole('banner')
  const heading = page.getByRole('heading', { level: 1 })
  const link = (name: string): Locator => side.getByRole('link', { name, exact: true })
  return {
    heading,
    strip,
    mode: strip.locator('.live-mark'),
    notices: page.getByRole('region', { name: 'Notices' }),
    word: page.getByTestId('word'),
    announcer: page.getByTestId('announcer'),
    chips: page.getByRole('group', { name: 'State of the console' }),
    palette: page.getByRole('dialog', { name: 'Command palette' }),
    paletteInput: page.getByRole('combobox', { name: 'Go to a check, a view or a connection' }),
    shortcuts: page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
    dialog: page.getByRole('dialog'),
    link,
    async openOperation(id) {
      await link(operationOf(id).shortTitle).click()
      await heading.filter({ hasText: operationOf(id).title }).waitFor()
    },
    async openView(name) {
      await side.getByRole('link', { name: name === 'History' ? /^History/ : name, exact: name !== 'History' }).click()
      await heading.filter({ hasText: headings[name] }).waitFor()
    },
    async choose(connection) {
      await strip.getByRole('button', { name: 'Present connection' }).click()
      await page.getByRole('menuitemradio').filter({ hasText: connection }).click()
    }
  }
}
