/** The connections, and the current one. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { ConnectionDraft, ConnectionStatus, ReachabilityReport } from '#contract/connections/connection.ts'
import { credentials, type CredentialId } from '#contract/connections/credentials.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { whatToDo } from '../../kit/failure-text.ts'
import { ask } from '../../bridge.ts'
import { useApp } from '../shell/app-store.ts'
import { words } from './words.ts'

/** A connection, or an address that is not saved yet. */
export type ReachTarget = { readonly id: string } | { readonly baseUrl: string }

/** Labels of the credentials that a connection lacks. */
export function missingCredentials(connection: ConnectionStatus): string[] {
  return credentials
    .filter((credential) => !connection.credentials[credential.id])
    .map((credential) => credential.label)
}

export const useConnections = defineStore('connections', () => {
  const app = useApp()
  const all = shallowRef<readonly ConnectionStatus[]>([])
  const loaded = ref(false)
  const failure = shallowRef<Failure>()
  const startingPractice = ref(false)

  const current = computed<ConnectionStatus | undefined>(
    () => all.value.find((connection) => connection.id === app.settings.lastConnection) ?? all.value[0]
  )

  async function load(): Promise<void> {
    const answer = await ask('connections.list')
    loaded.value = true
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) all.value = answer.value
  }

  function put(connection: ConnectionStatus): void {
    const known = all.value.some((other) => other.id === connection.id)
    all.value = known
      ? all.value.map((other) => (other.id === connection.id ? connection : other))
      : [...all.value, connection]
  }

  async function choose(id: string): Promise<void> {
    if (app.settings.lastConnection === id) return
    const refused = await app.change({ lastConnection: id })
    const chosen = all.value.find((connection) => connection.id === id)
    if (refused) app.showToast(whatToDo(refused), { tone: 'warning' })
    else if (chosen)
      app.announce(
        (chosen.mode === 'live' ? words.connectionNameLive : words.connectionNameSandbox)({ name: chosen.name })
      )
  }

  async function save(
    draft: ConnectionDraft
  ): Promise<{ failure?: Failure; cleared?: boolean; saved?: ConnectionStatus }> {
    const answer = await ask('connections.save', draft)
    if (!answer.ok) return { failure: answer.failure }
    put(answer.value.connection)
    return { cleared: answer.value.credentialsCleared, saved: answer.value.connection }
  }

  async function remove(id: string): Promise<Failure | undefined> {
    const answer = await ask('connections.remove', { id })
    if (!answer.ok) return answer.failure
    all.value = all.value.filter((connection) => connection.id !== id)
    return undefined
  }

  /** Shows the changed connection, or returns why it did not change. */
  async function changed(change: Promise<Result<ConnectionStatus, Failure>>): Promise<Failure | undefined> {
    const answer = await change
    if (!answer.ok) return answer.failure
    put(answer.value)
    return undefined
  }
  const setCredential = (connectionId: string, credential: CredentialId, value: string): Promise<Failure | undefined> =>
    changed(ask('credentials.set', { connectionId, credential, value }))
  const clearCredential = (connectionId: string, credential: CredentialId): Promise<Failure | undefined> =>
    changed(ask('credentials.clear', { connectionId, credential }))
  const undoClear = (connectionId: string, credential: CredentialId): Promise<Failure | undefined> =>
    changed(ask('credentials.undoClear', { connectionId, credential }))

  async function reach(target: ReachTarget): Promise<{ report?: ReachabilityReport; failure?: Failure }> {
    const answer = await ask('connections.reach', target)
    return answer.ok ? { report: answer.value } : { failure: answer.failure }
  }

  async function startPractice(): Promise<{ failure?: Failure; started?: ConnectionStatus }> {
    startingPractice.value = true
    const answer = await ask('practice.start')
    startingPractice.value = false
    if (!answer.ok) return { failure: answer.failure }
    put(answer.value)
    await choose(answer.value.id)
    return { started: answer.value }
  }

  return {
    all,
    loaded,
    failure,
    current,
    startingPractice,
    load,
    choose,
    save,
    remove,
    setCredential,
    clearCredential,
    undoClear,
    reach,
    startPractice
  }
})
