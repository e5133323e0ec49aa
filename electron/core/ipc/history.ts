/** Single verifications and their records. */
import type { Handlers } from './router.ts'
import { withHistory, type HandlerParts } from './parts.ts'

type Names =
  | 'verification.run'
  | 'verification.cancel'
  | 'history.page'
  | 'history.counts'
  | 'history.record'
  | 'history.settle'
  | 'history.tryAgain'
  | 'history.openForSitting'
  | 'history.setAside'

export function historyHandlers(parts: HandlerParts): Pick<Handlers, Names> {
  const { host, history, runs, trail } = parts
  return {
    'verification.run': (request) => runs.run(request),
    'verification.cancel': async ({ runId }) => ({ ok: true, value: runs.cancel(runId) }),
    'history.page': (query) => withHistory(parts, (store) => store.page(query)),
    'history.counts': ({ filter }) => withHistory(parts, (store) => store.counts(filter)),
    'history.record': ({ id }) =>
      withHistory(parts, async (store) => {
        const record = await store.record(id)
        if (record.ok) await trail.viewed({ recordId: id })
        return record
      }),
    'history.settle': ({ id, as, note }) =>
      withHistory(parts, async (store) => {
        const settled = await store.settle(id, as, note, host.clock.now())
        if (!settled.ok) return settled
        host.announce({ kind: 'history-changed' })
        return store.record(id)
      }),
    'history.tryAgain': async () => {
      await history.open()
      return { ok: true, value: parts.state() }
    },
    'history.openForSitting': async () => {
      await history.openForSitting()
      return { ok: true, value: parts.state() }
    },
    'history.setAside': async () => {
      const aside = await history.setAside()
      return aside.ok ? { ok: true, value: parts.state() } : aside
    }
  }
}
