/** Removes from memory what nobody refers to any more. */
import { Session } from 'node:inspector/promises'
import { within } from '#kit/async/within.ts'

/** Milliseconds for a collection; a large heap takes a fraction of them. */
const limit = 5000

/**
 * Collects garbage completely. OpenSSL zeroes the keys of key objects only when these are collected, which may be hours later;
 * and memory of the JavaScript heap returns to the system. V8 offers this to programs through its inspector only; nothing
 * happens if that is not there.
 */
export async function collectGarbage(): Promise<void> {
  try {
    const session = new Session()
    session.connect()
    await within(limit, session.post('HeapProfiler.collectGarbage'))
    session.disconnect()
  } catch {
    // Built without an inspector: everything is collected later.
  }
}
