/** What is read in a document without decoding it: its type, its size, its EXIF block and what stands out. */
import { describe, expect, it } from 'vitest'
import { documentFindingText } from '#contract/failures/sentences.ts'
import { readExif } from '#core/documents/exif.ts'
import { partsOf } from '#core/documents/image.ts'
import { inspect } from '#core/documents/inspect.ts'
import { typeOf } from '#core/documents/type.ts'
import {
  card,
  claiming,
  exif,
  face,
  heic,
  png,
  scriptedPdf,
  webp,
  withExif
} from '../service/support/document-files.ts'

const text = (content: string): Buffer => Buffer.from(content)
const now = Date.UTC(2026, 6, 1)
const read = (
  bytes: Buffer,
  but: { readonly url?: string; readonly header?: string; readonly verifiedAt?: number } = {}
) =>
  inspect(
    { bytes, host: 'files.example.com', redirects: 0, ...(but.header !== undefined && { header: but.header }) },
    {
      url: but.url ?? 'https://files.example.com/photo',
      now,
      ...(but.verifiedAt !== undefined && { verifiedAt: but.verifiedAt })
    }
  )
const codes = (...given: Parameters<typeof read>): string[] => {
  const facts = read(...given)
  if (!facts.ok) throw new Error(facts.failure.code)
  return facts.value.findings.map(({ code }) => code)
}

describe('the type', () => {
  it.each([
    ['jpeg', card],
    ['png', png(2, 2)],
    ['webp', webp],
    ['heic', heic(4000, 3000)],
    ['heic', heic(4000, 3000, { brand: 'hevc' })],
    ['pdf', scriptedPdf],
    ['empty', Buffer.alloc(0)],
    ['html', text('<!DOCTYPE html><title>x</title>')],
    ['html', text('\ufeff \n<html>')],
    ['html', text('<!-- a --><script>alert(1)</script>')],
    ['html', text('<html>%PDF-1.4')],
    ['svg', text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['svg', text('<?xml version="1.0"?><!-- x --><svg onload="alert(1)"/>')],
    ['xml', text('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')],
    ['json', text('{"error":"expired"}')],
    ['text', text('Not found')],
    ['gif', text('GIF89a/*\0\0*/=1;alert(1)')],
    ['zip', text('PK\x03\x04')],
    ['gzip', Buffer.from([0x1f, 0x8b, 8])],
    ['bmp', text('BM')],
    ['tiff', text('II*\0')],
    ['avif', heic(10, 10, { brand: 'avif' })],
    ['video', heic(10, 10, { brand: 'isom' })],
    ['unknown', Buffer.from([0, 1, 2, 3])],
    ['unknown', text('\0\0\0\x08ftyp')]
  ] as const)('is %s by the content', (type, bytes) => expect(typeOf(bytes)).toBe(type))
})

describe('the size', () => {
  it.each([
    ['jpeg', card, 800, 500],
    ['jpeg', face, 640, 720],
    ['jpeg', withExif(card, exif({ software: 'x' })), 800, 500],
    ['png', png(3, 7), 3, 7],
    ['webp', webp, 640, 720],
    ['heic', heic(4032, 3024), 4032, 3024]
  ] as const)('of a %s is read from its structure', (type, bytes, width, height) =>
    expect(partsOf(type, bytes)).toMatchObject({ width, height })
  )

  it.each([
    ['a bomb of 20,000 × 20,000 pixels', png(10, 10, { claims: [20_000, 20_000] })],
    ['a JPEG that claims 65,535 × 65,535', claiming(card, 65_535, 65_535)],
    ['a long strip', png(10, 10, { claims: [16_385, 1] })],
    ['61 megapixels', png(10, 10, { claims: [10_000, 6_100] })],
    ['a HEIC with one huge image', heic(16_000, 16_000)],
    ['the largest number', png(10, 10, { claims: [0xffffffff, 0xffffffff] })]
  ])('%s is refused before any decoder sees it', (_name, bytes) =>
    expect(read(bytes)).toMatchObject({ ok: false, failure: { code: 'document-too-many-pixels' } })
  )

  it.each([
    ['60 megapixels', png(10, 10, { claims: [10_000, 6_000] })],
    ['a long side', png(10, 10, { claims: [16_384, 100] })]
  ])('%s is allowed', (_name, bytes) => expect(read(bytes).ok).toBe(true))

  it('of a file that ends anywhere before it is known counts as damaged, and nothing throws', () => {
    for (const [type, whole] of [
      ['jpeg', card],
      ['png', png(3, 3)],
      ['webp', webp],
      ['heic', heic(100, 100)]
    ] as const) {
      const last = whole.length - 1
      for (let length = 16; length < Math.min(last, 700); length += 1) {
        const facts = read(Buffer.from(whole.subarray(0, length)))
        if (!facts.ok)
          expect(['document-damaged', 'document-type-refused'], `${type} ${length}`).toContain(facts.failure.code)
      }
    }
    expect(read(card.subarray(0, 40))).toMatchObject({
      ok: false,
      failure: { code: 'document-damaged', details: { type: 'JPEG' } }
    })
    expect(read(png(0, 5))).toMatchObject({ ok: false, failure: { code: 'document-damaged' } })
  })
})

describe('EXIF', () => {
  const whole = {
    software: 'Adobe Photoshop 25.0',
    make: 'Canon',
    model: 'EOS R5',
    changed: '2026:02:01 10:00:00',
    taken: '2026:01:01 09:00:00',
    orientation: 6,
    location: true
  }

  it('is read: software, camera, dates, orientation, and whether it contains a place', () => {
    expect(readExif(exif(whole))).toEqual({ state: 'read', ...whole })
    expect(read(withExif(card, exif(whole)))).toMatchObject({
      ok: true,
      value: { exif: { state: 'read', model: 'EOS R5' } }
    })
    expect(read(png(700, 700, { extra: [['eXIf', exif(whole)]] }))).toMatchObject({
      ok: true,
      value: { exif: { state: 'read', make: 'Canon' } }
    })
    expect(read(heic(4032, 3024, { exif: exif(whole) }))).toMatchObject({
      ok: true,
      value: { width: 4032, exif: { state: 'read', ...whole } }
    })
    for (const without of [card, heic(4032, 3024)])
      expect(read(without)).toMatchObject({ ok: true, value: { exif: { state: 'absent', location: false } } })
  })

  it('of a HEIC whose items lead anywhere is damaged or absent, and never throws', () => {
    const genuine = heic(4032, 3024, { exif: exif(whole) })
    for (let at = genuine.indexOf('iinf') - 4; at < genuine.indexOf('mdat'); at += 1) {
      for (const value of [0, 1, 0x7f, 0xff]) {
        const changed = Buffer.from(genuine)
        changed.writeUInt8(value, at)
        expect(read(changed).ok, `${at} ${value}`).toBe(true)
      }
    }
    // Items without size, which a reader could count for hours.
    const places = genuine.indexOf('iloc')
    const many = Buffer.concat([
      genuine.subarray(0, places + 4),
      Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]),
      genuine.subarray(places + 12)
    ])
    expect(read(many)).toMatchObject({ ok: true, value: { exif: { state: 'damaged' } } })
    const beyond = Buffer.from(genuine)
    beyond.writeUInt32BE(0xfffffff0, beyond.indexOf('iloc') + 18)
    expect(read(beyond)).toMatchObject({
      ok: true,
      value: { exif: { state: 'damaged' }, findings: [{ code: 'exif-damaged' }] }
    })
  })

  it('that ends anywhere is damaged, keeps what could be read, and never throws', () => {
    const block = exif(whole)
    // Its last four bytes would name a directory that is not read.
    for (let length = 0; length < block.length - 4; length += 1) {
      const facts = readExif(Buffer.from(block.subarray(0, length)))
      expect(facts.state, String(length)).toBe('damaged')
    }
    expect(codes(withExif(card, block.subarray(0, 60)))).toContain('exif-damaged')
  })

  it('with offsets and counts beyond its end is damaged, and never throws', () => {
    const block = exif(whole)
    for (let at = 0; at + 4 <= block.length; at += 1) {
      for (const value of [0xffffffff, 0x7fffffff, 0]) {
        const changed = Buffer.from(block)
        changed.writeUInt32LE(value, at)
        expect(['read', 'damaged'], String(at)).toContain(readExif(changed).state)
      }
    }
    const overflow = Buffer.from(block)
    overflow.writeUInt32LE(0xfffffff0, 4)
    expect(readExif(overflow)).toEqual({ state: 'damaged', location: false })
  })

  it('whose pointers lead back to themselves ends', () => {
    const circle = Buffer.from(exif({ taken: '2026:01:01 00:00:00' }))
    // The pointer to the camera's entries leads to the directory that contains it.
    circle.writeUInt32LE(8, 8 + 2 + 8)
    expect(readExif(circle).taken).toBeUndefined()
  })
})

describe('what stands out', () => {
  it('names an editor, and no camera', () => {
    expect(codes(withExif(card, exif({ software: 'Adobe Photoshop 25.0' })))).toEqual(['edited'])
    expect(codes(withExif(card, exif({ software: '17.4.1', make: 'Apple' })))).toEqual([])
  })
  it('compares the dates with each other, the clock and the verification', () => {
    expect(codes(withExif(card, exif({ taken: '2026:01:01 09:00:00', changed: '2026:01:01 09:00:30' })))).toEqual([])
    expect(codes(withExif(card, exif({ taken: '2026:01:01 09:00:00', changed: '2026:02:01 09:00:00' })))).toEqual([
      'dates-disagree'
    ])
    expect(codes(withExif(card, exif({ taken: '2026:07:03 00:00:00' })))).toEqual(['taken-in-future'])
    expect(
      codes(withExif(card, exif({ changed: '2026:05:01 00:00:00' })), { verifiedAt: Date.UTC(2026, 3, 1) })
    ).toEqual(['newer-than-record'])
    expect(
      codes(withExif(card, exif({ changed: '2026:03:01 00:00:00' })), { verifiedAt: Date.UTC(2026, 3, 1) })
    ).toEqual([])
    expect(codes(withExif(card, exif({ taken: '0000:00:00 00:00:00', changed: 'nonsense' })))).toEqual([])
  })
  it('compares the type with the name and the header', () => {
    expect(codes(card, { url: 'https://files.example.com/photo.JPG?x=.png', header: 'image/jpg' })).toEqual([])
    expect(codes(card, { url: 'https://files.example.com/photo.png', header: 'text/html' })).toEqual([
      'name-differs',
      'header-differs'
    ])
    expect(codes(card, { url: 'https://files.example.com/v1.20', header: 'application/octet-stream' })).toEqual([])
  })
  it('says that an image is small, and has a sentence for each finding', () => {
    expect(codes(png(599, 100))).toEqual(['small'])
    expect(codes(png(600, 10))).toEqual([])
    const facts = read(withExif(card, exif({ software: 'GIMP 2.10' })))
    expect(facts.ok && facts.value.findings.map(documentFindingText)).toEqual([
      'It was saved with GIMP 2.10, an application that edits images.'
    ])
  })
})
