/**
 * Disks that fill up while a batch runs: it stops before it sends what it cannot record.
 * Not a test: it mounts disks; `tests/service/batch-disk.test.ts` fills one.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { bodyDigest } from '#practice/ledger.ts'
import { startPracticeService } from '#practice/service.ts'
import type { Measured, SectionRun } from '../figures/section.ts'
import { makeApplicantBatch, openGround } from '../batch-ground.ts'
import { inProofFolder } from '../../tests/service/support/proof-folder.ts'
import { seeded, type Random } from '../../tests/service/support/random.ts'

interface Filled {
  readonly sent: number
  readonly stopped: boolean
  readonly faults: readonly string[]
}

/** Bytes that the history and the batch leave free at first, in the largest case. */
const most = 1_500_000

/** Writes a file of `bytes`. The history may have taken some of the space in the meantime: then the disk is full, as intended. */
function fillDisk(path: string, bytes: number): void {
  try {
    writeFileSync(path, Buffer.alloc(bytes))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

type Ground = Awaited<ReturnType<typeof openGround>>

/** Whether a batch that has ended was stopped, and by the full disk alone. */
async function stoppedByDisk(ground: Ground, id: string, faults: string[]): Promise<boolean> {
  const shown = await ground.batches.show(id)
  if (!shown.ok) {
    faults.push(`the batch is ${shown.failure.code}`)
    return false
  }
  const { state, reason } = shown.value
  if (state === 'stopped' && reason?.code !== 'disk-full')
    faults.push(`the batch is stopped (${reason?.code ?? 'no reason'})`)
  return state === 'stopped'
}

/** Digests of the bodies whose rows have a record. */
async function recordedIn(ground: Ground, id: string, rows: number): Promise<ReadonlySet<string>> {
  const read = await ground.store.batches.results(id, { after: 0, limit: rows, records: true })
  if (!read.ok) throw new Error(sentencesOf(read.failure).what)
  return new Set(
    read.value.rows
      .filter(({ record }) => record)
      .map(({ cells }) => bodyDigest(JSON.stringify({ applicant_id: cells[0] })))
  )
}

/** One batch on a small disk that is filled to a random rest; then there is space, and it continues. */
const fill = (rows: number, random: Random): Promise<Filled> =>
  inProofFolder(async (folder) => {
    const faults: string[] = []
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
    const practice = await startPracticeService({ latency: 0 })
    const at = {
      folder: join(folder, 'history'),
      masterKey: randomBytes(32).toString('hex'),
      baseUrl: practice.baseUrl,
      announce: () => undefined
    }
    let ground = await openGround(at)
    try {
      const id = await makeApplicantBatch(
        ground,
        Array.from({ length: rows }, (_, index) => `FULL-${index + 1}`),
        { atOnce: 8 }
      )
      const ballast = join(folder, 'ballast')
      const free = (): number =>
        Number(execFileSync('df', ['--output=avail', '-B1', folder], { encoding: 'utf8' }).split('\n')[1])
      fillDisk(ballast, Math.max(0, free() - random(most)))
      const started = await ground.batches.start(id)
      // On a disk that is completely full, it does not even start.
      const refused = !started.ok && started.failure.code === 'disk-full'
      if (!started.ok && !refused) faults.push(`the batch did not start: ${started.failure.code}`)
      await ground.batches.ended(id)
      const stopped = refused || (await stoppedByDisk(ground, id, faults))
      const sent = practice.ledger().map(({ digest }) => digest)
      const recorded = await recordedIn(ground, id, rows)
      const unrecorded = sent.filter((digest) => !recorded.has(digest)).length
      if (unrecorded > 0) faults.push(`${unrecorded} requests have no record`)
      // Space again; half of the times after the program has ended.
      rmSync(ballast)
      execFileSync('mount', ['-o', 'remount,size=64m', folder], { stdio: 'ignore' })
      if (random(2) === 0) {
        await ground.close()
        ground = await openGround(at)
      }
      if (stopped) {
        await ground.batches.start(id)
        await ground.batches.ended(id)
      }
      const end = await ground.batches.show(id)
      const all = practice.ledger().map(({ digest }) => digest)
      if (!end.ok) faults.push(`with space again the batch is gone: ${end.failure.code}`)
      else if (end.value.state !== 'finished' || end.value.counts.answered + end.value.counts.unknown !== rows)
        faults.push(`with space again the batch is ${end.value.state}: ${JSON.stringify(end.value.counts)}`)
      if (new Set(all).size !== all.length) faults.push(`${all.length - new Set(all).size} rows were sent twice`)
      return { sent: sent.length, stopped, faults }
    } finally {
      await ground.close()
      await practice.close()
      execFileSync('umount', [folder])
    }
  })

/** Fills disks. Errors: requests without a record, rows sent twice, and batches that do not continue. */
export async function proveFullDisk({ sized, progress }: SectionRun): Promise<Measured> {
  const table = (rows: (string | number)[][]): NonNullable<Measured['table']> => ({
    columns: ['batches', 'stopped by the full disk', 'sent before that', 'wrong'],
    rows
  })
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { table: table([]), notRun: [{ name: 'a full disk', why: 'only root may mount a small disk, on Linux' }] }
  const random = seeded(5)
  const times = sized(40, 3)
  const found: Filled[] = []
  for (let nth = 0; nth < times; nth += 1) {
    found.push(await fill(1500, random))
    if ((nth + 1) % 10 === 0) progress(`${nth + 1} batches`)
  }
  const faults = found.flatMap((each) => each.faults)
  const stopped = found.filter((each) => each.stopped)
  if (stopped.length === 0) faults.push('no disk was full, so nothing was tried')
  return {
    table: table([[times, stopped.length, stopped.reduce((sum, { sent }) => sum + sent, 0), faults.length]]),
    faults
  }
}
