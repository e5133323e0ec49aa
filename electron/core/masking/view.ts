/* oxlint-disable typescript/no-non-null-assertion -- every index is below the length. */
/** One reading of a text: its characters, and for each its position in the original. */

export interface View {
  readonly length: number
  readonly units: Uint16Array
  /** The half-open range in the original, for each character. */
  readonly from: Int32Array
  readonly to: Int32Array
}

/** A writable view. It is reused, since millions of characters pass through it. */
export interface Writer extends View {
  length: number
}

/** Separates two passages that do not belong together. */
export const breakUnit = 0

/** A writer for up to `capacity` characters. */
export const createWriter = (capacity: number): Writer => ({
  length: 0,
  units: new Uint16Array(capacity),
  from: new Int32Array(capacity),
  to: new Int32Array(capacity)
})

/** Adds a character that represents the original's range `from` to `to`. */
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

/** A letter or digit as 0 to 35, ignoring case and width; -1 for anything else. */
export function alphanumeric(unit: number): number {
  if (unit < 128) return alphanumerics[unit]!
  return unit >= 0xff01 && unit <= 0xff5e ? alphanumerics[unit - 0xfee0]! : -1
}

/** Writes a passage of a text unchanged. */
export function readPassage(text: string, start: number, end: number, out: Writer): void {
  out.length = 0
  for (let at = start; at < end; at += 1) push(out, text.charCodeAt(at), at, at + 1)
}

/** The characters of a view as a text. */
export const textOf = (view: View): string => Buffer.from(view.units.buffer, 0, view.length * 2).toString('utf16le')

/** The character at a position; a break if there is none. */
export const unitAt = (view: View, at: number): number => (at < 0 || at >= view.length ? breakUnit : view.units[at]!)
