/** What a window may know while the console is locked. */
import type { AppState } from '#contract/app/app-state.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'

/** Settings that draw the lock page. Others name connections, searches and people. */
const appearance = ['theme', 'density', 'dateFormat', 'timeZone'] as const satisfies readonly (keyof Settings)[]

/** The state without anything personal. */
export function lockedState(state: AppState, lock: NonNullable<AppState['lock']>): AppState {
  const kept = Object.fromEntries(appearance.map((name) => [name, state.settings[name]]))
  const { operator: _nobody, rulesRefusal: _unknown, ...unpersonal } = state
  return {
    ...unpersonal,
    lock,
    settings: { ...defaultSettings, ...kept },
    history: { state: 'opening' },
    updates: { mode: 'off', checking: false },
    forwarding: [],
    fileFaults: { settings: undefined, connections: undefined },
    notices: []
  }
}

/** Events that a locked window receives; all others tell of data. */
export const toldWhileLocked: ReadonlySet<ConsoleEvent['kind']> = new Set<ConsoleEvent['kind']>([
  'state-changed',
  'locking',
  'data-removed',
  'menu'
])
