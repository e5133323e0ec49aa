/** Channels of the network diagnosis. */
import { z } from 'zod'
import type { DiagnosisReport } from './diagnosis.ts'
import { channel, kibibyte, type SavedFile } from '../ipc/channel.ts'

const diagnosis = z.strictObject({ diagnosisId: z.uuid() })

export const diagnosisChannels = {
  /**
   * Diagnoses a connection or an address; each finished step is an event before the answer. Sends no credentials of a connection.
   */
  'diagnosis.run': channel<DiagnosisReport>()({
    input: z.union([diagnosis.extend({ id: z.uuid() }), diagnosis.extend({ baseUrl: z.string().max(2048) })]),
    maxBytes: 16 * kibibyte,
    late: 'take',
    leaves: { none: 'It tests the way to a service and sends no personal data.' }
  }),
  /** Cancels one that is running; its answer then says so. */
  'diagnosis.stop': channel<null>()({
    input: diagnosis,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A diagnosis reads nothing about anybody.' }
  }),
  /** Saves the last report as text. Failure: `diagnosis-gone` if another one has replaced it. */
  'diagnosis.save': channel<SavedFile>()({
    input: diagnosis,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A report has no personal data.' }
  })
}
