import { describe, expect, it } from 'vitest'
import { limitMemory } from '../../renderer/features/documents/pdf/memory.ts'
import { onlyAddress } from '../../renderer/features/documents/pdf/only-address.ts'
import { canvasFor, densityFor, firstPixels } from '../../renderer/features/documents/pdf/page-size.ts'

describe('the canvas of a page', () => {
  it('has the density of its scale, doubled where too few, and never more than 576 dpi', () => {
    expect([0.3, 0.75, 0.76, 1, 1.5, 1.6, 3, 5, 40].map(densityFor)).toEqual([0.375, 0.75, 1.5, 1.5, 1.5, 3, 3, 6, 6])
    expect([0, -1, Number.NaN].map(densityFor)).toEqual([1.5, 1.5, 1.5])
  })
  it('stays within the pixels and the sides of an image, whatever the page claims', () => {
    expect(canvasFor({ width: 794, height: 1123 }, 1.5)).toEqual({ width: 1191, height: 1684, density: 1.5 })
    for (const [width, height] of [
      [1_920_000, 1_920_000],
      [1e9, 1],
      [1, 1e9],
      [794, 1123],
      [30_000, 40],
      [1e-6, 5]
    ] as const)
      for (const density of [0.001, 1.5, 6]) {
        const canvas = canvasFor({ width, height }, density)
        expect(canvas && canvas.width * canvas.height).toBeLessThanOrEqual(60_000_000)
        expect(canvas && Math.max(canvas.width, canvas.height)).toBeLessThanOrEqual(16_384)
        expect(canvas && Math.min(canvas.width, canvas.height)).toBeGreaterThanOrEqual(1)
      }
    const first = canvasFor({ width: 9000, height: 9000 }, 6, firstPixels)
    expect(first && first.width * first.height).toBeLessThanOrEqual(firstPixels)
    for (const length of [0, -5, Number.NaN, Infinity])
      expect(canvasFor({ width: length, height: 100 }, 1)).toBeUndefined()
  })
})

describe('the memory of a document', () => {
  const limited = () => {
    const scope = { ArrayBuffer, Uint8Array, Float64Array, Uint8ClampedArray }
    return { scope, memory: limitMemory(scope, { each: 1000, together: 3000 }) }
  }
  it('is limited for each buffer and for all of a page', () => {
    const { scope, memory } = limited()
    expect(new scope.Uint8Array(1000)).toHaveLength(1000)
    expect(new scope.Float64Array(125)).toHaveLength(125)
    expect(memory.exceeded()).toBe(false)
    expect(() => new scope.Float64Array(126)).toThrow(RangeError)
    expect(memory.exceeded()).toBe(true)
    memory.begin()
    expect(memory.exceeded()).toBe(false)
    for (let turn = 0; turn < 3; turn += 1) new scope.ArrayBuffer(1000)
    expect(() => new scope.Uint8Array(1)).toThrow(RangeError)
    memory.begin()
    expect(() => memory.take(1001)).toThrow(RangeError)
    memory.begin()
    expect(() => scope.Uint8Array.from({ length: 1001 })).toThrow(RangeError)
    expect(() => new scope.Uint8Array(Array<number>(1001).fill(1))).toThrow(RangeError)
  })
  it('makes genuine buffers, and counts a view of one as nothing', () => {
    const { scope, memory } = limited()
    const made = new scope.Uint8Array([1, 2, 3])
    expect(made).toBeInstanceOf(Uint8Array)
    expect(made).toBeInstanceOf(scope.Uint8Array)
    expect(Object.getPrototypeOf(made)).toBe(Uint8Array.prototype)
    const large = new ArrayBuffer(5000)
    expect(new scope.Uint8Array(large, 0, 4000)).toHaveLength(4000)
    expect(memory.exceeded()).toBe(false)
  })
})

describe('the policy for the address of a worker', () => {
  it('makes one address', () => {
    const policy = onlyAddress('app://console/assets/document-worker-abc.js')
    expect(policy.createScriptURL('app://console/assets/document-worker-abc.js')).toBe(
      'app://console/assets/document-worker-abc.js'
    )
    for (const other of [
      '',
      'app://console/assets/document-worker-abc.js?x',
      'app://console/assets/index.js',
      'blob:app://console/1',
      'data:text/javascript,1'
    ])
      expect(() => policy.createScriptURL(other), other).toThrow(TypeError)
  })
})
