/** A team: access to its database, its members, joining and leaving, what is shared, and what colleagues did. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { teamChannels } from '#contract/team/channels.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { TeamFileKind } from '#contract/team/team.ts'
import { done, shown, type HandlerParts } from './parts.ts'

const titles: Readonly<Record<TeamFileKind, string>> = {
  authorities: 'Choose a file with certificate authorities',
  invitation: 'Choose an invitation to a team',
  request: 'Choose a request to join'
}

export function teamHandlers({
  team,
  inTeam,
  host,
  auditTrail
}: Pick<HandlerParts, 'team' | 'inTeam' | 'host' | 'auditTrail'>): HandlersOf<typeof teamChannels> {
  /** Announces a successful change to the windows, and to the exchange. */
  const changed = <T>(result: Result<T, Failure>): Result<T, Failure> => {
    if (result.ok) host.announce({ kind: 'evidence-changed' })
    return result
  }
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
    'team.leave': async () => (await team()).leave(),
    'team.share': async (sharing) => (await team()).share(sharing),
    'team.exchange': async () => (inTeam() ? (await team()).exchange() : done),
    'team.activity': async ({ visit, ...query }) =>
      shown({ auditTrail }, { what: 'team' }, visit, (await team()).activity(query)),
    'team.check': async ({ visit, ...query }) => {
      if (!inTeam()) return done
      return shown({ auditTrail }, { what: 'team' }, visit, (await team()).check(query))
    },
    'team.queue': async ({ visit, ...query }) => {
      if (!inTeam()) return done
      const answer = await (await team()).queue(query)
      return answer.ok && answer.value === null
        ? answer
        : shown({ auditTrail }, { what: 'team' }, visit, Promise.resolve(answer))
    },
    'team.claims': async (query) => (inTeam() ? (await team()).claims(query) : done),
    'team.overview': async ({ visit, ...period }) => {
      if (!inTeam()) return done
      const answer = await (await team()).overview(period)
      return answer.ok && answer.value === null
        ? answer
        : shown({ auditTrail }, { what: 'team' }, visit, Promise.resolve(answer))
    },
    'team.acknowledgeFinding': async (order) => (await team()).acknowledgeFinding(order),
    'team.saveProof': async ({ installation }) => (await team()).saveProof(installation),
    'team.applicant': async ({ visit, ...query }) => {
      if (!inTeam()) return done
      const answer = await (await team()).applicant(query)
      return answer.ok && answer.value === null
        ? answer
        : shown(
            { auditTrail },
            { what: 'applicant', about: { applicantId: query.applicantId } },
            visit,
            Promise.resolve(answer)
          )
    },
    'team.approvals': async ({ visit, ...query }) => {
      if (!inTeam()) return done
      const { applicantId } = query
      const answer = await (await team()).approvals.list(query)
      if (!answer.ok || answer.value === null || query.limit === 0) return answer
      return shown(
        { auditTrail },
        applicantId === undefined ? { what: 'team' } : { what: 'applicant', about: { applicantId } },
        visit,
        Promise.resolve(answer)
      )
    },
    'team.askApproval': async (request) => changed(await (await team()).approvals.ask(request)),
    'team.answerApproval': async (order) => changed(await (await team()).approvals.answer(order))
  }
}
