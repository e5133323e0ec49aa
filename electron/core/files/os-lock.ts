/**
 * A lock that is an object of the operating system and ends with its process, so that a crash never leaves one
 * behind: a named pipe on Windows, an abstract socket on Linux, and on macOS a file opened with an exclusive lock.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'

export interface OsLock {
  release(): Promise<void>
}

/** The address at which other processes can connect to a lock; undefined on systems whose lock has none. */
export function lockAddress(name: string): string | undefined {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32)
  if (process.platform === 'win32') return `\\\\.\\pipe\\veridesk-${digest}`
  if (process.platform !== 'linux') return undefined
  // As long as an address can be: Node versions terminate shorter ones differently and would not match.
  return `\0veridesk-${process.getuid?.() ?? ''}-${digest}-`.padEnd(108, 'x')
}

/**
 * Takes a lock by name, or returns undefined if another process holds it. On Linux a name is separate for each user.
 *
 * @param file Locked instead on a system without addresses; its folder must exist.
 * @param onConnection Called with connections to the lock's address; closes them by default.
 */
export function takeLock(name: string, file: string, onConnection: (socket: Socket) => void = turnAway): Promise<OsLock | undefined> {
  const address = lockAddress(name)
  return address === undefined ? lockByFile(file) : lockBySocket(address, onConnection)
}

function turnAway(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.destroy()
}

function lockBySocket(address: string, onConnection: (socket: Socket) => void): Promise<OsLock | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection)
    server.maxConnections = 8
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined)
      else reject(error)
    })
    server.listen(address, () => {
      // The lock must not keep the process alive.
      server.unref()
      resolve({ release: () => new Promise((done) => server.close(() => done())) })
    })
  })
}

async function lockByFile(file: string): Promise<OsLock | undefined> {
  // O_EXLOCK of BSD and macOS, for which Node has no constant: locks the file on opening.
  const exclusiveLock = 0x20
  try {
    const held = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock, 0o600)
    return { release: () => held.close() }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}
