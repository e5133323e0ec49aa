/** The preview's window has no permissions, not even those that browsers grant without asking. */
import type { DevTools } from '../node/chromium/devtools.ts'
import { windowOrigin } from './intercept.ts'

// All others are denied by the switch that denies all prompts.
const grantedByDefault = [
  'accelerometer',
  'ambient-light-sensor',
  'background-fetch',
  'background-sync',
  'clipboard-write',
  'gyroscope',
  'keyboard-lock',
  'magnetometer',
  'midi',
  'payment-handler',
  'periodic-background-sync',
  'persistent-storage',
  'pointer-lock',
  'screen-wake-lock',
  'storage-access',
  'window-management'
]

/** Denies them for the window's origin; a browser that does not know a name cannot grant it. */
export function denyPermissions(devTools: DevTools): void {
  for (const name of grantedByDefault)
    devTools.notify('Browser.setPermission', { permission: { name }, setting: 'denied', origin: windowOrigin })
}
