/** A disk that fills up during a batch: it stops before the first request that could not be recorded. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { bodyDigest } from '#practice/ledger.ts'
import { startPracticeService } from '#practice/service.ts'
import { makeApplicantBatch, openGround } from '../../scripts/batch-ground.ts'

it(
  'stops a batch on a full disk, sends nothing unrecorded, and continues once there is space',
  { timeout: 60_000 },
  async ({ skip }) => {
    const folder = mkdtempSync(join(tmpdir(), 'veridesk-batch-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
    } catch {
      rmSync(folder, { recursive: true, force: true })
      return skip('only root may mount a small disk')
    }
    const practice = await startPracticeService({ latency: 2 })
    const masterKey = '0123456789abcdef'.repeat(4)
    const ground = await openGround({ folder: join(folder, 'history'), masterKey, baseUrl: practice.baseUrl })
    try {
      const ids = Array.from({ length: 2500 }, (_, index) => `FULL-${index + 1}`)
      const id = await makeApplicantBatch(ground, ids, { atOnce: 8 })
      // Takes up space and can be removed again.
      const ballast = join(folder, 'ballast')
      try {
        for (let size = 0; size < 8; size += 1) writeFileSync(ballast, Buffer.alloc(256 * 1024), { flag: 'a' })
      } catch {
        // The disk is full.
      }
      expect(await ground.batches.start(id)).toMatchObject({ ok: true })
      await ground.batches.ended(id)
      const stopped = await ground.batches.show(id)
      expect(stopped).toMatchObject({ ok: true, value: { state: 'stopped', reason: { code: 'disk-full' } } })

      // Every request that reached the service has a record, at least its intent.
      const reached = new Set(practice.ledger().map(({ digest }) => digest))
      expect(reached.size).toBe(practice.ledger().length)
      expect(reached.size).toBeLessThan(2500)
      const read = await ground.store.batches.results(id, { after: 0, limit: 2500, records: true })
      if (!read.ok) throw new Error(sentencesOf(read.failure).what)
      const recorded = new Set(
        read.value.rows
          .filter(({ record }) => record)
          .map(({ cells }) => bodyDigest(JSON.stringify({ applicant_id: cells[0] })))
      )
      expect([...reached].filter((digest) => !recorded.has(digest))).toEqual([])

      // Results that could not be written are written first; no row is sent twice.
      rmSync(ballast)
      execFileSync('mount', ['-o', 'remount,size=64m', folder], { stdio: 'ignore' })
      expect(await ground.batches.start(id)).toMatchObject({ ok: true })
      await ground.batches.ended(id)
      expect(await ground.batches.show(id)).toMatchObject({
        value: { state: 'finished', counts: { answered: 2500, unknown: 0 } }
      })
      expect(practice.ledger()).toHaveLength(2500)
    } finally {
      await ground.close()
      await practice.close()
      execFileSync('umount', [folder])
      rmSync(folder, { recursive: true, force: true })
    }
  }
)

it(
  'writes the answers that a full disk kept out before the state of the batch, so that the end of the program loses none',
  { timeout: 60_000 },
  async ({ skip }) => {
    const folder = mkdtempSync(join(tmpdir(), 'veridesk-batch-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
    } catch {
      rmSync(folder, { recursive: true, force: true })
      return skip('only root may mount a small disk')
    }
    const practice = await startPracticeService({ latency: 20 })
    const at = { folder: join(folder, 'history'), masterKey: '0123456789abcdef'.repeat(4), baseUrl: practice.baseUrl }
    let ground = await openGround(at)
    try {
      const ids = ['PRACTICE-slow-8', ...Array.from({ length: 600 }, (_, index) => `FULL-${index + 1}`)]
      const id = await makeApplicantBatch(ground, ids, { atOnce: 8 })
      expect(await ground.batches.start(id)).toMatchObject({ ok: true })
      await expect.poll(() => practice.ledger().length, { timeout: 20_000 }).toBeGreaterThan(20)
      const ballast = join(folder, 'ballast')
      try {
        for (;;) writeFileSync(ballast, Buffer.alloc(4096), { flag: 'a' })
      } catch {
        // The disk is full.
      }
      // When no further request arrives, all rows except the slow one have hit the full disk.
      let before = -1
      await expect
        .poll(() => before === (before = practice.ledger().length), { interval: 300, timeout: 20_000 })
        .toBe(true)
      // Space for the last row and the state of the batch, but not before them.
      rmSync(ballast)
      execFileSync('mount', ['-o', 'remount,size=64m', folder], { stdio: 'ignore' })
      await ground.batches.ended(id)
      expect(await ground.batches.show(id)).toMatchObject({
        ok: true,
        value: { state: 'stopped', reason: { code: 'disk-full' } }
      })
      await ground.close()

      ground = await openGround(at)
      const sent = practice.ledger().length
      expect(await ground.batches.show(id)).toMatchObject({
        value: { state: 'stopped', unresolved: 0, counts: { open: 0, answered: sent, waiting: 601 - sent } }
      })
      expect(await ground.batches.start(id)).toMatchObject({ ok: true })
      await ground.batches.ended(id)
      expect(await ground.batches.show(id)).toMatchObject({
        value: { state: 'finished', counts: { open: 0, answered: 601 } }
      })
      const digests = practice.ledger().map(({ digest }) => digest)
      expect(new Set(digests).size).toBe(digests.length)
    } finally {
      await ground.close()
      await practice.close()
      execFileSync('umount', [folder])
      rmSync(folder, { recursive: true, force: true })
    }
  }
)
