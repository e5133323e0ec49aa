/**
 * The sealed parts that a verification opens, shared between the history's thread and a second one, the opener.
 *
 * The opener is a help and never an authority: all it can say is that a batch fits. Whatever it has not said to
 * fit by the end of a stretch (it was slower, it met a part that does not fit, it could not be started, it is
 * gone) the history's thread opens by itself. So the first break is the same with it and without it, a stretch
 * never waits for it, and nothing is left to be opened between two stretches.
 */
import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Break } from '#core/history/api/audit-walk.ts'
import type { LaunchOpener } from './opener.ts'
import { OpenerMemory, slotCount, slotState, type SealedPart } from './opener-memory.ts'
import { commitmentOf } from '#core/history/storage/seal.ts'

/** A sealed part, and what is told where it does not fit. */
export interface Opening extends SealedPart {
  readonly seq: number
  readonly why: 'payload' | 'body'
  readonly record: number | null
}

/** Events from which on an opener is worth its start. */
const many = 4096
/** Parts of a batch: some tenths of a millisecond of work, since what the opener is at when a stretch ends is done twice. */
const batchSize = 48

interface Batch {
  readonly slot: number
  readonly parts: Opening[]
}

export class Openings {
  private readonly launch: LaunchOpener | undefined
  private readonly least: number
  private memory: OpenerMemory | undefined
  private free: number[] = []
  /** Slots that the opener was still at when their batch was opened without it. */
  private left: number[] = []
  private posted: Batch[] = []
  private current: Batch | undefined
  /** Where the next part goes in the current batch's slot. */
  private at = 0
  private lastBytes: Buffer | undefined
  private lastKey: KeyObject | undefined
  /** The first part so far that does not fit; batches still out may hold an earlier one. */
  private found: Break | undefined

  /**
   * @param launch Starts an opener over a memory; without it, each part is opened at once.
   * @param least Events that must be left for it to be started.
   */
  constructor(launch?: LaunchOpener, least = many) {
    this.launch = launch
    this.least = least
  }

  /** Starts the opener where it is not there and so many events are worth it. */
  prepare(events: number): void {
    if (!this.launch || events < this.least || (this.memory && !this.memory.gone)) return
    this.memory = new OpenerMemory()
    this.free = Array.from({ length: slotCount }, (_, slot) => slot)
    this.left = []
    this.posted = []
    this.current = undefined
    this.launch(this.memory)
  }

  /** Whether some part is known not to fit: then `settle` tells the first. */
  get doubtful(): boolean {
    return this.found !== undefined
  }

  add(opening: Opening): void {
    // What comes after a part that does not fit is not the first.
    if (this.found) return
    const { memory } = this
    const batch = memory && !memory.gone ? (this.current ?? this.begin(memory)) : undefined
    if (!memory || !batch) return this.open([opening])
    const next = memory.write(batch.slot, this.at, opening)
    if (next !== undefined) {
      this.at = next
      if (batch.parts.push(opening) === batchSize) this.post(memory)
    } else if (batch.parts.length === 0) {
      // Too large for any slot.
      this.open([opening])
    } else {
      this.post(memory)
      this.add(opening)
    }
  }

  /** Opens what is not opened yet. Returns the first part, in the order of the events, that does not fit. */
  settle(): Break | undefined {
    const { memory } = this
    if (memory) {
      if (this.current?.parts.length) this.post(memory)
      while (this.openOldest(memory));
      // What is not fine by now is opened here as well; a slot that the opener is still at is left to it.
      for (const { slot, parts } of this.posted) {
        const state = memory.state(slot)
        if (state !== slotState.fine) this.open(parts)
        ;(state === slotState.taken ? this.left : this.free).push(slot)
      }
      this.posted = []
    }
    const { found } = this
    this.found = this.lastBytes = this.lastKey = undefined
    return found
  }

  /** Ends the opener. */
  close(): void {
    this.memory?.end()
    this.memory = undefined
  }

  /** A batch to write into, or undefined where no slot is free. */
  private begin(memory: OpenerMemory): Batch | undefined {
    if (this.free.length === 0) this.collect(memory)
    if (this.free.length === 0) this.openOldest(memory)
    const slot = this.free.pop()
    this.at = 0
    this.current = slot === undefined ? undefined : { slot, parts: [] }
    return this.current
  }

  private post(memory: OpenerMemory): void {
    const batch = this.current
    if (!batch) return
    this.current = undefined
    this.posted.push(batch)
    memory.post(batch.slot, batch.parts.length)
  }

  /** Takes back the slots with which the opener is done. */
  private collect(memory: OpenerMemory): void {
    const isOut = (slot: number): boolean => {
      const state = memory.state(slot)
      if (state === slotState.ready || state === slotState.taken) return true
      this.free.push(slot)
      return false
    }
    this.left = this.left.filter(isOut)
    this.posted = this.posted.filter(({ slot, parts }) => {
      if (isOut(slot)) return true
      if (memory.state(slot) !== slotState.fine) this.open(parts)
      return false
    })
  }

  /** Opens the oldest batch that the opener has not begun; false where there is none. */
  private openOldest(memory: OpenerMemory): boolean {
    const index = this.posted.findIndex(({ slot }) => memory.take(slot))
    const [batch] = index < 0 ? [] : this.posted.splice(index, 1)
    if (!batch) return false
    memory.wipe(batch.slot)
    memory.setState(batch.slot, slotState.free)
    this.free.push(batch.slot)
    this.open(batch.parts)
    return true
  }

  private open(parts: readonly Opening[]): void {
    const part = parts.find((each) => !this.fits(each))
    if (!part) return
    const { seq, why } = part
    // An event's own part comes before the reply that it names.
    if (this.found && (this.found.at < seq || (this.found.at === seq && why === 'body'))) return
    this.found = { at: seq, why, words: openingWords(part), verified: seq - 1 }
  }

  private fits({ key, purpose, sealed, commitment }: Opening): boolean {
    if (this.lastBytes !== key || !this.lastKey) this.lastKey = createSecretKey((this.lastBytes = key))
    return commitmentOf(this.lastKey, purpose, sealed)?.equals(commitment) === true
  }
}

/** What is told of a part that does not fit. */
export const openingWords = ({ seq, why, record }: Pick<Opening, 'seq' | 'why' | 'record'>): string =>
  why === 'payload' ? `The sealed part of event ${seq} is not what the chain committed to.` : `The reply of record ${record} is not what event ${seq} committed to.`
