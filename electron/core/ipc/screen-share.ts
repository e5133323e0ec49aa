/** Screen-share mode. A value is shown after its event is recorded. */
import type { HandlersOf } from '#contract/channels/channel.ts'
import type { screenShareChannels } from '#contract/channels/screen-share.ts'
import { ok } from '#contract/result.ts'
import { done, type HandlerParts } from './parts.ts'

export function screenShareHandlers({
  screenShare,
  auditTrail,
  state,
  stateChanged
}: HandlerParts): HandlersOf<typeof screenShareChannels> {
  return {
    'screenShare.switch': async ({ on }) => {
      await screenShare.switch(on)
      stateChanged()
      return ok(state())
    },
    'screenShare.reveal': async ({ field, about }) => {
      await auditTrail.note({ kind: 'value.revealed', plain: { field }, ...(about && { about }) })
      return done
    }
  }
}
