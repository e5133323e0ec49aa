/** Deals with what was found about the events of an installation. */
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import type { FindingOrder } from '#contract/team/activity.ts'
import type { Answer, TeamParts } from './actions.ts'
import type { ExchangePorts, TeamExchanging } from './exchange.ts'

interface Acknowledging {
  readonly ports: ExchangePorts | undefined
  readonly exchange: Pick<TeamExchanging, 'worker' | 'look'>
  readonly order: FindingOrder
}

/**
 * Records that a supervisor has dealt with a finding, which leaves with the exchange. The finding stays. Failures:
 * `team-missing`, `team-change-refused`, those of the history.
 */
export async function acknowledgeFinding(
  { clock }: Pick<TeamParts, 'clock'>,
  { ports, exchange, order }: Acknowledging
): Answer<null> {
  const worker = await exchange.worker()
  if (!worker.ok) return worker
  if (!worker.value || !ports) return failed('team-missing')
  const found = await worker.value.findings.acknowledgeable(order)
  if (!found.ok) return found
  const store = await ports.history()
  if (!store.ok) return store
  const [at, { operator }] = [clock.now(), ports]
  const { installation, finding, reason } = order
  const noted = await store.value.audit.note({
    kind: 'finding.acknowledged',
    operator,
    at,
    plain: { installation, finding, details: found.value?.details ?? {}, reason }
  })
  if (!noted.ok) return noted
  // The history first: what ends a hold is on record. If the file cannot be written, the finding goes on holding.
  const done = await worker.value.findings.acknowledge(order, { operator, at, seq: noted.value.seq })
  if (done.ok) exchange.look()
  return done.ok ? ok(null) : done
}
