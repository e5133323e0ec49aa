/**
 * One writer at a time: the lock on a data folder, held by whichever host runs.
 *
 * The lock is an object of the operating system that dies with its process, so that a crash never
 * leaves a stale one behind: a named pipe on Windows, an abstract socket on Linux, and on macOS a file
 * opened with an exclusive lock. The first two also carry one wish from a second start: "show yourself".
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, realpath } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

export interface DataLock {
  release(): Promise<void>
}

const raiseWish = 'raise\n'

/** Creates the folder for this user alone where it is missing, and gives its real path. */
export async function prepareDataFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return realpath(folder)
}

function lockAddress(folder: string): string {
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  const owner = process.getuid?.() ?? ''
  if (process.platform === 'win32') return `\\\\.\\pipe\\veridesk-${digest}`
  // As long as an address can be: older and newer Nodes differ in how they end a shorter one, and would not meet.
  return `\0veridesk-${owner}-${digest}-`.padEnd(108, 'x')
}

/**
 * Takes the lock of a data folder (its real path), or gives undefined where another host holds it.
 *
 * @param onRaise A second start has asked this one to show its window.
 */
export function lockDataFolder(folder: string, onRaise: () => void): Promise<DataLock | undefined> {
  return process.platform === 'linux' || process.platform === 'win32' ? lockBySocket(folder, onRaise) : lockByFile(folder)
}

function lockBySocket(folder: string, onRaise: () => void): Promise<DataLock | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      let heard = ''
      socket.setTimeout(1000, () => socket.destroy())
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        heard = (heard + chunk.toString('latin1')).slice(0, 100)
        if (heard === raiseWish) onRaise()
        if (heard.includes('\n')) socket.end()
      })
    })
    server.maxConnections = 8
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined)
      else reject(error)
    })
    server.listen(lockAddress(folder), () => {
      // The lock alone is no reason to keep a process alive.
      server.unref()
      resolve({ release: () => new Promise((done) => server.close(() => done())) })
    })
  })
}

async function lockByFile(folder: string): Promise<DataLock | undefined> {
  // O_EXLOCK of BSD and macOS, which Node does not name: the file is locked as it is opened.
  const exclusiveLock = 0x20
  try {
    const file = await open(join(folder, 'running.lock'), constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock, 0o600)
    return { release: () => file.close() }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

/** Asks the host that holds the folder to show its window; false where none could be asked. */
export function askToRaise(folder: string): Promise<boolean> {
  if (process.platform !== 'linux' && process.platform !== 'win32') return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect(lockAddress(folder))
    socket.setTimeout(1000, () => socket.destroy())
    socket.once('connect', () => socket.end(raiseWish))
    socket.once('error', () => resolve(false))
    socket.once('close', (failed) => resolve(!failed))
  })
}
