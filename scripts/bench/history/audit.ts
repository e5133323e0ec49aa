/** Duration of verifying 100,000 events of the audit trail, requested as the window does. */
import { ok } from '#contract/failures/result.ts'
import { createAuditTrail } from '#core/audit/audit-trail.ts'
import { masterKeyAccount, openHistory } from '#core/history/open.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { launchInNode } from '../../../electron/hosts/node/workers.ts'
import { systemClock } from '../../../electron/hosts/node/ports.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import type { SeededHistory } from '../seeded-histories.ts'

const aim = 3000
const events = 100_000

/** Milliseconds for 100,000 events, including reading and decrypting pages, just after opening. */
async function verified({ folder, masterKey }: SeededHistory): Promise<number> {
  const secrets = createSessionSecrets()
  await secrets.set(masterKeyAccount, masterKey)
  const opened = await openHistory({ folder, secrets, launch: launchInNode(), clock: systemClock })
  if (!opened.ok) throw new Error(opened.failure.code)
  const { store } = opened.value
  const auditTrail = createAuditTrail({
    clock: systemClock,
    operator: 'bench',
    history: () => ok(store),
    onFailure: () => undefined
  })
  const from = performance.now()
  const verdict = await auditTrail.verify(() => undefined)
  const took = performance.now() - from
  await store.close()
  if (!verdict.ok || !verdict.value.intact) throw new Error('the audit trail is not whole')
  return (took * events) / verdict.value.events
}

export async function measureAudit({ sized, history }: BenchRun): Promise<Measured> {
  // Each record creates two events.
  const seeded = await history(sized(events / 2, 500))
  const samples: number[] = []
  for (let round = sized(7, 2); round > 0; round -= 1) samples.push(await verified(seeded))
  return { rows: [rowOf({ name: '100,000 events verified', unit: 'ms', samples, aims: { median: aim } })] }
}
