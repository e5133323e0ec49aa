/** A batch that a team runs at a real database and a real service, which the database's administrator attacks on the way. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { TeamFindingKind } from '#contract/team/activity.ts'
import { bodyDigest, readLedger } from '#practice/ledger.ts'
import { groundConnection, makeApplicantBatch } from '../../../scripts/batch-ground.ts'
import { startGate } from './gate.ts'
import { startTeamDatabase } from './postgres.ts'
import { must, openTeamGround, type TeamGround } from './team-batch-ground.ts'
import { addressSaid, teamOf } from './team-batch-kills.ts'

const practice = fileURLToPath(new URL('../../../practice/main.ts', import.meta.url))
const patient = { timeout: 60_000, interval: 100 }

export interface Runner {
  /** Of its installation, as the team numbers it. */
  readonly installation: string
  readonly ground: TeamGround
  /** Runs the batch here, or goes on; the first time once nobody else does. */
  start(): ReturnType<TeamGround['batches']['start']>
  state(): Promise<string>
  pause(): Promise<void>
  /** Closes it; `open` starts it again on the same files. */
  close(): Promise<void>
  open(): Promise<void>
  /** Rows that it has sent. */
  sent(): Promise<number>
  /** Waits until everything that it has recorded has arrived there. */
  isReceivedBy(other: Runner): Promise<void>
  findings(): Promise<readonly { readonly code: string; readonly of: string; readonly holds: boolean }[]>
}

export interface BatchScene {
  readonly id: string
  /** The first is a supervisor, who shared the batch. */
  readonly runners: readonly Runner[]
  /** As the administrator. */
  sql(text: string): string
  /** Passes so many further requests on to the service. */
  allow(count: number): void
  /** Passes on those that wait. */
  passWaiting(): void
  passed(): number
  /** Copies what the database has; `restore` puts it back, as a backup does. */
  backUp(): void
  restore(): void
  /** By row, how often the service received it. */
  received(): readonly number[]
  /** Outcomes and warnings by row, as an installation saves them. */
  results(of: Runner): Promise<readonly { readonly state: string; readonly warning?: string }[]>
  acknowledge(of: Runner, installation: string, finding: TeamFindingKind): Promise<void>
}

/** Everything but the list of members, which the scenes do not change. */
const backedUp = [
  'event',
  'head',
  'grant_box',
  'subject_key',
  'runner',
  'intent',
  'claim_order',
  'claim_count'
] as const

/** Calls `work` with a new team, whose first member has shared a batch that nobody has started. */
export async function inBatchScene<T>(
  options: { readonly rows: number; readonly installations: number; readonly atOnce?: number },
  work: (scene: BatchScene) => Promise<T>
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-batch-scene-'))
  const folders = [folder]
  const ledger = join(folder, 'ledger.jsonl')
  const service = spawn(process.execPath, [practice, '--port', '0', '--latency', '2-20', '--ledger', ledger], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const database = await startTeamDatabase()
  const open = new Set<TeamGround>()
  const gate = await startGate(await addressSaid(service))
  const ids = Array.from({ length: options.rows }, (_, index) => `TEAM-${index + 1}`)
  const sql = (text: string): string => database.postgres.sql(text, 'team')
  try {
    const team = await teamOf(database, options.installations, folders)
    const runners: Runner[] = []
    let id = ''
    for (const { folder: own, installation } of team) {
      const opened = async (): Promise<TeamGround> => {
        const ground = await openTeamGround(own, gate.baseUrl)
        open.add(ground)
        return ground
      }
      let ground = await opened()
      runners.push({
        installation,
        get ground() {
          return ground
        },
        async start() {
          if (!(await ground.batches.show(id)).ok)
            await expect
              .poll(
                async () => (await ground.team.batches.takeOver(id, { ...groundConnection, origin: gate.baseUrl })).ok,
                patient
              )
              .toBe(true)
          return ground.batches.start(id)
        },
        async state() {
          const batch = await ground.batches.show(id)
          return batch.ok ? batch.value.state : 'missing'
        },
        async pause() {
          await ground.batches.halt(id, 'paused')
          // What is on its way ends.
          await expect
            .poll(async () => {
              gate.passWaiting()
              return must(await ground.batches.show(id)).state
            }, patient)
            .not.toBe('running')
        },
        async close() {
          open.delete(ground)
          await ground.close()
        },
        open: async () => void (ground = await opened()),
        async sent() {
          const { counts } = must(await ground.batches.show(id))
          return counts.answered + counts.unknown
        },
        async isReceivedBy(other) {
          await expect
            .poll(async () => {
              const { last } = must(await ground.store.exchange.read({ after: 0, events: 0, bytes: 0, kept: [] }))
              const there = must(await other.ground.team.exchange())?.members.find(
                (member) => member.installation === installation
              )
              return (there?.events ?? 0) - last.seq
            }, patient)
            .toBe(0)
        },
        findings: async () =>
          must(await ground.team.exchange())?.members.flatMap((member) =>
            member.findings.map(({ failure: { code }, holds }) => ({ code, of: member.installation, holds }))
          ) ?? []
      })
    }
    const [first] = runners
    if (!first) throw new Error('nobody is here')
    id = await makeApplicantBatch(first.ground, ids, { atOnce: options.atOnce ?? 2 })
    must(await first.ground.team.batches.share(id))
    for (const { ground } of runners.slice(1))
      await expect
        .poll(async () => must(await ground.team.batches.list()).map((batch) => batch.id), patient)
        .toContain(id)
    return await work({
      id,
      runners,
      sql,
      allow: gate.allow,
      passWaiting: gate.passWaiting,
      passed: gate.passed,
      backUp: () =>
        void sql(
          `CREATE SCHEMA backup; ${backedUp.map((table) => `CREATE TABLE backup.${table} AS SELECT * FROM veridesk.${table}`).join('; ')}`
        ),
      restore: () =>
        void sql(
          `BEGIN; SET session_replication_role = replica; ${backedUp.map((table) => `DELETE FROM veridesk.${table}; INSERT INTO veridesk.${table} SELECT * FROM backup.${table}`).join('; ')}; COMMIT`
        ),
      received() {
        const digests = readLedger(ledger).map(({ digest }) => digest)
        return ids.map(
          (applicant) =>
            digests.filter((digest) => digest === bodyDigest(JSON.stringify({ applicant_id: applicant }))).length
        )
      },
      async results({ ground }) {
        const batch = must(await ground.batches.show(id))
        const { source } = must(
          await ground.team.batches.results(
            { batch, draft: must(await ground.store.batches.draft(id)) },
            ground.store.batches
          )
        )
        return must(await source.results(id, { after: 0, limit: 500, records: true })).rows.map(
          ({ state, warning }) => ({ state, ...(warning !== undefined && { warning }) })
        )
      },
      acknowledge: async ({ ground }, installation, finding) =>
        void must(await ground.team.acknowledgeFinding({ installation, finding, reason: 'A backup was restored' }))
    })
  } finally {
    for (const ground of open) await ground.close()
    gate.close()
    service.kill('SIGKILL')
    await database.end()
    for (const each of folders) rmSync(each, { recursive: true, force: true })
  }
}
