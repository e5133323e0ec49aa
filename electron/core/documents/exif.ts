/**
 * Reads a few entries of an EXIF block (a TIFF structure, CIPA DC-008). Every offset in it is chosen by others, so each
 * one is checked against the block before it is used; a damaged block is reported, never thrown.
 */
import type { ExifFacts } from '#contract/documents/documents.ts'

/** Longer texts are cut: nobody reads them. */
const maxText = 200
/** More entries than any camera writes. */
const maxEntries = 512

type Text = 'software' | 'make' | 'model' | 'changed' | 'taken'
const texts: Readonly<Record<number, Text>> = { 0x010f: 'make', 0x0110: 'model', 0x0131: 'software', 0x0132: 'changed' }
const takenTag = 0x9003
const orientationTag = 0x0112
const cameraPointer = 0x8769
const locationPointer = 0x8825

interface Entry {
  readonly tag: number
  readonly type: number
  readonly count: number
  /** Where its value or the value's offset is. */
  readonly at: number
}

/** The facts of an EXIF block; `damaged` if a part of it cannot be read. */
export function readExif(block: Buffer): ExifFacts {
  const order = block.toString('latin1', 0, 4)
  if (order !== 'II*\0' && order !== 'MM\0*') return { state: 'damaged', location: false }
  const little = order.startsWith('I')
  let damaged = false
  const number = (at: number, size: 2 | 4): number => {
    if (at < 0 || at + size > block.length) {
      damaged = true
      return 0
    }
    if (size === 2) return little ? block.readUInt16LE(at) : block.readUInt16BE(at)
    return little ? block.readUInt32LE(at) : block.readUInt32BE(at)
  }
  const entries = (at: number): Entry[] => {
    const count = number(at, 2)
    if (count > maxEntries) damaged = true
    const found: Entry[] = []
    for (let index = 0; index < Math.min(count, maxEntries); index += 1) {
      const from = at + 2 + index * 12
      if (from + 12 > block.length) {
        damaged = true
        break
      }
      found.push({ tag: number(from, 2), type: number(from + 2, 2), count: number(from + 4, 4), at: from + 8 })
    }
    return found
  }
  const text = ({ type, count, at }: Entry): string | undefined => {
    const from = count <= 4 ? at : number(at, 4)
    if (type !== 2 || count === 0 || from + count > block.length) {
      damaged = true
      return undefined
    }
    const value = block.toString('utf8', from, from + Math.min(count, maxText * 4)).split('\0')[0] ?? ''
    return value.trim().slice(0, maxText) || undefined
  }

  const facts: Partial<Record<Text, string>> & { orientation?: number } = {}
  const note = (name: Text, entry: Entry): void => {
    const value = text(entry)
    if (value !== undefined) facts[name] = value
  }
  let location = false
  for (const entry of entries(number(4, 4))) {
    const name = texts[entry.tag]
    if (name) note(name, entry)
    if (entry.tag === orientationTag) {
      const value = number(entry.at, 2)
      if (value >= 1 && value <= 8) facts.orientation = value
    }
    if (entry.tag === locationPointer) location = entries(number(entry.at, 4)).length > 0
    // One level only, so that no pointer can lead in circles.
    if (entry.tag === cameraPointer)
      for (const inner of entries(number(entry.at, 4))) if (inner.tag === takenTag) note('taken', inner)
  }
  return { state: damaged ? 'damaged' : 'read', ...facts, location }
}

/** A date of EXIF as Unix milliseconds, as if it were UTC: it has no time zone. */
export function exifTime(text: string | undefined): number | undefined {
  const found = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(text ?? '')
  if (!found) return undefined
  const [year, month, day, hour, minute, second] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  // Cameras without a clock write zeros.
  return year === 0 ? undefined : Date.UTC(year, month - 1, day, hour, minute, second)
}
