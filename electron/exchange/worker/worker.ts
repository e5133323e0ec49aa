/** The team's worker: one team is open at a time. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { connect, findPort, lineToHost, serve } from '#wire/rpc.ts'
import type { TeamBatchWorker } from '#team/thread/batches.ts'
import type { TeamHost, TeamWorker } from '#team/thread/thread.ts'
import { openTeam, type OpenTeam } from './session.ts'

const port = findPort()
const host = connect<TeamHost>(lineToHost(port)).api
let team: OpenTeam | undefined

type Answer<T> = Promise<Result<T, Failure>> | Result<T, Failure>
const opened = <T>(work: (open: OpenTeam) => Answer<T>): Answer<T> => (team ? work(team) : failed('team-missing'))

type Work<Name extends keyof TeamBatchWorker> = (batches: TeamBatchWorker) => ReturnType<TeamBatchWorker[Name]>
const withBatches = <Name extends keyof TeamBatchWorker>(work: Work<Name>): ReturnType<TeamBatchWorker[Name]> =>
  (team ? work(team.batches) : Promise.resolve(failed('team-missing'))) as ReturnType<TeamBatchWorker[Name]>

serve<TeamWorker>(
  {
    batches: {
      open: (terms) => withBatches<'open'>((batches) => batches.open(terms)),
      compare: (id, rows) => withBatches<'compare'>((batches) => batches.compare(id, rows)),
      take: (id, seconds) => withBatches<'take'>((batches) => batches.take(id, seconds)),
      rows: (id, sharer, from, to) => withBatches<'rows'>((batches) => batches.rows(id, sharer, from, to)),
      spent: (id, sharer, row) => withBatches<'spent'>((batches) => batches.spent(id, sharer, row)),
      claims: (id, part) => withBatches<'claims'>((batches) => batches.claims(id, part)),
      confirm: (id, claim, given) => withBatches<'confirm'>((batches) => batches.confirm(id, claim, given)),
      watch: (id, claims) => withBatches<'watch'>((batches) => batches.watch(id, claims)),
      unsent: (id, sharer, from, to) => withBatches<'unsent'>((batches) => batches.unsent(id, sharer, from, to)),
      reopen: (id, part) => withBatches<'reopen'>((batches) => batches.reopen(id, part)),
      intend: (id, held, attempts) => withBatches<'intend'>((batches) => batches.intend(id, held, attempts)),
      takeLane: (id, seconds) => withBatches<'takeLane'>((batches) => batches.takeLane(id, seconds)),
      renew: (id, of, held, seconds) => withBatches<'renew'>((batches) => batches.renew(id, of, held, seconds)),
      leave: (id, of, held, done) => withBatches<'leave'>((batches) => batches.leave(id, of, held, done)),
      runners: (id) => withBatches<'runners'>((batches) => batches.runners(id)),
      figures: (id) => withBatches<'figures'>((batches) => batches.figures(id)),
      intents: (id, from, to) => withBatches<'intents'>((batches) => batches.intents(id, from, to)),
      received: () => withBatches<'received'>((batches) => batches.received()),
      find: (id) => withBatches<'find'>((batches) => batches.find(id)),
      page: (id, sharer, after, limit) => withBatches<'page'>((batches) => batches.page(id, sharer, after, limit)),
      outcomes: (id, from, to) => withBatches<'outcomes'>((batches) => batches.outcomes(id, from, to)),
      twice: (id, from, to) => withBatches<'twice'>((batches) => batches.twice(id, from, to)),
      names: () => withBatches<'names'>((batches) => batches.names())
    },
    open(opening) {
      const open = openTeam(opening, host)
      if (!open.ok) return open
      team = open.value
      return ok(null)
    },
    exchange: () => opened((open) => open.exchange()),
    activity: (query) => opened((open) => open.activity(query)),
    applicant: (query, decisions) => opened((open) => open.applicant(query, decisions)),
    superseded: (applicantId, decisions) => opened((open) => open.superseded(applicantId, decisions)),
    earlier: (same) => opened((open) => open.earlier(same)),
    overview: (period) => opened((open) => open.overview(period)),
    acknowledgeable: (order) => opened((open) => open.findings.acknowledgeable(order)),
    acknowledge: (order, by) => opened((open) => open.findings.acknowledge(order, by)),
    fork: (installation) => opened((open) => open.fork(installation)),
    erasures: (events) => opened((open) => open.erasures(events)),
    approvals: (query) => opened((open) => open.approvals.list(query)),
    approvalBasis: (applicantId) => opened((open) => open.approvals.basis(applicantId)),
    answerable: (order) => opened((open) => open.approvals.answerable(order)),
    check: (query) => opened((open) => open.check(query)),
    queue: (query) => opened((open) => open.queue(query)),
    claims: (query) => opened((open) => open.claims(query)),
    eraseApplicants: (applicantIds) => opened((open) => open.eraseApplicants(applicantIds)),
    refresh: () =>
      opened((open) => {
        open.refresh()
        return ok(null)
      }),
    look: () =>
      opened((open) => {
        open.look()
        return ok(null)
      }),
    async close() {
      const closing = team
      team = undefined
      await closing?.close()
      return ok(null)
    }
  },
  port
)
