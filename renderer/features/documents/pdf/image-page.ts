/** A JPEG 2000 image as the only page of a PDF: no platform decodes one by itself, and the reader of PDF documents does. */
import { pixelsPerPoint } from './page-size.ts'

/** The bytes of a PDF whose page is the image, with a pixel of it for each of the page at 96 dpi. */
export function pageOfImage(
  image: Uint8Array<ArrayBuffer>,
  { width, height }: { readonly width: number; readonly height: number }
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const parts: Uint8Array<ArrayBuffer>[] = []
  const places: number[] = []
  let at = 0
  const put = (part: string | Uint8Array<ArrayBuffer>): void => {
    const bytes = typeof part === 'string' ? encoder.encode(part) : part
    parts.push(bytes)
    at += bytes.length
  }
  const object = (content: string): void => {
    places.push(at)
    put(`${places.length} 0 obj ${content}`)
  }
  const [across, down] = [width / pixelsPerPoint, height / pixelsPerPoint]
  const content = `${across} 0 0 ${down} 0 0 cm /I Do`
  put('%PDF-1.7\n')
  object('<</Type/Catalog/Pages 2 0 R>> endobj\n')
  object('<</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n')
  object(
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${across} ${down}]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>> endobj\n`
  )
  object(`<</Length ${content.length}>> stream\n${content}\nendstream endobj\n`)
  object(
    `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/Filter/JPXDecode/Length ${image.length}>> stream\n`
  )
  put(image)
  put('\nendstream endobj\n')
  // With a table of places, no reader searches for objects in the image.
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  put(`xref\n0 6\n0000000000 65535 f \n${table}trailer <</Size 6/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`)
  const whole = new Uint8Array(at)
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return whole
}
