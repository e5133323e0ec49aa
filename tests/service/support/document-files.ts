/** Files that a link may lead to: genuine ones, and those that a hostile person would send. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

const fixture = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'documents', name))

/** An identity card, 800 × 500. */
export const card = fixture('card.jpg')
/** A portrait, 640 × 720. */
export const face = fixture('face.jpg')
export const webp = fixture('face.webp')
/** The card, 320 × 200. */
export const jp2 = fixture('card.jp2')
export const avif = fixture('card.avif')

const u32 = (value: number): Buffer =>
  Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  return Buffer.concat([u32(content.length), body, u32(crc32(body))])
}

/** A PNG of one grey. `claims` writes another size into its header than its content has. */
export function png(
  width: number,
  height: number,
  {
    claims = [width, height],
    extra = []
  }: { readonly claims?: readonly [number, number]; readonly extra?: readonly (readonly [string, Buffer])[] } = {}
): Buffer {
  const header = Buffer.concat([u32(claims[0]), u32(claims[1]), Buffer.from([8, 0, 0, 0, 0])])
  const rows = deflateSync(Buffer.alloc((width + 1) * height, 0x80))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...extra.map(([type, content]) => chunk(type, content)),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0))
  ])
}

export interface ExifContent {
  readonly software?: string
  readonly make?: string
  readonly model?: string
  readonly changed?: string
  readonly taken?: string
  readonly orientation?: number
  readonly location?: boolean
}

/** An EXIF block in little-endian order. */
export function exif({ software, make, model, changed, taken, orientation, location }: ExifContent): Buffer {
  const u16 = (value: number): Buffer => Buffer.from([value & 255, value >>> 8])
  const u32le = (value: number): Buffer =>
    Buffer.from([value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24])
  type Entry = { readonly tag: number; readonly text?: string; readonly short?: number; readonly pointer?: Entry[] }
  const textual = (tag: number, text: string | undefined): Entry[] => (text === undefined ? [] : [{ tag, text }])
  const root: Entry[] = [
    ...textual(0x010f, make),
    ...textual(0x0110, model),
    ...(orientation === undefined ? [] : [{ tag: 0x0112, short: orientation }]),
    ...textual(0x0131, software),
    ...textual(0x0132, changed),
    ...(taken === undefined ? [] : [{ tag: 0x8769, pointer: textual(0x9003, taken) }]),
    ...(location ? [{ tag: 0x8825, pointer: [{ tag: 1, text: 'N' }] }] : [])
  ]
  const directory = (entries: readonly Entry[], at: number): Buffer => {
    let free = at + 2 + entries.length * 12 + 4
    const behind: Buffer[] = []
    const put = (part: Buffer): number => {
      behind.push(part)
      free += part.length
      return free - part.length
    }
    const rows = entries.map(({ tag, text, short, pointer }) => {
      if (short !== undefined) return Buffer.concat([u16(tag), u16(3), u32le(1), u16(short), u16(0)])
      if (pointer) return Buffer.concat([u16(tag), u16(4), u32le(1), u32le(put(directory(pointer, free)))])
      const value = Buffer.from(`${text}\0`)
      const padded = Buffer.concat([value, Buffer.alloc(Math.max(0, 4 - value.length))])
      return Buffer.concat([u16(tag), u16(2), u32le(value.length), value.length <= 4 ? padded : u32le(put(value))])
    })
    return Buffer.concat([u16(entries.length), ...rows, u32le(0), ...behind])
  }
  return Buffer.concat([Buffer.from('II*\0', 'latin1'), u32le(8), directory(root, 8)])
}

/** A JPEG with this EXIF block behind its first marker. */
export function withExif(jpeg: Buffer, block: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block])
  const length = content.length + 2
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xe1, length >>> 8, length & 255]),
    content,
    jpeg.subarray(2)
  ])
}

/** The WebP, 640 × 720, with this EXIF block as its last chunk. */
export function webpWithExif(block: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(block.length)
  const whole = Buffer.concat([webp, Buffer.from('EXIF', 'latin1'), size, block, Buffer.alloc(block.length % 2)])
  // The flag of its extended header, and the size that it states for itself.
  whole.writeUInt8(whole.readUInt8(20) | 8, 20)
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

/** An XMP packet with these attributes, and perhaps more within its description. */
export const xmp = (attributes: string, within = ''): Buffer =>
  Buffer.from(
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#" ${attributes}>${within}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
  )

/** A JPEG with this XMP packet behind its first marker. */
export function withXmp(jpeg: Buffer, packet: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), packet])
  const length = content.length + 2
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xe1, length >>> 8, length & 255]),
    content,
    jpeg.subarray(2)
  ])
}

/** A JPEG whose frame header claims another size. */
export function claiming(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg)
  const frame =
    [0xc0, 0xc1, 0xc2].map((marker) => changed.indexOf(Buffer.from([0xff, marker, 0x00]))).find((at) => at > 0) ?? 0
  changed.writeUInt16BE(height, frame + 5)
  changed.writeUInt16BE(width, frame + 7)
  return changed
}

const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}
/** The structure of a HEIC file: a tile, the whole image, and perhaps an EXIF item, without pixels. */
export function heic(
  width: number,
  height: number,
  { brand = 'heic', exif: block }: { readonly brand?: string; readonly exif?: Buffer } = {}
): Buffer {
  const size = (w: number, h: number): Buffer => box('ispe', u32(0), u32(w), u32(h))
  const u16 = (value: number): Buffer => Buffer.from([value >>> 8, value & 255])
  const item = (id: number, type: string): Buffer =>
    box('infe', u32(0x02000000), u16(id), u16(0), Buffer.from(`${type}\0`, 'latin1'))
  // The item begins with where the TIFF structure is in it.
  const content = block && Buffer.concat([u32(6), Buffer.from('Exif\0\0', 'latin1'), block])
  const made = (at: number): Buffer =>
    Buffer.concat([
      box('ftyp', Buffer.from(brand, 'latin1'), u32(0), Buffer.from(`mif1${brand}`, 'latin1')),
      box(
        'meta',
        u32(0),
        box('iprp', box('ipco', size(512, 512), size(width, height))),
        ...(content
          ? [
              box('iinf', u32(0), u16(2), item(1, 'hvc1'), item(2, 'Exif')),
              box('iloc', u32(0), u16(0x4400), u16(1), u16(2), u16(0), u16(1), u32(at), u32(content.length))
            ]
          : [])
      ),
      box('mdat', content ?? Buffer.alloc(64))
    ])
  return made(made(0).length - (content?.length ?? 0))
}

/** A PDF that runs a script when a reader lets it. */
export const scriptedPdf = Buffer.from(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\);app.launchURL\\("http://127.0.0.1/"\\))>>>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>> endobj
trailer <</Root 1 0 R>>
%%EOF
`)
