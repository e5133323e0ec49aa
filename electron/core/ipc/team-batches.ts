/** Batches that a team shares. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { teamBatchChannels } from '#contract/team/batch-channels.ts'
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import type { HandlerParts } from './parts.ts'

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
