/** Wrong passphrases on a completely full disk: a real file system of 1 MB. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTries } from '#core/lock/tries.ts'

const clock = { now: () => 1_770_000_000_000 }
let disk = ''
let mounted = false
beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'veridesk-tries-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'ignore' })
    mounted = true
  } catch {
    mounted = false
  }
})
afterEach(() => {
  if (mounted) execFileSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})

function fill(): void {
  for (const size of [64 * 1024, 4096, 1]) {
    try {
      for (;;) appendFileSync(join(disk, `filler-${size}`), Buffer.alloc(size))
    } catch {
      // Full for this block size.
    }
  }
  expect(() => writeFileSync(join(disk, 'one more'), 'x')).toThrow('ENOSPC')
}

test('count over a restart all the same', async ({ skip }) => {
  skip(!mounted, 'mounting needs a machine of its own')
  const first = await openTries(disk, clock)
  await first.setProtected(true)
  fill()
  for (let time = 1; time <= 12; time += 1) {
    const tries = await openTries(disk, clock)
    expect(await tries.begin()).toMatchObject({ ok: true })
    expect(tries.wrong()).toBe(time)
  }
  const after = await openTries(disk, clock)
  expect([after.wrong(), after.isProtected()]).toEqual([12, true])
  expect(after.wait()).toBeGreaterThan(890)
  expect(JSON.parse(readFileSync(join(disk, 'lock.json'), 'utf8'))).toMatchObject({ format: 'veridesk-lock' })
})

test('are not verified if they cannot be counted', async ({ skip }) => {
  skip(!mounted, 'mounting needs a machine of its own')
  fill()
  const tries = await openTries(disk, clock)
  expect(await tries.begin()).toMatchObject({ ok: false, failure: { code: 'disk-full' } })
  expect(tries.wrong()).toBe(0)
})
