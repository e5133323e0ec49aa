/** Channels of the overview: numbers, names of connections, and names of batches. */
import { nothing, channel, kibibyte } from '../ipc/channel.ts'
import { overviewPeriodSchema, type Overview, type OverviewWaiting } from './overview.ts'

export const overviewChannels = {
  'overview.show': channel<Overview>()({
    input: overviewPeriodSchema,
    maxBytes: 64 * kibibyte,
    leaves: { none: 'It returns numbers, and names of connections and batches.' }
  }),
  'overview.waiting': channel<OverviewWaiting>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: { none: 'It returns numbers only.' }
  })
}
