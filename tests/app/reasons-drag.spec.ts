/** A dragged reason is moved to where it is dropped, whatever core or another pointer does in the meantime. */
import type { Page } from '@playwright/test'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { ReasonList, SettingsPage } from './pages/settings.ts'

const codes = async (page: Page): Promise<string[]> =>
  (await ask(page, 'app.state')).settings.decisionReasons.map(({ code }) => code)
const order = async (list: ReasonList): Promise<(string | null)[]> =>
  list.rows.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-code')))

async function openReasons(page: Page): Promise<ReasonList> {
  await usePractice(page)
  await new SettingsPage(page).open()
  return new ReasonList(page)
}
/** Like core's notification of a change made a moment before. */
async function reorder(page: Page, list: ReasonList, wanted: readonly string[]): Promise<void> {
  const { decisionReasons } = (await ask(page, 'app.state')).settings
  await ask(page, 'settings.change', {
    decisionReasons: wanted.map((code) => decisionReasons.find((reason) => reason.code === code)!)
  })
  await expect.poll(() => order(list)).toEqual(wanted)
}

test('an earlier change that arrives during a drag does not lose the drop', async ({ workspace }) => {
  const page = await workspace.open()
  const list = await openReasons(page)
  const before = await codes(page)
  const [last, beforeLast, second] = [before.at(-1)!, before.at(-2)!, before[1]!]
  await list.grip(last)
  // The list changes during the drag, so that the dragged row moves in the page.
  const others = before.filter((code) => code !== last && code !== beforeLast)
  await reorder(page, list, [last, beforeLast, ...others])
  await list.dropOn(second)
  const wanted = [last, beforeLast, ...others].filter((code) => code !== last)
  wanted.splice([last, beforeLast, ...others].indexOf(second), 0, last)
  await expect.poll(() => codes(page)).toEqual(wanted)
  await expect.poll(() => order(list)).toEqual(wanted)
})

test('a row is dropped where the button is released, not at an earlier pointer position', async ({ workspace }) => {
  const page = await workspace.open()
  const list = await openReasons(page)
  const before = await codes(page)
  const [first, third, last] = [before[0]!, before[2]!, before.at(-1)!]
  const pointer = await page.context().newCDPSession(page)
  const at = async (code: string) => {
    const box = await list.row(code).boundingBox()
    return { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  }
  await list.grip(last)
  const target = await at(third)
  await page.mouse.move(target.x, target.y)
  // The system reports its own pointer's position without a pressed button, as it does when windows open and close.
  await pointer.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...(await at(first)), buttons: 0 })
  await pointer.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...target, button: 'left', clickCount: 1 })
  const wanted = before.filter((code) => code !== last)
  wanted.splice(2, 0, last)
  await expect.poll(() => codes(page)).toEqual(wanted)
})

test('two changes made in a row are both kept, however late the core answers the first', async ({ workspace }) => {
  const page = await workspace.open()
  const list = await openReasons(page)
  const before = await codes(page)
  const [first, second] = [before[0]!, before[1]!]
  // Both before the window has received an answer: one renames a reason, the other moves another.
  await page.evaluate(
    ([renamed, moved]) => {
      const name = document.querySelector<HTMLInputElement>(`[data-code="${renamed}"] input[type="text"]`)!
      name.value = 'Another name'
      name.dispatchEvent(new Event('input', { bubbles: true }))
      name.dispatchEvent(new Event('change', { bubbles: true }))
      document.querySelector<HTMLButtonElement>(`[data-code="${moved}"] [data-act="up"]`)!.click()
    },
    [first, second] as const
  )
  await expect.poll(async () => (await codes(page)).slice(0, 2)).toEqual([second, first])
  const { decisionReasons } = (await ask(page, 'app.state')).settings
  expect(decisionReasons.find(({ code }) => code === first)?.label).toBe('Another name')
  await expect(list.row(first).getByRole('textbox', { name: /^Name of reason/ })).toHaveValue('Another name')
})

test('Escape leaves a row in place, and so does a press without a movement', async ({ workspace }) => {
  const page = await workspace.open()
  const list = await openReasons(page)
  const before = await codes(page)
  await list.grip(before.at(-1)!)
  const target = await list.row(before[2]!).boundingBox()
  await page.mouse.move((target?.x ?? 0) + 40, (target?.y ?? 0) + 10)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await list.grip(before[1]!)
  await page.mouse.up()
  await list.row(before[0]!).getByRole('button', { name: /down$/ }).click()
  await expect.poll(() => codes(page)).toEqual([before[1], before[0], ...before.slice(2)])
})
