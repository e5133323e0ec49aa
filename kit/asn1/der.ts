/** Writes DER. */
export function derValue(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}
export const derSequence = (...parts: readonly Uint8Array[]): Buffer => derValue(0x30, ...parts)
export const derOctets = (bytes: Uint8Array): Buffer => derValue(0x04, bytes)
/** A positive number, big-endian and in its shortest form. */
export const derNumber = (bytes: Uint8Array): Buffer => derValue(0x02, bytes)
export const derTrue = Buffer.from([0x01, 0x01, 0xff])
export function derObjectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((number) => {
    const digits = [number & 0x7f]
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left & 0x7f) | 0x80)
    return digits
  })
  return derValue(0x06, Buffer.from(bytes))
}
export const derSet = (...parts: readonly Uint8Array[]): Buffer => derValue(0x31, ...parts)
export const derBits = (bytes: Uint8Array, unused = 0): Buffer => derValue(0x03, Buffer.from([unused]), bytes)
export const derText = (text: string): Buffer => derValue(0x0c, Buffer.from(text, 'utf8'))
