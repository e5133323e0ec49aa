/** Small workbooks for tests, with everything that real ones have and much that they should not. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly data: string | Buffer
  readonly stored?: boolean
  /** What the directory says of it, whatever is true. */
  readonly says?: { readonly size?: number; readonly crc?: number; readonly flags?: number }
}

/** An archive with sizes in its local headers, as Excel writes it. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, stored, says } of entries) {
    const bytes = Buffer.from(data as string)
    const packed = stored ? bytes : deflateRawSync(bytes)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(says?.flags ?? 0, 2)
    head.writeUInt16LE(stored ? 0 : 8, 4)
    head.writeUInt32LE(says?.crc ?? crc32(bytes), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(says?.size ?? bytes.length, 18)
    head.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), packed])
    const behind = Buffer.alloc(14)
    behind.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), head, behind, Buffer.from(name)]))
    pieces.push(local)
    offset += local.length
  }
  const all = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(all.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...pieces, all, Buffer.from('PK\u0005\u0006'), end])
}

export const spreadsheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const strictNamespace = 'http://purl.oclc.org/ooxml/spreadsheetml/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const strictOffice = 'http://purl.oclc.org/ooxml/officeDocument/relationships'

export interface TestSheet {
  readonly name: string
  readonly state?: string
  /** The XML between the tags of `sheetData`. */
  readonly data?: string
  /** The XML before and after it. */
  readonly before?: string
  readonly after?: string
  /** The whole part instead. */
  readonly xml?: string
  readonly kind?: string
}

export interface TestWorkbook {
  readonly sheets: readonly TestSheet[]
  /** The XML of each `si`. */
  readonly shared?: readonly string[]
  /** Codes of the formats of styles 1, 2, 3 …; a number is one without a code. */
  readonly formats?: readonly (string | number)[]
  readonly since1904?: boolean
  readonly strict?: boolean
  /** Prefix of all elements of the parts. */
  readonly prefix?: string
  /** Absolute targets in the relationships, and names of parts in another case. */
  readonly absolute?: boolean
  readonly shouted?: boolean
  readonly more?: readonly ZipEntry[]
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** The parts of a workbook. */
export function workbookParts(book: TestWorkbook): ZipEntry[] {
  const [ns, rel] = book.strict ? [strictNamespace, strictOffice] : [spreadsheetNamespace, office]
  const prefixed = (xml: string): string =>
    book.prefix === undefined
      ? xml
      : xml.replace(/<(\/?)([A-Za-z])/g, `<$1${book.prefix}:$2`).replaceAll('xmlns="', `xmlns:${book.prefix}="`)
  const part = (name: string, xml: string): ZipEntry => ({
    name: book.shouted ? name.toUpperCase() : name,
    data: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${prefixed(xml)}`
  })
  const target = (path: string): string => (book.absolute ? `/xl/${path}` : path)
  const relations = (all: readonly (readonly [id: string, kind: string, path: string])[]): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
      .map(([id, kind, path]) => `<Relationship Id="${id}" Type="${rel}/${kind}" Target="${path}"/>`)
      .join('')}</Relationships>`
  const formats = book.formats ?? []
  return [
    {
      name: '[Content_Types].xml',
      data: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
    },
    {
      ...part(
        '_rels/.rels',
        relations([['rId1', 'officeDocument', book.absolute ? '/xl/workbook.xml' : 'xl/workbook.xml']])
      )
    },
    part(
      'xl/workbook.xml',
      `<workbook xmlns="${ns}" xmlns:r="${rel}"><workbookPr${book.since1904 ? ' date1904="1"' : ''}/><sheets>${book.sheets
        .map(
          ({ name, state }, index) =>
            `<sheet name="${attribute(name)}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="s${index + 1}"/>`
        )
        .join('')}</sheets></workbook>`
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      relations([
        ...book.sheets.map(
          ({ kind }, index) =>
            [`s${index + 1}`, kind ?? 'worksheet', target(`worksheets/sheet${index + 1}.xml`)] as const
        ),
        ['t', 'sharedStrings', target('sharedStrings.xml')],
        ['f', 'styles', target('styles.xml')]
      ])
    ),
    part(
      'xl/sharedStrings.xml',
      `<sst xmlns="${ns}">${(book.shared ?? []).map((si) => `<si>${si}</si>`).join('')}</sst>`
    ),
    part(
      'xl/styles.xml',
      `<styleSheet xmlns="${ns}"><numFmts>${formats
        .map((code, index) =>
          typeof code === 'string' ? `<numFmt numFmtId="${164 + index}" formatCode="${attribute(code)}"/>` : ''
        )
        .join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats
        .map((code, index) => `<xf numFmtId="${typeof code === 'string' ? 164 + index : code}"/>`)
        .join('')}</cellXfs></styleSheet>`
    ),
    ...book.sheets.map(({ data, before, after, xml }, index) =>
      part(
        `xl/worksheets/sheet${index + 1}.xml`,
        xml ?? `<worksheet xmlns="${ns}">${before ?? ''}<sheetData>${data ?? ''}</sheetData>${after ?? ''}</worksheet>`
      )
    ),
    ...(book.more ?? [])
  ]
}

export const workbookFile = (book: TestWorkbook): Buffer => zip(workbookParts(book))

/** Rows of texts as a sheet's data, with references. */
export const textRows = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(
      (cells, row) =>
        `<row r="${row + 1}">${cells
          .map(
            (text, column) =>
              `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t>${attribute(text)}</t></is></c>`
          )
          .join('')}</row>`
    )
    .join('')
