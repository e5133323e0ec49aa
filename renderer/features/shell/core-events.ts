/** Passes core's events to the parts of the window. */
import { watch } from 'vue'
import type { Router, RouteLocationRaw } from 'vue-router'
import type { ConsoleEvent, RemovalCause } from '#contract/ipc/ipc.ts'
import { ask, listen } from '../../bridge.ts'
import { useApp } from './app-store.ts'
import { useApplicants } from '../applicants/applicants-store.ts'
import { useAudit } from '../audit/audit-store.ts'
import { useBatches } from '../batches/batches-store.ts'
import { useConnections } from '../connections/connections-store.ts'
import { useDrafts } from './drafts-store.ts'
import { useHistory } from '../history/history-store.ts'
import { useDataManagement } from '../data-management/data-management-store.ts'
import { usePrint } from './print-store.ts'
import { usePalette } from './palette-store.ts'
import { progressed } from '../check/check-progress.ts'
import { useRun } from '../verify/run-store.ts'
import { useTeam } from '../team/team-store.ts'
import { noteActivity } from '../lock/lock.ts'
import { leftPlace } from '../lock/coming-back.ts'
import { noteCopies, yieldToUser } from './user-input.ts'
import { arrivals, openMenu } from './navigation.ts'
import { removeData } from '../../kit/removal.ts'
import { whyForbidden } from './forbidden.ts'
import { words } from './words.ts'

/**
 * The current page without its search. An applicant's page names a person, and entries of another history do not exist.
 */
function placeToStay(router: Router, cause: RemovalCause): RouteLocationRaw {
  const { name, params, meta } = router.currentRoute.value
  if (name === 'verify' || (cause === 'erased' && name && name !== 'applicant')) return { name, params }
  // Tabs of administration are not about a person or an entry.
  return { name: (meta.under === 'administration' ? name : meta.under) ?? name ?? 'start' }
}

/** Leaves an address that may name a person. The host clears the history for “back”. */
async function leaveAddress(router: Router, cause: RemovalCause): Promise<void> {
  await router.replace(placeToStay(router, cause))
  // The router keeps the previous address in the page's state and in its own memory: both are replaced by values
  // without another page.
  const { fullPath } = router.currentRoute.value
  const { position = 0 } = (window.history.state ?? {}) as { readonly position?: number }
  const state = { back: null, current: fullPath, forward: null, replaced: true, position, scroll: null }
  window.history.replaceState(state, '', router.resolve(fullPath).href)
  window.dispatchEvent(new PopStateEvent('popstate', { state }))
}

type Handlers = {
  readonly [Kind in ConsoleEvent['kind']]?: (event: Extract<ConsoleEvent, { readonly kind: Kind }>) => void
}

/** Subscribes to core's events for the lifetime of the window. To be called before the first request to core. */
export function listenToCore(router: Router): void {
  const app = useApp()
  const applicants = useApplicants()
  const batches = useBatches()
  const audit = useAudit()
  const connections = useConnections()
  const history = useHistory()
  const dataManagement = useDataManagement()
  const run = useRun()
  const team = useTeam()
  // Reads earlier drafts as soon as the history is open, and stores later ones.
  const drafts = useDrafts()
  const palette = usePalette()
  const print = usePrint()
  yieldToUser(() => batches.running > 0)
  noteCopies(
    () => whyForbidden('copy'),
    (why) => app.showToast(why, { tone: 'warning' })
  )
  noteActivity()
  const removed = (cause: RemovalCause): void => {
    removeData()
    const left = leaveAddress(router, cause)
    // A new page: what the engine of the old one still holds goes with it.
    if (cause === 'locked') return void left.finally(() => location.reload())
    // The user who pressed the button gets a more specific result.
    app.showToast(cause === 'erased' ? words.personalDataWasErasedForms : words.anotherHistoryIsOpenForms)
  }
  async function storeDrafts(): Promise<void> {
    const { name, fullPath } = router.currentRoute.value
    // The start leads on by itself: going back to it would cancel that, and leave the window empty.
    drafts.left = name === 'start' ? undefined : leftPlace(fullPath)
    await drafts.flush()
    await ask('lock.ready')
  }
  // What the lock emptied is read again.
  watch(
    () => app.state?.lock === undefined,
    (open) => {
      if (!open) return
      void connections.load()
      history.changed()
      applicants.changed()
      team.changed()
      dataManagement.changed()
    }
  )
  // What waited while the window was locked. Drafts may be read later: a history that did not open can be opened.
  const arrive = arrivals(router)
  watch(
    [() => app.state !== undefined && app.state.lock === undefined, () => drafts.back],
    ([open, back], [wasOpen]) => {
      if (open && (back || !wasOpen)) arrive()
    }
  )
  const handlers: Handlers = {
    'state-changed': ({ state }) => app.take(state),
    'opening-asked': arrive,
    'locking': () => void storeDrafts(),
    'connections-changed': () => void connections.load(),
    'history-changed': () => {
      history.changed()
      applicants.changed()
    },
    'batch-changed': ({ batch }) => batches.onChanged(batch),
    'data-removed': ({ cause }) => removed(cause),
    'run-progress': (event) => run.onProgress(event),
    'check-progress': ({ checkId }) => void (progressed.value = { checkId }),
    'team-changed': () => team.changed(),
    'evidence-changed': () => applicants.changed(),
    'queue-counted': ({ waiting }) => applicants.counted(waiting),
    'audit-progress': (event) => void (audit.progress = event),
    'data-management-changed': () => dataManagement.changed(),
    'export-progress': ({ progress }) => dataManagement.onProgress(progress),
    'menu'({ command }) {
      if (app.state?.lock) return
      if (command === 'lock') void app.lock()
      else if (command === 'print') void print.print(router)
      else if (command === 'screen-share') void app.toggleScreenShare()
      else openMenu(command, router, palette)
    }
  }
  listen((event) => (handlers[event.kind] as ((event: ConsoleEvent) => void) | undefined)?.(event))
}
