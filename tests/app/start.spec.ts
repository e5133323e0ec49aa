/** What a start loads before its form is shown. Same specs in both hosts. */
import { expect, test } from './fixtures/test.ts'

test(
  'the first form is one script and one style sheet, and nothing of them is refused by the policy',
  { tag: '@electron' },
  async ({ consolePage: page }) => {
    await page.addInitScript(() => {
      const refused: string[] = []
      Object.assign(window, { refused })
      document.addEventListener('securitypolicyviolation', (event) =>
        refused.push(`${event.violatedDirective} ${event.blockedURI}`)
      )
    })
    await page.evaluate(() => void (location.href = '#/verify/applicant'))
    await page.reload()
    await page.waitForFunction(() => performance.getEntriesByName('form').length > 0)
    const { read, refused } = await page.evaluate(() => {
      const form = performance.getEntriesByName('form')[0]?.startTime ?? 0
      const before = performance.getEntriesByType('resource').filter((entry) => entry.startTime < form)
      const count = (kind: string): number => before.filter(({ name }) => name.endsWith(kind)).length
      return {
        read: { scripts: count('.js'), styles: count('.css') },
        refused: (window as unknown as { refused: string[] }).refused
      }
    })
    expect(read).toEqual({ scripts: 1, styles: 1 })
    expect(refused).toEqual([])
  }
)
