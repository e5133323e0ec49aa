/**
 * Counts what waits, once for all: for the windows, the number at the program's icon, and notifications of the system. The
 * last two have no personal data, since others may see the screen.
 */
import type { QueueCount } from '#contract/applicants/queue.ts'
import { signerOf } from '#contract/app/signatures.ts'
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
  reviews: (count: number, overdue: number): string => {
    const due = count === 1 ? '1 review due' : `${count} reviews due`
    return overdue === 0 ? due : `${due}, ${overdue} overdue`
  },
  approval: (count: number): string =>
    count === 1 ? '1 decision waits for your approval' : `${count} decisions wait for approval`,
  failing: 'A connection is failing',
  openTheQueue: 'Open the queue in Veridesk.',
  openTheTeam: 'Open the team’s approvals in Veridesk.',
  openConnections: 'The last requests did not get an answer about a person. Look at the connection in Veridesk.'
} as const

/** Milliseconds from a change until it is counted: a batch makes many a second. */
const pause = 500
/** Milliseconds after which due dates are counted again, though nothing changed: a day may have begun. */
const interval = 10 * 60_000
/** Failed requests in succession after which a connection counts as failing. */
export const failingAfter = 5

/** Counted only after these. */
const countedAfter: ReadonlySet<ConsoleEvent['kind']> = new Set<ConsoleEvent['kind']>([
  'evidence-changed',
  'history-changed',
  'team-changed',
  'data-removed'
])

export interface AttentionParts {
  readonly host: Pick<HostPorts, 'notify' | 'showBadge' | 'operator' | 'clock' | 'announce' | 'sample'>
  readonly history: Pick<CurrentHistory, 'store'>
  settings(): Settings
  /** Undefined without a team. */
  team(): Promise<Team> | undefined
}

export interface Attention {
  /** The latest count; the first call makes it. Undefined while no history is open. */
  waiting(): Promise<QueueCount | undefined>
  /** To be told of every event of the console. */
  onEvent(event: ConsoleEvent): void
  /** To be told of every request that was sent to an origin. */
  onSent(origin: string, ending: RecordEnding): void
  close(): void
}

/** With the decisions that wait for this person's approval. */
type Waiting = QueueCount & { readonly approvals: number }

async function waitingFor({ host, history, team, settings }: AttentionParts): Promise<Waiting | undefined> {
  const store = history.store()
  if (!store.ok) return undefined
  const loaded = await team()
  const claims = await loaded?.claims({ applicantIds: [], recordIds: [] })
  const member = claims?.ok ? claims.value?.name : undefined
  const names = [...new Set([member, settings().displayName, signerOf(host.operator).account])].flatMap(
    (name) => name || []
  )
  const counted = await store.value.queue.waiting(names, host.clock.now(), settings().reviewRemindDays)
  if (!counted.ok) return undefined
  const asked = await loaded?.approvals.list({ limit: 0 })
  return { ...counted.value, names, approvals: asked?.ok ? (asked.value?.waiting ?? 0) : 0 }
}

export function createAttention(parts: AttentionParts): Attention {
  const { host, settings } = parts
  let last: Waiting | undefined
  let dueDay: number | undefined
  /** By a colleague: what this person assigns is no news to them. */
  let byTeam = false
  let timer: NodeJS.Timeout | undefined
  let again: NodeJS.Timeout | undefined
  let counting: Promise<void> | undefined
  /** The person's name at the last count. */
  let named = ''
  let closed = false

  function notify(found: Waiting, before: Waiting | undefined, fromTeam: boolean): void {
    host.showBadge(found.assigned + found.unassigned)
    const day = today(host.clock.now())
    const wants = settings()
    const cases = found.due + found.overdue
    if (wants.notifyDue && cases + found.reviews > 0 && dueDay !== day) {
      dueDay = day
      const reviews = found.reviews > 0 ? sentences.reviews(found.reviews, found.reviewsOverdue) : undefined
      host.notify(
        cases > 0 ? sentences.due(found.due, found.overdue) : (reviews ?? ''),
        cases > 0 && reviews ? `${reviews}. ${sentences.openTheQueue}` : sentences.openTheQueue,
        { page: 'queue' }
      )
    }
    if (before && fromTeam && wants.notifyAssigned && found.assigned > before.assigned)
      host.notify(sentences.assigned(found.assigned - before.assigned), sentences.openTheQueue, { page: 'queue' })
    if (before && wants.notifyApproval && found.approvals > before.approvals)
      host.notify(sentences.approval(found.approvals), sentences.openTheTeam, { page: 'team' })
  }
  async function look(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const fromTeam = byTeam
    byTeam = false
    named = settings().displayName
    const found = await waitingFor(parts).catch(() => undefined)
    if (closed) return
    const before = last
    last = found
    if (found) {
      const { approvals: _, ...waiting } = found
      host.announce({ kind: 'queue-counted', waiting })
      if (!host.sample) notify(found, before, fromTeam)
    } else if (!host.sample) host.showBadge(0)
  }
  /** One at a time: the first one loads the whole queue. */
  async function count(): Promise<void> {
    while (counting) await counting
    counting = look().finally(() => (counting = undefined))
    await counting
  }
  function soon(): void {
    timer ??= setTimeout(() => void count(), pause).unref()
    again ??= setInterval(() => soon(), interval).unref()
  }

  const problems = new Map<string, number>()
  return {
    async waiting() {
      if (counting) await counting
      else if (!last) await count()
      if (!last) return undefined
      const { approvals: _, ...waiting } = last
      return waiting
    },
    onEvent({ kind }) {
      const renamed = kind === 'state-changed' && last !== undefined && named !== settings().displayName
      if (closed || !(renamed || countedAfter.has(kind))) return
      // Another history, or none.
      if (kind === 'data-removed') last = undefined
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
