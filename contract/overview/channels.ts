/** Channels of the overview: numbers, names of connections, batches and colleagues, and the lists behind the numbers. */
import { z } from 'zod'
import { overviewPeriodSchema, type Overview, type OverviewWaiting } from '../history/overview.ts'
import type { Exported, RetentionDue } from '../data-management/data-management.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'
import type { ReviewFigures, ReviewsDone } from '../applicants/reviews.ts'
import { reportSchema, timeRangeSchema } from './report.ts'
import {
  decisionFiguresSchema,
  decisionListSchema,
  type CountingDecisions,
  type OwnFigures,
  type DecisionList
} from './decisions.ts'

export const overviewChannels = {
  'overview.show': channel<Overview>()({
    input: z.strictObject({ period: overviewPeriodSchema, connection: z.string().max(64).optional() }),
    maxBytes: 64 * kibibyte,
    leaves: { none: 'It returns numbers, and names of connections and batches.' }
  }),
  'overview.waiting': channel<OverviewWaiting>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: { none: 'It returns numbers only.' }
  }),
  /** Null if retention counts from the newest record: who is due then takes reading everything, which the preview does. */
  'overview.retention': channel<RetentionDue | null>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: { none: 'It returns numbers only.' }
  }),
  /** Periodic reviews now, and those that were done in a period. */
  'overview.reviews': channel<ReviewFigures & ReviewsDone>()({
    input: timeRangeSchema,
    maxBytes: kibibyte,
    leaves: { none: 'It returns numbers and codes of risk classes only.' }
  }),
  'overview.decisions': channel<OwnFigures | CountingDecisions>()({
    input: decisionFiguresSchema,
    maxBytes: 64 * kibibyte,
    leaves: { none: 'It returns numbers, messages, and names of connections and colleagues.' }
  }),
  'overview.list': channel<DecisionList | CountingDecisions>()({
    input: decisionListSchema,
    maxBytes: 4 * kibibyte,
    when: 'The figures have been counted.',
    views: ({ of }, { kind }) =>
      kind === 'counting' ? undefined : { what: of.what === 'waiting' ? 'queue' : 'applicants' }
  }),
  /** Null: the user cancelled the file dialog. */
  'overview.report': channel<Exported | null>()({
    input: reportSchema,
    maxBytes: 64 * kibibyte,
    leaves: ['export.made']
  })
}
