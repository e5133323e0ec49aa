/** Single verifications and their records. */
import type { historyChannels } from '#contract/history/channels.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import { shown, withHistory, type HandlerParts } from './parts.ts'

export function historyHandlers(parts: HandlerParts): HandlersOf<typeof historyChannels> {
  const { host, history, runs, auditTrail } = parts
  return {
    'verification.run': async (request) => {
      const ending = await runs.run(request)
      if (ending.ok && ending.value.kind === 'recently-answered')
        await auditTrail.viewed({ what: 'record', about: { recordId: ending.value.earlier.id } })
      if (ending.ok && ending.value.kind === 'may-have-been-sent' && ending.value.earlier.kind === 'unresolved')
        await auditTrail.viewed({ what: 'record', about: { recordId: ending.value.earlier.record.id } })
      if (ending.ok && ending.value.kind === 'checked-by-colleague') await auditTrail.viewed({ what: 'team' })
      return ending
    },
    'verification.cancel': async ({ runId }) => ({ ok: true, value: runs.cancel(runId) }),
    'history.page': ({ visit, ...query }) =>
      withHistory(parts, (store) =>
        shown(parts, { what: 'history', ...(query.filter.search && { search: true }) }, visit, store.page(query))
      ),
    'history.counts': ({ filter }) => withHistory(parts, (store) => store.counts(filter)),
    'history.record': ({ id, visit }) =>
      withHistory(parts, (store) => shown(parts, { what: 'record', about: { recordId: id } }, visit, store.record(id))),
    'history.resolve': ({ id, as, note }) =>
      withHistory(parts, async (store) => {
        const resolved = await store.resolve(id, as, note, { at: host.clock.now(), operator: host.operator })
        if (!resolved.ok) return resolved
        host.announce({ kind: 'history-changed' })
        return store.record(id)
      }),
    'history.tryAgain': async () => {
      await history.open()
      return { ok: true, value: parts.state() }
    },
    'history.openForSession': async () => {
      // Before opening: notes made while no history is open wait for a permanent one.
      if (history.state().state === 'failed')
        await auditTrail.note({
          kind: 'setting.changed',
          plain: { name: 'history', from: '', to: 'left closed, and one of this session opened' }
        })
      await history.openForSession()
      return { ok: true, value: parts.state() }
    },
    'history.setAside': async () => {
      const aside = await history.setAside()
      if (!aside.ok) return aside
      await auditTrail.note({
        kind: 'setting.changed',
        plain: { name: 'history', from: '', to: 'set aside, and a new one begun' }
      })
      return { ok: true, value: parts.state() }
    }
  }
}
