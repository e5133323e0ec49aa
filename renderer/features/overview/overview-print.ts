/** The overview on paper: the figures of the address as one table. */
import type { LocationQuery } from 'vue-router'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { ask } from '../../bridge.ts'
import { stateMarks } from '../../kit/marks.ts'
import { count } from '../../kit/text.ts'
import { periodWords } from '../history/views.ts'
import type { PrintPage } from '../shell/print-pages.ts'
import { share, span } from './decision-plots.ts'
import { narrowedOf } from './overview-address.ts'
import { barLabel, choiceOf, rangeBefore, rangeOf, requestOf, unitOf } from './overview-period.ts'
import { words } from './words.ts'

const backlog = words.backlog
const inBacklog = (total: number): string => words.labelWaiting({ label: backlog, total })
const atPresent = words.waitingNow
const waitingNow = (total: number): string => words.labelWaiting({ label: atPresent, total })

/** Failures: those of the request. */
export async function overviewPage(query: LocationQuery, modes: string): Promise<Result<PrintPage, Failure>> {
  const [choice, narrowed, now] = [choiceOf(query), narrowedOf(query), Date.now()]
  const all = 'days' in choice && choice.days === 'all'
  for (let firstAt: number | undefined; ;) {
    const range = rangeOf(choice, now, firstAt) ?? { from: 0, until: now }
    const before = rangeBefore(choice, range) ?? { from: 0, until: 0 }
    const answer = await ask('overview.decisions', { period: requestOf(range), before, ...narrowed })
    if (!answer.ok) return answer
    if (answer.value.kind === 'counting') continue
    const figures = answer.value
    if (all && firstAt === undefined && figures.firstAt !== undefined) {
      firstAt = figures.firstAt
      continue
    }
    const { decided, decisions, times, waiting, overturned, bars } = figures
    const percent = (part: number): string => (narrowed.reviewer === undefined ? share(part, decided) : '')
    const unit = unitOf(range)
    const rows: (readonly string[])[] = [
      [words.decided, count(decided), ''],
      ...(['approve', 'decline', 'escalate'] as const).map((each) => [
        stateMarks[each].word,
        count(decisions[each]),
        percent(decisions[each])
      ]),
      ...(times ? [[words.timeToDecision, span(times.median), words.medianAnd90({ time: span(times.p90) })]] : []),
      ...(overturned === undefined ? [] : [[words.overturned, count(overturned), percent(overturned)]]),
      [words.waitingNow, count(waiting.total), words.overdueItems({ overdue: count(waiting.overdue) })],
      ...bars
        .filter(({ backlog }) => backlog)
        .map((bar) => [
          barLabel(bar.from, unit),
          count(bar.decisions.approve + bar.decisions.decline + bar.decisions.escalate),
          inBacklog(bar.backlog?.total ?? 0)
        ]),
      ...figures.messages.map(({ id, message, decided: made }) => [
        message ?? (id === 0 ? words.noMessage : words.aMessageThatWasErased),
        count(made),
        ''
      ]),
      ...(figures.reviewers ?? []).map(({ name, decided: made, waiting: waits }) => [
        name || words.unassigned,
        count(made),
        waitingNow(waits)
      ]),
      ...figures.connections.map(({ name, decided: made, waiting: waits }) => [name, count(made), waitingNow(waits)])
    ]
    const title = [words.overview, narrowed.reviewer].filter(Boolean).join(', ')
    return ok({
      title,
      modes,
      extent: periodWords(range.from, range.until),
      columns: [words.figure, words.number, ''],
      rows
    })
  }
}
