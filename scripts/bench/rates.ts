/** How many checks a second the history takes, begin and finish, through its worker. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { historyFolder, openHistory } from '#core/history/open.ts'
import { createSittingSecrets } from '#core/secrets/session-secrets.ts'
import { launchInNode } from '#core/workers/node.ts'
import { seedChecks } from '../seed-data.ts'

export async function writeRate(): Promise<{ readonly atOnce: number; readonly rate: number }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-rate-'))
  try {
    const clock = { now: () => Date.now(), monotonic: () => performance.now() }
    const opened = await openHistory({ folder: historyFolder(folder), secrets: createSittingSecrets(), launch: launchInNode(), clock })
    if (!opened.ok) throw new Error(opened.failure.what)
    const { store } = opened.value
    const rates = []
    for (const [atOnce, count] of [[1, 1000], [8, 6000], [64, 12_000]] as const) {
      const checks = seedChecks(count, Date.now())
      const from = performance.now()
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (const { intent, ending } of checks) {
            const begun = await store.begin(intent)
            if (!begun.ok) throw new Error(begun.failure.what)
            const ended = await store.finish(begun.value.id, { ...ending, endedAt: intent.startedAt + 1 })
            if (!ended.ok) throw new Error(ended.failure.what)
          }
        })
      )
      rates.push({ atOnce, rate: count / ((performance.now() - from) / 1000) })
    }
    await store.close()
    return rates
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
