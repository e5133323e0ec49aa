/** Updates by notice. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { updateChannels } from '#contract/updates/channels.ts'
import type { HandlerParts } from './parts.ts'

export const updateHandlers = ({ updates }: HandlerParts): HandlersOf<typeof updateChannels> => ({
  'updates.check': () => updates.check()
})
