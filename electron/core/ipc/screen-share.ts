/** Screen-share mode. A value is shown after its event is recorded. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { screenShareChannels } from '#contract/lock/screen-share-channels.ts'
import { ok } from '#contract/failures/result.ts'
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
