/**
 * One open connection, used by one request at a time through an agent of its own.
 *
 * The agent never connects by itself: it holds the socket that `dial` opened, so it is always known which socket
 * carried a request.
 */
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'

export interface Line {
  readonly agent: http.Agent
  readonly socket: Socket
  /** True if a request came after the socket had closed: it was never assigned the socket, and no byte was written. */
  outdated(): boolean
  close(): void
}

/** Wraps an open socket. `keepAlive` asks the service to keep it open for the next request. */
export function openLine(socket: Socket, secure: boolean, keepAlive: boolean): Line {
  const options: http.AgentOptions = { keepAlive, maxSockets: 1, maxFreeSockets: 1 }
  const agent = secure ? new https.Agent(options) : new http.Agent(options)
  let handedOut = false
  let outdated = false
  agent.createConnection = () => {
    if (handedOut || socket.destroyed) {
      outdated = true
      throw new Error('the line has closed')
    }
    handedOut = true
    return socket
  }
  return {
    agent,
    socket,
    outdated: () => outdated,
    close() {
      agent.destroy()
      socket.destroy()
    }
  }
}

/** Idle lines of a batch, reused for its next requests. Close it when the batch ends. */
export interface LinePool {
  take(key: string): Line | undefined
  /** Only for a line whose response was read to its end. */
  give(key: string, line: Line): void
  close(): void
}

/**
 * Services close idle connections after 2 seconds (gunicorn) to 75 (nginx). A request on a line that is just being
 * closed ends as "unknown", so a line is reused only for a short time.
 */
const maxIdleMilliseconds = 1000

function isIdle(line: Line): boolean {
  const { socket } = line
  const free = Object.values(line.agent.freeSockets).some((sockets) => sockets?.includes(socket))
  return free && !socket.destroyed && socket.readable && socket.writable
}

/** A pool of lines by key (origin, hop and trust). */
export function createLinePool(monotonic: () => number): LinePool {
  const idle = new Map<string, { readonly line: Line; readonly since: number }[]>()
  let closed = false
  return {
    take(key) {
      const lines = idle.get(key) ?? []
      for (;;) {
        const next = lines.pop()
        if (!next) return undefined
        if (monotonic() - next.since <= maxIdleMilliseconds && isIdle(next.line)) return next.line
        next.line.close()
      }
    },
    give(key, line) {
      if (closed) return line.close()
      idle.set(key, [...(idle.get(key) ?? []), { line, since: monotonic() }])
    },
    close() {
      closed = true
      for (const lines of idle.values()) for (const { line } of lines) line.close()
      idle.clear()
    }
  }
}
