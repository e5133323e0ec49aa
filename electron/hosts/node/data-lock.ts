/**
 * One writer at a time: the lock on a data folder, held by the running host. If the lock has an address, a second
 * start can use it to request that the window be shown.
 */
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { connectToLock, takeLock, type OsLock } from '#core/files/os-lock.ts'
import { ownFiles } from '#wire/files/own-names.ts'

export type DataLock = OsLock

const raiseRequest = 'raise\n'

/**
 * Takes the lock of a data folder (its real path), or returns undefined if another host holds it.
 *
 * @param onRaise Called when a second start requests that the window be shown.
 */
export function lockDataFolder(folder: string, onRaise: () => void): Promise<DataLock | undefined> {
  return takeLock(join(folder, ownFiles.running), (socket: Socket) => {
    let received = ''
    socket.setTimeout(1000, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received = (received + chunk.toString('latin1')).slice(0, 100)
      if (received === raiseRequest) onRaise()
      if (received.includes('\n')) socket.end()
    })
  })
}

/** Asks the host that holds the folder to show its window; false if it could not be asked. */
export async function askToRaise(folder: string): Promise<boolean> {
  const socket = await connectToLock(join(folder, ownFiles.running)).catch(() => undefined)
  if (!socket) return false
  return new Promise((resolve) => {
    socket.setTimeout(1000, () => socket.destroy())
    socket.once('error', () => resolve(false))
    socket.once('close', (failed) => resolve(!failed))
    socket.resume()
    socket.end(raiseRequest)
  })
}
