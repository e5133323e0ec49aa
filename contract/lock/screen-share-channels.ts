/** Channels of screen-share mode. */
import { z } from 'zod'
import type { AppState } from '../app/app-state.ts'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import { hiddenFields, type HiddenField, type ValueAbout } from './screen-share.ts'
import { channel, kibibyte } from '../ipc/channel.ts'

const hiddenFieldSchema = z.enum(Object.keys(hiddenFields) as [HiddenField, ...HiddenField[]])

const aboutSchema: z.ZodType<ValueAbout, ValueAbout> = z.union([
  z.strictObject({ recordId: z.uuid() }),
  z.strictObject({ applicantId: applicantIdSchema })
])

export const screenShareChannels = {
  'screenShare.switch': channel<AppState>()({
    input: z.strictObject({ on: z.boolean() }),
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['screen-share.switched'],
    when: 'It changes the mode.'
  }),
  /** Records that a hidden value is shown, before it is; the value itself never leaves the window. */
  'screenShare.reveal': channel<null>()({
    input: z.strictObject({ field: hiddenFieldSchema, about: aboutSchema.optional() }),
    maxBytes: 4 * kibibyte,
    late: 'take',
    leaves: ['value.revealed']
  })
}
