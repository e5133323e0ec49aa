/** Orders and failing services for the client's tests; each service ends with its test. */
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { startRawService, type TestService } from './client-services.ts'

export * from './client-services.ts'

/** A service made of raw sockets; calls `onRequest` once a connection's request has arrived completely. */
export async function rawService(
  onRequest: (socket: Socket, request: string, nth: number) => void
): Promise<TestService> {
  const service = await startRawService(onRequest)
  onTestFinished(() => service.end())
  return service
}
