/** Where the start leads: to the first steps while nothing is set up, otherwise to the operation that was last used. */
import type { RouteLocationNormalized, RouteLocationNamedRaw } from 'vue-router'
import { firstOperation, isOperationId } from '#contract/verification/operations.ts'
import { useApp } from './app-store.ts'
import { useConnections } from '../connections/connections-store.ts'

/** Undefined until the state and the connections are known, and while the window is locked. */
export function startPage({ query }: Pick<RouteLocationNormalized, 'query'>): RouteLocationNamedRaw | undefined {
  const [app, connections] = [useApp(), useConnections()]
  if (!app.state || app.state.lock || !connections.loaded) return undefined
  // Sample data are there to be looked at.
  if (app.state.sample) return { name: 'history' }
  const { firstRunDone, lastOperation } = app.settings
  const fresh = !firstRunDone && connections.all.length === 0 && query['to'] !== 'check'
  const operation = isOperationId(lastOperation) ? lastOperation : firstOperation
  return fresh ? { name: 'welcome' } : { name: 'verify', params: { operation } }
}
