/** How a document is shown: size, place, rotation and brightness, and what only showing it brings. */
import type { DocumentFinding } from '#contract/failures/failures.ts'
import {
  documentMedia,
  documentTypeNames,
  maxDocumentPixels,
  type DocumentFacts,
  type KeptDocument,
  type OpenedDocument
} from '#contract/documents/documents.ts'
import { pageOfImage } from './pdf/image-page.ts'

/** A document that was fetched. */
export interface LoadedDocument {
  readonly facts: DocumentFacts
  readonly before?: KeptDocument
  readonly content: Blob
}

export interface DocumentView {
  /** 1 fits the image into its frame. */
  readonly zoom: number
  /** Pixels from the centre of the frame. */
  readonly x: number
  readonly y: number
  /** Quarter turns clockwise. */
  readonly turns: number
  /** Per cent. */
  readonly brightness: number
  readonly contrast: number
  /** As in a mirror, like a photo that a person took of themselves. */
  readonly mirrored: boolean
}

export interface Size {
  readonly width: number
  readonly height: number
}

export const fitted: DocumentView = { zoom: 1, x: 0, y: 0, turns: 0, brightness: 100, contrast: 100, mirrored: false }
/** Pixels of one arrow key. */
export const step = 40
const zoomStep = 1.25
const [smallest, largest] = [0.25, 32]

const turned = ({ width, height }: Size, turns: number): Size =>
  turns % 2 === 0 ? { width, height } : { width: height, height: width }

/** The scale at which an image fits into a frame; a small image is not enlarged. */
export function fitScale(image: Size, frame: Size, turns: number): number {
  const { width, height } = turned(image, turns)
  return width === 0 || height === 0 ? 1 : Math.min(frame.width / width, frame.height / height, 1)
}

export const zoomed = (zoom: number, larger: boolean): number =>
  Math.min(largest, Math.max(smallest, larger ? zoom * zoomStep : zoom / zoomStep))

/** Keeps a part of the image within the frame, however far it is moved. */
export function moved(view: DocumentView, dx: number, dy: number, image: Size, frame: Size): DocumentView {
  const scale = fitScale(image, frame, view.turns) * view.zoom
  const { width, height } = turned(image, view.turns)
  const limit = (shown: number, of: number): number => Math.max(0, (shown * scale - of) / 2)
  const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value))
  return {
    ...view,
    x: within(view.x + dx, limit(width, frame.width)),
    y: within(view.y + dy, limit(height, frame.height))
  }
}

/** What turns an image upright, by its EXIF orientation from 1 on. */
const orientations = [
  '',
  ' scaleX(-1)',
  ' rotate(180deg)',
  ' scaleY(-1)',
  ' rotate(270deg) scaleX(-1)',
  ' rotate(90deg)',
  ' rotate(90deg) scaleX(-1)',
  ' rotate(270deg)'
] as const

const isLarge = ({ type, width = 0, height = 0 }: DocumentFacts): boolean =>
  type === 'jpeg' && width * height > maxDocumentPixels

/** The orientation that the window applies: platforms do not for WebP, and a JPEG that was made smaller has none. */
export const orientationOf = (facts: DocumentFacts): number =>
  facts.type === 'webp' || isLarge(facts) ? (facts.exif.orientation ?? 1) : 1

/** The size of an image as it is seen. */
export const upright = ({ width, height }: Size, orientation: number): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

/** Pixels that a JPEG is made smaller to: a third of the memory that it would take as a whole, or less. */
const largePixels = 30_000_000

/** What an image element shows: the document, or a large JPEG made smaller while it is decoded. Rejects if it is damaged. */
export async function imageOf({ facts, content }: LoadedDocument): Promise<Blob> {
  const { width = 0, height = 0 } = facts
  if (!isLarge(facts)) return content
  const data = new Uint8Array(await content.arrayBuffer())
  hideExif(data)
  const share = Math.sqrt(largePixels / width / height)
  const [desiredWidth, desiredHeight] = [Math.floor(width * share), Math.floor(height * share)]
  const decoder = new ImageDecoder({ data, type: documentMedia.jpeg, desiredWidth, desiredHeight })
  try {
    const { image } = await decoder.decode()
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight)
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    image.close()
    return await canvas.convertToBlob({ type: documentMedia.jpeg, quality: 0.95 })
  } finally {
    decoder.close()
  }
}

/** Hides the orientation from a decoder, so that it is applied once. The block begins within the first segments. */
function hideExif(bytes: Uint8Array): void {
  const mark = [0x45, 0x78, 0x69, 0x66, 0, 0]
  for (let at = 0; at < Math.min(bytes.length, 262_144); at += 1)
    if (mark.every((byte, index) => bytes[at + index] === byte)) return void bytes.fill(0, at, at + 4)
}

/** Where the last rows of an image as it is stored are seen, by its EXIF orientation. */
const lastRows = ['bottom', 'bottom', 'top', 'top', 'right', 'left', 'left', 'right'] as const

/** Whether a JPEG ends in the grey that decoders fill in where they have no data, although the file has an end. */
export function endsInGrey(image: HTMLImageElement, orientation: number): boolean {
  const { naturalWidth: width, naturalHeight: height } = image
  const rows = 8
  const side = lastRows[orientation - 1] ?? 'bottom'
  const lies = side === 'bottom' || side === 'top'
  const strip = lies ? { width, height: Math.min(rows, height) } : { width: Math.min(rows, width), height }
  const context = new OffscreenCanvas(strip.width, strip.height).getContext('2d')
  const [x, y] = [side === 'right' ? width - strip.width : 0, side === 'bottom' ? height - strip.height : 0]
  context?.drawImage(image, x, y, strip.width, strip.height, 0, 0, strip.width, strip.height)
  const pixels = context?.getImageData(0, 0, strip.width, strip.height).data
  return pixels?.every((value, index) => index % 4 === 3 || Math.abs(value - 128) <= 1) ?? false
}

/** The facts with what only showing a document brings: parts of pages that could not be decoded, and a grey end. */
export function withSeen(facts: DocumentFacts, parts: number, isGrey: boolean): DocumentFacts {
  const told = facts.findings.some(({ code }) => code === 'cut-off' || code === 'part-damaged')
  const seen: DocumentFinding[] = [
    ...(parts > 0 ? [{ code: 'parts-missing', details: { count: parts } } as const] : []),
    ...(isGrey && !told ? [{ code: 'part-damaged', details: { type: documentTypeNames[facts.type] } } as const] : [])
  ]
  return seen.length === 0 ? facts : { ...facts, findings: [...seen, ...facts.findings] }
}

/** How an image or a page is placed in its frame, for the style of its element. */
export const placed = (
  { x, y, turns, brightness, contrast, mirrored }: DocumentView,
  scale: number,
  orientation = 1
): { readonly transform: string; readonly filter: string } => ({
  transform: `translate(-50%, -50%) translate(${x}px, ${y}px)${mirrored ? ' scaleX(-1)' : ''} rotate(${turns * 90}deg) scale(${scale})${orientations[orientation - 1] ?? ''}`,
  filter: contrast === 100 ? `brightness(${brightness}%)` : `brightness(${brightness}%) contrast(${contrast}%)`
})

/** The bytes of base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** The PDF that shows a document, if one does: its own bytes, or a page with an image that only the PDF's reader decodes. */
export async function pdfOf({ facts, content }: LoadedDocument): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (facts.type !== 'pdf' && facts.type !== 'jp2') return undefined
  const bytes = new Uint8Array(await content.arrayBuffer())
  const { width = 0, height = 0 } = facts
  return facts.type === 'pdf' ? bytes : pageOfImage(bytes, { width, height })
}

/** The document of an answer, without the base64 that it came in. */
export const loadedOf = ({ facts, before, base64 }: OpenedDocument): LoadedDocument => ({
  facts,
  ...(before && { before }),
  content: new Blob([bytesOf(base64)], { type: documentMedia[facts.type] })
})
