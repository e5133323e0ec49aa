/** What pdf.js draws with in a worker, where there is no document. */
import type { MemoryLimit } from './memory.ts'

interface Drawn {
  canvas: OffscreenCanvas | null
  context: OffscreenCanvasRenderingContext2D | null
}

/** Canvases that count as memory of the page: documents can nest hundreds of them. */
export const canvasesWithin = (memory: MemoryLimit) =>
  class {
    create(width: number, height: number): Drawn {
      memory.take(width * height * 4)
      const canvas = new OffscreenCanvas(width, height)
      return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) }
    }
    reset({ canvas }: Drawn, width: number, height: number): void {
      memory.take(width * height * 4)
      if (canvas) Object.assign(canvas, { width, height })
    }
    destroy(drawn: Drawn): void {
      if (drawn.canvas) Object.assign(drawn.canvas, { width: 0, height: 0 })
      drawn.canvas = drawn.context = null
    }
    getNoAlphaContext(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D | null {
      return canvas.getContext('2d', { alpha: false, willReadFrequently: true })
    }
  }

/** No SVG filters, which need a document: pdf.js computes their effect itself. */
export class NoFilters {
  addFilter = (): string => 'none'
  addHCMFilter = (): string => 'none'
  addAlphaFilter = (): string => 'none'
  addLuminosityFilter = (): string => 'none'
  addKnockoutFilter = (): string => 'none'
  addHighlightHCMFilter = (): string => 'none'
  addSelectionHCMFilter = (): string => 'none'
  addSelectionFilter = (): string => 'none'
  createSelectionStyle = (): null => null
  destroy = (): void => undefined
}
