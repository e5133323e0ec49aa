/** Keys on a line between two processes. */
import { expect, it } from 'vitest'
import { freshKey, keyMemory } from '#kit/sealing/key-memory.ts'
import { newLineKey, sealForLine } from '#kit/sealing/line.ts'

it('opens what was sealed for this end, and nothing else', () => {
  const [mine, other, key] = [newLineKey(), newLineKey(), freshKey()]
  expect(mine.open(sealForLine(mine.publicKey, key)).equals(key)).toBe(true)
  expect(() => mine.open(sealForLine(other.publicKey, key))).toThrow('another end')
})

it('is sent alone: what shares a pool would take along whatever else is in it', () => {
  const line = newLineKey()
  for (const sent of [line.publicKey, sealForLine(line.publicKey, keyMemory(64)), freshKey()])
    expect(sent.buffer.byteLength).toBe(sent.byteLength)
})
