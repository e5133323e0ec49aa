/** Screen-share mode in Electron: the menu switches it, and the system is asked to keep the window out of captures. */
import { ask, expect, test } from './fixtures/workspace.ts'

test(
  'the window is protected while the mode is on, and the menu switches it',
  { tag: '@electron-only' },
  async ({ workspace }) => {
    const page = await workspace.open()
    const { electron } = workspace.session()
    if (!electron) throw new Error('this is not Electron')
    const asked = await electron.evaluateHandle(({ BrowserWindow }) => {
      const calls: boolean[] = []
      for (const window of BrowserWindow.getAllWindows()) {
        const protect = window.setContentProtection.bind(window)
        window.setContentProtection = (on) => {
          calls.push(on)
          protect(on)
        }
      }
      return calls
    })
    const press = (): Promise<void> =>
      electron.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('screen-share')?.click())
    await press()
    await expect(page.getByTestId('screen-share')).toBeVisible()
    // Linux has no such protection, and the state does not claim one.
    expect((await ask(page, 'app.state')).screenShare).toEqual({
      on: true,
      blocksCapture: process.platform !== 'linux'
    })
    await press()
    await expect(page.getByTestId('screen-share')).toHaveCount(0)
    expect(await asked.jsonValue()).toEqual([true, false])
  }
)
