/** Connections, their credentials, and the practice service. */
import { credentials as declared, type CredentialId } from '#contract/credentials.ts'
import { failed, type Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import { connectionChanges } from '#core/audit/changes.ts'
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
    const header = declared.find(({ id }) => id === credential)?.header ?? credential
    if (status)
      await trail.note({ kind: 'credential.changed', plain: { connectionId, connection: status.name, header, change: what, kept: status.kept } })
    return status ? { ok: true as const, value: status } : failed('connection-missing')
  }

  return {
    'connections.list': async () => ({ ok: true, value: await connections.list() }),
    'connections.save': async (draft) => {
      const before = draft.id === undefined ? undefined : connections.get(draft.id)
      const saved = await connections.save(draft)
      if (!saved.ok) return saved
      connectionsChanged()
      const { connection, credentialsCleared } = saved.value
      const fields = before && connectionChanges(before, connection)
      if (!fields || Object.keys(fields).length > 0)
        await trail.note({
          kind: 'connection.changed',
          plain: { connectionId: connection.id, connection: connection.name, change: fields ? 'changed' : 'added', fields, credentialsCleared }
        })
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
