/** What this installation did, and what waits here, for the overview of its team. */
import { ok } from '#contract/failures/result.ts'
import type { TeamPeriod } from '#contract/team/overview.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { OwnOverview } from '#team/thread/asked.ts'
import type { Answer } from './actions.ts'

/** Failures: the history's. */
export async function ownOverview(
  { exchange, queue }: Pick<HistoryStore, 'exchange' | 'queue'>,
  { from, until }: TeamPeriod,
  now: number
): Answer<OwnOverview> {
  const people = await exchange.work(from, until)
  if (!people.ok) return people
  const page = await queue.page({ limit: 1 }, now)
  if (!page.ok) return page
  const { counts, facets } = page.value
  return ok({
    people: people.value,
    unknown: counts.unresolved,
    waiting: counts.open,
    queue: facets?.assignees.map(({ value: person, count }) => ({ person, count })) ?? []
  })
}
