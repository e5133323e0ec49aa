/** QR codes as the outline of an SVG, drawn in the window without a network. Loaded only where one is shown. */
import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'

interface QrShape {
  /** For the attribute `d` of a path; a module is one unit. */
  readonly path: string
  /** For the attribute `viewBox`. */
  readonly box: string
}

/** @param margin Units on each side that stay light. */
export function qrShape(text: string, margin: number): QrShape {
  const code = generate(text)
  const size = code.size + 2 * margin
  return { path: toSvgPath(code), box: `${-margin} ${-margin} ${size} ${size}` }
}
