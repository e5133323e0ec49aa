/** Measures texts before they are drawn. */

let canvas: CanvasRenderingContext2D | null | undefined

/**
 * Measures text in pixels. Until the font has arrived, the one that stands in for it is measured.
 *
 * @param font As in CSS.
 */
export function textWidth(font: string): (text: string) => number {
  canvas ??= document.createElement('canvas').getContext('2d')
  const context = canvas
  if (!context) return () => 0
  context.font = font
  return (text) => context.measureText(text).width
}

/** The font of an element. */
export function fontOf(element: HTMLElement): string {
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  return `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`
}
