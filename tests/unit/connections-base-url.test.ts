import fc from 'fast-check'
import { expect, it } from 'vitest'
import { baseUrlFault, isLoopbackHost, normaliseBaseUrl } from '#contract/connections/connection.ts'

const host = fc.domain()
const port = fc.integer({ min: 1, max: 65_535 })
const loopback = fc.oneof(
  fc.constantFrom('localhost', 'LOCALHOST', 'a.localhost', '[::1]'),
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => `127.${parts.join('.')}`)
)

it('takes https of any host and port, and stores it in one form', () => {
  fc.assert(
    fc.property(host, port, fc.constantFrom('', '/'), (name, number, end) => {
      const text = `https://${name}:${number}${end}`
      expect(baseUrlFault(text)).toBeUndefined()
      const normal = normaliseBaseUrl(text)
      expect(normal).toBe(normaliseBaseUrl(`HTTPS://${name.toUpperCase()}:${number}`))
      expect(normaliseBaseUrl(normal)).toBe(normal)
      expect(baseUrlFault(normal)).toBeUndefined()
    })
  )
})

it('takes http of this computer alone', () => {
  fc.assert(
    fc.property(loopback, port, (name, number) => {
      expect(baseUrlFault(`http://${name}:${number}`)).toBeUndefined()
    })
  )
  fc.assert(
    fc.property(host, port, (name, number) => {
      fc.pre(!isLoopbackHost(name))
      expect(baseUrlFault(`http://${name}:${number}`)).toEqual({ code: 'base-url-http' })
    })
  )
})

it.each([
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'http://127.1.example',
  'http://0.0.0.0',
  'http://[::2]',
  'http://10.0.0.1',
  'http://notlocalhost'
])('does not take %s for this computer', (text) => expect(baseUrlFault(text)).toEqual({ code: 'base-url-http' }))

it('takes no query, fragment or user', () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,12}$/)
  const added = fc.oneof(
    word.map((text) => (base: string) => `${base}?${text}`),
    word.map((text) => (base: string) => `${base}/#${text}`),
    word.map((text) => (base: string) => base.replace('://', `://${text}@`)),
    fc.constant((base: string) => `${base}?`),
    fc.constant((base: string) => `${base}#`)
  )
  fc.assert(
    fc.property(host, added, (name, change) => {
      expect(baseUrlFault(change(`https://${name}`))).toBeDefined()
    })
  )
})

it.each([
  ['https://gw.example.com/kyc-prefix', 'https://gw.example.com/kyc-prefix'],
  ['https://gw.example.com/a/b%20c/', 'https://gw.example.com/a/b%20c'],
  ['https://kyc.example.com/kyc-api/v1.0/kyc/validate-passport', 'https://kyc.example.com'],
  ['https://kyc.example.com/kyc-api/v1.0/kyc/', 'https://kyc.example.com'],
  ['https://gw.example.com/eu/kyc-api/v1.0/kyc/get-applicant-details/', 'https://gw.example.com/eu'],
  // Another version is not an operation's path, but may be a gateway's.
  ['https://gw.example.com/kyc-api/v2.0', 'https://gw.example.com/kyc-api/v2.0']
])('takes the prefix of a gateway and cuts the path of an operation: %s', (text, stored) => {
  expect(baseUrlFault(text)).toBeUndefined()
  expect(normaliseBaseUrl(text)).toBe(stored)
  expect(normaliseBaseUrl(stored)).toBe(stored)
})

it.each(['/a//b', '//a', '/a%2fb', '/a%2Fb', '/a%5Cb', '/a%00', '/%2e%2e/b%2e', '/a|b', '/a%zz', '/ä^'])(
  'refuses a path that two servers can read in two ways: %s',
  (path) => expect(baseUrlFault(`https://gw.example.com${path}`)).toEqual({ code: 'base-url-path' })
)

it('answers any text without a throw, and passes only an origin and a prefix', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl({ withFragments: true, withQueryParameters: true })), (text) => {
      if (baseUrlFault(text) !== undefined) return
      const normal = normaliseBaseUrl(text)
      expect(normal.startsWith(new URL(text).origin)).toBe(true)
      expect(normal.endsWith('/')).toBe(false)
      // An operation's path joins it without a change.
      expect(new URL(`${normal}/x`).href).toBe(`${normal}/x`)
    })
  )
})
