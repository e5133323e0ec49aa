/** The shared strings of a workbook: in one piece of memory, since as many strings would take several times as much. */
import { WorkbookError } from './fault.ts'
import { limits } from './limits.ts'
import { readXml, unescaped } from './xml.ts'

export interface SharedTexts {
  /** The text with a number; undefined if there is none. */
  at(index: number): string | undefined
}

export const noTexts: SharedTexts = { at: () => undefined }

/** Reads them. Throws `WorkbookError`. */
export async function readTexts(bytes: AsyncIterable<Uint8Array>): Promise<SharedTexts> {
  let memory = Buffer.allocUnsafe(64 * 1024)
  let ends = new Uint32Array(1024)
  let count = 0
  let used = 0
  let text = ''
  let inside = false
  const keep = (): void => {
    const length = Buffer.byteLength(text)
    if (used + length > limits.texts) throw new WorkbookError('large-texts')
    if (used + length > memory.length) {
      const larger = Buffer.allocUnsafe(Math.min(limits.texts, Math.max(memory.length * 2, used + length)))
      memory.copy(larger, 0, 0, used)
      memory = larger
    }
    if (count === ends.length) {
      const larger = new Uint32Array(ends.length * 2)
      larger.set(ends)
      ends = larger
    }
    used += memory.write(text, used)
    ends[count] = used
    count += 1
    text = ''
  }
  await readXml(bytes, {
    open(name, _, above) {
      inside = name === 't' && isText(above, 1)
    },
    text(piece) {
      if (!inside) return
      text += piece
      if (text.length > limits.cell) throw new WorkbookError('large-cell')
    },
    close(name, above) {
      inside = false
      if (name === 'si' && above.length === 1) {
        text = unescaped(text)
        keep()
      }
    }
  })
  return {
    at: (index) =>
      index >= 0 && index < count ? memory.toString('utf8', index === 0 ? 0 : ends[index - 1], ends[index]) : undefined
  }
}

/** Whether a `t` with these elements around it is text: plain or rich (`r`), and not how it is pronounced (`rPh`). */
export function isText(above: readonly string[], from: number): boolean {
  const parent = above.at(-1)
  return (
    (above.length === from + 1 && (parent === 'si' || parent === 'is')) || (above.length === from + 2 && parent === 'r')
  )
}
