/** A team: access to its database, its members, joining and leaving, what is shared, and what colleagues did. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { teamChannels, teamBatchChannels } from '#contract/team/channels.ts'
import type { TeamFileKind } from '#contract/team/team.ts'
import { done, type HandlerParts } from './parts.ts'
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'

const titles: Readonly<Record<TeamFileKind, string>> = {
  authorities: 'Choose a file with certificate authorities',
  invitation: 'Choose an invitation to a team',
  request: 'Choose a request to join'
}

export function teamHandlers({
  team,
  inTeam,
  host,
  settings
}: Pick<HandlerParts, 'team' | 'inTeam' | 'host' | 'settings'>): HandlersOf<typeof teamChannels> {
  return {
    'team.state': async () => (await team()).state(),
    'team.chooseFile': async ({ kind }) => {
      const path = await host.chooseFile(titles[kind], kind === 'authorities' ? ['pem', 'crt', 'cer'] : ['json'])
      return path === undefined ? done : (await team()).read(path, kind)
    },
    'team.access': async () => (await team()).access(),
    'team.create': async (order) => (await team()).create(order),
    'team.invite': async () => (await team()).invite(),
    'team.join': async (order) => (await team()).join(order),
    'team.recover': async (order) => (await team()).recover(order),
    'team.admit': async (order) => (await team()).admit(order),
    'team.members': async () => (await team()).members(),
    'team.changeRole': async (order) => (await team()).changeRole(order),
    'team.remove': async (order) => (await team()).remove(order),
    'team.changeRule': async (order) => (await team()).changeRule(order),
    'team.confirm': async (order) => (await team()).confirm(order),
    'team.withdraw': async (order) => (await team()).withdraw(order),
    'team.leave': async () => (await team()).leave(),
    'team.share': async (sharing) => (await team()).share(sharing),
    'team.exchange': async () => (inTeam() ? (await team()).exchange() : done),
    'team.activity': async (query) => (await team()).activity(query),
    'team.check': async (query) => (inTeam() ? (await team()).check(query) : done),
    'team.queue': async (query) => (inTeam() ? (await team()).queue(query) : done),
    'team.claims': async (query) => (inTeam() ? (await team()).claims(query) : done),
    'team.recipes': async () => (inTeam() ? (await team()).recipes() : ok([])),
    'team.overview': async (period) => (inTeam() ? (await team()).overview(period) : done),
    'team.acknowledgeFinding': async (order) => (await team()).acknowledgeFinding(order),
    'team.saveProof': async ({ installation }) => (await team()).saveProof(installation),
    'team.applicant': async (query) => (inTeam() ? (await team()).applicant(query) : done),
    'team.approvals': async (query) => {
      if (!inTeam()) return done
      const { approvalHours } = settings.current()
      const overdueBefore = host.clock.now() - approvalHours * 3_600_000
      return (await team()).approvals.list({ ...query, ...(approvalHours > 0 && { overdueBefore }) })
    },
    'team.askApproval': async (request) => (await team()).approvals.ask(request),
    'team.answerApproval': async (order) => (await team()).approvals.answer(order)
  }
}

/** Batches that a team shares. */
export function teamBatchHandlers({
  team,
  inTeam,
  batches,
  connections
}: Pick<HandlerParts, 'team' | 'inTeam' | 'batches' | 'connections'>): HandlersOf<typeof teamBatchChannels> {
  return {
    'teamBatches.list': async () => (inTeam() ? (await team()).batches.list() : ok([])),
    'teamBatches.share': async ({ id }) => batches.announced((await team()).batches.share(id)),
    'teamBatches.takeOver': async ({ id, connectionId }) => {
      const connection = connections.get(connectionId)
      if (!connection) return failed('connection-missing')
      const { name, baseUrl, mode, colour, mark } = connection
      return batches.announced(
        (await team()).batches.takeOver(id, { id: connectionId, name, origin: baseUrl, mode, colour, mark })
      )
    },
    'teamBatches.progress': async ({ id }) => (await team()).batches.progress(id)
  }
}
