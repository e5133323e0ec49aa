/** The channel of updates by notice. The feed itself is a setting. */
import type { UpdatesState } from './updates.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

export const updateChannels = {
  /** Asks the feed now. What it found is in the state, a refusal too. Failures: `updates-off`, `updates-in-sample`, those of settings. */
  'updates.check': channel<UpdatesState>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It fetches a public file, with the same request as everybody.' }
  })
}
