/** Verifications per second that the history records, start and end, through its worker. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { historyFolder, openHistory } from '#core/history/open.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { launchInNode } from '../../../electron/hosts/node/workers.ts'
import { systemClock } from '../../../electron/hosts/node/ports.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import { seedChecks } from '../../seed-data.ts'
import type { BenchRun } from '../bench-run.ts'

/** Concurrency and total number. */
const loads = [
  [1, 1000],
  [8, 6000],
  [64, 12_000]
] as const

/** Verifications recorded per second, one at a time and many concurrently. */
export async function measureRecording({ sized }: BenchRun): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-bench-recording-'))
  try {
    const opened = await openHistory({
      folder: historyFolder(folder),
      secrets: createSessionSecrets(),
      launch: launchInNode(),
      clock: systemClock
    })
    if (!opened.ok) throw new Error(opened.failure.code)
    const { store } = opened.value
    const rows = []
    for (const [atOnce, full] of loads) {
      const count = sized(full, 100)
      const checks = seedChecks(count, Date.now())
      const from = performance.now()
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (const { intent, ending } of checks) {
            const begun = await store.begin(intent)
            if (!begun.ok) throw new Error(begun.failure.code)
            const ended = await store.finish(begun.value.id, { ...ending, endedAt: intent.startedAt + 1 })
            if (!ended.ok) throw new Error(ended.failure.code)
          }
        })
      )
      rows.push(
        rowOf({
          name: `${atOnce} at once, ${count.toLocaleString('en')} in all`,
          unit: 'a second',
          samples: [count / ((performance.now() - from) / 1000)]
        })
      )
    }
    await store.close()
    return { rows }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
