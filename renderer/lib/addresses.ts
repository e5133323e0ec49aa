/** The window's own addresses name applicants and hold search texts: they go with the data of persons. */
import type { RouteLocationRaw, Router } from 'vue-router'
import type { RemovalCause } from '#contract/ipc.ts'

/** The page that stays open, without what was searched for. An applicant's is named by a person; of another history no entry is. */
function placeToStay(router: Router, cause: RemovalCause): RouteLocationRaw {
  const { name, params, meta } = router.currentRoute.value
  if (name === 'verify' || (cause === 'erased' && name && name !== 'applicant')) return { name, params }
  return { name: meta.under ?? name ?? 'start' }
}

/** Leaves an address that may name a person. The host forgets those to which “back” would lead. */
export async function leaveAddress(router: Router, cause: RemovalCause): Promise<void> {
  await router.replace(placeToStay(router, cause))
  // The router keeps the former address as the one that it came from, in the page's state and in its own memory: both
  // are given one that knows of no other page.
  const { fullPath } = router.currentRoute.value
  const { position = 0 } = (window.history.state ?? {}) as { readonly position?: number }
  const state = { back: null, current: fullPath, forward: null, replaced: true, position, scroll: null }
  window.history.replaceState(state, '', router.resolve(fullPath).href)
  window.dispatchEvent(new PopStateEvent('popstate', { state }))
}
