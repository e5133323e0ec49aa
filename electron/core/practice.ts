/** The bundled practice service as a connection: its address and credentials are filled in by core. */
import { failed, type Failure } from '#contract/failures.ts'
import type { Connection, ConnectionStatus } from '#contract/connection.ts'
import type { Result } from '#contract/result.ts'
import type { Connections } from '#core/connections/connections.ts'
import type { HostPorts } from '#core/ports.ts'

export interface Practice {
  /** Starts the service where it is not running, and makes its connection ready to use. */
  start(): Promise<Result<ConnectionStatus, Failure>>
  /** The connection of this id, the practice service started where it is the bundled one. */
  reachable(connectionId: string): Promise<Result<Connection, Failure>>
}

export function createPractice(host: Pick<HostPorts, 'startPractice'>, connections: Connections): Practice {
  const start = async (): Promise<Result<ConnectionStatus, Failure>> => {
    const started = await host.startPractice()
    return started.ok ? connections.ensurePractice(started.value.baseUrl, started.value.credentials) : started
  }
  return {
    start,
    async reachable(connectionId) {
      const connection = connections.get(connectionId)
      if (!connection) return failed('connection-missing')
      return connection.practice ? start() : { ok: true, value: connection }
    }
  }
}
