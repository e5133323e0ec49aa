/**
 * Duration of verifying the whole audit trail, compared with only its required hashes and ciphers over the same bytes
 * in the same run: other work on the machine slows both.
 */
import { createDecipheriv, createSecretKey, hash, type KeyObject } from 'node:crypto'
import type { Engine } from '#store/engine/engine.ts'
import type { WalkState } from '#wire/history/audit-walk.ts'

/** One verification, in milliseconds. */
interface WalkTime {
  readonly events: number
  /** Wall clock. */
  readonly wall: number
  /** Processor time of the verifying thread, and of all threads together. */
  readonly cpu: number
  readonly all: number
  /** Ratio of the verifying thread's processor time to that of the bare work. */
  readonly ratio: number
  /** Processor time of the longest slice. */
  readonly longest: number
  readonly slices: number
}

/** The minimum over several runs, and the median of some values. */
export type WalkTimes = WalkTime & { readonly median: number }

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000
const spent = (): number => milliseconds(process.threadCpuUsage())

interface Sealed {
  readonly key: KeyObject
  readonly purpose: Buffer
  readonly bytes: Buffer
}

/** Everything that is decrypted, and for each hashed event a text of typical length. */
function material(engine: Engine): {
  readonly events: number
  readonly sealed: readonly Sealed[]
  readonly words: Buffer
} {
  const keys = new Map(
    (engine.dbs.subjects.prepare('SELECT ref, key FROM subject').all() as { ref: number; key: Buffer }[]).map(
      ({ ref, key }) => [ref, createSecretKey(key)]
    )
  )
  const rows = engine.dbs.history
    .prepare(
      `SELECT subject, kind, sealed FROM event WHERE sealed IS NOT NULL UNION ALL SELECT r.subject, 'body', b.sealed FROM reply_body b JOIN record r ON r.seq = b.record`
    )
    .all() as { subject: number; kind: string; sealed: Buffer }[]
  const sealed = rows.flatMap(({ subject, kind, sealed: bytes }) => {
    const key = keys.get(subject)
    return key ? [{ key, purpose: Buffer.from(kind), bytes }] : []
  })
  const length = engine.dbs.history
    .prepare('SELECT CAST(avg(length(plain)) AS INTEGER) FROM event')
    .pluck()
    .get() as number
  return { events: engine.walk.size, sealed, words: Buffer.alloc(64 + 40 + length) }
}

/** An event's hash, a leaf and a node of the tree for each event; a cipher and a hash for each sealed part. */
function bareWork({ events, sealed, words }: ReturnType<typeof material>): void {
  const [leaf, node] = [Buffer.alloc(33), Buffer.alloc(65)]
  for (let n = 0; n < events; n += 1) for (const bytes of [words, leaf, node]) hash('sha256', bytes, 'buffer')
  for (const { key, purpose, bytes } of sealed) {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      .setAAD(purpose)
      .setAuthTag(bytes.subarray(bytes.length - 16))
    // The purpose is not looked up here, so the tag need not match; the work is the same.
    hash('sha256', decipher.update(bytes.subarray(12, bytes.length - 16)), 'buffer')
  }
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN

/**
 * Verifies once, in slices of `slice` milliseconds. Throws if the audit trail is not intact, since nothing was
 * measured.
 */
export async function measuredWalk(engine: Engine, slice = 10): Promise<WalkTime> {
  const { until, known } = engine.anchors()
  const [wallFrom, cpuFrom, allFrom] = [performance.now(), spent(), process.cpuUsage()]
  let longest = 0
  let slices = 1
  for (let from: WalkState | undefined; ; slices += 1) {
    const before = spent()
    const step = engine.walk.step({ from, until, known, slice })
    longest = Math.max(longest, spent() - before)
    if (step.kind === 'broken') throw new Error(step.broken.code)
    if (step.kind === 'whole') break
    from = step.state
    await new Promise(setImmediate)
  }
  const [wall, cpu, all] = [performance.now() - wallFrom, spent() - cpuFrom, milliseconds(process.cpuUsage(allFrom))]
  const bare = material(engine)
  const start = spent()
  bareWork(bare)
  return { events: until, wall, cpu, all, ratio: cpu / (spent() - start), longest, slices }
}

/** The fastest of several runs on one audit trail; other work on the machine slows some. */
export function quickest(walks: readonly WalkTime[]): WalkTimes {
  const of = (name: keyof WalkTime): number[] => walks.map((walk) => walk[name])
  const least = (name: keyof WalkTime): number => Math.min(...of(name))
  return {
    events: least('events'),
    wall: least('wall'),
    median: median(of('wall')),
    cpu: least('cpu'),
    all: least('all'),
    ratio: median(of('ratio')),
    longest: least('longest'),
    slices: least('slices')
  }
}
