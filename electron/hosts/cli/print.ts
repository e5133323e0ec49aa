/** What the command line prints, as text for people. The commands print JSON themselves. */
import type { Failure } from '#contract/failures/failures.ts'
import { fieldFaultSentence, sentencesOf } from '#contract/failures/sentences.ts'
import { oneLine, visible } from '#contract/text/hidden-text.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeOf, type RecordState } from '#contract/verification/outcomes.ts'
import type { RecordDetail, RecordSummary } from '#contract/history/records.ts'
import { resolutionLabels } from '#contract/verification/resolution-sentences.ts'

const stateLabel = (state: RecordState): string => (state === 'open' ? 'In progress' : outcomeOf(state).label)

/**
 * The three sentences of a failure, and the errors of its fields.
 *
 * @param impact Replaces the failure's own.
 */
export function failureText(failure: Failure, impact?: string): string {
  const fields = 'fields' in failure ? Object.entries(failure.fields ?? {}) : []
  const faults = fields.map(([field, fault]) => `  ${field}: ${fieldFaultSentence(fault)}`)
  const sentences = sentencesOf(failure)
  return visible([sentences.what, ...faults, impact ?? sentences.impact, sentences.nextStep].join('\n'))
}

/** One record in one line: time, outcome, status, operation, input, message, id. */
export function recordLine(record: RecordSummary): string {
  return [
    new Date(record.startedAt).toISOString(),
    stateLabel(record.state).padEnd(16),
    String(record.status ?? '-').padEnd(3),
    operationOf(record.operation).id.padEnd(31),
    oneLine(Object.values(record.input).join(' ')),
    record.message ? `“${oneLine(record.message)}”` : '',
    record.id
  ].join('  ')
}

/** One record in detail. */
export function recordText(record: RecordDetail): string {
  const lines: [string, string | number | undefined][] = [
    ['Operation', operationOf(record.operation).title],
    ['Connection', `${record.connection.name} (${record.connection.mode}) ${record.connection.origin}`],
    ...Object.entries(record.input),
    ['Outcome', stateLabel(record.state)],
    [
      'Resolved',
      record.resolved &&
        `${resolutionLabels[record.resolved.as]}${record.resolved.operator === undefined ? '' : `, by ${record.resolved.operator}`}`
    ],
    ['Status', record.status && `${record.status} ${oneLine(record.reply?.statusText ?? '')}`.trim()],
    ['Message', record.fullMessage && oneLine(record.fullMessage)],
    ['Duration', record.took === undefined ? undefined : `${Math.round(record.took)} ms`],
    ['Started', new Date(record.startedAt).toISOString()],
    ['Record', record.id]
  ]
  const text = lines
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => `${label.padEnd(20)}${oneLine(String(value))}`)
  // Once it is resolved, the impact and the next step are over.
  if (record.failure)
    text.push('', record.resolved ? visible(sentencesOf(record.failure).what) : failureText(record.failure))
  if (record.reply) text.push('', visible(record.reply.body))
  return text.join('\n')
}
