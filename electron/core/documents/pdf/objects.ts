/**
 * The objects of a PDF that its newest catalog leads to. They are searched in the file from its beginning to its end, as
 * readers do with a damaged one: no table of places can lead anywhere. Streams are passed over, except for those that
 * contain objects.
 */
import { inflateSync, constants } from 'node:zlib'
import { isDict, isRef, PdfEnd, readerOf, type PdfDict, type PdfValue } from './values.ts'

/** Bytes of unpacked objects, and values, of a whole document. */
const maxUnpacked = 16 * 1024 * 1024
const maxValues = 1_000_000
/** A byte of deflate unpacks to at most so many. */
const maxRatio = 1032
/** Milliseconds in which objects are read; the largest real document takes a fifth of it, and everything else waits meanwhile. */
const readingTime = 2000

export interface PdfObjects {
  readonly catalog: PdfDict | undefined
  readonly isEncrypted: boolean
  /** Everything was read. */
  readonly whole: boolean
  /** What a reference leads to; a value that is none is its own. */
  of(value: PdfValue): PdfValue
}

const numbers = /(?:^|[^\d.])(\d{1,10})[\s\0]{1,9}\d{1,5}[\s\0]{1,9}$/
const streamStart = /[\s\0]{0,20}stream(?:\r\n|\n|\r)?/y

/** What finds the next `obj` behind its numbers, or `trailer`, from a place on. */
function finderIn(
  text: string
): (from: number) => { readonly number: number | undefined; readonly at: number } | undefined {
  let [trailerAt, objectAt] = [-1, -1]
  const placeOf = (word: string, from: number): number => {
    const at = text.indexOf(word, from)
    return at < 0 ? text.length : at
  }
  return (from) => {
    // Both places are kept: looking for the other one again behind each would read the whole text each time.
    if (trailerAt < from) trailerAt = placeOf('trailer', from)
    if (objectAt < from) objectAt = placeOf('obj', from)
    for (; objectAt < trailerAt; objectAt = placeOf('obj', objectAt + 3)) {
      if (text.charCodeAt(objectAt - 1) > 32) continue
      const number = numbers.exec(text.slice(Math.max(0, objectAt - 40), objectAt))?.[1]
      if (number !== undefined) return { number: Number(number), at: objectAt + 3 }
    }
    return trailerAt < text.length ? { number: undefined, at: trailerAt + 7 } : undefined
  }
}

/** The content of a stream, at most so many bytes of it; undefined if it cannot be read. */
function contentOf(dict: PdfDict, raw: Buffer, limit: number): string | undefined {
  const filter = [dict.get('/Filter')].flat()
  const isKnown = filter[0] === undefined || (filter.length === 1 && filter[0] === '/FlateDecode')
  if (!isKnown || dict.has('/DecodeParms')) return undefined
  if (filter[0] === undefined) return raw.toString('latin1')
  try {
    const options = { maxOutputLength: limit, chunkSize: 256 * 1024, finishFlush: constants.Z_SYNC_FLUSH }
    return inflateSync(raw, options).toString('latin1')
  } catch {
    return undefined
  }
}

/** Reads the objects of a document. Never throws. */
export function objectsOf(bytes: Buffer): PdfObjects {
  const text = bytes.toString('latin1')
  const left = { values: maxValues }
  const objects = new Map<number, PdfValue>()
  let unpacked = 0
  let whole = true
  let catalog: PdfValue
  let isEncrypted = false

  function trailer(dict: PdfDict): void {
    if (dict.has('/Encrypt')) isEncrypted = true
    const root = dict.get('/Root')
    if (root !== undefined) catalog = root
  }
  /** Objects in a stream (ISO 32000-1, 7.5.7): numbers and places, then the values. */
  function unpack(dict: PdfDict, from: number, end: number): void {
    const isRead = !isEncrypted && unpacked < maxUnpacked
    const content = isRead ? contentOf(dict, bytes.subarray(from, end), maxUnpacked - unpacked) : undefined
    if (content === undefined) {
      whole &&= isEncrypted
      // How much came out before it failed is not known.
      if (isRead) unpacked += maxRatio * (end - from)
      return
    }
    unpacked += content.length
    const [count, first] = [dict.get('/N'), dict.get('/First')]
    if (typeof count !== 'number' || typeof first !== 'number') return
    const head = readerOf(content.slice(0, first), 0, left)
    for (let index = 0; index < count; index += 1) {
      const [number, place] = [head.value(), head.value()]
      if (typeof number !== 'number' || typeof place !== 'number') return
      objects.set(number, readerOf(content, first + place, left).value())
    }
  }
  /** Where a stream's content begins and ends, if one follows. */
  function streamAfter(dict: PdfDict, at: number): readonly [number, number] | undefined {
    streamStart.lastIndex = at
    if (!streamStart.test(text)) return undefined
    const from = streamStart.lastIndex
    const length = dict.get('/Length')
    const stated = typeof length === 'number' ? from + length : undefined
    if (stated !== undefined && /^[\s\0]{0,4}endstream/.test(text.slice(stated, stated + 13))) return [from, stated]
    const end = text.indexOf('endstream', from)
    return [from, end < 0 ? text.length : end]
  }

  const next = finderIn(text)
  const until = performance.now() + readingTime
  for (let found = next(0), place = 0; found; found = next(place)) {
    if (performance.now() > until) {
      whole = false
      break
    }
    const reader = readerOf(text, found.at, left)
    place = found.at
    try {
      const value = reader.value()
      // Never back: an object without an end would be read once for each of those within it.
      place = reader.place()
      if (found.number === undefined) {
        if (isDict(value)) trailer(value)
        continue
      }
      objects.set(found.number, value)
      const stream = isDict(value) ? streamAfter(value, place) : undefined
      if (!isDict(value) || !stream) continue
      place = stream[1]
      if (value.get('/Type') === '/XRef') trailer(value)
      if (value.get('/Type') === '/ObjStm') unpack(value, ...stream)
    } catch (error) {
      if (!(error instanceof PdfEnd)) throw error
      whole = false
      place = Math.max(place, reader.place())
      if (left.values < 0) break
    }
  }
  function of(value: PdfValue): PdfValue {
    let current = value
    for (let hops = 0; isRef(current) && hops < 20; hops += 1) current = objects.get(current.ref)
    return isRef(current) ? undefined : current
  }
  const root = of(catalog)
  return {
    catalog: isDict(root)
      ? root
      : [...objects.values()].filter(isDict).findLast((each) => each.get('/Type') === '/Catalog'),
    isEncrypted,
    whole,
    of
  }
}
