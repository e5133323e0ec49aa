/**
 * Reads through all rows of a batch in slices, so that other calls are answered in between, and keeps what was found while nothing
 * is written. A large batch that runs is not read without end: what took long is kept twenty times as long.
 */

/** What is done with the rows from one number to another, and what comes of it in the end. */
export interface Scanner<Found> {
  each(from: number, to: number): void
  end(): Found
}
interface Scan<Found> {
  readonly scanner: Scanner<Found>
  readonly last: number
  readonly head: number
  next: number
  spent: number
}
interface Kept<Found> {
  readonly found: Found
  readonly head: number
  readonly spent: number
  readonly at: number
}

/** Numbers of rows that are read at a time. */
const step = 2000
/** Answers that are kept: of a few windows. */
const keptScans = 4
/** In milliseconds: what took longer is kept for a while. */
const longScan = 50
const keptTimes = 20

export class Scans<Found> {
  private scans = new Map<string, Scan<Found>>()
  private kept = new Map<string, Kept<Found>>()

  /** Drops all texts in memory. */
  forget(): void {
    this.scans = new Map()
    this.kept = new Map()
  }

  /**
   * Reads on for some milliseconds; true if it is found.
   *
   * @param head The last event of the history.
   */
  ready(
    of: string,
    head: number,
    milliseconds: number,
    begin: () => { readonly scanner: Scanner<Found>; readonly last: number }
  ): boolean {
    const known = this.kept.get(of)
    const isLong = known !== undefined && known.spent > longScan
    if (known && (known.head === head || (isLong && performance.now() - known.at < known.spent * keptTimes)))
      return true
    const scan = this.scans.get(of) ?? { ...begin(), head, next: 0, spent: 0 }
    this.scans.set(of, scan)
    const began = performance.now()
    while (scan.next <= scan.last && performance.now() - began < milliseconds) {
      scan.scanner.each(scan.next, scan.next + step - 1)
      scan.next += step
    }
    if (scan.next > scan.last) {
      const found = scan.scanner.end()
      const at = performance.now()
      this.scans.delete(of)
      this.kept.delete(of)
      this.kept.set(of, { found, head: scan.head, spent: scan.spent + at - began, at })
      const [oldest] = this.kept.keys()
      if (this.kept.size > keptScans && oldest !== undefined) this.kept.delete(oldest)
      return true
    }
    scan.spent += performance.now() - began
    return false
  }

  found(of: string): Found | undefined {
    return this.kept.get(of)?.found
  }
}
