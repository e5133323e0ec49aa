/** Ed25519 (RFC 8032) with WebCrypto: the equation without the cofactor, and no keys of small order. */

/** Public keys that are valid for signatures of anything, without their sign bit; some programs accept them. */
const smallOrder = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  ...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'
]

/** Whether a public key (64 hex digits) has small order: its signatures prove nothing. */
export const isSmallOrder = (key) =>
  smallOrder.includes(key.slice(0, 62) + (Number.parseInt(key.slice(62), 16) & 0x7f).toString(16).padStart(2, '0'))

/** Whether a signature (64 bytes) of a message is valid for a public key (64 hex digits). */
export async function ed25519Holds(key, message, signature) {
  if (!/^[0-9a-f]{64}$/.test(key) || isSmallOrder(key) || signature.length !== 64) return false
  const raw = Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(key.slice(2 * index, 2 * index + 2), 16))
  try {
    const publicKey = await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify'])
    return await crypto.subtle.verify({ name: 'Ed25519' }, publicKey, signature, message)
  } catch (error) {
    if (error?.name === 'NotSupportedError')
      throw new Error('This program cannot check Ed25519 signatures. Use Node 20 or newer, or a current browser.', {
        cause: error
      })
    return false
  }
}
