/** Writes DER for tests. */
export const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const size = body.length < 0x100 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
export const seq = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts)
export const octets = (bytes: Uint8Array): Buffer => tlv(0x04, bytes)
/** From 0 to 127. */
export const integer = (value: number): Buffer => tlv(0x02, Uint8Array.of(value))
export const time = (date: Date): Buffer => tlv(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`))
export function objectId(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]]
  const base128 = (value: number): number[] => {
    const digits = [value & 0x7f]
    for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left & 0x7f) | 0x80)
    return digits
  }
  return tlv(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)))
}
