/** Channels of unfinished input: what is typed into forms and neither sent nor saved yet. */
import { z } from 'zod'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

/** Maximum characters of all drafts together, as JSON; as UTF-8 they may take more bytes. */
export const maxDrafts = 512 * kibibyte

/** The drafts as the window wrote them. `round` changes when personal data is removed: drafts of an earlier round are refused. */
export interface KeptDrafts {
  readonly round: string
  /** Absent if there are none. */
  readonly text?: string
}

export const draftChannels = {
  'drafts.read': channel<KeptDrafts>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: { none: 'It returns what the same person typed into this window, unfinished.' }
  }),
  /** An empty text removes them. False if they are of an earlier round. */
  'drafts.keep': channel<boolean>()({
    input: z.strictObject({ round: z.uuid(), text: z.string().max(maxDrafts) }),
    maxBytes: 4 * maxDrafts,
    late: 'take',
    leaves: { none: 'It stores unfinished input, sealed; an action that uses it is an event of its own.' }
  })
}
