/**
 * Reads DER (X.690), strictly: definite lengths in their shortest form, each type in the form that it has, nothing
 * behind the value, and bounded size, depth and number of values. Everything that it refuses is a DerFault, whatever
 * the bytes are.
 */

/** What is wrong with the bytes, as a sentence. */
export class DerFault extends Error {}

const maxBytes = 256 * 1024
const maxDepth = 32
const maxValues = 20_000

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  printable: 0x13,
  teletex: 0x14,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  universal: 0x1c,
  bmp: 0x1e
}
/** The tag of an explicitly tagged, or implicitly tagged and constructed, value. */
export const contextTag = (number) => 0xa0 + number

const refuseDer = (why) => {
  throw new DerFault(why)
}

/** Reads one value that takes all bytes: `{tag, bytes, content, children}`, `children` only if it is constructed. */
export function readDer(bytes) {
  if (!(bytes instanceof Uint8Array)) refuseDer('It is not a list of bytes.')
  if (bytes.length > maxBytes) refuseDer('It is too large.')
  const budget = { values: maxValues }
  const value = valueAt(bytes, 0, 1, budget)
  if (value.bytes.length !== bytes.length) refuseDer('There are bytes behind its end.')
  return value
}

function valueAt(bytes, start, depth, budget) {
  if (depth > maxDepth) refuseDer('It is nested too deeply.')
  if ((budget.values -= 1) < 0) refuseDer('It has too many values.')
  if (start + 2 > bytes.length) refuseDer('It is truncated.')
  const tag = bytes[start]
  if ((tag & 0x1f) === 0x1f) refuseDer('It has a tag of several bytes.')
  const [length, from] = lengthAt(bytes, start + 1)
  const end = from + length
  if (end > bytes.length) refuseDer('It is truncated.')
  const constructed = (tag & 0x20) !== 0
  // A sequence or a set is constructed and every other universal type primitive (X.690, 8 and 10.2).
  if (tag >> 6 === 0 && constructed !== (tag === tags.sequence || tag === tags.set))
    refuseDer('It has a type that DER does not allow.')
  const value = { tag, bytes: bytes.subarray(start, end), content: bytes.subarray(from, end), children: undefined }
  if (constructed) {
    value.children = []
    for (let at = from; at < end;) {
      const child = valueAt(bytes.subarray(0, end), at, depth + 1, budget)
      value.children.push(child)
      at += child.bytes.length
    }
  } else if (Object.hasOwn(primitives, tag)) primitives[tag](value)
  return value
}
/** By tag of a primitive type: reads it, since DER allows only one form. Texts and octets have no other. */
const primitives = {
  [tags.boolean]: booleanOf,
  [tags.integer]: (value) => integerOf(value),
  [tags.bits]: bitsOf,
  [tags.nothing]: ({ content }) => content.length === 0 || refuseDer('It has a value where DER has none.'),
  [tags.oid]: oidOf,
  [tags.enumerated]: (value) => integerOf(value, tags.enumerated),
  [tags.utcTime]: (value) => timeOf(value),
  [tags.generalizedTime]: (value) => timeOf(value, true)
}

/** The length, and where the content begins. */
function lengthAt(bytes, at) {
  const first = bytes[at]
  if (first < 0x80) return [first, at + 1]
  const count = first & 0x7f
  if (count === 0 || count > 4) refuseDer('It has a length that DER does not allow.')
  if (at + 1 + count > bytes.length) refuseDer('It is truncated.')
  let length = 0
  for (let index = 1; index <= count; index += 1) length = length * 256 + bytes[at + index]
  if (bytes[at + 1] === 0 || length < 0x80) refuseDer('It has a length that is not in its shortest form.')
  return [length, at + 1 + count]
}

/** Reads the members of a sequence or set one after the other; what is left at the end is refused. */
export function membersOf(value, tag = tags.sequence) {
  if (value?.tag !== tag || !value.children) refuseDer('It does not have the structure that its kind has.')
  let at = 0
  return {
    /** The next member, which must be there. */
    next(expected) {
      const member = value.children[at]
      if (!member || (expected !== undefined && member.tag !== expected))
        refuseDer('It does not have the structure that its kind has.')
      at += 1
      return member
    },
    /** The next member if it has this tag. */
    optional(expected) {
      const member = value.children[at]
      if (member?.tag !== expected) return undefined
      at += 1
      return member
    },
    end() {
      if (at !== value.children.length) refuseDer('It has more members than its kind has.')
    }
  }
}

/** The only member of an explicitly tagged value. */
export function within(value) {
  if (value?.children?.length !== 1) refuseDer('It does not have the structure that its kind has.')
  return value.children[0]
}

const ofTag = (value, tag) => {
  if (value?.tag !== tag) refuseDer('It does not have the structure that its kind has.')
  return value.content
}

/** An object identifier in dotted decimal. */
export function oidOf(value) {
  const content = ofTag(value, tags.oid)
  if (content.length === 0 || content.length > 64 || (content.at(-1) & 0x80) !== 0)
    refuseDer('It has an object identifier that is not valid.')
  const numbers = []
  let number = 0n
  let begins = true
  for (const byte of content) {
    if (begins && byte === 0x80) refuseDer('It has an object identifier that is not valid.')
    number = number * 128n + BigInt(byte & 0x7f)
    begins = (byte & 0x80) === 0
    if (begins) {
      numbers.push(number)
      number = 0n
    }
  }
  const top = numbers[0] < 80n ? numbers[0] / 40n : 2n
  return [top, numbers[0] - top * 40n, ...numbers.slice(1)].join('.')
}

/** The bytes of an integer in their shortest form, which may begin with a zero byte. */
export function integerOf(value, tag = tags.integer) {
  const content = ofTag(value, tag)
  const shortest =
    content.length > 0 &&
    (content.length === 1 || !((content[0] === 0 && content[1] < 0x80) || (content[0] === 0xff && content[1] >= 0x80)))
  if (!shortest) refuseDer('It has a number that is not in its shortest form.')
  return content
}

/** An integer from 0 to 2^31 - 1. */
export function smallOf(value, tag = tags.integer) {
  const content = integerOf(value, tag)
  if (content.length > 4 || content[0] >= 0x80) refuseDer('It has a number that is out of range.')
  return content.reduce((sum, byte) => sum * 256 + byte, 0)
}

export function booleanOf(value) {
  const content = ofTag(value, tags.boolean)
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff))
    refuseDer('It has a truth value that DER does not allow.')
  return content[0] === 0xff
}

export const octetsOf = (value, tag = tags.octets) => ofTag(value, tag)

/** The bytes and the number of unused bits of a bit string. */
export function bitsOf(value) {
  const content = ofTag(value, tags.bits)
  const [unused] = content
  if (content.length === 0 || unused > 7 || (content.length === 1 && unused > 0))
    refuseDer('It has a bit string that is not valid.')
  if (unused > 0 && (content.at(-1) & ((1 << unused) - 1)) !== 0)
    refuseDer('It has a bit string that DER does not allow.')
  return { bytes: content.subarray(1), unused }
}

/** A bit string of whole bytes. */
export function wholeBitsOf(value) {
  const { bytes, unused } = bitsOf(value)
  if (unused !== 0) refuseDer('It has a bit string that is not valid.')
  return bytes
}

/** A time as Unix milliseconds. Fractions of a second, only in a time-stamp, are rounded up. */
export function timeOf(value, fractions = false) {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    octetsOf(value, value?.tag === tags.utcTime ? tags.utcTime : tags.generalizedTime)
  )
  const found = (
    value.tag === tags.utcTime
      ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/
      : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/
  ).exec(text)
  if (!found || (found[7] !== undefined && !fractions)) refuseDer('It has a time that is not valid.')
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number)
  const whole = new Date(0)
  whole.setUTCFullYear(value.tag === tags.utcTime ? (year < 50 ? 2000 + year : 1900 + year) : year, month - 1, day)
  whole.setUTCHours(hour, minute, second)
  if (whole.getUTCMonth() !== month - 1 || whole.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    refuseDer('It has a time that is not valid.')
  const digits = found[7] ?? ''
  return whole.getTime() + Number(digits.slice(0, 3).padEnd(3, '0')) + (/[1-9]/.test(digits.slice(3)) ? 1 : 0)
}

/** A text in one of the types that names use, or undefined. */
export function textOf({ tag, content }) {
  if (tag === tags.bmp || tag === tags.universal) {
    const size = tag === tags.bmp ? 2 : 4
    if (content.length % size !== 0) return undefined
    const points = Array.from({ length: content.length / size }, (_, index) =>
      content.subarray(index * size, (index + 1) * size).reduce((sum, byte) => sum * 256 + byte, 0)
    )
    return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points.slice(0, 1000)) : undefined
  }
  if (tag === tags.teletex) return String.fromCharCode(...content.subarray(0, 1000))
  if (![tags.utf8, tags.printable, tags.ia5].includes(tag)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}

export const sameBytes = (a, b) => a.length === b.length && a.every((byte, index) => byte === b[index])

/** Writes one DER value. */
export function derValue(tag, ...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : length < 0x10000
          ? [0x82, length >> 8, length & 0xff]
          : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff]
  const all = new Uint8Array(1 + head.length + length)
  all.set([tag, ...head])
  let at = 1 + head.length
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
