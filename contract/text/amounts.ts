/** Sizes and durations in the units in which people read them; whoever shows one formats its numbers. */

/** A size in its largest unit, with a decimal only where it is useful. */
interface Size {
  readonly value: number
  readonly decimals: 0 | 1
  readonly unit: 'B' | 'KiB' | 'MiB' | 'GiB'
}
export function sizeOf(bytes: number): Size {
  if (bytes < 1024) return { value: bytes, decimals: 0, unit: 'B' }
  if (bytes < 1024 ** 2) return { value: bytes / 1024, decimals: bytes < 10 * 1024 ? 1 : 0, unit: 'KiB' }
  if (bytes < 1024 ** 3) return { value: bytes / 1024 ** 2, decimals: bytes < 10 * 1024 ** 2 ? 1 : 0, unit: 'MiB' }
  return { value: bytes / 1024 ** 3, decimals: 1, unit: 'GiB' }
}

/** A duration in its two largest units: `rest` is in the unit below, of two digits. Seconds have none. */
interface Span {
  readonly whole: number
  readonly rest: string
  readonly unit: 's' | 'min' | 'h'
}
export function spanOf(seconds: number): Span {
  const all = Math.round(seconds)
  const two = (value: number): string => String(value).padStart(2, '0')
  if (all < 60) return { whole: all, rest: '', unit: 's' }
  if (all < 3600) return { whole: Math.floor(all / 60), rest: two(all % 60), unit: 'min' }
  return { whole: Math.floor(all / 3600), rest: two(Math.floor((all % 3600) / 60)), unit: 'h' }
}
