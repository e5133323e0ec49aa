/**
 * Kills a running batch (SIGKILL) at random moments and restarts it until it was killed often enough and has ended;
 * then compares every row with the service's own ledger.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { RowResult } from '#wire/history/batches.ts'
import { bodyDigest, readLedger } from '#practice/ledger.ts'
import { openGround } from '../../../scripts/batch-ground.ts'

const child = fileURLToPath(new URL('./batch-kills-child.ts', import.meta.url))
const practice = fileURLToPath(new URL('../../../practice/main.ts', import.meta.url))

export interface KillReport {
  readonly kills: number
  readonly rows: number
  readonly answered: number
  /** In flight at a kill, and labelled as such. */
  readonly unknown: number
  /** Requests received by the service. */
  readonly requests: number
  /** Rows that reached the service more than once. */
  readonly doubled: number
  /** Rows that were neither answered nor labelled, or whose answer is unknown to the service. */
  readonly lost: number
  /** Requests in the service's ledger without a matching row. */
  readonly unlabelled: number
  readonly chainIntact: boolean
}

export interface KillOptions {
  readonly kills: number
  readonly rows: number
  readonly atOnce: number
  /** Maximum milliseconds between the start of the batch or of the process and the kill; the actual delay is random. */
  readonly within: number
  /** From 0 to 1. */
  random(): number
}

/** Runs a process until it prints a matching line, or ends. */
function saying(process: ChildProcess, fits: (line: string) => boolean): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    process.stdout?.on('data', (part: Buffer) => {
      text += part.toString()
      const found = text.split('\n').slice(0, -1).find(fits)
      if (found !== undefined) resolve(found)
    })
    process.once('exit', () => resolve(undefined))
  })
}

/** Throws if the batch cannot run at all, since nothing could be proved. */
export async function killRounds(options: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-kills-'))
  const ledger = join(folder, 'ledger.jsonl')
  const history = join(folder, 'history')
  const masterKey = randomBytes(32).toString('hex')
  const service = spawn(process.execPath, [practice, '--port', '0', '--latency', '2-20', '--ledger', ledger], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  try {
    const line = await saying(service, (each) => each.startsWith('Practice service at'))
    const baseUrl = /http:\S+/.exec(line ?? '')?.[0]
    if (!baseUrl) throw new Error('the practice service did not start')
    let kills = 0
    for (let over = false; !over;) {
      const args = [child, history, masterKey, baseUrl, String(options.rows), String(options.atOnce)]
      const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
      let errors = ''
      running.stderr.on('data', (part: Buffer) => (errors += part.toString()))
      const exited = new Promise<number | null>((resolve) => running.once('exit', (code) => resolve(code)))
      if (kills < options.kills) {
        // Every fourth is killed at any moment after its start: during opening, recovery or creation.
        if (kills % 4 !== 3) await saying(running, (each) => each.includes('"running"'))
        const wait = (kills % 4 === 3 ? 4 : 1) * options.within * options.random()
        const timer = setTimeout(() => running.kill('SIGKILL'), wait)
        const code = await exited
        clearTimeout(timer)
        if (code !== null && code !== 0) throw new Error(`the batch did not run: ${errors}`)
        if (code === 0) over = true
        else {
          kills += 1
        }
      } else {
        const code = await exited
        if (code !== 0) throw new Error(`the batch did not run: ${errors}`)
        over = true
      }
    }
    return await validate({ history, masterKey, baseUrl, ledger, kills, rows: options.rows })
  } finally {
    service.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function validate(at: {
  history: string
  masterKey: string
  baseUrl: string
  ledger: string
  kills: number
  rows: number
}): Promise<KillReport> {
  const ground = await openGround({ folder: at.history, masterKey: at.masterKey, baseUrl: at.baseUrl })
  try {
    const reached = new Map<string, number>()
    for (const { digest } of readLedger(at.ledger)) reached.set(digest, (reached.get(digest) ?? 0) + 1)
    const list = await ground.batches.list({ limit: 2 })
    const [batch, other] = list.ok ? list.value : []
    if (!batch || other) throw new Error('there is not exactly one batch')
    let [answered, unknown, lost, rows] = [0, 0, 0, 0]
    const known = new Set<string>()
    for (let after = 0, more = true; more;) {
      const read = await ground.store.batches.results(batch.id, { after, limit: 500, records: true })
      if (!read.ok) throw new Error(sentencesOf(read.failure).what)
      for (const row of read.value.rows) {
        rows += 1
        const digest = bodyDigest(JSON.stringify({ applicant_id: row.cells[0] }))
        const times = reached.get(digest) ?? 0
        if (row.state === 'answered') answered += 1
        if (row.state === 'unknown') unknown += 1
        if (labelled(row, batch.id)) known.add(digest)
        // An answer without a request would be invented; a row without a label would be lost.
        if (!labelled(row, batch.id) || (row.state === 'answered' && times === 0)) lost += 1
      }
      after = read.value.rows.at(-1)?.row ?? after
      more = read.value.more
    }
    const verdict = await ground.store.verifyChain()
    return {
      kills: at.kills,
      rows,
      answered,
      unknown,
      requests: [...reached.values()].reduce((sum, times) => sum + times, 0),
      doubled: [...reached.values()].filter((times) => times > 1).length,
      lost: lost + Math.abs(at.rows - rows),
      unlabelled: [...reached.keys()].filter((digest) => !known.has(digest)).length,
      chainIntact: verdict.ok && verdict.value.intact
    }
  } finally {
    await ground.close()
  }
}

/** A row that was sent has an outcome, and a record of this batch has the same. */
const labelled = ({ state, record }: RowResult, batchId: string): boolean =>
  (state === 'answered' || state === 'unknown') && record?.state === state && record.batchId === batchId
