/**
 * A lock that is an object of the operating system and dies with its process, so that a crash never leaves a outdated
 * one behind: a named pipe on Windows, an abstract socket on Linux, and on macOS a file opened with an exclusive lock.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'

export interface OsLock {
  release(): Promise<void>
}

/** Where the lock of a name can be reached by others; undefined on systems whose lock carries no words. */
export function lockAddress(name: string): string | undefined {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32)
  if (process.platform === 'win32') return `\\\\.\\pipe\\veridesk-${digest}`
  if (process.platform !== 'linux') return undefined
  // As long as an address can be: older and newer Nodes differ in how they end a shorter one, and would not meet.
  return `\0veridesk-${process.getuid?.() ?? ''}-${digest}-`.padEnd(108, 'x')
}

/**
 * Takes the lock of a name, or gives undefined where another process holds it. On Linux a name is one user's own.
 *
 * @param file What is locked instead on a system without addresses; its folder must be there.
 * @param onConnection Hears those who connect to the lock's address; by default they are turned away.
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
      // The lock alone is no reason to keep a process alive.
      server.unref()
      resolve({ release: () => new Promise((done) => server.close(() => done())) })
    })
  })
}

async function lockByFile(file: string): Promise<OsLock | undefined> {
  // O_EXLOCK of BSD and macOS, which Node does not name: the file is locked as it is opened.
  const exclusiveLock = 0x20
  try {
    const held = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock, 0o600)
    return { release: () => held.close() }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}
