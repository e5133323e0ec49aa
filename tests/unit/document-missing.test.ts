/** What is missing in a document, or is in it and not shown: files that end early, and the parts of a PDF beside its pages. */
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { MissingFinding } from '#contract/failures/failures.ts'
import { documentFindingText } from '#contract/failures/sentences.ts'
import { inspect } from '#core/documents/inspect.ts'
import { pdfFindings } from '#core/documents/pdf/findings.ts'
import { pdfStart, typeOf } from '#core/documents/type.ts'
import { card, claiming, face, heic, png, scriptedPdf, webp } from '../service/support/document-files.ts'
import { activePdfs, blackScan, encrypted, manyPages, onePage, pdf, stream } from '../service/support/document-pdfs.ts'

const text = (content: string): Buffer => Buffer.from(content, 'latin1')
const found = (bytes: Buffer): string[] => {
  const facts = inspect(
    { bytes, host: 'files.example.com', redirects: 0 },
    { url: 'https://files.example.com/photo', now: Date.UTC(2026, 6, 1) }
  )
  if (!facts.ok) throw new Error(facts.failure.code)
  return facts.value.findings.filter(({ code }) => code !== 'small').map(({ code }) => code)
}
const detailsOf = (bytes: Buffer, code: MissingFinding['code']): unknown =>
  pdfFindings(bytes).find((finding) => finding.code === code)?.details

describe('an image that ends early', () => {
  const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1)
  const zeros = (bytes: Buffer): Buffer =>
    Buffer.concat([half(bytes), Buffer.alloc(bytes.length - (bytes.length >> 1))])
  const noise = png(300, 300, { extra: [['tEXt', Buffer.alloc(4000, 'x')]] })
  it.each([
    ['a JPEG', half(card)],
    ['another JPEG', face.subarray(0, face.length - 2)],
    ['a JPEG by one byte', card.subarray(0, card.length - 1)],
    ['a JPEG whose download left zeros', zeros(card)],
    ['a JPEG with other bytes behind', Buffer.concat([half(card), text('<html>Timeout</html>')])],
    [
      'a JPEG without a scan',
      Buffer.concat([card.subarray(0, card.indexOf(Buffer.from([0xff, 0xda]))), Buffer.from([0xff, 0xd9])])
    ],
    ['a PNG', half(noise)],
    ['a PNG without its end', noise.subarray(0, noise.length - 12)],
    ['a PNG whose download left zeros', zeros(noise)],
    ['a WebP', half(webp)],
    ['a WebP by a few bytes', webp.subarray(0, webp.length - 5)],
    ['a HEIC', heic(700, 700).subarray(0, -20)],
    ['an AVIF', heic(700, 700, { brand: 'avif' }).subarray(0, -1)],
    ['a JPEG 2000', jpeg2000(700, 700).subarray(0, -2)]
  ])('is pointed out: %s', (_name, bytes) => expect(found(Buffer.from(bytes))).toEqual(['cut-off']))

  it.each([
    ['a JPEG', card],
    ['another JPEG', face],
    ['a JPEG with other bytes behind its end', Buffer.concat([card, Buffer.alloc(1000, 'x')])],
    ['a PNG', noise],
    ['a PNG with other bytes behind its end', Buffer.concat([noise, text('x')])],
    ['a WebP', webp],
    ['a HEIC', heic(700, 700)],
    ['a HEIC with other bytes behind its boxes', Buffer.concat([heic(700, 700), Buffer.alloc(100)])],
    ['an AVIF', heic(700, 700, { brand: 'avif' })],
    ['a JPEG 2000', jpeg2000(700, 700)]
  ])('is no finding where it is whole: %s', (_name, bytes) => expect(found(bytes)).toEqual([]))

  it('is told from one with a part that does not match its checksum', () => {
    const changed = Buffer.from(noise)
    const at = changed.indexOf('IDAT') + 20
    changed.writeUInt8(changed.readUInt8(at) ^ 255, at)
    expect(found(changed)).toEqual(['part-damaged'])
  })
})

/** A codestream of JPEG 2000 without pixels: its size, and its end. */
function jpeg2000(width: number, height: number): Buffer {
  const size = Buffer.alloc(38)
  size.writeUInt16BE(0xff51)
  size.writeUInt16BE(36, 2)
  size.writeUInt32BE(width + 5, 6)
  size.writeUInt32BE(height + 7, 10)
  size.writeUInt32BE(5, 14)
  size.writeUInt32BE(7, 18)
  return Buffer.concat([Buffer.from([0xff, 0x4f]), size, Buffer.alloc(100, 1), Buffer.from([0xff, 0xd9])])
}

describe('the pixels', () => {
  const read = (bytes: Buffer) =>
    inspect({ bytes, host: 'h', redirects: 0 }, { url: 'https://files.example.com/a', now: 0 })
  it('of a JPEG may be 200 million where it can be made smaller while it is decoded', () => {
    expect(read(claiming(card, 16_320, 12_240)).ok).toBe(true)
    expect(read(claiming(card, 16_320, 12_300))).toMatchObject({
      ok: false,
      failure: { code: 'document-too-many-pixels', details: { limit: 200_000_000 } }
    })
    // A progressive one cannot.
    const progressive = Buffer.from(card)
    progressive.writeUInt8(0xc2, progressive.indexOf(Buffer.from([0xff, 0xc0, 0x00])) + 1)
    expect(read(claiming(progressive, 12_000, 9_000))).toMatchObject({
      ok: false,
      failure: { code: 'document-too-many-pixels', details: { limit: 60_000_000 } }
    })
  })
  it('of other types are 60 million', () => {
    for (const bytes of [
      png(10, 10, { claims: [12_000, 9_000] }),
      heic(12_000, 9_000, { brand: 'avif' }),
      jpeg2000(12_000, 9_000)
    ])
      expect(read(bytes)).toMatchObject({ ok: false, failure: { details: { limit: 60_000_000 } } })
    expect(read(jpeg2000(800, 600))).toMatchObject({ ok: true, value: { type: 'jp2', width: 800, height: 600 } })
  })
})

describe('the beginning of a PDF', () => {
  const whole = onePage()
  const behind = (before: string): Buffer => Buffer.concat([text(before), whole])
  it.each([
    ['empty lines', '\r\n\r\n'],
    ['a mark of UTF-8', '\xef\xbb\xbf'],
    ['a mail', 'Content-Type: application/pdf\r\nMIME-Version: 1.0\r\n\r\n'],
    ['an upload form', '------WebKitFormBoundaryX\r\nContent-Disposition: form-data; name="f"\r\n\r\n'],
    ['zeros', '\0'.repeat(40)],
    ['other bytes', '\x01\x02\x03'],
    ['1,019 bytes', 'x'.repeat(1019)]
  ])('may stand behind %s', (_name, before) => {
    expect(typeOf(behind(before))).toBe('pdf')
    expect(detailsOf(behind(before), 'bytes-before')).toEqual({ count: before.length })
  })
  it('is not looked for any further, and not in what is something else', () => {
    expect(typeOf(behind('x'.repeat(1020)))).not.toBe('pdf')
    expect(typeOf(behind('<!doctype html><p>'))).toBe('html')
    expect(typeOf(behind('<svg>'))).toBe('svg')
    expect(typeOf(behind('GIF89a'))).toBe('gif')
    expect(typeOf(behind('PK\x03\x04'))).toBe('zip')
    expect(pdfStart(whole)).toBe(0)
    expect(found(whole)).toEqual([])
  })
})

describe('a PDF', () => {
  const note = (entries: string, subtype = 'Stamp'): Buffer =>
    onePage({
      page: '/Annots[5 0 R]',
      more: [`<</Type/Annot/Subtype/${subtype}/Rect[0 0 90 90]${entries}>>`, stream('')]
    })
  it.each([
    ['a stamp by its text', note('/Contents(NOT APPROVED)'), '“NOT APPROVED”'],
    ['a stamp by its name', note('/Name/NotApproved'), '“Not Approved”'],
    ['a text in the page', note('/Contents<FEFF0130015E0042>', 'FreeText'), '“İŞB”'],
    [
      'a note in the margin, with an icon of its own too',
      note('/Contents(see \\(2\\)\\056)/AP<</N 6 0 R>>', 'Text'),
      '“see (2).”'
    ],
    ['an appearance without content', note('/Contents(VOID)/AP<<>>'), '“VOID”'],
    ['one without a text', note('', 'Caret'), '…']
  ])('has a note that is not drawn: %s', (_name, bytes, texts) =>
    expect(detailsOf(bytes, 'notes-not-drawn')).toEqual({ count: 1, texts })
  )
  it.each([
    ['has an appearance', note('/Contents(x)/AP<</N 6 0 R>>')],
    ['is hidden in all readers', note('/Contents(x)/F 2')],
    ['is a link', note('', 'Link')],
    ['is a shape that is drawn', note('', 'Highlight')]
  ])('has no such note where it %s', (_name, bytes) => expect(found(bytes)).toEqual([]))

  const file = (entries: string): string => `<</Type/Filespec${entries}/EF<</F 6 0 R>>>>`
  it('names the files within it, and says whether its page is a cover', () => {
    const attached = (catalog: string): Buffer =>
      onePage({ catalog, more: [file('/F(old.jpg)/UF(passport.jpg)'), stream('x', '/Type/EmbeddedFile')] })
    const names = '/Names<</EmbeddedFiles<</Kids[<</Names[(a) 5 0 R]>>]>>>>'
    expect(pdfFindings(attached(`${names}/Collection<<>>`))).toEqual([
      { code: 'portfolio', details: { count: 1, names: '“passport.jpg”' } }
    ])
    expect(pdfFindings(attached(names))).toEqual([
      { code: 'files-inside', details: { count: 1, names: '“passport.jpg”' } }
    ])
    // As an annotation, and as a file of the document (PDF 2.0).
    expect(
      found(
        onePage({
          page: `/Annots[<</Subtype/FileAttachment/Rect[0 0 9 9]/AP<</N 6 0 R>>/FS ${file('/F(a.pdf)')}>>]`,
          more: ['null', stream('')]
        })
      )
    ).toEqual(['files-inside'])
    expect(
      detailsOf(
        onePage({ catalog: `/AF[${[1, 2, 3, 4, 5, 6, 7].map((each) => file(`/F(${each})`)).join('')}]` }),
        'files-inside'
      )
    ).toEqual({ count: 7, names: '“1”, “2”, “3”, “4”, “5”, …' })
  })
  it('says that its form, layers, pages or scripts are not shown', () => {
    expect(pdfFindings(onePage({ catalog: '/AcroForm<</Fields[]/XFA[(a) 5 0 R]>>/NeedsRendering true' }))).toEqual([
      { code: 'form-not-drawn' }
    ])
    const layers = (usual: string): Buffer =>
      onePage({
        catalog: `/OCProperties<</OCGs[5 0 R 6 0 R]/D<<${usual}>>>>`,
        more: ['<</Type/OCG/Name(Draft)>>', '<</Type/OCG/Name(Final)>>']
      })
    expect(pdfFindings(layers('/OFF[5 0 R]'))).toEqual([
      { code: 'layers-off', details: { count: 1, names: '“Draft”' } }
    ])
    expect(detailsOf(layers('/BaseState/OFF/ON[5 0 R]'), 'layers-off')).toEqual({ count: 1, names: '“Final”' })
    expect(found(layers('/ON[5 0 R]'))).toEqual([])
    expect(pdfFindings(manyPages(101))).toEqual([{ code: 'more-pages', details: { count: 101, limit: 100 } }])
    expect(found(manyPages(100))).toEqual([])
    expect(pdfFindings(scriptedPdf)).toEqual([{ code: 'actions', details: { names: 'JavaScript' } }])
    const active = Object.values(activePdfs('http://127.0.0.1:1/')).map((bytes) => detailsOf(bytes, 'actions'))
    expect(active.slice(0, 2)).toEqual([{ names: 'JavaScript' }, { names: 'Launch, SubmitForm' }])
  })
  it('that is encrypted is said to be, without texts that nobody can read', () => {
    expect(pdfFindings(encrypted)).toEqual([{ code: 'encrypted' }])
    const locked = onePage({
      page: '/Annots[<</Subtype/Stamp/Rect[0 0 9 9]/Contents<0badc0de>>>]',
      trailer: '/Encrypt<</Filter/Standard/V 2>>'
    })
    expect(pdfFindings(locked)).toEqual([
      { code: 'encrypted' },
      { code: 'notes-not-drawn', details: { count: 1, texts: '…' } }
    ])
  })
  it('that was cut has no end, or objects behind it', () => {
    const whole = manyPages(3)
    expect(found(whole.subarray(0, whole.length - 300))).toEqual(['cut-off'])
    expect(found(Buffer.concat([whole, text('7 0 obj\n<</Type/Pa')]))).toContain('cut-off')
    expect(found(Buffer.concat([whole, text('\r\n--boundary--\r\n')]))).toEqual([])
  })

  it('is read where its objects are packed', () => {
    const inner = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[4 0 R]>>',
      '<</Subtype/Stamp/Rect[0 0 9 9]/Contents(VOID)>>'
    ]
    let place = 0
    const head = inner
      .map((object, index) => `${index + 1} ${(place += object.length + 1) - object.length - 1}`)
      .join(' ')
    const content = deflateSync(text(`${head}\n${inner.join('\n')}`))
    const packed = (entries: string, bytes: Buffer = content): Buffer =>
      Buffer.concat([
        text('%PDF-1.5\n9 0 obj'),
        stream(bytes, `/Type/ObjStm/N 4/First ${head.length + 1}${entries}`),
        text('endobj\n8 0 obj'),
        stream('', '/Type/XRef/Root 1 0 R'),
        text('endobj\n%%EOF')
      ])
    expect(pdfFindings(packed('/Filter/FlateDecode'))).toEqual([
      { code: 'notes-not-drawn', details: { count: 1, texts: '“VOID”' } }
    ])
    // What cannot be unpacked is said, and so is what would fill the memory.
    expect(pdfFindings(packed('/Filter/LZWDecode'))).toEqual([{ code: 'partly-read' }])
    expect(pdfFindings(packed('/Filter/FlateDecode', text('nonsense')))).toEqual([{ code: 'partly-read' }])
    expect(pdfFindings(packed('/Filter/FlateDecode', deflateSync(Buffer.alloc(17 * 1024 * 1024, 0x20))))).toEqual([
      { code: 'partly-read' }
    ])
  })
  it('is read as it was saved last: what an earlier version had is no finding', () => {
    const first = note('/Contents(VOID)')
    const updated = Buffer.concat([
      first,
      text(
        '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>\nendobj\ntrailer\n<</Size 7/Root 1 0 R>>\n%%EOF\n'
      )
    ])
    expect([found(first), found(updated)]).toEqual([['notes-not-drawn'], []])
  })

  it.each<readonly [string, string]>([
    ['strings without an end', '1 0 obj('.repeat(50_000)],
    ['hexadecimal strings without an end', '1 0 obj<a'.repeat(50_000)],
    ['arrays without an end', `1 0 obj ${'[ '.repeat(200_000)}`],
    ['dictionaries without an end', `1 0 obj ${'<</A'.repeat(100_000)}`],
    ['a comment without an end', `1 0 obj %${'x'.repeat(400_000)}`],
    ['references in circles', '1 0 obj 2 0 R endobj 2 0 obj 1 0 R endobj trailer<</Root 1 0 R>>'],
    ['an object in itself', '1 0 obj<</A 1 0 R/B[1 0 R]>>endobj trailer<</Root 1 0 R>>'],
    ['numbers alone', '1 1 '.repeat(100_000)],
    ['nothing', '']
  ])('of %s is read in a moment, and nothing throws', (_name, content) => {
    const before = process.cpuUsage()
    expect(() => pdfFindings(text(`%PDF-1.4\n${content}`))).not.toThrow()
    // Microseconds of processor: reading to the end once for each of them would take minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
  })
  it('that ends or is changed anywhere is read without a fault', () => {
    const whole = Buffer.concat([blackScan(), note('/Contents(VOID)'), scriptedPdf])
    for (let at = 0; at < whole.length; at += 37) {
      expect(() => pdfFindings(whole.subarray(0, at))).not.toThrow()
      const changed = Buffer.from(whole)
      changed.writeUInt8(0x5b, at)
      expect(() => pdfFindings(changed)).not.toThrow()
    }
  })

  it.each([
    ['trailers alone', () => Buffer.from('trailer<</Root 1 0 R>>'.repeat(600_000))],
    [
      'objects that unpack to a thousand times their size, and are damaged at their end',
      () => {
        const packed = deflateSync(Buffer.alloc(15 * 1024 * 1024)).subarray(0, -6)
        const dict = `1 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${packed.length + 6}>>stream\n`
        const one = Buffer.concat([
          Buffer.from(dict),
          packed,
          Buffer.alloc(6, 255),
          Buffer.from('\nendstream endobj\n')
        ])
        return Buffer.concat(Array.from({ length: 300 }, () => one))
      }
    ]
  ])('made to keep a reader busy is read in part, in a moment: %s', (_name, make) => {
    const bytes = Buffer.concat([text('%PDF-1.7\n'), make()])
    const before = process.cpuUsage()
    expect(pdfFindings(bytes).map(({ code }) => code)).toContain('partly-read')
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(2)
  })
  it('has a sentence with a next step for each finding', () => {
    const sentences = [
      ...pdfFindings(note('/Contents(NOT APPROVED)')),
      ...pdfFindings(encrypted),
      ...pdfFindings(pdf(['<</Type/Catalog/AcroForm<</XFA 1 0 R>>>>']))
    ].map(documentFindingText)
    expect(sentences[0]).toBe(
      'It has notes or stamps that are not drawn (1): “NOT APPROVED”. Open the PDF in another reader to see where they are.'
    )
    for (const sentence of sentences) expect(sentence).toMatch(/\. (?:Ask|Open|If) .*\.$/)
  })
})
