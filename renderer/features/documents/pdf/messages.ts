/** Between the window and the worker that reads PDF documents. Numbers and pixels alone come back. */

/** Seconds for opening a document, and for a page. */
export const pdfSeconds = 20

/** Why a page or a whole document is not shown. */
export type PdfFault = 'damaged' | 'password' | 'complex' | 'slow' | 'unusable'

/** Which page, counted from 1. An order stops the page that is being drawn. */
export interface PageOrder {
  readonly number: number
  /** Pixels to draw for each pixel of the page at 96 dpi. */
  readonly density: number
  /** The most pixels to draw. */
  readonly pixels: number
}

export type PdfRequest =
  | { readonly id: number; readonly kind: 'open'; readonly bytes: Uint8Array<ArrayBuffer> }
  | ({ readonly id: number; readonly kind: 'page' } & PageOrder)

/** A drawn page, and its size at 96 dpi. */
export interface PdfPicture {
  readonly width: number
  readonly height: number
  /** As drawn: less than ordered if there would be too many pixels. */
  readonly density: number
  /** Images and other parts that could not be decoded. */
  readonly missing: number
  readonly bitmap: ImageBitmap
}

export type PdfAnswer =
  | { readonly id: number; readonly pages: number }
  | { readonly id: number; readonly picture: PdfPicture }
  | { readonly id: number; readonly fault: PdfFault }
  | { readonly id: number; readonly stopped: true }
