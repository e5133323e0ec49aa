/** A disk whose requests are recorded, and the images that a power cut could have left of it. */
import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Random } from '../../../tests/service/support/random.ts'
import type { DiskAnswer, DiskOrder, DiskRecord } from './fuse-disk.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('./fuse-disk.ts', import.meta.url))
const megabytes = 64
/** Disks write blocks of this size as one; ext4 does not recover from smaller pieces of its own blocks. */
const blockSize = 4096

/** Why no such disk can be made here, as the end of “because …”. */
export async function noDiskHere(): Promise<string | undefined> {
  if (process.platform !== 'linux')
    return `this section needs FUSE and loop devices of Linux, and this is ${process.platform}`
  if (process.getuid?.() !== 0) return 'only root may attach a block device'
  if (!existsSync('/dev/fuse') || !existsSync('/dev/loop-control')) return 'this system has no FUSE or no loop devices'
  for (const name of ['losetup', 'mkfs.ext4', 'mount', 'umount'])
    if (
      !(await run('sh', ['-c', `command -v ${name}`]).then(
        () => true,
        () => false
      ))
    )
      return `${name} is not installed`
  return undefined
}

/** Attaches an image or a served file as a block device and mounts it. */
async function mounted(path: string, folder: string): Promise<() => Promise<void>> {
  const { stdout } = await run('losetup', ['--show', '--find', path])
  const device = stdout.trim()
  try {
    await run('mount', ['-t', 'ext4', device, folder])
  } catch (reason) {
    await run('losetup', ['--detach', device])
    throw reason
  }
  return async () => {
    await run('umount', [folder])
    await run('losetup', ['--detach', device])
  }
}

/** Calls `work` with a folder on a mounted image. */
export async function onImage<T>(path: string, at: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(at, 'mounted')
  mkdirSync(folder, { recursive: true })
  const end = await mounted(path, folder)
  try {
    return await work(folder)
  } finally {
    await end()
  }
}

export interface RecordedDisk {
  /** Empty at first; on ext4, on the disk. */
  readonly folder: string
  /** The number of requests so far: later requests have larger numbers. */
  length(): Promise<number>
  /** Unmounts the disk and returns what was recorded. */
  end(): Promise<Recording>
}

async function ask(child: ChildProcess, order: DiskOrder): Promise<DiskAnswer> {
  const answer = once(child, 'message')
  child.send(order)
  return ((await answer) as [DiskAnswer])[0]
}

/** Makes an ext4 disk in a folder. Its process must not be blocked by anything that uses the disk. */
export async function recordedDisk(at: string): Promise<RecordedDisk> {
  const [image, served, folder, record] = ['image', 'served', 'disk', 'record'].map((name) => join(at, name)) as [
    string,
    string,
    string,
    string
  ]
  for (const path of [served, folder]) mkdirSync(path)
  await run('truncate', ['-s', `${megabytes}M`, image])
  await run('mkfs.ext4', ['-q', '-F', '-b', '4096', image])
  const child = fork(program, [image, served], { execArgv: [] })
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('the disk could not be served')))
  await Promise.race([once(child, 'message'), gone])
  gone.catch(() => undefined)
  const unmount = await mounted(join(served, 'disk'), folder)
  // One question at a time: answers have no number.
  let turn: Promise<unknown> = Promise.resolve()
  const next = (order: DiskOrder): Promise<DiskAnswer> => {
    const mine = turn.then(() => ask(child, order))
    turn = mine
    return mine
  }
  return {
    folder,
    async length() {
      const answer = await next({ kind: 'length' })
      return answer.kind === 'length' ? answer.length : 0
    },
    async end() {
      await unmount()
      await next({ kind: 'save', to: record })
      await run('umount', [served])
      child.kill('SIGKILL')
      const { requests } = JSON.parse(readFileSync(record, 'utf8')) as DiskRecord
      return { before: readFileSync(image), requests, data: readFileSync(`${record}.data`) }
    }
  }
}

export interface Recording {
  /** The empty file system. */
  readonly before: Buffer
  /** Offset and length of each write, in order; a sync is [-1, -1]. */
  readonly requests: DiskRecord['requests']
  readonly data: Buffer
}

export const syncsIn = ({ requests }: Recording): number => requests.filter(([offset]) => offset < 0).length

/**
 * Writes the image that a power cut before request `at` leaves: everything up to the last sync, and any part of the writes
 * after it, in blocks of the disk. `lying` drops writes before that sync as well, as a disk that does not sync.
 */
export function cutImage(
  { before, requests, data }: Recording,
  at: number,
  random: Random,
  path: string,
  lying = false
): void {
  const image = Buffer.from(before)
  let synced = requests.slice(0, at).findLastIndex(([offset]) => offset < 0)
  if (lying) synced = Math.floor(synced / 2)
  // All, none, whole writes, or any blocks of those after the last sync.
  const kind = lying ? 1 : random(4)
  for (let nth = 0, from = 0; nth < at; nth += 1) {
    const [offset, size] = requests[nth] ?? [-1, -1]
    if (offset < 0) continue
    const bytes = data.subarray(from, from + size)
    from += size
    if (nth <= synced || kind === 0 || (kind === 2 && random(2) === 0)) bytes.copy(image, offset)
    else if (kind === 3)
      for (let piece = 0; piece < size; piece += blockSize)
        if (random(2) === 0) bytes.copy(image, offset + piece, piece, Math.min(size, piece + blockSize))
  }
  writeFileSync(path, image)
}
