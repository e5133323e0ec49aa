/** Parts of a workbook as events of XML, read as a stream. */
import { SaxesParser, type SaxesAttributeNS } from 'saxes'
import { asWorkbookError, WorkbookError } from './fault.ts'
import { limits } from './limits.ts'

/** The namespace of spreadsheets, as Excel writes it and in the strict form of the standard; and those of packages. */
const own = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships'
])

export type Attributes = Readonly<Record<string, SaxesAttributeNS>>

/** What is told of a part. Names have no prefix; elements of other namespaces have the name ''. */
export interface XmlReader {
  /** @param above The names of the elements around it, outermost first. */
  open?(name: string, attributes: Attributes, above: readonly string[]): void
  text?(text: string): void
  close?(name: string, above: readonly string[]): void
}

/** Reads to the end of the part, and yields after each piece, so that what was read can be taken. Throws `WorkbookError`. */
export async function* xmlEvents(bytes: AsyncIterable<Uint8Array>, reader: XmlReader): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: true, position: false })
  const above: string[] = []
  /** Characters since the last event: the parser holds them all. */
  let held = 0
  parser.on('opentag', ({ local, uri, attributes }) => {
    held = 0
    const name = own.has(uri) ? local : ''
    reader.open?.(name, attributes, above)
    above.push(name)
    if (above.length > limits.depth) throw new WorkbookError('damaged')
  })
  parser.on('closetag', () => {
    held = 0
    const name = above.pop() ?? ''
    reader.close?.(name, above)
  })
  const onText = (text: string): void => {
    held = 0
    reader.text?.(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('doctype', () => {
    throw new WorkbookError('entities')
  })
  let decoder: InstanceType<typeof TextDecoder> | undefined
  const write = (text: string): void => {
    held += text.length
    if (held > limits.token + 2 * text.length) throw new WorkbookError('large-cell')
    parser.write(text)
  }
  try {
    for await (const chunk of bytes) {
      decoder ??= decoderOf(chunk)
      write(decoder.decode(chunk, { stream: true }))
      yield
    }
    write(decoder?.decode() ?? '')
    parser.close()
    yield
  } catch (error) {
    throw asWorkbookError(error)
  }
}

/** UTF-8, or UTF-16 with its mark: the two that the standard allows. Damaged characters are an error. */
function decoderOf([first, second]: Uint8Array): InstanceType<typeof TextDecoder> {
  const little = first === 0xff && second === 0xfe
  const big = first === 0xfe && second === 0xff
  return new TextDecoder(little ? 'utf-16le' : big ? 'utf-16be' : 'utf-8', { fatal: true })
}

/** Reads a part whole. Throws `WorkbookError`. */
export async function readXml(bytes: AsyncIterable<Uint8Array>, reader: XmlReader): Promise<void> {
  const events = xmlEvents(bytes, reader)
  while (!(await events.next()).done);
}

/** The characters that `_x0041_` stands for in texts of a workbook. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** Whether an attribute is set to true. */
export const isOn = (attribute: SaxesAttributeNS | undefined): boolean =>
  attribute !== undefined && ['1', 'true', 'on'].includes(attribute.value)
