/** Memory for keys. */
import { randomFillSync } from 'node:crypto'

/**
 * Zeroed bytes that can be zeroed again. A buffer of up to 64 bytes can lie on the JavaScript heap, where a collection moves it and
 * leaves a copy behind; one from a shared pool is sent along whenever its pool is. These neither move nor share.
 */
export const keyMemory = (bytes: number): Buffer => Buffer.from(new ArrayBuffer(bytes))

/** A new key of 256 bits, which the caller zeroes. */
export const freshKey = (): Buffer => randomFillSync(keyMemory(32))
