/** WebAssembly in the worker of documents: the program's decoders and nothing else, within the memory of a page. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { onlyDecoders } from '../../renderer/features/documents/pdf/assembly.ts'

const decoder = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../../node_modules/pdfjs-dist/wasm', name)))
/** The smallest module that is valid, and one whose memory can grow. */
const smallest = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)
const growing = Uint8Array.of(...smallest, 5, 3, 1, 0, 1, 7, 5, 1, 1, 109, 2, 0)
const mebibyte = 1024 * 1024

describe('WebAssembly in the worker', () => {
  const original = WebAssembly
  const grow = WebAssembly.Memory.prototype.grow
  /** A scope with this WebAssembly, and what its memory took. */
  function scope() {
    const taken: number[] = []
    const own = { WebAssembly: original }
    const take = (bytes: number): void => {
      taken.push(bytes)
      if (taken.reduce((sum, each) => sum + each, 0) > 4 * mebibyte) throw new RangeError('too much')
    }
    return { own, taken, decoders: onlyDecoders(own, { take }, mebibyte) }
  }
  const restore = (): void => void (WebAssembly.Memory.prototype.grow = grow)

  it('starts modules of the program alone, however alike another is', async () => {
    const { own, decoders } = scope()
    const start = (bytes: Uint8Array<ArrayBuffer>) => own.WebAssembly.instantiate(bytes, {})
    await expect(start(smallest)).rejects.toThrow('not a decoder of the program')
    decoders.add(smallest)
    expect((await start(smallest.slice())).instance).toBeInstanceOf(original.Instance)
    const changed = Uint8Array.of(...smallest.subarray(0, 7), 1)
    for (const other of [growing, changed, smallest.subarray(0, 4), decoder('quickjs-eval.wasm')])
      await expect(start(other)).rejects.toThrow('not a decoder of the program')
    restore()
  })
  it('has no other way to compile one, and none can be added', () => {
    const { own } = scope()
    for (const name of ['compile', 'compileStreaming', 'instantiateStreaming', 'Module', 'Instance', 'validate'])
      expect(name in own.WebAssembly, name).toBe(false)
    expect(() => Object.assign(own.WebAssembly, { Module: original.Module })).toThrow(TypeError)
    expect(() => Object.assign(own, { WebAssembly: original })).toThrow(TypeError)
    restore()
  })
  it('takes its memory from that of the page', async () => {
    const { own, taken, decoders } = scope()
    decoders.add(growing)
    const { instance } = await own.WebAssembly.instantiate(growing, {})
    const memory = instance.exports['m'] as WebAssembly.Memory
    memory.grow(40)
    // 2.5 MiB, at most one at once.
    expect(taken).toEqual([mebibyte, mebibyte, mebibyte / 2])
    expect(() => memory.grow(40)).toThrow(RangeError)
    expect(memory.buffer.byteLength).toBe(41 * 65_536)
    restore()
  })
})
