/** The window's own addresses name applicants and contain search text, so they are removed with personal data. */
import type { RouteLocationRaw, Router } from 'vue-router'
import type { RemovalCause } from '#contract/ipc/ipc.ts'

/**
 * The current page without its search. An applicant's page names a person, and entries of another history do not exist.
 */
function placeToStay(router: Router, cause: RemovalCause): RouteLocationRaw {
  const { name, params, meta } = router.currentRoute.value
  if (name === 'verify' || (cause === 'erased' && name && name !== 'applicant')) return { name, params }
  return { name: meta.under ?? name ?? 'start' }
}

/** Leaves an address that may name a person. The host clears the history for “back”. */
export async function leaveAddress(router: Router, cause: RemovalCause): Promise<void> {
  await router.replace(placeToStay(router, cause))
  // The router keeps the previous address in the page's state and in its own memory: both are replaced by values
  // without another page.
  const { fullPath } = router.currentRoute.value
  const { position = 0 } = (window.history.state ?? {}) as { readonly position?: number }
  const state = { back: null, current: fullPath, forward: null, replaced: true, position, scroll: null }
  window.history.replaceState(state, '', router.resolve(fullPath).href)
  window.dispatchEvent(new PopStateEvent('popstate', { state }))
}
