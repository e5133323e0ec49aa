/** A team: access to its database, its members, joining and leaving. */
import type { HandlersOf } from '#contract/channels/channel.ts'
import type { teamChannels } from '#contract/channels/team.ts'
import type { TeamFileKind } from '#contract/team.ts'
import { done, type HandlerParts } from './parts.ts'

const titles: Readonly<Record<TeamFileKind, string>> = {
  authorities: 'Choose a file with certificate authorities', invitation: 'Choose an invitation to a team', request: 'Choose a request to join'
}

export function teamHandlers({ team, host }: Pick<HandlerParts, 'team' | 'host'>): HandlersOf<typeof teamChannels> {
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
    'team.admit': async (order) => (await team()).admit(order),
    'team.members': async () => (await team()).members(),
    'team.changeRole': async (order) => (await team()).changeRole(order),
    'team.remove': async (order) => (await team()).remove(order),
    'team.leave': async () => (await team()).leave()
  }
}
