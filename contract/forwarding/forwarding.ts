/** Log forwarding: where the events of the audit trail go besides the history, and how that goes. */
import { z } from 'zod'
import type { Failure } from '../failures/failures.ts'
import { rule } from '../verification/field-issues.ts'

/** How the message of a line of syslog is written. */
export const syslogMessages = ['json', 'cef'] as const
export type SyslogMessage = (typeof syslogMessages)[number]

/** Minutes after which a collector that takes nothing counts as silent. */
const usualSilence = 15

/** A host name or address, and a port. */
const collector = z
  .string()
  .trim()
  .max(300)
  .regex(/^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):[1-9]\d{0,4}$/i, rule('collector-invalid'))
  .refine((text) => Number(text.slice(text.lastIndexOf(':') + 1)) <= 65_535, rule('collector-invalid'))

export const logForwardingSchema = z
  .strictObject({
    /** Host and port of a collector of syslog over TLS; absent for none. */
    collector: collector.optional(),
    message: z.enum(syslogMessages).default('json'),
    /** Path of a file of JSON lines; empty for one in the data folder, absent for none. */
    file: z
      .string()
      .trim()
      .max(1024)
      .refine((path) => path === '' || /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(path), rule('path-not-absolute'))
      .optional(),
    silentMinutes: z
      .number()
      .int()
      .min(1)
      .max(24 * 60)
      .default(usualSilence)
  })
  .refine(({ collector: to, file }) => to !== undefined || file !== undefined, rule('collector-invalid'))
export type LogForwarding = z.output<typeof logForwardingSchema>

/** As text, for the list of policies and the audit trail. */
export const forwardingText = (forwarding: LogForwarding | null): string =>
  forwarding
    ? [
        ...(forwarding.collector === undefined ? [] : [`${forwarding.collector} (${forwarding.message})`]),
        ...(forwarding.file === undefined ? [] : [forwarding.file === '' ? 'file in the data folder' : forwarding.file])
      ].join(', ')
    : ''

export type ForwardingTarget = 'collector' | 'file'

/** How the forwarding to a target goes. Times are Unix milliseconds. */
export interface TargetState {
  readonly target: ForwardingTarget
  /** Host and port, or the path. */
  readonly place: string
  /** Number of the last event that was taken; 0 for none. */
  readonly taken: number
  /** Number of the last event of the audit trail. */
  readonly last: number
  readonly takenAt?: number
  /** Since when nothing was taken although events wait, if that is long. */
  readonly silentSince?: number
  /** Why the last attempt failed. */
  readonly failure?: Failure
}
