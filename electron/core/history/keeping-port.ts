/** The keeping side of the port, over the worker's line. */
import { failed } from '#contract/failures.ts'
import type { CopyStore } from '../backup/store.ts'
import type { KeepingStore } from '../keepingStore.ts'
import type { LaunchWorker } from '../ports.ts'
import { connect } from '../workers/rpc.ts'

type Call = <T>(method: string, ...args: readonly unknown[]) => Promise<T>

export const keepingPort = (call: Call): KeepingStore => ({
  backup: { make: (folder) => call('backup.make', folder) },
  exporting: { records: (filter, after, limit) => call('export.records', filter, after, limit) },
  evidence: {
    collect: (about) => call('evidence.collect', about),
    differing: (events) => call('evidence.differing', events),
    addCase: (signed, operator, at) => call('evidence.addCase', signed, operator, at),
    cases: () => call('evidence.cases')
  },
  retention: {
    scope: (applicantId) => call('erasure.scope', applicantId),
    scopeOf: (subjects) => call('erasure.scopeOf', subjects),
    erase: (order) => call('erasure.erase', order),
    receipts: () => call('erasure.receipts'),
    plan: (rules, now) => call('retention.plan', rules, now),
    holds: () => call('holds.list'),
    hold: (applicantId, held, order) => call('holds.set', applicantId, held, order)
  }
})

/** A worker of its own for files that are not the present ones. It is to be ended after use. */
export function copyPort(launch: LaunchWorker): CopyStore {
  const worker = connect(launch('history'), (reason) => failed('backup-faulty', { detail: `its reader ended, ${reason}` }))
  const call: Call = <T>(method: string, ...args: readonly unknown[]) => worker.call(method, ...args) as Promise<T>
  return {
    check: (folder, masterKey) => call('copy.check', folder, masterKey),
    forget: (file, masterKey, digests) => call('copy.forget', file, masterKey, digests),
    end: () => worker.end()
  }
}
