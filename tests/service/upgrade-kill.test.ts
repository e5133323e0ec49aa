/** An upgrade that is killed: the next start completes it. All points, and kills at any moment, are in `npm run prove -- --only upgrades`. */
import { expect, test } from 'vitest'
import { keptFolders } from '../../scripts/prove/upgrade/kept-folders.ts'
import { isOld, killUpgrades, upgradePoints, type Moment } from '../../scripts/prove/upgrade/kills.ts'

/** Calls around the steps: the copy before them, and each step's transaction, SQL and version. */
const aroundSteps =
  /^(run (VACUUM|BEGIN|COMMIT)|exec (UPDATE applicant|--)|pragma user_version=|openSync .*unfinished|fsyncSync|rmSync|renameSync|close)/

test('goes on after a kill before and after each step, and anywhere else', { timeout: 300_000 }, async () => {
  const old = []
  for (const kept of keptFolders()) if (await isOld(kept.history)) old.push(kept)
  expect(old.map(({ name }) => name)).toContain('data-folder-0.1')
  for (const { history } of old) {
    const points = await upgradePoints(history)
    const steps = points.flatMap((what, at): Moment[] => (aroundSteps.test(what) ? [{ point: at + 1 }] : []))
    expect(points.filter((what) => what.startsWith('pragma user_version=')).length).toBeGreaterThan(0)
    const anywhere = Array.from({ length: 4 }, (): Moment => ({ point: 1 + Math.floor(Math.random() * points.length) }))
    const found = await killUpgrades(history, [...steps, ...anywhere])
    expect(found.faults).toEqual([])
    expect(found.kills).toBe(steps.length + anywhere.length)
    // A kill after the last step proves nothing about the steps.
    expect(found.inTheMiddle).toBeGreaterThan(steps.length / 2)
  }
})
