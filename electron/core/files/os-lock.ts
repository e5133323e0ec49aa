/**
 * A lock that ends with its process, so that a crash never leaves one behind, and that another user of the computer can neither
 * take nor block: it is in a folder that only this user may write to. On macOS and Windows it is a file opened for one process
 * alone. Node has no such call on Linux; there it is a listening socket in the folder.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, link, open, readdir, rename, unlink, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf, sweepAbandoned, temporaryPath } from '#wire/files/write.ts'

export interface OsLock {
  release(): Promise<void>
}

type OnConnection = (socket: Socket) => void

function turnAway(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.destroy()
}

/**
 * Takes a lock, or returns undefined if another process holds it. Throws the file system's errors.
 *
 * @param file The lock's path. Its folder must exist, and should be one that nobody else may write to.
 * @param onConnection Called with connections of `connectToLock`; closes them by default.
 */
export async function takeLock(file: string, onConnection: OnConnection = turnAway): Promise<OsLock | undefined> {
  if (process.platform === 'linux') return lockBySocket(file, onConnection)
  const held = await lockByFile(file)
  if (!held || process.platform !== 'win32') return held
  // Anybody may have taken this name. It only carries requests: without it, none arrive.
  const server = await listening(pipeOf(file), onConnection).catch(() => undefined)
  return {
    async release() {
      if (server) await closed(server)
      await held.release()
    }
  }
}

/** A connection to the process that holds a lock; undefined if there is none, or the system's locks have no address. */
export async function connectToLock(file: string): Promise<Socket | undefined> {
  if (process.platform === 'win32') return connected(pipeOf(file)).catch(() => undefined)
  if (process.platform !== 'linux') return undefined
  return within(dirname(file), async (at) => {
    const newest = (await generations(at, basename(file)))[0]
    const address = newest === undefined ? abstractOf(file) : join(at, nameOf(basename(file), newest))
    return connected(address).catch(() =>
      newest === undefined ? undefined : connected(abstractOf(file)).catch(() => undefined)
    )
  })
}

// macOS and Windows

/** O_EXLOCK: on BSD and macOS it locks the file, on Windows (libuv's number) nobody else can open it. Node has no constant. */
const exclusively = process.platform === 'win32' ? 0x1000_0000 : 0x20

async function lockByFile(file: string): Promise<OsLock | undefined> {
  // On Windows whatever reads the file, such as a virus scanner, holds it up for a moment.
  for (let left = process.platform === 'win32' ? 5 : 0; ; left -= 1) {
    try {
      const held = await open(
        file,
        constants.O_RDWR | constants.O_CREAT | (constants.O_NONBLOCK ?? 0) | exclusively,
        0o600
      )
      return { release: () => held.close() }
    } catch (error) {
      if (!['EAGAIN', 'EBUSY'].includes(codeOf(error))) throw error
      if (left === 0) return undefined
      await delay(50)
    }
  }
}

// Linux

/**
 * The lock is the newest of the files `NAME.1`, `NAME.2` and so on, if its socket accepts connections. Whoever finds that it does
 * not creates the next one, which only one process can; the newest is never removed, so nobody can take an older number and
 * believe it to be the newest.
 */
const nameOf = (name: string, generation: number): string => `${name}.${generation}`
const maxAttempts = 100

/** Numbers of the files, newest first. */
async function generations(folder: string, name: string): Promise<number[]> {
  const found = (await readdir(folder)).map((each) =>
    each.startsWith(`${name}.`) && /^\d{1,15}$/.test(each.slice(name.length + 1))
      ? Number(each.slice(name.length + 1))
      : 0
  )
  return found.filter((each) => each > 0).sort((a, b) => b - a)
}

/** Errors of file systems that have no sockets or no second names for one, such as those of memory sticks and some of a network. */
const withoutSockets: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK', 'EXDEV']

async function lockBySocket(file: string, onConnection: OnConnection): Promise<OsLock | undefined> {
  return within(dirname(file), async (at) => {
    const name = basename(file)
    const own = temporaryPath(join(at, name))
    let server: Server
    try {
      server = await listening(own, onConnection)
    } catch (error) {
      if (withoutSockets.includes(codeOf(error))) return lockByName(file, onConnection)
      throw error
    }
    try {
      await chmod(own, 0o600)
      const taken = await takeNext(at, name, own)
      if (taken === undefined) {
        await closed(server)
        return undefined
      }
      await sweepAbandoned(join(at, name), Date.now())
      return { release: () => releaseGeneration(file, taken, server) }
    } catch (error) {
      await closed(server)
      if (withoutSockets.includes(codeOf(error))) return lockByName(file, onConnection)
      throw error
    } finally {
      await unlink(own).catch(() => undefined)
    }
  })
}

/** Gives the socket the next number; undefined if the newest one is held. */
async function takeNext(folder: string, name: string, own: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const newest = (await generations(folder, name))[0] ?? 0
    if (newest > 0 && (await accepts(join(folder, nameOf(name, newest))))) return undefined
    const mine = join(folder, nameOf(name, newest + 1))
    try {
      // Only now has the socket a name that others look at, and it accepts connections already.
      await link(own, mine)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      throw error
    }
    const found = await generations(folder, name)
    if (found[0] === newest + 1) {
      // The one before stays: whoever is looking at it must find a number that is no longer the newest.
      for (const old of found.slice(2)) await unlink(join(folder, nameOf(name, old))).catch(() => undefined)
      return newest + 1
    }
    // Others were faster by more than one.
    await unlink(mine).catch(() => undefined)
  }
  return undefined
}

/** Whether a process listens there. What cannot be asked counts as held. */
async function accepts(path: string): Promise<boolean> {
  try {
    ;(await connected(path)).destroy()
    return true
  } catch (error) {
    return !['ECONNREFUSED', 'ENOENT', 'ENOTSOCK', 'EPROTOTYPE', 'ELOOP'].includes(codeOf(error))
  }
}

/** The file stays, since it is the newest, but no longer as a socket, which not every program can copy. */
async function releaseGeneration(file: string, generation: number, server: Server): Promise<void> {
  const path = nameOf(file, generation)
  const empty = temporaryPath(path)
  await writeFile(empty, '', { mode: 0o600, flag: 'wx' })
    .then(() => rename(empty, path))
    .catch(() => undefined)
  await closed(server)
}

/** Where the file system has no sockets: a name of the kernel, which any user of the computer can take first. */
async function lockByName(file: string, onConnection: OnConnection): Promise<OsLock | undefined> {
  try {
    const server = await listening(abstractOf(file), onConnection)
    return { release: () => closed(server) }
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes(codeOf(error))) return undefined
    throw error
  }
}

/** Works with a path that names the folder by an open handle: an address has 107 bytes, and a path may have more. */
async function within<T>(folder: string, work: (at: string) => Promise<T>): Promise<T> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return await work(`/proc/self/fd/${handle.fd}`)
  } finally {
    await handle.close()
  }
}

// Addresses

const digestOf = (file: string): string => createHash('sha256').update(file).digest('hex').slice(0, 32)
const pipeOf = (file: string): string => `\\\\.\\pipe\\veridesk-${digestOf(file)}`
/** As long as an address can be: Node versions terminate shorter ones differently and would not match. */
const abstractOf = (file: string): string =>
  `\0veridesk-${process.getuid?.() ?? ''}-${digestOf(file)}-`.padEnd(108, 'x')

function listening(address: string, onConnection: OnConnection): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection)
    server.maxConnections = 8
    server.once('error', reject)
    server.listen(address, () => {
      // The lock must not keep the process alive.
      server.unref()
      resolve(server)
    })
  })
}

const closed = (server: Server): Promise<void> => new Promise((done) => server.close(() => done()))

function connected(address: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(address)
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}
