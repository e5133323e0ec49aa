/** A case and a result at the four sizes of the window, light and dark: what is in sight, what lies over what, and how few keys decide. */
import type { Page } from '@playwright/test'
import { imageLink } from '#core/sample/examples.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { runCheck } from './fixtures/scene.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { QueuePage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'
import { VerifyPage } from './pages/verify.ts'

const sizes = [
  { width: 900, height: 600 },
  { width: 1024, height: 700 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 }
]
const themes = ['light', 'dark'] as const
const ids = Array.from({ length: 10 }, (_, index) => `SAMPLE-00${20 + index}`)

/** What the box of a toast meets: banners, buttons, rows and fields that are in sight. */
const metByToast = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const box = document.querySelector('[data-testid="toast"]')?.getBoundingClientRect()
    if (!box) return ['no toast']
    return [
      ...document.querySelectorAll('main button, main input, main textarea, main [role="row"], main [role="alert"]')
    ]
      .filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect()
        const main = each.closest('main')?.getBoundingClientRect()
        const isSeen = each.checkVisibility() && main !== undefined && top < main.bottom && bottom > main.top
        return (
          isSeen && left < box.right && right > box.left && Math.min(bottom, main.bottom) > box.top && top < box.bottom
        )
      })
      .map((each) => each.outerHTML.slice(0, 100))
  })

test('at each size, in each theme, a case shows what a decision needs, and a toast lies on nothing', async ({
  workspace
}) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  const connection = await usePractice(page)
  const { name, baseUrl, mode, colour, mark } = connection
  await ask(page, 'connections.save', {
    ...{ id: connection.id, name, baseUrl, mode, colour, mark },
    documents: { openAutomatically: true, privateAddresses: true }
  })
  const [id = ''] = ids
  const link = imageLink(baseUrl, 'validate-passport', 'id_url', 'pass', id)
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: id })
  await runCheck(page, connection.id, 'validate-applicant-id-document', { applicant_id: id, document_url: link })
  await goTo(page, `/queue?open=a:${id}`)
  const queue = new QueuePage(page)
  for (const size of sizes)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await resizeWindow(page, size)
      const what = `${size.width} x ${size.height}, ${colorScheme}`
      await expect(page.getByTestId('document').first(), what).toBeInViewport({ ratio: 0.9 })
      await expect(queue.pane.getByTestId('value').first(), what).toBeInViewport({ ratio: 0.9 })
      for (const decision of ['Approve', 'Decline', 'Escalate'] as const)
        await expect(queue.applicant.choice(decision), what).toBeInViewport({ ratio: 1 })
      await expect(queue.applicant.record, what).toBeInViewport({ ratio: 1 })
      // The theme moves nothing.
      if (colorScheme === 'dark') continue
      await queue.pane.getByRole('button', { name: 'More actions' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Copy ID' }).press('Enter')
      await expect(page.getByTestId('toast')).toBeVisible()
      expect(await metByToast(page), what).toEqual([])
    }

  const details = operationOf('get-applicant-details')
  const field = details.fields[0]?.name ?? ''
  const verify = new VerifyPage(page)
  await verify.open(details.id)
  await verify.run(details.id, { [field]: triggerValue({ kind: 'applicant-id' }, '401') })
  for (const size of sizes) {
    await resizeWindow(page, size)
    // What happened and the first button that helps.
    await expect(verify.record.nextStep.getByRole('heading'), `${size.width}`).toBeInViewport({ ratio: 1 })
    await expect(verify.record.nextStep.locator('.btn').first(), `${size.width}`).toBeInViewport({ ratio: 1 })
  }
})

test('ten cases are decided by keyboard, each with three keys', async ({ workspace }) => {
  const page = await workspace.open()
  const { id: connection } = await usePractice(page, { decisionNoteNeeded: false })
  for (const id of ids) await runCheck(page, connection, 'get-applicant-details', { applicant_id: id })
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.rows).toHaveCount(ids.length)
  await queue.row(ids[0] ?? '').click()
  await queue.heading.focus()
  const decided = async (): Promise<number> => {
    const { events } = await ask(page, 'audit.page', { limit: 200 })
    return events.filter(({ kind }) => kind === 'decision.made').length
  }
  for (const [index] of ids.entries()) {
    await expect(queue.applicant.choice('Approve')).toBeVisible()
    await page.keyboard.press('a')
    await expect(queue.applicant.panel.getByRole('checkbox').first()).toBeFocused()
    await page.keyboard.press('Space')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect.poll(decided).toBe(index + 1)
  }
  await expect(queue.rows).toHaveCount(0)
})
