/**
 * WebAssembly for the decoders of the program and for nothing else. pdf.js would also compile functions that a document
 * contains; it computes them by itself where that is refused.
 */
import type { MemoryLimit } from './memory.ts'

/** Bytes of a page of WebAssembly's memory. */
const pageBytes = 65_536

export interface Decoders {
  /** A decoder of the program, which may be started from now on. */
  add(bytes: Uint8Array): void
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

/** Replaces WebAssembly in a scope. What its memory grows by counts as memory of the page, `each` bytes at once. */
export function onlyDecoders(
  scope: { WebAssembly: typeof WebAssembly },
  memory: Pick<MemoryLimit, 'take'>,
  each: number
): Decoders {
  const { instantiate, Memory, RuntimeError } = scope.WebAssembly
  const own: Uint8Array[] = []
  const grow = Memory.prototype.grow
  Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number) {
    for (let bytes = pages * pageBytes; bytes > 0; bytes -= each) memory.take(Math.min(bytes, each))
    return grow.call(this, pages)
  }
  const allowed = {
    RuntimeError,
    instantiate: async (bytes: unknown, imports: WebAssembly.Imports) => {
      if (!(bytes instanceof Uint8Array && own.some((decoder) => isSame(decoder, bytes))))
        throw new TypeError('this is not a decoder of the program')
      return instantiate(bytes as Uint8Array<ArrayBuffer>, imports)
    }
  }
  Object.defineProperty(scope, 'WebAssembly', { value: Object.freeze(allowed), configurable: false, writable: false })
  return { add: (bytes) => void own.push(bytes) }
}
