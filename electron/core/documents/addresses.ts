/**
 * Which addresses a document may be requested from. A link is chosen by others: without this rule it could make the
 * console read services on this computer, in the company's network or of the machine's host (SSRF).
 */
import { isIP } from 'node:net'

/** What an address that is not public leads to. */
export type AddressKind = 'loopback' | 'private' | 'carrier' | 'link-local' | 'multicast' | 'unspecified' | 'reserved'

/** What a connection allows. Link-local, multicast and reserved addresses are never allowed. */
export interface AddressRules {
  readonly loopback: boolean
  readonly private: boolean
}

/** Ranges of IPv4 that are not public (IANA special-purpose registry), most of them from RFC 6890. */
const ranges4: readonly (readonly [string, number, AddressKind])[] = [
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'carrier'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'reserved'],
  ['198.51.100.0', 24, 'reserved'],
  ['203.0.113.0', 24, 'reserved'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved']
]

const number4 = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

function kindOf4(address: number): AddressKind | undefined {
  return ranges4.find(
    ([from, bits]) => Math.floor(address / 2 ** (32 - bits)) === Math.floor(number4(from) / 2 ** (32 - bits))
  )?.[2]
}

/** The eight groups of an IPv6 address that `isIP` has accepted, without its zone. */
function groupsOf(text: string): number[] {
  const [address = ''] = text.split('%')
  const plain = address.replace(
    /\d+\.\d+\.\d+\.\d+$/,
    (dotted) => `${(number4(dotted) >>> 16).toString(16)}:${(number4(dotted) & 0xffff).toString(16)}`
  )
  const [head = '', tail] = plain.split('::')
  const parse = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)))
  const [before, after] = [parse(head), parse(tail ?? '')]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

/** The IPv4 address within an IPv6 address, if a translator or tunnel would deliver to it. */
function embedded(groups: readonly number[]): { readonly address: number; readonly usual: boolean } | undefined {
  const at = (index: number): number => (groups[index] ?? 0) * 65_536 + (groups[index + 1] ?? 0)
  const starts = (...prefix: readonly number[]): boolean => prefix.every((group, index) => groups[index] === group)
  // IPv4-mapped, and NAT64 with its well-known prefix (RFC 6052).
  if (starts(0, 0, 0, 0, 0, 0xffff) || starts(0x64, 0xff9b, 0, 0, 0, 0)) return { address: at(6), usual: true }
  // 6to4 (RFC 3056).
  if (starts(0x2002)) return { address: at(1), usual: true }
  // IPv4-compatible and IPv4-translated: out of use, so nobody needs them even with a public address.
  if (starts(0, 0, 0, 0, 0, 0) || starts(0, 0, 0, 0, 0xffff, 0)) return { address: at(6), usual: false }
  return undefined
}

/** By the first two groups of an address. */
function kindOfPrefix(first: number, second: number): AddressKind | undefined {
  if (first >= 0xff00) return 'multicast'
  if (first >= 0xfe80 && first <= 0xfebf) return 'link-local'
  if ((first >= 0xfc00 && first <= 0xfdff) || (first >= 0xfec0 && first <= 0xfeff)) return 'private'
  // Everything public is in 2000::/3. Teredo and other protocol assignments are 2001::/23, documentation 2001:db8::/32 and 3fff::/20.
  if (first < 0x2000 || first > 0x3fff) return 'reserved'
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return 'reserved'
  return first === 0x3fff && second < 0x1000 ? 'reserved' : undefined
}

function kindOf6(groups: readonly number[]): AddressKind | undefined {
  const [first = 0, second = 0] = groups
  if (groups.every((group) => group === 0)) return 'unspecified'
  if (groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1) return 'loopback'
  const within = embedded(groups)
  if (within) return kindOf4(within.address) ?? (within.usual ? undefined : 'reserved')
  // ISATAP (RFC 5214) puts an IPv4 address behind any prefix.
  if ((groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe)
    return kindOf4((groups[6] ?? 0) * 65_536 + (groups[7] ?? 0)) ?? 'reserved'
  return kindOfPrefix(first, second)
}

/** What an IP address leads to; undefined if it is public. A text that is no IP address counts as reserved. */
export function addressKind(text: string): AddressKind | undefined {
  const address = text.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family === 4) return kindOf4(number4(address))
  return family === 6 ? kindOf6(groupsOf(address)) : 'reserved'
}

/** Why an address must not be used, or undefined if it may be. */
export function refusedKind(address: string, rules: AddressRules): AddressKind | undefined {
  const kind = addressKind(address)
  if (kind === 'loopback') return rules.loopback ? undefined : kind
  return (kind === 'private' || kind === 'carrier') && rules.private ? undefined : kind
}
