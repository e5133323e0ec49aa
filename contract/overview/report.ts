/** The monthly report: the figures of a month for an examiner or the management, as a PDF or a workbook. */
import { z } from 'zod'
import type { ReviewsDone } from '../applicants/reviews.ts'
import { overviewPeriodSchema } from '../history/overview.ts'

export const reportFormats = ['pdf', 'xlsx'] as const
export type ReportFormat = (typeof reportFormats)[number]

const time = z.number().int().nonnegative().max(8.64e15)
/** From the first millisecond to before the last. */
export const timeRangeSchema = z.strictObject({ from: time, until: time })
export type TimeRange = z.output<typeof timeRangeSchema>
export const reportSchema = z.strictObject({
  /** `2026-11`; names the file. */
  month: z.string().regex(/^\d{4}-\d{2}$/),
  /** That month in days of local time, and the month before it. */
  period: overviewPeriodSchema,
  before: timeRangeSchema,
  format: z.enum(reportFormats),
  /** With the names of reviewers, and how many cases each decided. Only for supervisors. */
  names: z.boolean()
})
export type ReportOrder = z.output<typeof reportSchema>

/** What the history alone knows of a period, beyond its figures. */
export interface MonthCounts extends ReviewsDone {
  /** Answers of second persons that agree. */
  readonly approved: number
  /** Messages that were seen for the first time, and how many of them nobody has interpreted. */
  readonly newMessages: number
  readonly unreviewed: number
  /** Erasures that were carried out. */
  readonly erasures: number
  /** Applicants under a legal hold now. */
  readonly holds: number
  /** The head of the audit trail now. */
  readonly head: { readonly seq: number; readonly hash: string }
}

/** The words of the report. */
export const reportWords = {
  title: 'Monthly report',
  decided: 'Decided',
  approved: 'Approved',
  declined: 'Declined',
  escalated: 'Escalated',
  timeToDecision: 'Time to decision',
  openAtTheEnd: 'Open at the end',
  decisionsPerDay: 'Decisions per day',
  backlog: 'Backlog',
  quality: 'Quality',
  samples: 'Sample reviews',
  overturned: 'Overturned',
  fourEyes: 'Four-eyes approval',
  reviews: 'Periodic reviews',
  provider: 'Provider',
  verifications: 'Verifications',
  unknown: 'Unknown outcomes',
  responseTime: 'Response time',
  newMessages: 'Messages seen for the first time',
  cost: 'Cost',
  dataManagement: 'Data management',
  erasures: 'Erasures',
  holds: 'Legal holds',
  auditTrail: 'Audit trail',
  byMessage: 'By message',
  byReviewer: 'By reviewer',
  byConnection: 'By connection',
  noMessage: 'No message',
  nobody: 'Unassigned',
  counts: 'Counts',
  footTeam: (time: string) =>
    `Decisions are those of this history and, as of ${time}, of colleagues. All other counts are of this history.`,
  foot: 'Counts are of this history.',
  footWords: 'The service’s words are its own; interpretations and decisions are your organisation’s.'
} as const
