/** Updates by notice. */
import type { HandlersOf } from '#contract/channels/channel.ts'
import type { updateChannels } from '#contract/channels/updates.ts'
import type { HandlerParts } from './parts.ts'

export const updateHandlers = ({ updates }: HandlerParts): HandlersOf<typeof updateChannels> => ({
  'updates.check': () => updates.check()
})
