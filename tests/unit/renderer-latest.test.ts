import { describe, expect, it } from 'vitest'
import { latest } from '../../renderer/kit/latest.ts'

/** Work that the test completes. */
function held() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = (input: string): Promise<void> => {
    begun.push(input)
    return new Promise((resolve) => ends.push(resolve))
  }
  const end = async (): Promise<void> => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, work, end }
}

describe('latest', () => {
  it('asks the first question at once, without a pause', () => {
    const { begun, work } = held()
    latest(work)('a')
    expect(begun).toEqual(['a'])
  })

  it('asks only the newest of what came while an answer was waited for', async () => {
    const { begun, work, end } = held()
    const ask = latest(work)
    for (const text of ['a', 'ab', 'abc', 'abcd']) ask(text)
    expect(begun).toEqual(['a'])
    await end()
    expect(begun).toEqual(['a', 'abcd'])
    await end()
    expect(begun).toEqual(['a', 'abcd'])
    ask('b')
    expect(begun).toEqual(['a', 'abcd', 'b'])
  })
})
