/**
 * ASN.1 as asn1js reads it, restricted to what this console accepts: DER with definite, shortest lengths. The
 * stand-alone verifier has a reader of its own, so that a mistake in one of them is noticed by the other.
 */
import {
  type BaseBlock,
  Boolean as Asn1Boolean,
  GeneralizedTime,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  BitString,
  Sequence,
  Set as Asn1Set,
  UTCTime,
  fromBER
} from 'asn1js'

/** The bytes do not have the required structure. */
export class Unreadable extends Error {}

type WithChildren = BaseBlock & { readonly valueBlock: { readonly value: readonly BaseBlock[] } }

const contextClass = 3

/** Parses bytes that are one DER value. Throws Unreadable. */
export function parseDer(bytes: Uint8Array): BaseBlock {
  const { offset, result } = fromBER(bytes, { maxDepth: 40, maxNodes: 20_000, maxContentLength: 256 * 1024 })
  if (offset !== bytes.length || result.error !== '') throw new Unreadable()
  checkDer(result)
  return result
}

/** Refuses what BER allows and DER does not. */
function checkDer(block: BaseBlock): void {
  const { idBlock, lenBlock } = block
  if (lenBlock.isIndefiniteForm || !isShortest(block) || idBlock.blockLength !== 1) throw new Unreadable()
  const isCollection = block instanceof Sequence || block instanceof Asn1Set
  if (idBlock.tagClass === 1 && idBlock.isConstructed !== isCollection) throw new Unreadable()
  // asn1js does not check that a value ends where its members do.
  const head = idBlock.blockLength + lenBlock.blockLength
  if (rawOf(block).length !== head + lenBlock.length) throw new Unreadable()
  if (!idBlock.isConstructed) return checkPrimitive(block)
  const members = (block as WithChildren).valueBlock.value
  members.forEach(checkDer)
  if (members.reduce((sum, member) => sum + rawOf(member).length, 0) !== lenBlock.length) throw new Unreadable()
}

/** Reads a primitive value: DER allows only one form. Texts and octets have no other. */
function checkPrimitive(block: BaseBlock): void {
  if (block.idBlock.tagClass !== 1) return
  if (block instanceof Asn1Boolean) isTrue(block)
  else if (block instanceof Integer) shortest(contentOf(block))
  else if (block instanceof BitString) bitsOf(block)
  else if (block instanceof ObjectIdentifier) checkIdentifier(contentOf(block))
  else if (block instanceof UTCTime) timeOf(block, true)
  else if (block instanceof Null && !isNull(block)) throw new Unreadable()
}
/** Each number in its shortest form. */
function checkIdentifier(content: Uint8Array): void {
  const isWhole = content.length > 0 && content.length <= 64 && (content.at(-1) ?? 0x80) < 0x80
  if (!isWhole || content.some((byte, at) => byte === 0x80 && (content[at - 1] ?? 0) < 0x80)) throw new Unreadable()
}

/** Whether the length is in its shortest form; the warnings of asn1js look at the wrong end of it. */
function isShortest(block: BaseBlock): boolean {
  const { length, blockLength } = block.lenBlock
  if (!block.lenBlock.longFormUsed) return blockLength === 1
  return length >= 0x80 && rawOf(block)[block.idBlock.blockLength + 1] !== 0
}

/** All bytes of a value, with its tag and length. */
export const rawOf = (block: BaseBlock): Uint8Array => block.valueBeforeDecodeView

/** The content of a value: what follows its tag and length. */
export const contentOf = (block: BaseBlock): Uint8Array => {
  const raw = rawOf(block)
  return raw.subarray(block.idBlock.blockLength + block.lenBlock.blockLength)
}

/** The members of a sequence or set, to be taken in order. */
export interface Members {
  next(): BaseBlock
  /** The next one if it has this context tag. */
  context(number: number): BaseBlock | undefined
  /** The next one if it is of this type. */
  optional<Block extends BaseBlock>(type: new () => Block): Block | undefined
  end(): void
}

export function membersOf(block: BaseBlock | undefined, isSet = false): Members {
  if (!(isSet ? block instanceof Asn1Set : block instanceof Sequence)) throw new Unreadable()
  const list = (block as WithChildren).valueBlock.value
  let at = 0
  return {
    next() {
      const found = list[at]
      if (!found) throw new Unreadable()
      at += 1
      return found
    },
    context(number) {
      const found = list[at]
      if (found?.idBlock.tagClass !== contextClass || found.idBlock.tagNumber !== number) return undefined
      at += 1
      return found
    },
    optional(type) {
      const found = list[at]
      if (!(found instanceof type)) return undefined
      at += 1
      return found
    },
    end() {
      if (at !== list.length) throw new Unreadable()
    }
  }
}

/** The members of a sequence, a set or a constructed context value. */
export function childrenOf(block: BaseBlock | undefined): readonly BaseBlock[] {
  if (!block?.idBlock.isConstructed) throw new Unreadable()
  return (block as WithChildren).valueBlock.value
}

/** The one value in an explicit tag. */
export function inner(block: BaseBlock | undefined): BaseBlock {
  const [only, ...more] = childrenOf(block)
  if (!only || more.length > 0) throw new Unreadable()
  return only
}

export function oidOf(block: BaseBlock | undefined): string {
  if (!(block instanceof ObjectIdentifier)) throw new Unreadable()
  return block.valueBlock.toString()
}

export function octetsOf(block: BaseBlock | undefined): Uint8Array {
  if (!(block instanceof OctetString)) throw new Unreadable()
  return contentOf(block)
}

/** The content of an integer, as it is. */
export function integerOf(block: BaseBlock | undefined): Uint8Array {
  if (!(block instanceof Integer)) throw new Unreadable()
  return shortest(contentOf(block))
}
function shortest(content: Uint8Array): Uint8Array {
  const [first, second] = content
  if (
    first === undefined ||
    (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
  )
    throw new Unreadable()
  return content
}

/** An integer from 0 to 2^31 - 1; `implicit` if it has a context tag instead of its own. */
export function smallOf(block: BaseBlock | undefined, implicit = false): number {
  if (
    !block ||
    block.idBlock.isConstructed ||
    !(implicit ? block.idBlock.tagClass === contextClass : block instanceof Integer)
  )
    throw new Unreadable()
  const content = shortest(contentOf(block))
  if (content.length > 4 || (content[0] ?? 0) >= 0x80) throw new Unreadable()
  return content.reduce((sum, byte) => sum * 256 + byte, 0)
}

export function isTrue(block: BaseBlock | undefined): boolean {
  const [byte, ...more] = block instanceof Asn1Boolean ? contentOf(block) : []
  if ((byte !== 0 && byte !== 0xff) || more.length > 0) throw new Unreadable()
  return byte === 0xff
}

/** A bit string with its number of unused bits. */
export function bitsOf(block: BaseBlock | undefined): { readonly bytes: Uint8Array; readonly unused: number } {
  const content = block instanceof BitString ? contentOf(block) : new Uint8Array()
  const [unused] = content
  if (unused === undefined || unused > 7 || (content.length === 1 && unused > 0)) throw new Unreadable()
  if (unused > 0 && ((content.at(-1) ?? 0) & ((1 << unused) - 1)) !== 0) throw new Unreadable()
  return { bytes: content.subarray(1), unused }
}
export function wholeBits(block: BaseBlock | undefined): Uint8Array {
  const { bytes, unused } = bitsOf(block)
  if (unused !== 0) throw new Unreadable()
  return bytes
}

export const isNull = (block: BaseBlock | undefined): boolean => block instanceof Null && contentOf(block).length === 0

/** A time in one of the forms that DER allows, as Unix milliseconds; a fraction of a second is rounded up. */
export function timeOf(block: BaseBlock, fractions = false): number {
  // GeneralizedTime of asn1js is a kind of UTCTime, and both are texts that it reads more generously.
  const isGeneral = block instanceof GeneralizedTime
  if (!isGeneral && !(block instanceof UTCTime)) throw new Unreadable()
  const text = Buffer.from(contentOf(block)).toString('latin1')
  const found = (
    isGeneral ? /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/ : /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/
  ).exec(text)
  if (!found || (found[7] !== undefined && !fractions)) throw new Unreadable()
  const [year = '', ...rest] = found.slice(1, 7)
  const full = isGeneral ? year : `${Number(year) < 50 ? '20' : '19'}${year}`
  const [month, day, hour, minute, second] = rest
  const iso = `${full}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const time = Date.parse(iso)
  // A day that does not exist is refused, or moved to another one.
  if (Number.isNaN(time) || new Date(time).toISOString() !== iso) throw new Unreadable()
  const digits = found[7] ?? ''
  return time + Number(digits.slice(0, 3).padEnd(3, '0')) + (/[1-9]/.test(digits.slice(3)) ? 1 : 0)
}
