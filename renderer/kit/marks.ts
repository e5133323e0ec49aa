/**
 * How states of a case and interpretations look: a shape, a word and a colour for each, the same everywhere. Shapes are 16 and 12 pixels wide;
 * `cut` is drawn over the filled part in the colour of the surface.
 */
import type { ApplicantState, ReadingMeaning } from '#contract/applicants/applicants.ts'
import type { ApprovableDecision } from '#contract/applicants/four-eyes.ts'
import { words } from './words.ts'

export interface Mark {
  readonly word: string
  readonly tone: 'text-ink-3' | 'text-good' | 'text-danger' | 'text-warning' | 'text-accent'
  readonly fill?: string
  readonly cut?: string
  /** A line in the mark's colour. */
  readonly line?: string
  readonly dashes?: string
}
/** A state that a mark shows; `unknown`: an outcome that somebody has to resolve; `review`: the periodic review. */
export type MarkedState = ApplicantState | 'unknown' | 'review'
/** What an organisation makes of a message; `unreviewed`: nothing yet. */
export type Interpretation = ReadingMeaning | 'unreviewed'

const ring = 'M14 8A6 6 0 1 1 2 8A6 6 0 1 1 14 8Z'

export const stateMarks: Readonly<Record<MarkedState, Mark>> = {
  'none': { word: words.pendingDecision, tone: 'text-ink-3', line: ring, dashes: '2.6 2.1' },
  'approve': {
    word: words.approved,
    tone: 'text-good',
    fill: 'M15 8A7 7 0 1 1 1 8A7 7 0 1 1 15 8Z',
    cut: 'm5 8.2 2.1 2.1L11.2 6'
  },
  'decline': {
    word: words.declined,
    tone: 'text-danger',
    fill: 'M4 1.5H12A2.5 2.5 0 0 1 14.5 4V12A2.5 2.5 0 0 1 12 14.5H4A2.5 2.5 0 0 1 1.5 12V4A2.5 2.5 0 0 1 4 1.5Z',
    cut: 'm5.5 5.5 5 5m0-5-5 5'
  },
  'escalate': {
    word: words.escalated,
    tone: 'text-warning',
    fill: 'M8 .8 14.6 6.4V15H1.4V6.4Z',
    cut: 'M8 12.4V6.6M5.4 9 8 6.4 10.6 9'
  },
  'outdated': {
    word: words.outdated,
    tone: 'text-warning',
    fill: 'M8 1.8A6.2 6.2 0 0 1 8 14.2Z',
    line: 'M14.2 8A6.2 6.2 0 1 1 1.8 8A6.2 6.2 0 1 1 14.2 8Z'
  },
  'proposed': {
    word: words.proposed,
    tone: 'text-accent',
    fill: 'M10.2 8A4.4 4.4 0 1 1 1.4 8A4.4 4.4 0 1 1 10.2 8Z',
    line: 'M7.6 4.6A4 4 0 1 1 7.6 11.4'
  },
  'returned': {
    word: words.returned,
    tone: 'text-warning',
    fill: 'M8 3.4A4.6 4.6 0 1 1 8 12.6A4.6 4.6 0 1 1 8 3.4Z',
    cut: 'M10 8H6M7.8 6 5.8 8 7.8 10',
    line: 'M3.4 3.6A6.6 6.6 0 0 0 3.4 12.4M12.6 3.6A6.6 6.6 0 0 1 12.6 12.4'
  },
  'no-evidence': { word: words.noEvidenceYet, tone: 'text-ink-3', line: ring, dashes: '1 2.6' },
  'review': { word: words.reviewDue, tone: 'text-accent', line: `${ring}M8 4.8V8L10.2 9.6` },
  'unknown': {
    word: words.unknownOutcome,
    tone: 'text-danger',
    fill: 'M5 1.2H11L14.8 5V11L11 14.8H5L1.2 11V5Z',
    cut: 'M6.2 6.2A1.9 1.9 0 1 1 8.8 8C8.2 8.3 8 8.6 8 9.3M8 11.3V11.4'
  }
}

const proposed: Readonly<Record<ApprovableDecision, string>> = {
  approve: words.proposedApprove,
  decline: words.proposedDecline
}
/** A state in words, with what is proposed, and why a decision is outdated if it was challenged. */
export function stateWord({
  state,
  proposal,
  challenged
}: {
  readonly state: MarkedState
  readonly proposal?: ApprovableDecision | undefined
  readonly challenged?: boolean | undefined
}): string {
  if (state === 'outdated' && challenged) return words.challenged
  return state === 'proposed' && proposal ? proposed[proposal] : stateMarks[state].word
}

export const interpretationMarks: Readonly<Record<Interpretation, Mark>> = {
  good: { word: words.favourable, tone: 'text-good', fill: 'M6 1.5 11.5 10.5H.5Z' },
  bad: { word: words.unfavourable, tone: 'text-danger', fill: 'M6 10.5.5 1.5H11.5Z' },
  unclear: { word: words.unclear, tone: 'text-warning', fill: 'M6 .6 11.4 6 6 11.4.6 6Z' },
  unreviewed: {
    word: words.unreviewed,
    tone: 'text-ink-3',
    line: 'M10.6 6A4.6 4.6 0 1 1 1.4 6A4.6 4.6 0 1 1 10.6 6Z',
    dashes: '2 1.6'
  }
}
