/** What each channel does, in the order of the surface. Each is a few lines over the parts of core. */
import { failed, type Failure } from '#contract/failures.ts'
import type { AppState } from '#contract/ipc.ts'
import type { HistoryStore, HostPorts, SecretStore } from '#core/ports.ts'
import type { Result } from '#contract/result.ts'
import type { Connections } from '#core/connections/connections.ts'
import { readCaFile } from '#core/client/trust.ts'
import type { Credentials } from '#core/secrets/credentials.ts'
import type { SettingsKeeper } from '#core/settings/settings.ts'
import type { Handlers } from '#core/door.ts'
import type { HistoryKeeper } from '#core/historyKeeper.ts'
import type { Network } from '#core/network.ts'
import type { Practice } from '#core/practice.ts'
import type { Runs } from '#core/verification/runs.ts'

export interface HandlerParts {
  readonly host: HostPorts
  readonly keychain: SecretStore
  readonly credentials: Credentials
  readonly connections: Connections
  readonly settings: SettingsKeeper
  readonly history: HistoryKeeper
  readonly network: Network
  readonly practice: Practice
  readonly runs: Runs
  state(): AppState
  /** Tells the windows that the state has changed. */
  stateChanged(): void
}

/** Builds the handlers of the door. */
export function createHandlers(parts: HandlerParts): Handlers {
  const { host, connections, credentials, settings, history, network, practice, runs } = parts

  /** Asks the open history, or answers why there is none. */
  const withHistory = async <T>(ask: (store: HistoryStore) => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> => {
    const store = history.store()
    return store.ok ? ask(store.value) : store
  }

  const done = { ok: true, value: null } as const
  const connectionsChanged = (): void => host.announce({ kind: 'connections-changed' })

  /** A changed credential, answered with what the window may know of the connection now. */
  const credentialChanged = async (connectionId: string, change: () => Promise<Result<unknown, Failure>>) => {
    if (!connections.get(connectionId)) return failed('connection-missing')
    const changed = await change()
    if (!changed.ok) return changed
    connectionsChanged()
    parts.stateChanged()
    const status = (await connections.list()).find((each) => each.id === connectionId)
    return status ? { ok: true as const, value: status } : failed('connection-missing')
  }

  return {
    'app.state': async () => ({ ok: true, value: parts.state() }),
    'app.copy': async ({ text }) => {
      await host.copyText(text)
      return done
    },
    'settings.change': async (patch) => {
      const changed = await settings.change(patch)
      if (changed.ok) parts.stateChanged()
      return changed
    },
    'settings.chooseCaFile': async () => {
      const path = await host.chooseFile('Choose a file with certificate authorities', ['pem', 'crt', 'cer'])
      if (path === undefined) return done
      const file = await readCaFile(path)
      return file.ok ? { ok: true, value: { path, certificates: file.value.certificates } } : file
    },
    'keychain.tryAgain': async () => {
      const state = await parts.keychain.probe()
      await history.open()
      parts.stateChanged()
      connectionsChanged()
      return { ok: true, value: state }
    },
    'connections.list': async () => ({ ok: true, value: await connections.list() }),
    'connections.save': async (draft) => {
      const saved = await connections.save(draft)
      if (saved.ok) connectionsChanged()
      return saved
    },
    'connections.remove': async ({ id }) => {
      const removed = await connections.remove(id)
      if (!removed.ok) return removed
      connectionsChanged()
      return done
    },
    'connections.reach': async ({ id }) => {
      const connection = await practice.reachable(id)
      return connection.ok ? network.reach(connection.value.baseUrl) : connection
    },
    'credentials.set': ({ connectionId, credential, value }) =>
      credentialChanged(connectionId, () => credentials.set(connectionId, credential, value)),
    'credentials.clear': ({ connectionId, credential }) =>
      credentialChanged(connectionId, () => credentials.clear(connectionId, credential)),
    'practice.start': async () => {
      const started = await practice.start()
      if (started.ok) connectionsChanged()
      return started
    },
    'verification.run': (request) => runs.run(request),
    'verification.cancel': async ({ runId }) => ({ ok: true, value: runs.cancel(runId) }),
    'history.page': (query) => withHistory((store) => store.page(query)),
    'history.counts': ({ filter }) => withHistory((store) => store.counts(filter)),
    'history.record': ({ id }) => withHistory((store) => store.record(id)),
    'history.settle': ({ id, as, note }) =>
      withHistory(async (store) => {
        const settled = await store.settle(id, as, note, host.clock.now())
        if (!settled.ok) return settled
        host.announce({ kind: 'history-changed' })
        return store.record(id)
      }),
    'history.tryAgain': async () => ({ ok: true, value: await history.open() }),
    'history.openForSitting': async () => ({ ok: true, value: await history.openForSitting() }),
    'history.setAside': () => history.setAside()
  }
}
