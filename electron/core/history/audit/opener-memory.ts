/**
 * The memory that the history's thread and its opener share: slots, each a batch of sealed parts with the keys
 * and the commitments that they are held against. What each side may do with a slot hangs on the slot's state.
 */

/** States of a slot. Whoever moves it out of `ready` by compare-and-exchange has it; only its owner writes into it. */
export const slotState = { free: 0, ready: 1, taken: 2, fine: 3, doubtful: 4 } as const

export const slotCount = 16
const slotBytes = 64 * 1024

// Whole numbers before the slots: how many batches were posted (what the opener sleeps on), whether it sleeps, whether
// it is gone, whether it is to end, and for each slot its state and how many sealed parts it holds.
const postedAt = 0
const asleepAt = 1
const goneAt = 2
const endAt = 3
const statesAt = 16
const countsAt = statesAt + slotCount
const controlBytes = 4 * (countsAt + slotCount)

const keyLength = 32
const commitmentLength = 32

/** One sealed part, the key that opens it, and what it must commit to. */
export interface SealedPart {
  readonly key: Buffer
  /** What the sealed part is bound to. */
  readonly purpose: string
  readonly sealed: Buffer
  readonly commitment: Buffer
}

export class OpenerMemory {
  readonly shared: SharedArrayBuffer
  private readonly control: Int32Array
  private readonly slots: readonly Buffer[]

  constructor(shared = new SharedArrayBuffer(controlBytes + slotCount * slotBytes)) {
    this.shared = shared
    this.control = new Int32Array(shared, 0, controlBytes / 4)
    this.slots = Array.from({ length: slotCount }, (_, slot) => Buffer.from(shared, controlBytes + slot * slotBytes, slotBytes))
  }

  state(slot: number): number {
    return Atomics.load(this.control, statesAt + slot)
  }

  setState(slot: number, state: number): void {
    Atomics.store(this.control, statesAt + slot, state)
  }

  /** Takes a slot that is ready; false where the other side was quicker. */
  take(slot: number): boolean {
    return Atomics.compareExchange(this.control, statesAt + slot, slotState.ready, slotState.taken) === slotState.ready
  }

  /** Makes a slot that was written ready, and wakes the opener. */
  post(slot: number, count: number): void {
    this.control[countsAt + slot] = count
    this.setState(slot, slotState.ready)
    this.wake()
  }

  private wake(): void {
    Atomics.add(this.control, postedAt, 1)
    // A call of the system for each batch would be felt.
    if (Atomics.exchange(this.control, asleepAt, 0) === 1) Atomics.notify(this.control, postedAt)
  }

  /** Tells the opener to end. */
  end(): void {
    Atomics.store(this.control, endAt, 1)
    this.wake()
  }

  get ending(): boolean {
    return Atomics.load(this.control, endAt) === 1
  }

  /** Whether the opener has ended, for whatever reason. */
  get gone(): boolean {
    return Atomics.load(this.control, goneAt) === 1
  }

  /** The opener is gone, and so is what it was at. */
  leave(): void {
    for (let slot = 0; slot < slotCount; slot += 1) this.wipe(slot)
    Atomics.store(this.control, goneAt, 1)
  }

  get posted(): number {
    return Atomics.load(this.control, postedAt)
  }

  /** Sleeps until more was posted than `posted`; false where nothing came for so many milliseconds. */
  sleep(posted: number, milliseconds: number): boolean {
    Atomics.store(this.control, asleepAt, 1)
    const woken = Atomics.wait(this.control, postedAt, posted, milliseconds) !== 'timed-out'
    Atomics.store(this.control, asleepAt, 0)
    return woken
  }

  /** Writes a part at a place of a slot; returns where the next one begins, or undefined where it does not fit. */
  write(slot: number, at: number, { key, purpose, sealed, commitment }: SealedPart): number | undefined {
    const bytes = this.slots[slot]
    const keyAt = at + 5
    const commitmentAt = keyAt + keyLength
    const sealedAt = commitmentAt + commitmentLength
    const purposeAt = sealedAt + sealed.length
    // A kind is a few letters; three bytes a letter is the most that UTF-8 takes.
    if (!bytes || purpose.length > 80 || purposeAt + 3 * purpose.length > slotBytes || key.length !== keyLength || commitment.length !== commitmentLength) return undefined
    const purposeLength = bytes.write(purpose, purposeAt, 'utf8')
    bytes.writeUInt32LE(sealed.length, at)
    bytes.writeUInt8(purposeLength, at + 4)
    bytes.set(key, keyAt)
    bytes.set(commitment, commitmentAt)
    bytes.set(sealed, sealedAt)
    return purposeAt + purposeLength
  }

  /** A copy of a slot's parts, in their order. */
  read(slot: number): SealedPart[] {
    const bytes = Buffer.from(this.slots[slot] ?? [])
    const parts: SealedPart[] = []
    let at = 0
    for (let left = this.control[countsAt + slot] ?? 0; left > 0; left -= 1) {
      const commitmentAt = at + 5 + keyLength
      const sealedAt = commitmentAt + commitmentLength
      const purposeAt = sealedAt + bytes.readUInt32LE(at)
      const end = purposeAt + bytes.readUInt8(at + 4)
      parts.push({
        key: bytes.subarray(at + 5, commitmentAt),
        commitment: bytes.subarray(commitmentAt, sealedAt),
        sealed: bytes.subarray(sealedAt, purposeAt),
        purpose: bytes.toString('utf8', purposeAt, end)
      })
      at = end
    }
    return parts
  }

  /** Lets no key stand in memory longer than it is needed. */
  wipe(slot: number): void {
    this.slots[slot]?.fill(0)
  }
}
