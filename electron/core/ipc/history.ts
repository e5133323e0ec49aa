/** Single verifications and their records. */
import type { historyChannels } from '#contract/history/channels.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import { withHistory, type HandlerParts } from './parts.ts'

export function historyHandlers(parts: HandlerParts): HandlersOf<typeof historyChannels> {
  const { host, history, runs, checks, auditTrail } = parts
  return {
    'verification.run': (request) => runs.run(request),
    'verification.cancel': async ({ runId }) => ({ ok: true, value: runs.cancel(runId) }),
    'check.plan': (request) => checks.plan(request),
    'check.run': (request) => checks.run(request),
    'check.show': async ({ checkId }) => ({ ok: true, value: checks.show(checkId) }),
    'check.cancelRest': async ({ checkId }) => ({ ok: true, value: checks.cancelRest(checkId) }),
    'history.page': (query) => withHistory(parts, (store) => store.page(query)),
    'history.counts': ({ filter }) => withHistory(parts, (store) => store.counts(filter)),
    'history.record': ({ id }) => withHistory(parts, (store) => store.record(id)),
    'history.resolve': ({ id, as, note }) =>
      withHistory(parts, async (store) => {
        const resolved = await store.resolve(id, as, note, { at: host.clock.now(), operator: host.operator })
        return resolved.ok ? store.record(id) : resolved
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
          plain: { action: 'history.left-closed' }
        })
      await history.openForSession()
      return { ok: true, value: parts.state() }
    },
    'history.setAside': async () => {
      const aside = await history.setAside()
      if (!aside.ok) return aside
      await auditTrail.note({
        kind: 'setting.changed',
        plain: { action: 'history.set-aside' }
      })
      return { ok: true, value: parts.state() }
    }
  }
}
