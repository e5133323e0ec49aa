/** Which addresses a document may be requested from, in every notation. */
import { describe, expect, it } from 'vitest'
import { addressKind, refusedKind } from '#core/documents/addresses.ts'
import { refusedHost } from '#core/documents/guard.ts'

const nothing = { loopback: false, private: false }
const hostOf = (authority: string): string => new URL(`http://${authority}/`).hostname

describe('an address', () => {
  it.each([
    ['8.8.8.8', undefined],
    ['1.1.1.1', undefined],
    ['172.15.255.255', undefined],
    ['172.32.0.1', undefined],
    ['100.63.0.1', undefined],
    ['100.128.0.1', undefined],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'link-local'],
    ['100.64.0.1', 'carrier'],
    ['100.127.255.255', 'carrier'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['255.255.255.255', 'reserved'],
    ['240.0.0.1', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['203.0.113.7', 'reserved'],
    ['2606:4700::1111', undefined],
    ['2a00:1450:4001:81b::200e', undefined],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['febf::1', 'link-local'],
    ['fc00::1', 'private'],
    ['fdff::1', 'private'],
    ['fec0::1', 'private'],
    ['ff02::1', 'multicast'],
    ['2001:db8::1', 'reserved'],
    ['100::1', 'reserved'],
    ['4000::1', 'reserved'],
    ['3fff::1', 'reserved'],
    // IPv4 within IPv6: mapped, NAT64, 6to4, compatible, translated, ISATAP, Teredo.
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::ffff:10.1.2.3', 'private'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['::ffff:8.8.8.8', undefined],
    ['64:ff9b::127.0.0.1', 'loopback'],
    ['64:ff9b::a9fe:a9fe', 'link-local'],
    ['64:ff9b::8.8.8.8', undefined],
    ['64:ff9b:1::1', 'reserved'],
    ['2002:7f00:1::', 'loopback'],
    ['2002:c0a8:101::1', 'private'],
    ['2002:808:808::1', undefined],
    ['::127.0.0.1', 'loopback'],
    ['::8.8.8.8', 'reserved'],
    ['::ffff:0:10.0.0.1', 'private'],
    ['2001:0:7f00:1::', 'reserved'],
    ['2a00::5efe:10.0.0.1', 'private'],
    ['not an address', 'reserved'],
    ['', 'reserved']
  ] as const)('%s is %s', (address, kind) => expect(addressKind(address)).toBe(kind))

  it('is allowed by its kind alone', () => {
    for (const address of ['127.0.0.1', '::1'])
      expect(refusedKind(address, { loopback: true, private: false })).toBeUndefined()
    for (const address of ['10.0.0.1', '100.64.0.1', 'fd00::1']) {
      expect(refusedKind(address, { loopback: true, private: false })).toBeDefined()
      expect(refusedKind(address, { loopback: false, private: true })).toBeUndefined()
    }
    for (const address of ['169.254.169.254', 'fe80::1', '224.0.0.1', '0.0.0.0', '240.0.0.1'])
      expect(refusedKind(address, { loopback: true, private: true })).toBeDefined()
  })
})

describe('a host of a link', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '①②⑦.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'files.localhost',
    'files.localhost.',
    '%6cocalhost'
  ])('%s is this computer, however it is written', (authority) =>
    expect(refusedHost(hostOf(authority), nothing)).toBe('loopback')
  )

  it.each([
    ['169.254.169.254', 'link-local'],
    ['2852039166', 'link-local'],
    ['0xa9fea9fe', 'link-local'],
    ['[fe80::1]', 'link-local'],
    ['0', 'unspecified'],
    ['10.1', 'private'],
    ['[fd00::1]', 'private']
  ] as const)('%s is %s', (authority, kind) => expect(refusedHost(hostOf(authority), nothing)).toBe(kind))

  it.each(['files.example.com', '8.8.8.8', '[2606:4700::1111]', 'localhost.example.com', '127.0.0.1.example.com'])(
    '%s is not refused by its name',
    (authority) => expect(refusedHost(hostOf(authority), nothing)).toBeUndefined()
  )
})
