/** The connection to the bundled practice service; core fills in its address and credentials. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { Connection, ConnectionStatus } from '#contract/connections/connection.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { connectionNote, credentialNote } from '#core/audit/changes.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { Connections } from './connections.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { Policies } from '#core/policies/policies.ts'
import type { SettingsFile } from '#core/settings/settings.ts'

export interface Practice {
  /** Starts the service if it is not running and prepares its connection. */
  start(): Promise<Result<ConnectionStatus, Failure>>
  /** Its address, once it has been started in this session. */
  address(): string | undefined
  /**
   * Returns the connection with this id, ready for sending; starts the practice service if it is the bundled one.
   * Must be called before anything is sent. Failures: why nothing may be sent with the current settings or
   * connections.
   */
  reachable(connectionId: string): Promise<Result<Connection, Failure>>
}

/** Automatic changes to the connection are recorded in the audit trail like changes by a user. */
export function createPractice(
  host: Pick<HostPorts, 'startPractice'>,
  connections: Connections,
  settings: Pick<SettingsFile, 'sendingRefusal'>,
  auditTrail: AuditTrail,
  policies?: Pick<Policies, 'addressRefusal'>
): Practice {
  let address: string | undefined
  const start = async (): Promise<Result<ConnectionStatus, Failure>> => {
    const started = await host.startPractice()
    if (!started.ok) return started
    const placed = await connections.ensurePractice(started.value.baseUrl, started.value.credentials)
    if (!placed.ok) return placed
    const { connection, before, set, refusal } = placed.value
    address = connection.baseUrl
    const changed = connectionNote(before, connection)
    if (changed) await auditTrail.note(changed)
    for (const credential of set) await auditTrail.note(credentialNote(connection, credential, 'set'))
    return refusal ? { ok: false, failure: refusal } : ok(connection)
  }
  return {
    start,
    address: () => address,
    async reachable(connectionId) {
      const refusal = settings.sendingRefusal() ?? connections.fault()
      if (refusal) return fail(refusal)
      const connection = connections.get(connectionId)
      if (!connection) return failed('connection-missing')
      const notAllowed = policies?.addressRefusal(connection)
      if (notAllowed) return fail(notAllowed)
      return connection.practice ? start() : ok(connection)
    }
  }
}
