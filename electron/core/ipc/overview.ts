/** The overview. Figures of a person are for supervisors alone; without a team its only person counts as one. */
import type { overviewChannels } from '#contract/overview/channels.ts'
import { failed } from '#contract/failures/failures.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import { withHistory, type HandlerParts } from './parts.ts'

export function overviewHandlers(parts: HandlerParts): HandlersOf<typeof overviewChannels> {
  const { host, inTeam, team } = parts
  async function isSupervisor(): Promise<boolean> {
    if (!inTeam()) return true
    const exchange = await (await team()).exchange()
    return exchange.ok && exchange.value?.members.some(({ own, role }) => own && role === 'supervisor') === true
  }
  return {
    'overview.show': ({ period, connection }) =>
      withHistory(parts, ({ overview }) => overview.show(period, connection)),
    'overview.waiting': () => withHistory(parts, ({ overview }) => overview.waiting(host.clock.now())),
    'overview.decisions': async (query) => {
      const supervisor = await isSupervisor()
      if (query.reviewer !== undefined && !supervisor) return failed('supervisor-needed')
      const figures = await withHistory(parts, ({ overview }) => overview.decisions(query, host.clock.now()))
      if (!figures.ok || figures.value.kind === 'counting' || supervisor) return figures
      const { reviewers: _, choices, ...others } = figures.value
      return { ok: true, value: { ...others, choices: { connections: choices.connections } } }
    },
    'overview.report': async (order) => {
      if (order.names && !(await isSupervisor())) return failed('supervisor-needed')
      const all = await parts.connections.list()
      return parts.exports.report(order, {
        operator: host.operator,
        version: host.version,
        connections: all.map(({ id, name, mode, price }) => ({ id, name, mode, price: price ?? undefined }))
      })
    },
    'overview.list': async (query) =>
      query.reviewer !== undefined && !(await isSupervisor())
        ? failed('supervisor-needed')
        : withHistory(parts, ({ overview }) => overview.decisionList(query, host.clock.now()))
  }
}
