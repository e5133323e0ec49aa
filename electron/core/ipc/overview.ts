/** The overview. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { overviewChannels } from '#contract/history/overview-channels.ts'
import { withHistory, type HandlerParts } from './parts.ts'

export function overviewHandlers(parts: HandlerParts): HandlersOf<typeof overviewChannels> {
  return {
    'overview.show': (period) => withHistory(parts, ({ overview }) => overview.show(period)),
    'overview.waiting': () => withHistory(parts, ({ overview }) => overview.waiting(parts.host.clock.now()))
  }
}
