/** Finds numbers by part of their text. The texts are in memory, in blocks, since no index finds substrings in time. */

const blockSize = 4096

interface Block {
  readonly refs: number[]
  /** Each text between two line breaks; no text contains one. */
  text: string
}

export class TextBlocks {
  private blocks: Block[] = []

  /** Adds texts in the order of their numbers; a number may have several. */
  add(lines: Iterable<readonly [ref: number, text: string]>): void {
    let parts: string[] = []
    let block = this.blocks.at(-1)
    const flush = (): void => {
      if (block && parts.length > 0) block.text += `${parts.join('\n')}\n`
      parts = []
    }
    for (const [ref, text] of lines) {
      if (!block || block.refs.length === blockSize) {
        flush()
        block = { refs: [], text: '\n' }
        this.blocks.push(block)
      }
      block.refs.push(ref)
      parts.push(text.replaceAll('\n', ' '))
    }
    flush()
  }

  forget(): void {
    this.blocks = []
  }

  /** The numbers of texts that contain one of the needles; undefined if there are more than `most`. */
  holding(needles: readonly string[], most: number): ReadonlySet<number> | undefined {
    const found = new Set<number>()
    for (const needle of needles) if (!this.collect(needle, most, found)) return undefined
    return found
  }

  /**
   * The numbers of all texts that contain one of the needles where it counts.
   *
   * @param counts Asked of the first place in each text, and of all texts after it.
   */
  all(needles: readonly string[], counts: (texts: string, at: number) => boolean): Set<number> {
    const found = new Set<number>()
    for (const needle of needles) this.collect(needle, Infinity, found, counts)
    return found
  }

  private collect(
    needle: string,
    most: number,
    found: Set<number>,
    counts = (_: string, _at: number) => true
  ): boolean {
    if (needle.includes('\n')) return true
    for (const block of this.blocks) {
      let line = 0
      let counted = 0
      for (let at = block.text.indexOf(needle); at >= 0;) {
        for (
          let next = block.text.indexOf('\n', counted + 1);
          next >= 0 && next <= at;
          next = block.text.indexOf('\n', counted + 1)
        ) {
          line += 1
          counted = next
        }
        const ref = block.refs[line]
        if (ref !== undefined && counts(block.text, at)) found.add(ref)
        if (found.size > most) return false
        const end = block.text.indexOf('\n', at + 1)
        at = end < 0 ? -1 : block.text.indexOf(needle, end)
      }
    }
    return true
  }
}
