/** Channels of sample data: a second Veridesk with a temporary folder of its own. */
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

export const sampleChannels = {
  /**
   * Starts the host's own program again, with sample data. The request names nothing: no program, no path and no option comes
   * from a window. Failures: `sample-not-opened`, `sample-open-already`.
   */
  'sample.open': channel<null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: {
      none: 'It starts a second console, whose folder and audit trail are its own; nothing of this one changes.'
    }
  }),
  /** Closes the window of a session with sample data, which deletes them; refused in any other. */
  'sample.close': channel<null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'The end of the console is recorded like any other, and is then deleted with the sample data.' }
  })
}
