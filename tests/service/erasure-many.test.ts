/** Many people erased by a process that is killed again and again: nothing of them is left, and nothing of others is lost. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { crowdOf, eraseIn, lossesOf, tracesOf } from './support/many-erased.ts'
import { seeded } from './support/random.ts'
import { counted, times } from './support/times.ts'

let dataFolder: string
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-many-erased-'))
})
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }))

/** 1,000 of 10,000 people in a proof of 100 times. */
const size = times === 1 ? { groups: 2, each: 2, others: 16 } : { groups: times, each: 10, others: 90 * times }

test(
  'people who are erased under kills are found nowhere, and nobody else has lost anything',
  { timeout: 240_000 + 60_000 * times },
  async ({ task }) => {
    const crowd = await crowdOf(dataFolder, size)
    const left = [...crowd.groups]
    // How long a group takes, by one that nobody kills.
    let { took } = await eraseIn(crowd, left.splice(0, 1))
    const pick = seeded(times)
    const points = Array.from({ length: times }, (_, n) => [pick(1e9), (n + 0.5) / times] as const)
    let done = 0
    for (const [, point] of points.sort(([a], [b]) => a - b)) {
      const [group] = left
      if (!group) break
      for (let isKilled = false; !isKilled && left.length > 0;) {
        const ending = await eraseIn(crowd, left.slice(0, 1), took * point)
        isKilled = !ending.ended
        if (!ending.ended) continue
        left.shift()
        took = Math.min(took, ending.took)
      }
      done += 1
    }
    await eraseIn(crowd, left)
    const found = tracesOf(crowd)
    const losses = await lossesOf(crowd)
    const after = tracesOf(crowd)
    const people = crowd.groups.flat().length
    counted(task, {
      'people': people + crowd.others.length,
      'erased': people,
      'kills': done,
      'found after': found.length + after.length,
      'others who lost something': losses.length
    })
    expect([found, after, losses]).toEqual([[], [], []])
    expect(done).toBe(times)
  }
)
