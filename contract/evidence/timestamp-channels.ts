/** Channels of time-stamps. The authority itself is a setting. */
import type { StampedPack } from './evidence.ts'
import type { ChosenAuthorities, TimestampTest } from './timestamps.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

export const timestampChannels = {
  /** The certificates of a file that the user chooses; null if cancelled. */
  'timestamps.chooseAuthorities': channel<ChosenAuthorities | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It only reads the chosen certificate file; using it is a change of settings.' }
  }),
  /** Asks the authority for a time-stamp of random bytes, and verifies it. */
  /** Adds a time-stamp to a pack that the user chooses, and replaces its file. */
  'evidence.timestamp': channel<StampedPack | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['export.made']
  }),
  'timestamps.test': channel<TimestampTest>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It sends a hash of random bytes.' }
  })
}
