/**
 * What calls a person to the console: notifications of the system, and the number at the program's icon. Neither has personal
 * data, since others may see the screen.
 */
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { isServiceProblem } from '#core/batches/breaker.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { CurrentHistory } from '#core/history/current.ts'
import type { Team } from '#core/team/team.ts'
import { today } from '#contract/applicants/due-dates.ts'

const cases = (count: number): string => (count === 1 ? '1 case' : `${count} cases`)

/** What notifications say. */
const sentences = {
  assigned: (count: number): string => `${cases(count)} assigned to you`,
  due: (today: number, overdue: number): string =>
    overdue === 0
      ? `${cases(today)} due today`
      : today === 0
        ? `${cases(overdue)} overdue`
        : `${cases(today)} due today, ${overdue} overdue`,
  approval: (count: number): string =>
    count === 1 ? '1 decision waits for your approval' : `${count} decisions wait for approval`,
  failing: 'A connection is failing',
  openTheQueue: 'Open the queue in Veridesk.',
  openTheTeam: 'Open the team’s approvals in Veridesk.',
  openConnections: 'The last requests did not get an answer about a person. Look at the connection in Veridesk.'
} as const

/** Milliseconds from a change until it is counted: a batch makes many a second. */
const pause = 2000
/** Milliseconds after which due dates are counted again, though nothing changed: a day may have begun. */
const interval = 10 * 60_000
/** Failed requests in succession after which a connection counts as failing. */
export const failingAfter = 5

/** Counted only after these. */
const counting: ReadonlySet<ConsoleEvent['kind']> = new Set<ConsoleEvent['kind']>([
  'evidence-changed',
  'history-changed',
  'team-changed',
  'data-removed'
])

export interface AttentionParts {
  readonly host: Pick<HostPorts, 'notify' | 'showBadge' | 'operator' | 'clock'>
  readonly history: Pick<CurrentHistory, 'store'>
  settings(): Settings
  /** Undefined without a team. */
  team(): Promise<Team> | undefined
}

export interface Attention {
  /** To be told of every event of the console. */
  onEvent(event: ConsoleEvent): void
  /** To be told of every request that was sent to an origin. */
  onSent(origin: string, ending: RecordEnding): void
  close(): void
}

/** What waits for this person. */
interface Waiting {
  readonly assigned: number
  readonly unassigned: number
  readonly due: number
  readonly overdue: number
  readonly approvals: number
}

async function waitingFor({ host, history, team }: AttentionParts): Promise<Waiting | undefined> {
  const store = history.store()
  if (!store.ok) return undefined
  const loaded = await team()
  const claims = await loaded?.claims({ applicantIds: [], recordIds: [] })
  const me = (claims?.ok ? claims.value?.name : undefined) ?? host.operator
  const page = await store.value.queue.page({ limit: 1 }, host.clock.now())
  if (!page.ok || !page.value.facets) return undefined
  const { assignees, due } = page.value.facets
  const of = (name: string): number => assignees.find(({ value }) => value === name)?.count ?? 0
  const asked = await loaded?.approvals.list({ limit: 0 })
  return {
    assigned: of(me),
    unassigned: of(''),
    due: due.today,
    overdue: due.overdue,
    approvals: asked?.ok ? (asked.value?.waiting ?? 0) : 0
  }
}

export function createAttention(parts: AttentionParts): Attention {
  const { host, settings } = parts
  let last: Waiting | undefined
  let dueDay: number | undefined
  /** By a colleague: what this person assigns is no news to them. */
  let byTeam = false
  let timer: NodeJS.Timeout | undefined
  let again: NodeJS.Timeout | undefined
  let closed = false

  async function count(): Promise<void> {
    timer = undefined
    const fromTeam = byTeam
    byTeam = false
    const found = await waitingFor(parts).catch(() => undefined)
    if (closed) return
    host.showBadge(found ? found.assigned + found.unassigned : 0)
    if (!found) return
    const before = last
    last = found
    const day = today(host.clock.now())
    const wants = settings()
    if (wants.notifyDue && found.due + found.overdue > 0 && dueDay !== day) {
      dueDay = day
      host.notify(sentences.due(found.due, found.overdue), sentences.openTheQueue, { page: 'queue' })
    }
    if (before && fromTeam && wants.notifyAssigned && found.assigned > before.assigned)
      host.notify(sentences.assigned(found.assigned - before.assigned), sentences.openTheQueue, { page: 'queue' })
    if (before && wants.notifyApproval && found.approvals > before.approvals)
      host.notify(sentences.approval(found.approvals), sentences.openTheTeam, { page: 'team' })
  }
  function soon(): void {
    timer ??= setTimeout(() => void count(), pause).unref()
    again ??= setInterval(() => soon(), interval).unref()
  }

  const problems = new Map<string, number>()
  return {
    onEvent({ kind }) {
      if (closed || !counting.has(kind)) return
      if (kind === 'team-changed') byTeam = true
      // What was assigned here is counted together with what arrived: better silent than about oneself.
      if (kind === 'evidence-changed') byTeam = false
      soon()
    },
    onSent(origin, ending) {
      const count = isServiceProblem(ending) ? (problems.get(origin) ?? 0) + 1 : 0
      problems.set(origin, count)
      if (count === failingAfter && settings().notifyConnection)
        host.notify(sentences.failing, sentences.openConnections, { page: 'connections' })
    },
    close() {
      closed = true
      clearTimeout(timer)
      clearInterval(again)
    }
  }
}
