/** The Merkle tree over the events: head, and proofs for single events. */
import type { AuditHead, ConsistencyProof, InclusionProof } from '#contract/evidence/audit.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import {
  consistencyPath,
  emptyRoot,
  inclusionPath,
  leafHash,
  nodeHash,
  rootOf,
  type SubtreeReader
} from '#kit/hashing/merkle.ts'
import { eventMissing } from './audit.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** Leaves per tile. The roots of complete tiles, and all nodes above them, stay in memory: about 2 MB for 8 million events. */
const tileLevel = 8
const tileSize = 2 ** tileLevel
/** Maximum tiles whose inner nodes are in memory, 16 kB each: the proofs of a pack need the same ones again and again. */
const maxOpenTiles = 256

export class Proofs {
  /** Roots of complete tiles. */
  private readonly tiles: Buffer[] = []
  /** Nodes above the tiles by level, from the first above. */
  private readonly upper: Buffer[][] = []
  /** The nodes of a tile by level, from its leaves; the last tile may be incomplete. */
  private readonly openTiles = new Map<number, Buffer[][]>()
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
      this.tiles.push(this.levelsOf(this.tiles.length)[tileLevel]?.[0] ?? emptyRoot())
    }
    return true
  }

  /** Drops what was read of events after this one: their transaction was rolled back. */
  forgetAfter(seq: number): void {
    this.tiles.length = Math.min(this.tiles.length, Math.floor(seq / tileSize))
    for (const [above, nodes] of this.upper.entries())
      nodes.length = Math.min(nodes.length, Math.floor(seq / 2 ** (tileLevel + 1 + above)))
    this.openTiles.clear()
  }

  /** Reads the leaves of a tile and computes its complete nodes. */
  private levelsOf(index: number): Buffer[][] {
    const levels = [(this.hashes.all(index * tileSize, tileSize) as Buffer[]).map((hash) => leafHash(hash))]
    for (let below = levels[0] ?? []; below.length > 1; below = levels.at(-1) ?? [])
      levels.push(
        Array.from({ length: Math.floor(below.length / 2) }, (_, n) =>
          nodeHash(below[n * 2] ?? emptyRoot(), below[n * 2 + 1] ?? emptyRoot())
        )
      )
    return levels
  }

  private nodeInTile(tile: number, level: number, offset: number): Buffer {
    const known = this.openTiles.get(tile)?.[level]?.[offset]
    if (known) return known
    // Unknown, or events were appended since it was read.
    const levels = this.levelsOf(tile)
    const [oldest] = this.openTiles.keys()
    if (this.openTiles.size >= maxOpenTiles && oldest !== undefined) this.openTiles.delete(oldest)
    this.openTiles.set(tile, levels)
    const node = levels[level]?.[offset]
    if (!node) throw new RangeError('the tree has no such node')
    return node
  }

  private readonly read: SubtreeReader = (level, index) => {
    if (level <= tileLevel) {
      const perTile = 2 ** (tileLevel - level)
      const tile = Math.floor(index / perTile)
      return (
        (level === tileLevel ? this.tiles[tile] : undefined) ?? this.nodeInTile(tile, level, index - tile * perTile)
      )
    }
    const nodes = (this.upper[level - tileLevel - 1] ??= [])
    return (nodes[index] ??= nodeHash(this.read(level - 1, index * 2), this.read(level - 1, index * 2 + 1)))
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
