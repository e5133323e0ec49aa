/** Whether Electron's window can be proved on this machine. */
import { electronRuntime } from '../../../tests/app/fixtures/runtime.ts'
import type { HostName } from '../../../tests/app/fixtures/hosts.ts'
import type { Measured } from '../../figures/section.ts'

/** Electron's version, or why there is none, as the end of “because …”. */
export function electronHere(): { readonly electron: string } | { readonly why: string } {
  const runtime = electronRuntime()
  return 'missing' in runtime
    ? { why: `${runtime.missing.charAt(0).toLowerCase()}${runtime.missing.slice(1)}`.replace(/^electron/, 'Electron') }
    : { electron: runtime.version }
}

/** The hosts with a window that run here, and what of Electron does not. */
export function hostsHere(what: string): {
  readonly hosts: readonly HostName[]
  readonly notRun: NonNullable<Measured['notRun']>
  readonly versions: NonNullable<Measured['versions']>
} {
  const here = electronHere()
  return 'why' in here
    ? { hosts: ['preview'], notRun: [{ name: what, why: here.why }], versions: {} }
    : { hosts: ['preview', 'electron'], notRun: [], versions: { electron: here.electron } }
}
