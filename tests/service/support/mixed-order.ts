/**
 * Ed25519 signatures (RFC 8032) with a public key that has a part of order 2. By the equation with the cofactor each of
 * them is valid; by the one without, every second. Slow, and only for tests.
 */
import { createHash, randomBytes } from 'node:crypto'

type Point = readonly [x: bigint, y: bigint]

const p = 2n ** 255n - 19n
const order = 2n ** 252n + 27742317777372353535851937790883648493n
const mod = (value: bigint, by = p): bigint => ((value % by) + by) % by
function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, mod(base)]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}
const inverse = (value: bigint): bigint => power(value, p - 2n)
const d = mod(-121665n * inverse(121666n))
const base: Point = [
  15112221349535400772501151409588531511454012693041857206046113283949847762202n,
  mod(4n * inverse(5n))
]
const ofOrder2: Point = [0n, p - 1n]

function plus([x1, y1]: Point, [x2, y2]: Point): Point {
  const product = mod(d * x1 * x2 * y1 * y2)
  return [mod((x1 * y2 + x2 * y1) * inverse(1n + product)), mod((y1 * y2 + x1 * x2) * inverse(1n - product))]
}
function times(scalar: bigint, point: Point): Point {
  let [result, double]: [Point, Point] = [[0n, 1n], point]
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = plus(result, double)
    double = plus(double, double)
  }
  return result
}
const littleEndian = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
const encoded = ([x, y]: Point): Buffer => littleEndian(y | ((x & 1n) << 255n))
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
const anyScalar = (): bigint => mod(numberOf(randomBytes(32)), order)

export interface MixedOrderKey {
  /** The public key, hex. */
  readonly key: string
  /** A signature, hex. `fits`: whether it is valid without the cofactor as well. */
  sign(message: string | Uint8Array, fits: boolean): string
}

/** A new key that has a part of order 2. */
export function mixedOrderKey(): MixedOrderKey {
  const secret = anyScalar()
  const key = encoded(plus(times(secret, base), ofOrder2))
  return {
    key: key.toString('hex'),
    sign(message, fits) {
      for (;;) {
        const nonce = anyScalar()
        const point = encoded(times(nonce, base))
        const challenge = mod(numberOf(createHash('sha512').update(point).update(key).update(message).digest()), order)
        if ((challenge % 2n === 0n) !== fits) continue
        return Buffer.concat([point, littleEndian(mod(nonce + challenge * secret, order))]).toString('hex')
      }
    }
  }
}
