/** The team's worker: one team is open at a time. */
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { connect, findPort, lineToHost, serve } from '#core/workers/rpc.ts'
import type { TeamHost, TeamWorker } from './interface.ts'
import { openTeam, type OpenTeam } from './session.ts'

const port = findPort()
const host = connect<TeamHost>(lineToHost(port)).api
let team: OpenTeam | undefined

type Answer<T> = Promise<Result<T, Failure>> | Result<T, Failure>
const opened = <T>(work: (open: OpenTeam) => Answer<T>): Answer<T> => (team ? work(team) : failed('team-missing'))

serve<TeamWorker>(
  {
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
    erasures: (events) => opened((open) => open.erasures(events)),
    approvals: (query) => opened((open) => open.approvals.list(query)),
    approvalBasis: (applicantId) => opened((open) => open.approvals.basis(applicantId)),
    answerable: (order) => opened((open) => open.approvals.answerable(order)),
    eraseApplicant: (applicantId) => opened((open) => open.eraseApplicant(applicantId)),
    refresh: () => opened((open) => {
      open.refresh()
      return ok(null)
    }),
    look: () => opened((open) => {
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
