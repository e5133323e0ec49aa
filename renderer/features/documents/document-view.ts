/** The documents of a form or record, and how an image is shown: size, place, rotation and brightness. Pure. */
import type { DocumentSource } from '#contract/documents/channels.ts'
import {
  documentMedia,
  type DocumentFacts,
  type KeptDocument,
  type OpenedDocument
} from '#contract/documents/documents.ts'

export interface ViewedDocument {
  readonly field: string
  readonly label: string
  readonly source: DocumentSource
}

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
}

export interface Size {
  readonly width: number
  readonly height: number
}

export const fitted: DocumentView = { zoom: 1, x: 0, y: 0, turns: 0, brightness: 100 }
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

/** How an image or a page is placed in its frame, for the style of its element. */
export const placed = (
  { x, y, turns, brightness }: DocumentView,
  scale: number
): { readonly transform: string; readonly filter: string } => ({
  transform: `translate(-50%, -50%) translate(${x}px, ${y}px) rotate(${turns * 90}deg) scale(${scale})`,
  filter: `brightness(${brightness}%)`
})

/** The bytes of base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** The document of an answer, without the base64 that it came in. */
export const loadedOf = ({ facts, before, base64 }: OpenedDocument): LoadedDocument => ({
  facts,
  ...(before && { before }),
  content: new Blob([bytesOf(base64)], { type: documentMedia[facts.type] })
})
