/** A team: access to its database, its members, joining and leaving. */
import type { HandlersOf } from '#contract/channels/channel.ts'
import type { teamChannels } from '#contract/channels/team.ts'
import type { HandlerParts } from './parts.ts'

export function teamHandlers({ team }: Pick<HandlerParts, 'team'>): HandlersOf<typeof teamChannels> {
  return {
    'team.state': async () => (await team()).state(),
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
