/** What an image says about itself in XMP, and hostile packets. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf } from '#core/documents/image.ts'
import { inspect } from '#core/documents/inspect.ts'
import { readXmp, xmpTime } from '#core/documents/xmp.ts'
import { card, exif, heic, png, scriptedPdf, webp, withExif, withXmp, xmp } from '../service/support/document-files.ts'

const now = Date.UTC(2026, 6, 1)
const facts = (bytes: Buffer, verifiedAt?: number) => {
  const read = inspect(
    { bytes, host: 'files.example.com', redirects: 0 },
    { url: 'https://files.example.com/photo', now, ...(verifiedAt !== undefined && { verifiedAt }) }
  )
  if (!read.ok) throw new Error(read.failure.code)
  return read.value
}
const dated = 'xmp:CreateDate="2026-01-02T10:00:00+01:00" xmp:ModifyDate="2026-02-03T10:00:00+01:00"'
const chunk = (packet: Buffer, compressed = 0): Buffer =>
  Buffer.concat([Buffer.from(`XML:com.adobe.xmp\0${String.fromCharCode(compressed)}\0en\0x\0`, 'latin1'), packet])

describe('an XMP packet', () => {
  it('is found in a JPEG, a PNG and a WebP', () => {
    const packet = xmp('xmp:CreatorTool="GIMP 2.10"')
    const length = Buffer.alloc(4)
    length.writeUInt32LE(packet.length)
    const inWebp = Buffer.concat([webp, Buffer.alloc(webp.length % 2), Buffer.from('XMP '), length, packet])
    for (const bytes of [withXmp(card, packet), png(700, 700, { extra: [['iTXt', chunk(packet)]] }), inWebp])
      expect(facts(bytes)).toMatchObject({
        xmp: { state: 'read', software: 'GIMP 2.10' },
        findings: [{ code: 'edited', details: { software: 'GIMP 2.10' } }]
      })
    for (const bytes of [card, png(700, 700), webp]) expect(facts(bytes).xmp).toEqual({ state: 'absent', agents: [] })
    for (const bytes of [heic(4000, 3000), scriptedPdf]) expect(facts(bytes).xmp.state).toBe('not-read')
    // What is compressed could unpack to anything.
    expect(partsOf('png', png(2, 2, { extra: [['iTXt', chunk(packet, 1)]] }))).not.toHaveProperty('xmp')
    // EXIF beside it is still found, in either order.
    const both = [
      ['iTXt', chunk(packet)],
      ['eXIf', exif({ make: 'Canon' })]
    ] as const
    for (const extra of [both, [...both].reverse()])
      expect(facts(png(700, 700, { extra }))).toMatchObject({ exif: { make: 'Canon' }, xmp: { software: 'GIMP 2.10' } })
  })

  it('is read as attributes, as elements and under any prefix', () => {
    const whole = {
      state: 'read',
      agents: ['Adobe Photoshop 24.0'],
      software: 'A & B',
      created: '2026-01-02T10:00:00',
      changed: '2026-02-03T10:00:00Z'
    }
    expect(
      readXmp(
        xmp(
          'xmp:CreatorTool = "A &amp; B" xmp:CreateDate=\'2026-01-02T10:00:00\' xmp:ModifyDate="2026-02-03T10:00:00Z"',
          '<rdf:li stEvt:softwareAgent="Adobe Photoshop 24.0"/><rdf:li stEvt:softwareAgent="Adobe Photoshop 24.0"/>'
        )
      )
    ).toEqual(whole)
    expect(
      readXmp(
        xmp(
          '',
          '<xmp:CreatorTool>A &amp; B</xmp:CreatorTool><photoshop:DateCreated>2026-01-02T10:00:00</photoshop:DateCreated><xmp:ModifyDate>2026-02-03T10:00:00Z</xmp:ModifyDate><stEvt:softwareAgent>Adobe Photoshop 24.0</stEvt:softwareAgent>'
        )
      )
    ).toEqual(whole)
    expect(
      readXmp(
        Buffer.from(`<d xmlns:q='http://ns.adobe.com/xap/1.0/' q:CreatorTool='Snapseed' xmp:CreatorTool='GIMP'/>`)
      ).software
    ).toBe('Snapseed')
    expect(readXmp(xmp('other:xmp:CreatorTool="x" xmp:CreatorTools="y"'))).toEqual({ state: 'read', agents: [] })
  })

  it('is taken into account by the findings', () => {
    const codes = (...given: Parameters<typeof facts>): string[] => facts(...given).findings.map(({ code }) => code)
    expect(
      codes(withXmp(card, xmp('xmp:CreatorTool="iOS 17.1"', '<rdf:li stEvt:softwareAgent="Adobe Photoshop 24.0"/>')))
    ).toEqual(['edited'])
    expect(codes(withXmp(card, xmp(dated)))).toEqual(['dates-disagree'])
    expect(codes(withXmp(card, xmp(dated)), Date.UTC(2026, 0, 20))).toEqual(['dates-disagree', 'newer-than-record'])
    expect(
      codes(withXmp(card, xmp('xmp:CreateDate="2026-01-02T10:00:00+01:00" xmp:ModifyDate="2026-01-02T09:00:20Z"')))
    ).toEqual([])
    expect(codes(withXmp(card, xmp('xmp:CreateDate="2027-01-02T10:00:00Z"')))).toEqual(['taken-in-future'])
    // EXIF has no time zone: a few hours may be one.
    const taken = withExif(card, exif({ taken: '2026:01:02 10:00:00' }))
    expect(codes(withXmp(taken, xmp('xmp:ModifyDate="2026-01-02T17:00:00Z"')))).toEqual([])
    expect(codes(withXmp(taken, xmp('xmp:ModifyDate="2026-01-02T17:00:00"')))).toEqual(['dates-disagree'])
    expect(codes(withXmp(taken, xmp('xmp:ModifyDate="2026-01-09T17:00:00Z"')))).toEqual(['dates-disagree'])
  })

  it('has dates with and without a time zone', () => {
    expect(xmpTime('2026-01-31T23:59:59')).toEqual({ at: Date.UTC(2026, 0, 31, 23, 59, 59), zoned: false })
    expect(xmpTime('2026-01-31T23:59-05:30')).toEqual({ at: Date.UTC(2026, 1, 1, 5, 29), zoned: true })
    expect(xmpTime('2026-01-31T23:59:59.123Z')).toEqual({ at: Date.UTC(2026, 0, 31, 23, 59, 59), zoned: true })
    for (const other of [
      undefined,
      '',
      '2026',
      '2026-01-31',
      '0000-00-00T00:00:00',
      'T',
      '2026:01:31 23:59:59',
      `2026-01-31T23:59:59.${'1'.repeat(5000)}`
    ])
      expect(xmpTime(other)).toBeUndefined()
  })
})

describe('a hostile XMP packet', () => {
  it('resolves no entity and requests nothing', () => {
    const laughs = Array.from({ length: 20 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    const packet = Buffer.concat([
      Buffer.from(`<!DOCTYPE x [<!ENTITY l0 "ha"><!ENTITY f SYSTEM "file:///etc/passwd">${laughs}]>`),
      xmp('xmp:CreatorTool="&l20;" xmp:CreateDate="&f;"')
    ])
    expect(readXmp(packet)).toMatchObject({ software: '&l20;', created: '&f;' })
    expect(readXmp(xmp('xmp:CreatorTool="&amp;lt;&#x41;"')).software).toBe('&lt;&#x41;')
  })

  it('is cut: texts, steps and the packet itself', () => {
    expect(readXmp(xmp(`xmp:CreatorTool="${'x'.repeat(500)}"`)).software).toHaveLength(200)
    const agents = Array.from({ length: 5000 }, (_, at) => `<rdf:li stEvt:softwareAgent="agent ${at}"/>`).join('')
    expect(readXmp(xmp('', agents)).agents.length).toBeLessThanOrEqual(100)
    const late = xmp('', `${' '.repeat(300 * 1024)}<xmp:CreatorTool>GIMP</xmp:CreatorTool>`)
    expect(readXmp(late)).toEqual({ state: 'read', agents: [] })
  })

  it.each<readonly [string, string]>([
    ['quotes without an end', `xmp:CreatorTool="${'a'.repeat(200_000)}`],
    ['names without values', 'xmp:CreatorTool '.repeat(15_000)],
    ['white space without an end', `xmp:CreatorTool${' '.repeat(200_000)}`],
    ['elements without an end', '<xmp:CreatorTool>'.repeat(15_000)],
    ['prefixes without an end', `xmlns:${'a'.repeat(200_000)}="http://ns.adobe.com/xap/1.0/"`],
    ['nothing but openings', '<'.repeat(250_000)]
  ])('of %s says nothing', (_name, text) => {
    const found = readXmp(xmp('', text))
    expect(found.agents).toEqual([])
    expect((found.software ?? '').length).toBeLessThanOrEqual(200)
  })

  it('never throws, whatever its bytes and wherever it ends', () => {
    const whole = withXmp(card, xmp(dated, '<rdf:li stEvt:softwareAgent="GIMP"/>'))
    for (let length = 20; length < 900; length += 7)
      inspect(
        { bytes: Buffer.from(whole.subarray(0, length)), host: 'x', redirects: 0 },
        { url: 'https://x.example/a', now }
      )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(readXmp(Buffer.concat([xmp(dated), Buffer.from(bytes)])).state).toBe('read')
        expect(readXmp(Buffer.from(bytes)).state).toBe('read')
      })
    )
  })
})
