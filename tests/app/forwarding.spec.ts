/** The rows of log forwarding in the settings, by keyboard: a file, a collector over TLS, and what is refused. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCollector } from '../service/support/log-collector.ts'
import { createTestAuthority } from '../service/support/tls.ts'
import { ask, expect, test } from './fixtures/workspace.ts'
import { SettingsPage } from './pages/settings.ts'

test('events are forwarded to a file and a collector, all by keyboard', async ({ workspace }, info) => {
  const authority = createTestAuthority()
  const collector = await startCollector(authority.issue({ names: ['127.0.0.1'] }))
  try {
    const certificates = info.outputPath('ca.pem')
    writeFileSync(certificates, authority.cert)
    const page = await workspace.open()
    await ask(page, 'settings.change', { firstRunDone: true, extraCaFile: certificates })
    const settings = new SettingsPage(page)
    await settings.open()
    const fields = { collector: settings.field('Forwarding of events'), file: settings.field('File of events') }
    const forwarding = async () => (await ask(page, 'app.state')).settings.logForwarding
    /** Types into the field that has the focus, in place of what is there, and goes on. */
    const type = async (text: string): Promise<void> => {
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.press('Backspace')
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }

    // What is wrong is said at the field that it is about, and nothing is saved.
    await fields.collector.focus()
    await type('logs.example.com')
    await expect(fields.collector).toHaveAccessibleDescription(/such as logs\.example\.com:6514\..*port/i)
    await expect(fields.collector).toHaveAttribute('aria-invalid', 'true')
    await expect(fields.file).toBeFocused()
    await fields.collector.focus()
    await type('')
    await expect(fields.collector).not.toHaveAttribute('aria-invalid', 'true')
    await type('events.jsonl')
    await expect(fields.file).toHaveAccessibleDescription(/Enter the whole path of the file/)
    await expect(fields.file).toHaveAttribute('aria-invalid', 'true')
    await expect(fields.collector).not.toHaveAttribute('aria-invalid', 'true')
    expect(await forwarding()).toBeNull()

    const file = join(info.outputDir, 'events.jsonl')
    await fields.file.focus()
    await type(file)
    await expect.poll(forwarding).toMatchObject({ file })
    await expect(fields.file).not.toHaveAttribute('aria-invalid', 'true')
    const inFile = page.getByRole('group', { name: 'Events in the file' })
    await expect(inFile).toContainText(/has every event, up to number \d+\./, { timeout: 20_000 })
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('"number":1,')

    // The form of the messages comes after the collector, by Tab and an arrow.
    await fields.collector.focus()
    await type(collector.place)
    const forms = page.getByRole('group', { name: 'Form of the messages' })
    await expect(forms.getByRole('radio', { name: 'JSON' })).toBeChecked()
    await fields.collector.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await expect.poll(forwarding).toMatchObject({ collector: collector.place, message: 'cef', file })
    await expect(page.getByRole('group', { name: 'Events at the collector' })).toContainText(
      /has (?:every event|the events up to number \d+)/,
      { timeout: 20_000 }
    )
    await expect.poll(() => collector.taken.some((line) => line.includes('CEF:0|')), { timeout: 20_000 }).toBe(true)

    // Emptied, it ends.
    await fields.collector.focus()
    await type('')
    await fields.file.focus()
    await type('')
    await expect.poll(forwarding).toBeNull()
    await expect(inFile).toBeHidden()
  } finally {
    await collector.close()
  }
})
