/**
 * Reduces a screenshot to at most 256 colours, each pixel to the nearest of them, with the best compression. Reads only
 * what a browser's screenshot needs of PNG: 8 bits per channel, three or four channels, not interlaced. Format: W3C PNG
 * (Third Edition), sections 5, 9 and 11.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(named.length + 8)
  out.writeUInt32BE(data.length, 0)
  named.copy(out, 4)
  out.writeUInt32BE(crc32(named), named.length + 4)
  return out
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)]
  return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner
}

/** Pixels as 0xRRGGBB. Throws if the image has another format. */
function pixelsOf(png: Buffer): { readonly width: number; readonly height: number; readonly pixels: Uint32Array } {
  if (!png.subarray(0, 8).equals(signature)) throw new Error('no PNG')
  const parts: Buffer[] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const [width, height, form] = [png.readUInt32BE(16), png.readUInt32BE(20), png.toString('hex', 24, 29)]
  if (form !== '0802000000' && form !== '0806000000') throw new Error(`a PNG of another form: ${form}`)
  const step = form === '0802000000' ? 3 : 4
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * step
  const lines = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x += 1) {
      const here = y * stride + x
      const left = x >= step ? (lines[here - step] ?? 0) : 0
      const above = y > 0 ? (lines[here - stride] ?? 0) : 0
      const corner = x >= step && y > 0 ? (lines[here - stride - step] ?? 0) : 0
      const added = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0
      lines[here] = ((raw[y * (stride + 1) + 1 + x] ?? 0) + added) & 0xff
    }
  }
  const pixels = Uint32Array.from({ length: width * height }, (_, at) => lines.readUIntBE(at * step, 3))
  return { width, height, pixels }
}

const distance = (one: number, other: number): number =>
  2 * ((one >> 16) - (other >> 16)) ** 2 +
  4 * (((one >> 8) & 0xff) - ((other >> 8) & 0xff)) ** 2 +
  3 * ((one & 0xff) - (other & 0xff)) ** 2

/**
 * The most frequent colours; after the first half, none that is similar to a chosen one: a window has few colours, and
 * many shades between a letter and its background.
 */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour)
  const palette = byCount.slice(0, 128)
  for (const least of [400, 100, 20, 0])
    for (const colour of byCount) {
      if (palette.length === 256) return palette
      if (palette.every((known) => distance(known, colour) > least)) palette.push(colour)
    }
  return palette
}

/** The same image as PNG with a palette of at most 256 colours. */
export function packed(png: Buffer): Buffer {
  const { width, height, pixels } = pixelsOf(png)
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const palette = paletteOf(counts)
  const places = new Map<number, number>()
  for (const colour of counts.keys()) {
    let best = 0
    for (let at = 1; at < palette.length; at += 1)
      if (distance(palette[at] ?? 0, colour) < distance(palette[best] ?? 0, colour)) best = at
    places.set(colour, best)
  }
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) lines[y * (width + 1) + 1 + x] = places.get(pixels[y * width + x] ?? 0) ?? 0
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]))
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0))
  ])
}
