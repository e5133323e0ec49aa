/** A disk that fills up under a running batch: it stops before the request that could not be recorded. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bodyDigest } from '#practice/ledger.ts'
import { startPracticeService } from '#practice/service.ts'
import { makeApplicantBatch, openGround } from '../../scripts/batch-ground.ts'

it('stops a batch on a full disk, sends nothing unrecorded, and goes on when there is room', { timeout: 60_000 }, async ({ skip }) => {
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
    // A ballast that can be taken away again.
    const ballast = join(folder, 'ballast')
    try {
      for (let size = 0; size < 8; size += 1) writeFileSync(ballast, Buffer.alloc(256 * 1024), { flag: 'a' })
    } catch {
      // As much as there was room for.
    }
    expect(await ground.batches.start(id)).toMatchObject({ ok: true })
    await ground.batches.ended(id)
    const stopped = await ground.batches.show(id)
    expect(stopped).toMatchObject({ ok: true, value: { state: 'stopped', reason: { code: 'disk-full' } } })

    // Whatever reached the service has a record, its intent at least.
    const reached = new Set(practice.ledger().map(({ digest }) => digest))
    expect(reached.size).toBe(practice.ledger().length)
    expect(reached.size).toBeLessThan(2500)
    const read = await ground.store.batches.results(id, { after: 0, limit: 2500, records: true })
    if (!read.ok) throw new Error(read.failure.what)
    const recorded = new Set(read.value.rows.filter(({ record }) => record).map(({ cells }) => bodyDigest(JSON.stringify({ applicant_id: cells[0] }))))
    expect([...reached].filter((digest) => !recorded.has(digest))).toEqual([])

    // The answers that could not be written are written first; no row is sent twice.
    rmSync(ballast)
    execFileSync('mount', ['-o', 'remount,size=64m', folder], { stdio: 'ignore' })
    expect(await ground.batches.start(id)).toMatchObject({ ok: true })
    await ground.batches.ended(id)
    expect(await ground.batches.show(id)).toMatchObject({ value: { state: 'finished', counts: { answered: 2500, unknown: 0 } } })
    expect(practice.ledger()).toHaveLength(2500)
  } finally {
    await ground.close()
    await practice.close()
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  }
})
