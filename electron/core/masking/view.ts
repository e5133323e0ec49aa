/* eslint-disable @typescript-eslint/no-non-null-assertion -- every index is below the length. */
/** A text as one of its readings: its characters, and for each the place in the original that it was read from. */

export interface View {
  readonly length: number
  readonly units: Uint16Array
  /** The half-open range in the original, for each character. */
  readonly from: Int32Array
  readonly to: Int32Array
}

/** A view that is written, and used again for the next one: millions of characters pass through it. */
export interface Writer extends View {
  length: number
}

/** Stands between two passages that do not belong together. */
export const breakUnit = 0

/** A writer for up to `capacity` characters. */
export const createWriter = (capacity: number): Writer => ({
  length: 0,
  units: new Uint16Array(capacity),
  from: new Int32Array(capacity),
  to: new Int32Array(capacity)
})

/** Adds a character that stands for the original's range `from` to `to`. */
export function push(out: Writer, unit: number, from: number, to: number): void {
  const at = out.length
  out.units[at] = unit
  out.from[at] = from
  out.to[at] = to
  out.length = at + 1
}

/** The value of a hexadecimal digit, or -1. */
export function hexValue(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48
  const lower = unit | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

const alphanumerics = Int8Array.from({ length: 128 }, (_, unit) =>
  '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(String.fromCharCode(unit).toLowerCase())
)

/** A letter or digit as 0 to 35, whatever its case and width; -1 for all else. */
export function alphanumeric(unit: number): number {
  if (unit < 128) return alphanumerics[unit]!
  return unit >= 0xff01 && unit <= 0xff5e ? alphanumerics[unit - 0xfee0]! : -1
}

/** Writes a passage of a text as it is. */
export function readPassage(text: string, start: number, end: number, out: Writer): void {
  out.length = 0
  for (let at = start; at < end; at += 1) push(out, text.charCodeAt(at), at, at + 1)
}

/** The characters of a view as a text. */
export const textOf = (view: View): string =>
  Buffer.from(view.units.buffer, 0, view.length * 2).toString('utf16le')

/** The character at a place, a break where there is none. */
export const unitAt = (view: View, at: number): number => (at < 0 || at >= view.length ? breakUnit : view.units[at]!)
