import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  addLeaf,
  consistencyPath,
  inclusionPath,
  leafHash,
  overLeaves,
  rootOf,
  rootOfSubtrees,
  verifyConsistency,
  verifyInclusion
} from '#kit/hashing/merkle.ts'

// The entries and values of Certificate Transparency's reference tests for the tree of RFC 6962 and 9162.
const entries = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f'
].map((hex) => Buffer.from(hex, 'hex'))
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'
]
const vectors: readonly { leaf: number; size: number; path: readonly string[] }[] = [
  { leaf: 1, size: 1, path: [] },
  {
    leaf: 1,
    size: 8,
    path: [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4'
    ]
  },
  {
    leaf: 6,
    size: 8,
    path: [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'
    ]
  },
  { leaf: 3, size: 3, path: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'] },
  {
    leaf: 2,
    size: 5,
    path: [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b'
    ]
  }
]
const consistencies: readonly { from: number; size: number; path: readonly string[] }[] = [
  { from: 1, size: 1, path: [] },
  {
    from: 1,
    size: 8,
    path: [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4'
    ]
  },
  {
    from: 6,
    size: 8,
    path: [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'
    ]
  },
  {
    from: 2,
    size: 5,
    path: [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b'
    ]
  }
]
const hex = (nodes: readonly Buffer[]): string[] => nodes.map((node) => node.toString('hex'))
const bytes = (nodes: readonly string[]): Buffer[] => nodes.map((node) => Buffer.from(node, 'hex'))

/** The definition of RFC 9162, 2.1.1, exactly and without the code's shortcuts. */
function defined(contents: readonly Buffer[]): Buffer {
  const sha = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
  const [only] = contents
  if (!only) return sha()
  if (contents.length === 1) return sha(Buffer.from([0]), only)
  let k = 1
  while (k * 2 < contents.length) k *= 2
  return sha(Buffer.from([1]), defined(contents.slice(0, k)), defined(contents.slice(k)))
}

describe('the reference values', () => {
  const read = overLeaves(entries.map((entry) => leafHash(entry)))
  it('are the roots', () => {
    expect(roots.map((_, n) => rootOf(read, n + 1).toString('hex'))).toEqual(roots)
    expect(rootOf(read, 0).toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })
  it.each(vectors)('are the path of leaf $leaf in a tree of $size', ({ leaf, size, path }) => {
    expect(hex(inclusionPath(read, leaf - 1, size))).toEqual(path)
    expect(verifyInclusion(entries[leaf - 1]!, leaf - 1, size, bytes(path), Buffer.from(roots[size - 1]!, 'hex'))).toBe(
      true
    )
  })
  it.each(consistencies)('are the path from a tree of $from to one of $size', ({ from, size, path }) => {
    expect(hex(consistencyPath(read, from, size))).toEqual(path)
    expect(
      verifyConsistency(
        from,
        size,
        bytes(path),
        Buffer.from(roots[from - 1]!, 'hex'),
        Buffer.from(roots[size - 1]!, 'hex')
      )
    ).toBe(true)
  })
})

describe('for every tree of up to 40 leaves', () => {
  const contents = Array.from({ length: 40 }, (_, n) => createHash('sha256').update(`leaf ${n}`).digest())
  const read = overLeaves(contents.map((content) => leafHash(content)))
  const rootAt = contents.map((_, n) => rootOf(read, n + 1))
  it('the root matches the definition, however it is computed', () => {
    const tree: string[] = []
    contents.forEach((content, n) => {
      addLeaf(tree, n, content)
      expect(rootAt[n]).toEqual(defined(contents.slice(0, n + 1)))
      expect(rootOfSubtrees(tree)).toBe(rootAt[n]?.toString('hex'))
    })
  })
  it('each leaf is proved, and nothing else by the same path', () => {
    for (let size = 1; size <= 40; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const path = inclusionPath(read, index, size)
        const [content, root] = [contents[index]!, rootAt[size - 1]!]
        expect(verifyInclusion(content, index, size, path, root)).toBe(true)
        expect(verifyInclusion(contents[(index + 1) % 40]!, index, size, path, root)).toBe(false)
        if (size > 1) expect(verifyInclusion(content, (index + 1) % size, size, path, root)).toBe(false)
        expect(verifyInclusion(content, index, size, [...path, root], root)).toBe(false)
        if (path.length > 0) expect(verifyInclusion(content, index, size, path.slice(1), root)).toBe(false)
        path.forEach((node, at) => {
          const bent = Buffer.from(node)
          bent[at % 32]! ^= 1
          expect(verifyInclusion(content, index, size, path.with(at, bent), root)).toBe(false)
        })
      }
    }
  })
  it('each earlier tree is proved to be the beginning of each later one', () => {
    for (let size = 1; size <= 40; size += 1) {
      for (let from = 1; from <= size; from += 1) {
        const path = consistencyPath(read, from, size)
        const [before, after] = [rootAt[from - 1]!, rootAt[size - 1]!]
        expect(verifyConsistency(from, size, path, before, after)).toBe(true)
        if (from < size) {
          expect(verifyConsistency(from, size, path, after, after)).toBe(false)
          expect(verifyConsistency(from, size, path, before, before)).toBe(false)
          expect(verifyConsistency(from, size, path.slice(1), before, after)).toBe(false)
        }
      }
    }
  })
  it('a node does not pass for a leaf', () => {
    const node = Buffer.concat([leafHash(contents[0]!), leafHash(contents[1]!)])
    expect(verifyInclusion(node, 0, 1, [], rootAt[1]!)).toBe(false)
  })
  it('what is out of range is refused', () => {
    expect(() => inclusionPath(read, 5, 5)).toThrow(RangeError)
    expect(() => consistencyPath(read, 0, 5)).toThrow(RangeError)
    expect(verifyInclusion(contents[0]!, 5, 5, [], rootAt[0]!)).toBe(false)
    expect(verifyConsistency(6, 5, [], rootAt[0]!, rootAt[0]!)).toBe(false)
  })
})
