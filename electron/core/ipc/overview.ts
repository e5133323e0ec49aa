/** The overview. Figures of a person are for supervisors alone; without a team its only person counts as one. */
import type { overviewChannels } from '#contract/overview/channels.ts'
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import { withHistory, type HandlerParts } from './parts.ts'

export function overviewHandlers(parts: HandlerParts): HandlersOf<typeof overviewChannels> {
  const { host, inTeam, team } = parts
  async function isSupervisor(): Promise<boolean> {
    if (!inTeam()) return true
    const exchange = await (await team()).exchange()
    return exchange.ok && exchange.value?.members.some(({ own, role }) => own && role === 'supervisor') === true
  }
  /** Brings colleagues' decisions to the figures of the history: those that have arrived here, also without the team's database. */
  async function bring(): Promise<void> {
    if (!inTeam()) return
    const [colleagues, store] = [await team(), await parts.history.ready()]
    if (!store.ok) return
    const { overview } = store.value
    for (let more = true; more;) {
      const known = await overview.colleagues()
      const page = known.ok ? await colleagues.cases(known.value) : known
      const taken = page.ok && page.value ? await overview.colleagues(page.value) : undefined
      more = taken?.ok === true && page.ok && page.value?.more === true
    }
  }
  let bringing: Promise<void> | undefined
  /** Pages follow each other: nobody asks for the next one in between. */
  const withColleagues = async (): Promise<void> => {
    bringing ??= bring().finally(() => (bringing = undefined))
    await bringing
  }
  return {
    'overview.show': ({ period, connection }) =>
      withHistory(parts, ({ overview }) => overview.show(period, connection)),
    'overview.waiting': () => withHistory(parts, ({ overview }) => overview.waiting(host.clock.now())),
    'overview.retention': async () => {
      const { retentionFrom, retentionYears } = parts.settings.current()
      return retentionFrom === 'relationship'
        ? withHistory(parts, ({ erasure }) => erasure.due(retentionYears, host.clock.now()))
        : ok(null)
    },
    'overview.reviews': (period) => withHistory(parts, ({ overview }) => overview.reviews(host.clock.now(), period)),
    'overview.decisions': async (query) => {
      const supervisor = await isSupervisor()
      if (query.reviewer !== undefined && !supervisor) return failed('supervisor-needed')
      await withColleagues()
      const figures = await withHistory(parts, ({ overview }) => overview.decisions(query, host.clock.now()))
      if (!figures.ok) return figures
      if (figures.value.kind === 'counting') return ok(figures.value)
      const { lookedByPerson, ...shared } = figures.value
      const { reviewers = [], looked: _, choices, ...others } = shared
      const names = new Set((await parts.attention.waiting())?.names)
      const own = reviewers.reduce((sum, { name, decided }) => sum + (names.has(name) ? decided : 0), 0)
      const ofEach = parts.policies.values().ReviewRatesPerPerson === true && lookedByPerson
      if (supervisor) return ok({ ...shared, own, ...(ofEach && { lookedByPerson: ofEach }) })
      return ok({ ...others, own, choices: { connections: choices.connections } })
    },
    'overview.report': async (order) => {
      if (order.names && !(await isSupervisor())) return failed('supervisor-needed')
      await withColleagues()
      const all = await parts.connections.list()
      const exchange = inTeam() ? await (await team()).exchange() : undefined
      return parts.exports.report(order, {
        ...(exchange?.ok && exchange.value?.at !== undefined && { colleaguesAt: exchange.value.at }),
        operator: host.operator,
        version: host.version,
        connections: all.map(({ id, name, mode, price }) => ({ id, name, mode, price: price ?? undefined }))
      })
    },
    'overview.list': async (query) => {
      if (query.reviewer !== undefined && !(await isSupervisor())) return failed('supervisor-needed')
      await withColleagues()
      return withHistory(parts, ({ overview }) => overview.decisionList(query, host.clock.now()))
    }
  }
}
