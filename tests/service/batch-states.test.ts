/**
 * Every state of a batch combined with every end of the application: killed, with a full disk, closed. In each case
 * the batch then continues to its end, no row is sent twice, and every row matches the service's ledger. Restoring a
 * backup has its own table (`restore-held.test.ts`).
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BatchState } from '#contract/batches/batches.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { openGround, type Ground } from '../../scripts/batch-ground.ts'
import { faultsAgainst, reach, shown, type Reached } from './support/batch-states.ts'

const victim = fileURLToPath(new URL('./support/batch-victim.ts', import.meta.url))
const masterKey = '0123456789abcdef'.repeat(4)
/** The state of a batch after the next start; undefined if there is no batch then. */
const afterwards: Readonly<Record<Reached, BatchState | undefined>> = {
  creation: undefined,
  made: 'made',
  running: 'paused',
  paused: 'paused',
  stopped: 'stopped',
  cancelled: 'cancelled',
  finished: 'finished'
}
const states = Object.keys(afterwards) as Reached[]
const small = process.getuid?.() === 0

let folder: string
let practice: PracticeService
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-batch-states-'))
  practice = await startPracticeService({ latency: 20 })
})
afterEach(async () => {
  await practice.close()
  rmSync(folder, { recursive: true, force: true })
})
const open = (): Promise<Ground> =>
  openGround({ folder: join(folder, 'history'), masterKey, baseUrl: practice.baseUrl })

/** Restarts: the batch is in the expected state, is resolved and continues to its end. */
async function goOn(reached: Reached, id: string): Promise<void> {
  const ground = await open()
  try {
    const list = await ground.batches.list({ limit: 5 })
    if (!list.ok) throw new Error(sentencesOf(list.failure).what)
    const wanted = afterwards[reached]
    expect(list.value.map(({ state }) => state)).toEqual(wanted ? [wanted] : [])
    if (wanted === undefined) return expect(practice.ledger()).toEqual([])
    expect(await faultsAgainst(practice.ledger(), ground, id)).toEqual([])
    if ((await shown(ground, id)).unresolved > 0)
      expect(await ground.batches.resolve(id, undefined, 'sent')).toMatchObject({ ok: true })
    const over = wanted === 'cancelled' || wanted === 'finished'
    expect(await ground.batches.start(id)).toMatchObject({ ok: !over })
    await ground.batches.ended(id)
    const end = await shown(ground, id)
    expect(end).toMatchObject({ state: over ? wanted : 'finished', counts: { open: 0, waiting: 0 } })
    expect(await faultsAgainst(practice.ledger(), ground, id)).toEqual([])
    expect(await ground.store.verifyChain()).toMatchObject({ value: { intact: true } })
  } finally {
    await ground.close()
  }
}

describe.each(states)('a batch that is in the state “%s”', (reached) => {
  test('and is killed', { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [victim, join(folder, 'history'), masterKey, practice.baseUrl, reached], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill('SIGKILL')
    await once(child, 'close')
    await goOn(reached, (JSON.parse(line.toString()) as { id: string }).id)
  })

  test('and whose program is closed', { timeout: 60_000 }, async () => {
    const ground = await open()
    const id = await reach[reached](ground)
    await ground.close()
    await goOn(reached, id)
  })

  test.runIf(small)('and meets a full disk before its program is closed', { timeout: 60_000 }, async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'ignore' })
    try {
      const ground = await open()
      const id = await reach[reached](ground)
      const ballast = join(folder, 'ballast')
      try {
        for (let size = 1024 * 1024; ; size = Math.max(1, size >> 1)) {
          try {
            for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' })
          } catch (error) {
            if (size === 1) throw error
          }
        }
      } catch {
        // The disk is completely full.
      }
      // Any action now is refused or recorded later, and sends nothing that is not recorded.
      if (id !== '') {
        await ground.batches.start(id)
        await ground.batches.ended(id)
        await ground.batches.resolve(id, undefined, 'sent')
        const digests = practice.ledger().map(({ digest }) => digest)
        expect(new Set(digests).size).toBe(digests.length)
      }
      await ground.close()
      rmSync(ballast)
      await goOn(reached, id)
    } finally {
      execFileSync('umount', ['-l', folder])
    }
  })
})
