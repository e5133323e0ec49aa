/** The Merkle tree over the events: head, and proofs for single events. */
import type { AuditHead, ConsistencyProof, InclusionProof } from '#contract/audit.ts'
import type { Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { consistencyPath, emptyRoot, inclusionPath, leafHash, nodeHash, rootOf, type SubtreeReader } from '#core/hashing/merkle.ts'
import { eventMissing } from './audit.ts'
import type { Db } from '#core/history/storage/files.ts'

/** Leaves per tile: the roots of complete tiles are kept in memory, about a megabyte for 8 million events. */
const tileLevel = 8
const tileSize = 2 ** tileLevel

export class Proofs {
  private readonly tiles: Buffer[] = []
  private readonly hashOf
  private readonly hashes
  private readonly lastSeq

  constructor(history: Db) {
    this.hashOf = history.prepare('SELECT hash FROM event WHERE seq = ?').pluck()
    this.hashes = history.prepare('SELECT hash FROM event WHERE seq > ? ORDER BY seq LIMIT ?').pluck()
    this.lastSeq = history.prepare('SELECT coalesce(max(seq), 0) FROM event').pluck()
  }

  private get last(): number {
    return this.lastSeq.get() as number
  }

  /** Loads tiles for about this many milliseconds; true once every complete tile is loaded. */
  warm(milliseconds: number): boolean {
    const complete = Math.floor(this.last / tileSize)
    const until = performance.now() + milliseconds
    while (this.tiles.length < complete) {
      if (performance.now() > until) return false
      this.tiles.push(this.tile(this.tiles.length))
    }
    return true
  }

  private tile(index: number): Buffer {
    let level = (this.hashes.all(index * tileSize, tileSize) as Buffer[]).map((hash) => leafHash(hash))
    while (level.length > 1) level = Array.from({ length: level.length / 2 }, (_, n) => nodeHash(level[n * 2] ?? emptyRoot(), level[n * 2 + 1] ?? emptyRoot()))
    return level[0] ?? emptyRoot()
  }

  private readonly read: SubtreeReader = (level, index) => {
    if (level === 0) return leafHash(this.hashOf.get(index + 1) as Buffer)
    const tile = level === tileLevel ? this.tiles[index] : undefined
    return tile ?? nodeHash(this.read(level - 1, index * 2), this.read(level - 1, index * 2 + 1))
  }

  head(): AuditHead {
    const seq = this.last
    const hash = seq === 0 ? Buffer.alloc(32) : (this.hashOf.get(seq) as Buffer)
    return { seq, hash: hash.toString('hex'), root: rootOf(this.read, seq).toString('hex') }
  }

  /**
   * @param seq From 1.
   * @param size Number of events in the tree; defaults to all.
   */
  inclusion(seq: number, size = this.last): Result<InclusionProof, Failure> {
    if (seq < 1 || seq > size || size > this.last) return eventMissing(this.last)
    return ok({
      seq,
      size,
      leaf: (this.hashOf.get(seq) as Buffer).toString('hex'),
      path: inclusionPath(this.read, seq - 1, size).map((node) => node.toString('hex')),
      root: rootOf(this.read, size).toString('hex')
    })
  }

  consistency(from: number, size = this.last): Result<ConsistencyProof, Failure> {
    if (from < 1 || from > size || size > this.last) return eventMissing(this.last)
    return ok({
      from,
      size,
      path: consistencyPath(this.read, from, size).map((node) => node.toString('hex')),
      fromRoot: rootOf(this.read, from).toString('hex'),
      root: rootOf(this.read, size).toString('hex')
    })
  }
}
