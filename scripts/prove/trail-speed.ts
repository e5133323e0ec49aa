/**
 * How long a verification of the whole trail takes, beside the hashes and ciphers that it cannot do without,
 * done barely over the same bytes in the same run: other work on the machine slows both.
 */
import { createDecipheriv, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { openEngine, type Engine } from '#core/history/engine.ts'
import type { WalkState } from '#core/audit/walk.ts'
import { testKey } from '../../tests/service/history-fixtures.ts'
import { seed } from '../seed.ts'
import { inProofFolder, type Section } from './section.ts'

export interface WalkTimes {
  readonly events: number
  /** Milliseconds of the quickest of the rounds. */
  readonly wall: number
  /** Milliseconds of this thread's processor time, the least of the rounds. */
  readonly cpu: number
  /** The walk's processor time beside that of the bare work; the median of the rounds. */
  readonly ratio: number
  /** Milliseconds of processor time of the longest slice, in the round in which it was shortest. */
  readonly longest: number
  readonly slices: number
}

const spent = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

interface Sealed {
  readonly key: KeyObject
  readonly purpose: Buffer
  readonly bytes: Buffer
}

/** Everything that a walk deciphers, and one text of the usual length for each event that it hashes. */
function material(engine: Engine): { readonly events: number; readonly sealed: readonly Sealed[]; readonly words: Buffer } {
  const keys = new Map((engine.dbs.subjects.prepare('SELECT ref, key FROM subject').all() as { ref: number; key: Buffer }[]).map(({ ref, key }) => [ref, createSecretKey(key)]))
  const rows = engine.dbs.history
    .prepare(`SELECT subject, kind, sealed FROM event WHERE sealed IS NOT NULL UNION ALL SELECT r.subject, 'body', b.sealed FROM reply_body b JOIN record r ON r.seq = b.record`)
    .all() as { subject: number; kind: string; sealed: Buffer }[]
  const sealed = rows.flatMap(({ subject, kind, sealed: bytes }) => {
    const key = keys.get(subject)
    return key ? [{ key, purpose: Buffer.from(kind), bytes }] : []
  })
  const length = engine.dbs.history.prepare('SELECT CAST(avg(length(plain)) AS INTEGER) FROM event').pluck().get() as number
  return { events: engine.walk.size, sealed, words: Buffer.alloc(64 + 40 + length) }
}

/** An event's hash, a leaf and a node of the tree for each event; a cipher and a commitment for each sealed part. */
function bareWork({ events, sealed, words }: ReturnType<typeof material>): void {
  const [leaf, node] = [Buffer.alloc(33), Buffer.alloc(65)]
  for (let n = 0; n < events; n += 1) for (const bytes of [words, leaf, node]) hash('sha256', bytes, 'buffer')
  for (const { key, purpose, bytes } of sealed) {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(purpose).setAuthTag(bytes.subarray(bytes.length - 16))
    // The purpose is not looked up here, so that the tag need not fit; the work is the same.
    hash('sha256', decipher.update(bytes.subarray(12, bytes.length - 16)), 'buffer')
  }
}

/** Throws where the trail is not whole: then nothing was measured. */
export function measuredWalk(engine: Engine, rounds = 5): WalkTimes {
  const { until, known } = engine.anchors()
  const bare = material(engine)
  const times: { wall: number; cpu: number; ratio: number; longest: number; slices: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = spent()
    bareWork(bare)
    const alone = spent() - start
    const [wallFrom, cpuFrom] = [performance.now(), spent()]
    let longest = 0
    let slices = 1
    for (let from: WalkState | undefined; ; slices += 1) {
      const before = spent()
      const step = engine.walk.step({ from, until, known, slice: 10 })
      longest = Math.max(longest, spent() - before)
      if (step.kind === 'broken') throw new Error(step.broken.words)
      if (step.kind === 'whole') break
      from = step.state
    }
    const cpu = spent() - cpuFrom
    times.push({ wall: performance.now() - wallFrom, cpu, ratio: cpu / alone, longest, slices })
  }
  const least = (name: keyof (typeof times)[number]): number => Math.min(...times.map((each) => each[name]))
  const ratios = times.map(({ ratio }) => ratio).sort((a, b) => a - b)
  return { events: until, wall: least('wall'), cpu: least('cpu'), ratio: ratios[Math.floor(rounds / 2)] ?? NaN, longest: least('longest'), slices: least('slices') }
}

/** Milliseconds in which 100,000 events must verify. */
const aim = 3000
/** Times that a trail is walked through; the quickest counts. */
const rounds = 5

export const walkSection: Section = {
  name: 'walk',
  /** Records; each leaves two events. */
  times: 50_000,
  run: (records) =>
    inProofFolder((folder) => {
      const made = openEngine({ folder, masterKey: testKey, now: Date.now() })
      if (!made.ok) throw new Error(made.failure.what)
      const { engine } = made.value
      seed(engine, records, Date.now())
      const walk = measuredWalk(engine, rounds)
      engine.close()
      const per = (ms: number): number => Math.round((ms * 100_000) / walk.events)
      return {
        title: 'Verifying the whole trail',
        words: `A trail is verified ${rounds} times as the program does it, in slices of 10 ms, every sealed part opened and every list held against its events; the quickest counts, beside the same number of hashes and ciphers alone. 100,000 events must take at most ${aim.toLocaleString('en')} ms.`,
        columns: ['events', 'ms for 100,000, by the clock', 'ms for 100,000, processor time', 'times the bare hashes and ciphers', 'longest slice, ms'],
        rows: [[walk.events, per(walk.wall), per(walk.cpu), walk.ratio.toFixed(2), Math.round(walk.longest)]],
        faults: per(walk.wall) > aim ? [`100,000 events take ${per(walk.wall)} ms by the clock`] : []
      }
    })
}
