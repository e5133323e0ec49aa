/** Opens sample data in Electron: the program starts itself again, through a process that it keeps for this. */
import { app } from 'electron'
import { failed } from '#contract/failures/failures.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { connect, type Connected } from '#wire/rpc.ts'
import type { SampleStarter } from '../node/sample-window.ts'
import { ownProgram } from './start.ts'
import { utilityLine } from './workers.ts'

/**
 * The host's port. Refused in an AppImage: it runs from a disk that disappears with the process that mounted it, so a second
 * window would lose its program when the first one closes.
 */
export function openSample(): NonNullable<HostPorts['openSample']> {
  let starter: Connected<SampleStarter> | undefined
  return async () => {
    if (app.isPackaged && process.platform === 'linux' && process.env['APPIMAGE'] !== undefined)
      return failed('sample-not-opened', { reason: 'appimage' })
    const used = (starter ??= connect<SampleStarter>(utilityLine('sample-starter', 'Veridesk sample data'), () =>
      failed('sample-not-opened', { reason: 'host' })
    ))
    void used.ended.then(() => {
      if (starter === used) starter = undefined
    })
    return used.api.open(ownProgram())
  }
}
