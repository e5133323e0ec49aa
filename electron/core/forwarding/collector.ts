/**
 * Hands events to a collector of syslog over TLS (RFC 5425). The protocol has no confirmation: what was written to a socket may
 * never arrive. So each hand-over is a connection of its own, and counts only if the collector ends it in order after it was told
 * the end; a system that closes a connection with unread bytes resets it.
 */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { dial } from '#core/client/dial.ts'
import type { Network } from '#core/client/network.ts'
import { faultOf, type StopReason } from '#core/client/socket-faults.ts'

export interface Handover {
  /** Host and port. */
  readonly collector: string
  readonly network: Pick<Network, 'to'>
  readonly frames: readonly Uint8Array[]
  /** Seconds for everything. */
  readonly seconds: number
  /** Ends it before. */
  readonly stop: AbortSignal
}

/** Failures: `forwarding-not-taken`, those of settings and proxies. */
export async function handOver({
  collector,
  network,
  frames,
  seconds,
  stop: ending
}: Handover): Promise<Result<null, Failure>> {
  const origin = `https://${collector}`
  const way = await network.to(origin)
  if (!way.ok) return way
  const late = new AbortController()
  const timer = setTimeout(() => late.abort('connect-timeout' satisfies StopReason), seconds * 1000)
  const stop = AbortSignal.any([late.signal, ending])
  try {
    // A collector speaks no protocol that has a name here.
    const line = await dial({ origin, ...way.value, stop, seconds, protocols: [] })
    if (!line.ok) return failed('forwarding-not-taken', { host: collector, cause: line.failure })
    const fault = await give(line.value, frames, stop)
    if (fault === undefined) return ok(null)
    if (fault === 'stopped') return failed('forwarding-not-taken', { host: collector, reason: 'silence', seconds })
    return fault === 'closed'
      ? failed('forwarding-not-taken', { host: collector, reason: 'closed' })
      : failed('forwarding-not-taken', { host: collector, errno: fault.errno })
  } finally {
    clearTimeout(timer)
  }
}

type Fault = 'stopped' | 'closed' | { readonly errno: string }

/** Writes everything and waits for the other side's end; undefined if it came in order. */
function give(socket: Socket, frames: readonly Uint8Array[], stop: AbortSignal): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    const end = (fault?: Fault): void => {
      stop.removeEventListener('abort', onStop)
      socket.destroy()
      resolve(fault)
    }
    const onStop = (): void => end('stopped')
    if (stop.aborted) return end('stopped')
    stop.addEventListener('abort', onStop, { once: true })
    socket.on('error', (error) => end({ errno: faultOf(error).code }))
    // Whatever it says is not for us.
    socket.resume()
    let told = false
    socket.once('end', () => end(told ? undefined : 'closed'))
    socket.once('close', () => end('closed'))
    void (async () => {
      for (const frame of frames) if (!socket.write(frame)) await once(socket, 'drain', { signal: stop })
      socket.end(() => (told = true))
    })().catch(() => undefined)
  })
}
