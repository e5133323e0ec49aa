/** Proofs from the history's own tree: the same as from all leaves, while it grows and after a rollback. */
import { expect, it } from 'vitest'
import { consistencyPath, inclusionPath, leafHash, overLeaves, rootOf } from '#kit/hashing/merkle.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { opened } from './history-fixtures.ts'

const noted =
  (text: string) =>
  (writer: Writer): { ok: true; value: null } => {
    writer.note(1_760_000_000_000, 'message.noted', { id: text })
    return { ok: true, value: null }
  }
const grow = (engine: Engine, count: number): void =>
  void engine.commit(Array.from({ length: count }, (_, n) => noted(String(n))))

/** What the proofs must be, from every leaf. */
function expected(engine: Engine): { readonly read: ReturnType<typeof overLeaves>; readonly size: number } {
  const hashes = engine.dbs.history.prepare('SELECT hash FROM event ORDER BY seq').pluck().all() as Buffer[]
  return { read: overLeaves(hashes.map((hash) => leafHash(hash))), size: hashes.length }
}

const hex = (path: readonly Buffer[]): string[] => path.map((node) => node.toString('hex'))

function compare(engine: Engine, step: number): void {
  const { read, size } = expected(engine)
  expect(engine.proofs.head()).toMatchObject({ seq: size, root: rootOf(read, size).toString('hex') })
  for (let seq = 1; seq <= size; seq += step) {
    expect(engine.proofs.inclusion(seq)).toMatchObject({
      ok: true,
      value: { path: hex(inclusionPath(read, seq - 1, size)) }
    })
    expect(engine.proofs.consistency(seq)).toMatchObject({
      ok: true,
      value: { path: hex(consistencyPath(read, seq, size)) }
    })
  }
}

it('while events are appended, within a tile and over many', () => {
  const engine = opened()
  try {
    for (const count of [1, 1, 5, 248, 1, 1, 255, 600, 37]) {
      grow(engine, count)
      compare(engine, 31)
    }
    expect(engine.proofs.inclusion(1, 200)).toMatchObject({
      ok: true,
      value: { path: hex(inclusionPath(expected(engine).read, 0, 200)) }
    })
  } finally {
    engine.close()
  }
})

it('after events whose proofs were read are rolled back and replaced', () => {
  const engine = opened()
  try {
    grow(engine, 500)
    const failing = (writer: Writer): never => {
      for (let n = 0; n < 1100; n += 1) noted(`gone ${n}`)(writer)
      expect(engine.proofs.warm(10_000)).toBe(true)
      for (let seq = 1; seq <= 1600; seq += 7) expect(engine.proofs.inclusion(seq).ok).toBe(true)
      throw new Error('the disk is gone')
    }
    expect(() => engine.commit([failing])).toThrow('the disk is gone')
    compare(engine, 13)
    grow(engine, 1100)
    compare(engine, 13)
  } finally {
    engine.close()
  }
})
