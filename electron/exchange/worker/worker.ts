/** The team's worker: one team is open at a time, and is served while it is. */
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import { connect, findPort, lineToHost, serve, type Served } from '#wire/rpc.ts'
import type { TeamHost, TeamWorker } from '#team/thread/thread.ts'
import { openTeam } from './session.ts'

const port = findPort()
const host = connect<TeamHost>(lineToHost(port)).api

const closed: Pick<Served<TeamWorker>, 'open' | 'close'> = {
  open(opening) {
    const open = openTeam(opening, host)
    if (!open.ok) return open
    served = {
      ...closed,
      ...open.value,
      close() {
        served = closed
        return open.value.close()
      }
    }
    return ok(null)
  },
  close: () => ok(null)
}
let served: Partial<Served<TeamWorker>> = closed

serve<TeamWorker>(() => served, port, failed('team-missing'))
