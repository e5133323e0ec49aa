/** Connections, their credentials, and the practice service. */
import type { CredentialId } from '#contract/credentials.ts'
import { failed, type Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import { connectionNote, credentialNote } from '#core/audit/changes.ts'
import type { Handlers } from '#core/door.ts'
import { done, type HandlerParts } from './parts.ts'

type Names =
  | 'connections.list'
  | 'connections.save'
  | 'connections.remove'
  | 'connections.reach'
  | 'credentials.set'
  | 'credentials.clear'
  | 'practice.start'

export function connectionHandlers(parts: HandlerParts): Pick<Handlers, Names> {
  const { host, connections, credentials, network, practice, trail } = parts
  const connectionsChanged = (): void => host.announce({ kind: 'connections-changed' })

  /** A changed credential, answered with what the window may know of the connection now. */
  const credentialChanged = async (
    connectionId: string,
    credential: CredentialId,
    what: 'set' | 'cleared',
    change: () => Promise<Result<unknown, Failure>>
  ) => {
    if (!connections.get(connectionId)) return failed('connection-missing')
    const changed = await change()
    if (!changed.ok) return changed
    connectionsChanged()
    parts.stateChanged()
    const status = (await connections.list()).find((each) => each.id === connectionId)
    if (status) await trail.note(credentialNote(status, credential, what))
    return status ? { ok: true as const, value: status } : failed('connection-missing')
  }

  return {
    'connections.list': async () => ({ ok: true, value: await connections.list() }),
    'connections.save': async (draft) => {
      const before = draft.id === undefined ? undefined : connections.get(draft.id)
      const saved = await connections.save(draft)
      if (!saved.ok) return saved
      connectionsChanged()
      const note = connectionNote(before, saved.value.connection, saved.value.credentialsCleared)
      if (note) await trail.note(note)
      return saved
    },
    'connections.remove': async ({ id }) => {
      const before = connections.get(id)
      const removed = await connections.remove(id)
      if (!removed.ok) return removed
      connectionsChanged()
      await trail.note({ kind: 'connection.changed', plain: { connectionId: id, connection: before?.name ?? '', change: 'removed' } })
      return done
    },
    'connections.reach': async ({ id }) => {
      const connection = await practice.reachable(id)
      return connection.ok ? network.reach(connection.value.baseUrl) : connection
    },
    'credentials.set': ({ connectionId, credential, value }) =>
      credentialChanged(connectionId, credential, 'set', () => credentials.set(connectionId, credential, value)),
    'credentials.clear': ({ connectionId, credential }) =>
      credentialChanged(connectionId, credential, 'cleared', () => credentials.clear(connectionId, credential)),
    'practice.start': async () => {
      const started = await practice.start()
      if (started.ok) connectionsChanged()
      return started
    }
  }
}
