/** The bundled practice service as a connection: its address and credentials are filled in by core. */
import { failed, type Failure } from '#contract/failures.ts'
import type { Connection, ConnectionStatus } from '#contract/connection.ts'
import { fail, ok, type Result } from '#contract/result.ts'
import { connectionNote, credentialNote } from '#core/audit/changes.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { Connections } from './connections.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { SettingsFile } from '#core/settings/settings.ts'

export interface Practice {
  /** Starts the service where it is not running, and makes its connection ready to use. */
  start(): Promise<Result<ConnectionStatus, Failure>>
  /**
   * The connection of this id, ready to be sent to: the practice service is started where it is the bundled one.
   * Whatever sends asks here first. Failures: why nothing may be sent with the settings or connections as they are.
   */
  reachable(connectionId: string): Promise<Result<Connection, Failure>>
}

/** What Veridesk changes of the connection by itself is noted in the audit trail as what a person changes is. */
export function createPractice(
  host: Pick<HostPorts, 'startPractice'>,
  connections: Connections,
  settings: Pick<SettingsFile, 'sendingRefusal'>,
  auditTrail: AuditTrail
): Practice {
  const start = async (): Promise<Result<ConnectionStatus, Failure>> => {
    const started = await host.startPractice()
    if (!started.ok) return started
    const placed = await connections.ensurePractice(started.value.baseUrl, started.value.credentials)
    if (!placed.ok) return placed
    const { connection, before, set, refusal } = placed.value
    const changed = connectionNote(before, connection)
    if (changed) await auditTrail.note(changed)
    for (const credential of set) await auditTrail.note(credentialNote(connection, credential, 'set'))
    return refusal ? { ok: false, failure: refusal } : ok(connection)
  }
  return {
    start,
    async reachable(connectionId) {
      const refusal = settings.sendingRefusal() ?? connections.fault()
      if (refusal) return fail(refusal)
      const connection = connections.get(connectionId)
      if (!connection) return failed('connection-missing')
      return connection.practice ? start() : ok(connection)
    }
  }
}
