/**
 * Limits the memory that reading a document takes. A stream of a few kilobytes can unpack to gigabytes, and a PDF has
 * as many streams as it likes: the limit is where buffers are made, so it holds whatever the reader does.
 */

export interface MemoryLimit {
  /** Counts bytes that are not in a buffer, such as those of a canvas. Throws a RangeError beyond the limit. */
  take(bytes: number): void
  /** Starts counting for another page. */
  begin(): void
  /** True if something was refused since then; the reader may have gone on without it. */
  exceeded(): boolean
}

const names = [
  'ArrayBuffer',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array'
] as const
type BufferType = new (...args: unknown[]) => object

/** The bytes that a constructor will take; a view of a buffer takes none. */
function bytesOf(type: BufferType, [first]: readonly unknown[]): number {
  const each = (type as { readonly BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1
  if (typeof first === 'number') return first * each
  if (first instanceof ArrayBuffer || typeof first !== 'object' || first === null) return 0
  return ((first as { readonly length?: number }).length ?? 0) * each
}

/** Replaces the types of buffers in a scope by ones with a limit for each buffer, and for all of a page together. */
export function limitMemory(
  scope: object,
  { each, together }: { readonly each: number; readonly together: number }
): MemoryLimit {
  const types = scope as Record<string, BufferType>
  let taken = 0
  let isExceeded = false
  const take = (bytes: number): void => {
    taken += bytes
    if (bytes <= each && taken <= together) return
    isExceeded = true
    throw new RangeError('beyond the memory of a document')
  }
  for (const name of names) {
    const type = types[name]
    // A proxy: what is made stays an instance of the genuine type, with its speed.
    if (type)
      types[name] = new Proxy(type, {
        construct: (target, args: unknown[], by) => (
          take(bytesOf(target, args)),
          Reflect.construct(target, args, by) as object
        )
      })
  }
  return {
    take,
    begin() {
      taken = 0
      isExceeded = false
    },
    exceeded: () => isExceeded
  }
}
