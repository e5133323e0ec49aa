/**
 * The check of the links of a file before a batch is created from it. Each link is asked once; that tells its server
 * that somebody looks, so it happens on request alone.
 */
import { z } from 'zod'
import type { RowFault } from './batches.ts'
import type { Failure, FieldFaultCode } from '../failures/failures.ts'
import { soonMs } from '../links/terms.ts'

/** More are not checked at once: their findings and digests are held in memory until the batch is created. */
export const maxCheckedLinks = 100_000

/** Seconds that one request is assumed to take, to estimate when a batch ends. */
const assumedSeconds = 5

export const batchLinksOrderSchema = z.strictObject({
  checkId: z.uuid(),
  connectionId: z.uuid(),
  /** How the batch would run: its links must stay valid until its end. */
  atOnce: z.number().int().min(1).max(16),
  pace: z.number().int().min(0).max(60_000)
})
export type BatchLinksOrder = z.output<typeof batchLinksOrderSchema>

/** Seconds after which a batch is over at its rate limit and concurrency, with the time for one verification added. */
export const batchSeconds = (rows: number, { atOnce, pace }: Pick<BatchLinksOrder, 'atOnce' | 'pace'>): number =>
  Math.ceil(Math.max((rows * assumedSeconds) / atOnce, pace === 0 ? 0 : (rows * 60) / pace) + soonMs / 1000)

/** What a finding is counted as. */
export const linkKinds = [
  'unreachable',
  'no-document',
  'incomplete',
  'expired',
  'expires-early',
  'not-valid',
  'small',
  'same-file'
] as const
export type LinkKind = (typeof linkKinds)[number]

const kinds: Readonly<Partial<Record<FieldFaultCode, LinkKind>>> = {
  'link-status': 'unreachable',
  'link-unreachable': 'unreachable',
  'link-address-refused': 'unreachable',
  'link-too-large': 'no-document',
  'link-no-document': 'no-document',
  'link-incomplete': 'incomplete',
  'link-expired': 'expired',
  'link-expires-early': 'expires-early',
  'link-not-valid-yet': 'not-valid',
  'link-times-damaged': 'not-valid',
  'link-small': 'small',
  'link-same-file': 'same-file',
  'link-other-applicant': 'same-file'
}
/** The kind of a finding by the code of its field error. */
export const linkKindOf = (code: FieldFaultCode): LinkKind => kinds[code] ?? 'unreachable'

export interface BatchLinkCheck {
  readonly checkId: string
  readonly connectionId: string
  /** `stopped`: by a person, or by `failure`; what was found until then holds. */
  readonly state: 'running' | 'done' | 'stopped'
  readonly links: number
  readonly done: number
  /** Links without a finding. */
  readonly fine: number
  /** Rows with findings. */
  readonly found: number
  /** Findings by kind; a link may have several. */
  readonly figures: Readonly<Partial<Record<LinkKind, number>>>
  readonly failure?: Failure
}

/** A row with findings, each with its column. */
export interface BatchLinkRow {
  readonly row: number
  readonly faults: readonly Omit<RowFault, 'row'>[]
}
