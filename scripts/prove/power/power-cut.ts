/** Cuts the power of a running batch at any request of its disk, and compares what is left with what was promised. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { RowResult } from '#wire/history/batches.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { startPracticeService } from '#practice/service.ts'
import { openGround } from '../../batch-ground.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { inProofFolder } from '../../../tests/service/support/proof-folder.ts'
import { seeded } from '../../../tests/service/support/random.ts'
import { cutImage, noDiskHere, onImage, recordedDisk, syncsIn, type Recording } from './disk.ts'

const writer = fileURLToPath(new URL('./writer.ts', import.meta.url))

interface Written {
  readonly recording: Recording
  /** For each row in the order of sending: the length of the record by which its request had been sent. */
  readonly sent: readonly number[]
  readonly masterKey: string
}

/** Runs the batch on a recorded disk to its end. */
async function write(at: string, rows: number): Promise<Written> {
  const disk = await recordedDisk(at)
  const practice = await startPracticeService({ latency: 0 })
  const masterKey = randomBytes(32).toString('hex')
  const lengths: Promise<number>[] = []
  let over = false
  const child = spawn(
    process.execPath,
    [writer, join(disk.folder, 'history'), masterKey, practice.baseUrl, String(rows)],
    { stdio: ['ignore', 'pipe', 'inherit'] }
  )
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'over') over = true
    // Asked for after the request, so a cut at this length comes certainly after it.
    else lengths.push(disk.length())
  }
  const sent = await Promise.all(lengths)
  await practice.close()
  const recording = await disk.end()
  if (!over || sent.length !== rows) throw new Error(`the batch sent ${sent.length} of ${rows} rows`)
  return { recording, sent, masterKey }
}

/** Opens the history that a cut has left; returns what contradicts the promises. */
async function faultsAfter({ sent, masterKey }: Written, at: number, folder: string): Promise<string[]> {
  // A request sent before the cut has its intent; with one row at a time, the row two before it has its result.
  const begun = sent.filter((length) => length <= at).length
  const ended = Math.max(0, begun - 2)
  const ground = await openGround({
    folder,
    masterKey,
    baseUrl: 'http://127.0.0.1:9',
    announce: () => undefined
  }).catch((reason: unknown) => reason as Error)
  if (ground instanceof Error) return [`the history does not open: ${ground.message}`]
  try {
    const verdict = await ground.store.verifyChain()
    const chain = verdict.ok && verdict.value.intact ? [] : ['the audit trail does not verify']
    const list = await ground.batches.list({ limit: 2 })
    const [batch] = list.ok ? list.value : []
    if (!batch) return begun === 0 ? chain : [...chain, `the batch is gone, and ${begun} requests had been sent`]
    const states = new Map<string, RowResult['state']>()
    for (let after = 0, more = true; more;) {
      const read = await ground.store.batches.results(batch.id, { after, limit: 500, records: true })
      if (!read.ok) return [...chain, sentencesOf(read.failure).what]
      for (const { cells, state } of read.value.rows) states.set(cells[0] ?? '', state)
      after = read.value.rows.at(-1)?.row ?? after
      more = read.value.more
    }
    const wrong = Array.from(
      { length: begun },
      (_, index) => [index + 1, states.get(`POWER-${index + 1}`) ?? 'missing'] as const
    ).flatMap(([row, state]) => {
      if (row <= ended && state !== 'answered') return [`row ${row} was answered and is ${state}`]
      return state === 'answered' || state === 'unknown'
        ? []
        : [`row ${row} was sent and is ${state}, so it would be sent again`]
    })
    return [...chain, ...wrong]
  } finally {
    await ground.close()
  }
}

/** Makes the image of a cut, lets the file system recover, and looks at the history in a copy. */
async function cut(
  written: Written,
  at: number,
  random: ReturnType<typeof seeded>,
  folder: string,
  lying = false
): Promise<string[]> {
  const image = join(folder, 'cut')
  const copy = join(folder, 'copy')
  cutImage(written.recording, at, random, image, lying)
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy)
  await onImage(image, folder, async (mounted) => {
    const found = join(mounted, 'history')
    if (existsSync(found)) cpSync(found, join(copy, 'history'), { recursive: true })
  })
  return faultsAfter(written, at, join(copy, 'history'))
}

/** Cuts the power. Errors: histories that do not open or verify, and rows that contradict what was sent. */
export async function provePowerCut({ sized, progress }: SectionRun): Promise<Measured> {
  const table = (rows: (string | number)[][]): NonNullable<Measured['table']> => ({
    columns: ['power cut', 'times', 'opened and complete', 'wrong'],
    rows
  })
  const why = await noDiskHere()
  if (why !== undefined) return { table: table([]), notRun: [{ name: 'a power cut', why }] }
  return inProofFolder(async (folder) => {
    const written = await write(folder, sized(600, 40))
    const { requests } = written.recording
    progress(`${requests.length} requests of the disk`)
    const random = seeded(20_261_122)
    const first = written.sent[0] ?? 0
    const faults: string[] = []
    const rows: (string | number)[][] = []
    for (const [name, from, to, times] of [
      ['while the history and the batch are created', 1, first, sized(100, 8)],
      ['while the batch runs and the history is closed', first, requests.length, sized(200, 8)]
    ] as const) {
      let good = 0
      for (let nth = 0; nth < times; nth += 1) {
        const at = from + random(to - from + 1)
        const found = await cut(written, at, random, folder)
        if (found.length === 0) good += 1
        faults.push(...found.map((fault) => `cut at request ${at} of ${requests.length}: ${fault}`))
        if ((nth + 1) % 50 === 0) progress(`${name}: ${nth + 1} cuts`)
      }
      rows.push([name, times, good, times - good])
    }
    // The control: a disk that does not sync must be noticed.
    let noticed = 0
    const lies = 3
    for (let nth = 0; nth < lies; nth += 1)
      if ((await cut(written, requests.length, random, folder, true).catch(() => ['the disk is damaged'])).length > 0)
        noticed += 1
    if (noticed < lies) faults.push('a disk that does not sync was not noticed, so nothing was tried')
    return {
      notes: [
        `The disk received ${requests.length.toLocaleString('en')} requests, ${syncsIn(written.recording).toLocaleString('en')} of them syncs, while ${written.sent.length.toLocaleString('en')} rows were sent.`
      ],
      table: table(rows),
      faults
    }
  })
}
