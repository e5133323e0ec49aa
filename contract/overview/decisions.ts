/**
 * The figures of decisions in a period: what a head of compliance asks. Each is declared here once, with its rule; the window, the monthly
 * report and the lists behind the figures show them. All times are Unix milliseconds.
 */
import { z } from 'zod'
import type { Decision, ReadingMeaning } from '../applicants/applicants.ts'
import type { ConnectionMode } from '../connections/connection.ts'
import type { OperationId } from '../verification/operations.ts'
import { overviewPeriodSchema } from '../history/overview.ts'
import { visitSchema } from '../evidence/audit.ts'
import type { LookedRates, PersonLooked } from './rates.ts'

const time = z.number().int().nonnegative().max(8.64e15)
const name = z.string().max(200)

/** What every figure is narrowed by. */
const narrowed = {
  /** A connection's ID: decisions whose newest evidence, and items whose newest evidence or record, is of it. */
  connection: z.string().max(64).optional(),
  /** A name: decisions that this person made, and items that this person handles. Only for supervisors. */
  reviewer: name.optional()
}

export const decisionFiguresSchema = z.strictObject({
  period: overviewPeriodSchema,
  /** The period that `decided` is compared with. */
  before: z.strictObject({ from: time, until: time }),
  ...narrowed
})
export type DecisionQuery = z.output<typeof decisionFiguresSchema>

/** Messages that are listed; all others are counted together. */
export const listedMessages = 50

/** A figure of decisions, or of what waits, as the address of its list names it. */
export const decisionListSchema = z.strictObject({
  visit: visitSchema,
  /** Decisions of a period, or what waited at a time. */
  of: z.discriminatedUnion('what', [
    z.strictObject({
      what: z.literal('decided'),
      from: time,
      until: time,
      decision: z.enum(['approve', 'decline', 'escalate']).optional(),
      /** Only those that `is` names: overturned ones, those that the time to decision is of, or escalations that are still open. */
      is: z.enum(['overturned', 'timed', 'open']).optional(),
      /** A message's number; 0 for none, less for one that only colleagues have. */
      message: z.int().optional()
    }),
    z.strictObject({
      what: z.literal('waiting'),
      /** Absent: now. */
      at: time.optional(),
      due: z.enum(['overdue', 'today']).optional(),
      /** The date at that time, as a due date; today if absent. */
      day: time.optional()
    })
  ]),
  ...narrowed,
  offset: z.int().nonnegative().max(10_000_000),
  limit: z.int().min(1).max(200)
})
export type DecisionListQuery = Omit<z.output<typeof decisionListSchema>, 'visit'>

export interface DecisionListRow {
  /** When it was decided, or since when it waited. */
  readonly at: number
  /** One of both: an unknown outcome that waits may have no applicant. */
  readonly applicantId?: string
  /** Of the applicant, by the newest answer with details. */
  readonly name?: string
  readonly recordId?: string
  readonly decision?: Decision
  readonly message?: string
  /** The message contains a value of an applicant. */
  readonly own?: true
  /** Who decided, or who handled it. */
  readonly reviewer?: string
  readonly due?: number
}
export interface DecisionList {
  readonly kind: 'counted'
  readonly total: number
  /** Newest decisions first; what waited longest first. */
  readonly rows: readonly DecisionListRow[]
}

/** Nearest rank: half, and nine in ten, took at most so long. */
export interface DecisionTimes {
  readonly count: number
  readonly median: number
  readonly p90: number
}

export type DecisionCounts = Readonly<Record<Decision, number>>

export interface WaitingCounts {
  readonly total: number
  readonly overdue: number
}

export interface DecisionBar {
  readonly from: number
  readonly until: number
  /** Decisions made in it. */
  readonly decisions: DecisionCounts
  /** Backlog: what waited at the end of the bar, or now if that has not come; absent if the bar has not begun. */
  readonly backlog?: WaitingCounts & {
    /** The time that it is counted at, and the date then. */
    readonly at: number
    readonly day: number
  }
}

export interface DecidedMessage {
  /** 0: the newest answer had no message that the catalogue knows; less than 0: only colleagues have seen it. */
  readonly id: number
  readonly message?: string
  /** It contains a value of an applicant, or nobody here knows whether it does. */
  readonly own?: true
  readonly operation?: OperationId
  readonly reading?: ReadingMeaning
  readonly decided: number
  readonly approved: number
  /** Absent if one person is asked for: no rates of a person. */
  readonly overturned?: number
}

export interface DecisionFigures {
  readonly kind: 'counted'
  /**
   * Decisions that were made in the period, in a team those of colleagues that have arrived, too; each one that was recorded: an applicant who was escalated and then approved counts twice.
   * Applicants who were erased are not among them, as they are in no list.
   */
  readonly decided: number
  /** The same in the period before. */
  readonly before: number
  /** The same, by what was decided. */
  readonly decisions: DecisionCounts
  /** Escalations of the period that nothing has followed: neither a decision nor newer evidence. */
  readonly escalatedOpen: number
  /**
   * From an applicant's first evidence to the first decision that is not an escalation; once for each applicant, in the period of that
   * decision. Absent if there is none, and if one person is asked for: no times of a person.
   */
  readonly times?: DecisionTimes
  /**
   * Approvals and declines of the period that a later, different decision on the same evidence has replaced. Absent if one person is
   * asked for.
   */
  readonly overturned?: number
  /**
   * Now: the items of the queue. Applicants with evidence that no approval or decline has answered, applicants without evidence but with a
   * due date, and unknown outcomes that nobody has resolved. `overdue`: their due date has passed; `dueToday`: it is today.
   */
  readonly waiting: WaitingCounts & { readonly dueToday: number }
  readonly bars: readonly DecisionBar[]
  /** By the message of the newest evidence at the decision; the most frequent first, at most `listedMessages`. */
  readonly messages: readonly DecidedMessage[]
  /** Decisions with other messages. */
  readonly otherMessages: number
  /** By who decided, and by who handles what waits now; an empty name: nobody. Absent for who is no supervisor. */
  readonly reviewers?: readonly { readonly name: string; readonly decided: number; readonly waiting: number }[]
  /** What was looked at. Absent for who is no supervisor, and if one person is asked for: no rates of a person. */
  readonly looked?: LookedRates
  /** The same of each person with enough decisions, by name: only where the policy `ReviewRatesPerPerson` says so. */
  readonly lookedByPerson?: readonly PersonLooked[]
  /** By the connection of the newest evidence at the decision, with its latest name. */
  readonly connections: readonly {
    readonly id: string
    readonly name: string
    readonly mode: ConnectionMode
    readonly decided: number
    readonly approved: number
    readonly waiting: number
  }[]
  /** Sets of decisions with a decision in the period, the applicants of these sets, and how many were reviewed as their samples. */
  readonly samples: { readonly sets: number; readonly applicants: number; readonly reviewed: number }
  /** All that the figures can be narrowed by: connections of the history and, for supervisors, names. */
  readonly choices: {
    readonly connections: readonly { readonly id: string; readonly name: string; readonly mode: ConnectionMode }[]
    readonly reviewers?: readonly string[]
  }
  /** The first decision of all; absent if there is none. */
  readonly firstAt?: number
  /** If none was made in the period: when the nearest one was, an earlier one first. */
  readonly nearestAt?: number
}

/** Figures as one person sees them. */
export interface OwnFigures extends DecisionFigures {
  /** Decisions of the period that were made under one of this person's own names. */
  readonly own: number
}

/** Decisions are counted in memory, into which they are read when they are first asked for. */
export type CountingDecisions = { readonly kind: 'counting'; readonly counted: number; readonly of: number }
