/** Rows of numbers in memory, some for each of what they are about; those of one are replaced together. */

/** Stands for “no date”, “no end”. */
export const never = Number.MAX_SAFE_INTEGER

type Numbers = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array
export type Columns<Name extends string> = Readonly<Record<Name, Numbers>>

/** Rows below which those that were replaced stay in place. */
const worthwhile = 10_000

export class RowTable<Name extends string> {
  /** Rows, the replaced ones included: their `ref` is 0. */
  length = 0
  ref = new Int32Array(1024)
  columns: Columns<Name>
  private dead = 0
  /** The first row of each; the others follow it. */
  private starts = new Map<number, number>()
  private readonly make: (capacity: number) => Columns<Name>
  private readonly names: readonly Name[]

  /** @param make Empty columns, each for so many rows. */
  constructor(make: (capacity: number) => Columns<Name>) {
    this.make = make
    this.columns = make(this.ref.length)
    this.names = Object.keys(this.columns) as Name[]
  }

  replace(ref: number, rows: readonly Readonly<Record<Name, number>>[]): void {
    this.remove(ref)
    if (rows.length === 0) return
    this.grow(this.length + rows.length)
    this.starts.set(ref, this.length)
    for (const row of rows) {
      const at = this.length
      this.ref[at] = ref
      for (const name of this.names) this.columns[name][at] = row[name]
      this.length = at + 1
    }
  }

  clear(): void {
    this.length = 0
    this.dead = 0
    this.starts = new Map()
    this.ref = new Int32Array(1024)
    this.columns = this.make(this.ref.length)
  }

  private remove(ref: number): void {
    const start = this.starts.get(ref)
    if (start === undefined) return
    for (let at = start; at < this.length && this.ref[at] === ref; at += 1) {
      this.ref[at] = 0
      this.dead += 1
    }
    this.starts.delete(ref)
    if (this.dead > worthwhile && this.dead * 2 > this.length) this.compact()
  }

  private grow(rows: number): void {
    if (rows <= this.ref.length) return
    this.move(Math.max(rows, Math.ceil(this.ref.length * 1.5)), () => true)
  }

  private compact(): void {
    this.move(this.ref.length, (at) => this.ref[at] !== 0)
    this.dead = 0
  }

  private move(capacity: number, keeps: (at: number) => boolean): void {
    const { ref: from, columns: old, length, names } = this
    const [ref, columns] = [new Int32Array(capacity), this.make(capacity)]
    const starts = new Map<number, number>()
    let to = 0
    for (let at = 0; at < length; at += 1) {
      if (!keeps(at)) continue
      const of = from[at] ?? 0
      if (of !== 0 && !starts.has(of)) starts.set(of, to)
      ref[to] = of
      for (const name of names) columns[name][to] = old[name][at] ?? 0
      to += 1
    }
    this.ref = ref
    this.columns = columns
    this.starts = starts
    this.length = to
  }
}
