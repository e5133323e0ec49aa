/** The keeping side of the port, over the worker's line. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, type Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import type { CheckedCopy, CopyStore } from './api/backup.ts'
import type { DataManagementStore } from './api/data-management.ts'
import type { LaunchWorker } from '#core/ports/worker-line.ts'
import { connect } from '#core/workers/rpc.ts'

type Call = <T>(method: string, ...args: readonly unknown[]) => Promise<T>

/** What a worker of its own for a backup is launched with. */
export interface BackupWorker {
  readonly launch: LaunchWorker
  readonly masterKey: string | undefined
}

/** The history's worker copies what stands still; a second one, which nobody waits for, makes the backup of it. */
async function makeBackup(call: Call, { launch, masterKey }: BackupWorker, folder: string): Promise<Result<CheckedCopy, Failure>> {
  if (masterKey === undefined) return failed('keeping-not-on-file')
  const still = join(folder, 'snapshot')
  await mkdir(still, { mode: 0o700 })
  try {
    const taken = await call<Result<null, Failure>>('backup.snapshot', still)
    if (!taken.ok) return taken
    const copies = copyPort(launch)
    return await copies.rewrite(still, folder, masterKey).finally(() => copies.end())
  } finally {
    await rm(still, { recursive: true, force: true })
  }
}

export const dataManagementPort = (call: Call, backup: BackupWorker): DataManagementStore => ({
  backup: { make: (folder) => makeBackup(call, backup, folder) },
  exporting: { records: (filter, after, limit) => call('export.records', filter, after, limit) },
  evidence: {
    collect: (about) => call('evidence.collect', about),
    differing: (events) => call('evidence.differing', events),
    addCase: (signed, operator, at) => call('evidence.addCase', signed, operator, at),
    author: (about, until) => call('evidence.author', about, until),
    cases: () => call('evidence.cases')
  },
  retention: {
    scope: (applicantId) => call('erasure.scope', applicantId),
    mentions: (applicantId, gone) => call('erasure.mentions', applicantId, gone),
    scopeOf: (subjects) => call('erasure.scopeOf', subjects),
    intend: (intent) => call('erasure.intend', intent),
    intended: () => call('erasure.intended'),
    abandon: (id) => call('erasure.abandon', id),
    erase: (order) => call('erasure.erase', order),
    uncleared: () => call('erasure.uncleared'),
    alive: (digests) => call('erasure.alive', digests),
    clearing: (id, held) => call('erasure.clearing', id, held),
    cleared: (id, copies) => call('erasure.cleared', id, copies),
    receipts: () => call('erasure.receipts'),
    plan: (rules, now) => call('retention.plan', rules, now),
    holds: () => call('holds.list'),
    hold: (applicantId, held, order) => call('holds.set', applicantId, held, order)
  }
})

/** A worker of its own for files that are not the present ones. It is to be ended after use. */
export function copyPort(launch: LaunchWorker): CopyStore {
  const worker = connect(launch('history'), (reason) => failed('backup-invalid', { reason: 'reader-ended', ending: reason }))
  const call: Call = <T>(method: string, ...args: readonly unknown[]) => worker.call(method, ...args) as Promise<T>
  return {
    rewrite: (from, to, masterKey) => call('copy.rewrite', from, to, masterKey),
    check: (folder, masterKey) => call('copy.check', folder, masterKey),
    holds: (file, masterKey, digests) => call('copy.holds', file, masterKey, digests),
    forget: (file, masterKey, digests) => call('copy.forget', file, masterKey, digests),
    hold: (order) => call('copy.hold', order),
    end: () => worker.end()
  }
}
