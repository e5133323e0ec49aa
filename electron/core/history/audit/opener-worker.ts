/** The opener's thread: opens batches of sealed parts beside the history's thread, until none has come for a while. */
import { createSecretKey, type KeyObject } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { OpenerMemory, slotCount, slotState, type SealedPart } from './opener-memory.ts'
import { commitmentOf } from '#core/history/storage/seal.ts'

/** Milliseconds without a batch after which the thread gives its memory back. */
const patience = 2000

const memory = new OpenerMemory(workerData as SharedArrayBuffer)

let lastBytes: Buffer = Buffer.alloc(0)
let lastKey: KeyObject | undefined

/** Parts of one subject mostly follow each other. */
function keyOf(bytes: Buffer): KeyObject {
  if (lastKey && lastBytes.equals(bytes)) return lastKey
  lastBytes = bytes
  return (lastKey = createSecretKey(bytes))
}

const fits = ({ key, purpose, sealed, commitment }: SealedPart): boolean => commitmentOf(keyOf(key), purpose, sealed)?.equals(commitment) === true

/** Whether there was a batch to open. */
function openOne(from: number): number | undefined {
  for (let n = 0; n < slotCount; n += 1) {
    const slot = (from + n) % slotCount
    if (!memory.take(slot)) continue
    const fine = memory.read(slot).every(fits)
    memory.wipe(slot)
    memory.setState(slot, fine ? slotState.fine : slotState.doubtful)
    return slot
  }
  return undefined
}

let next = 0
for (let open = true; open && !memory.ending; ) {
  const posted = memory.posted
  const opened = openOne(next)
  if (opened === undefined) open = memory.sleep(posted, patience)
  else next = (opened + 1) % slotCount
}
memory.leave()
