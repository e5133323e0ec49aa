/** Which credentials a connection last used, and for which destination, as far as the history of version 0.1 shows. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { LastUse } from './bound.ts'

/** The last request of a connection; undefined if there was none or no history is open. */
export async function lastUseOf(
  store: Result<HistoryStore, Failure>,
  connectionId: string
): Promise<LastUse | undefined> {
  if (!store.ok) return undefined
  const page = await store.value.page({ filter: { connections: [connectionId] }, limit: 1 })
  const last = page.ok ? page.value.records[0] : undefined
  const record = last && (await store.value.record(last.id))
  if (!record?.ok) return undefined
  const { connection, credentialFingerprint: fingerprint } = record.value
  return { origin: connection.origin, mode: connection.mode, fingerprint }
}
