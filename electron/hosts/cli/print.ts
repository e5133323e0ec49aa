/** What the command line prints, as text for people. The commands print JSON themselves. */
import type { Failure } from '#contract/failures/failures.ts'
import { fieldFaultSentence, sentencesOf } from '#contract/failures/sentences.ts'
import { oneLine, visible } from '#contract/text/hidden-text.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeOf, type RecordState } from '#contract/verification/outcomes.ts'
import { factsOf } from '#contract/history/record-facts.ts'
import type { RecordDetail, RecordSummary } from '#contract/history/records.ts'

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
  const text = factsOf(record, 'command-line', {
    time: (at) => new Date(at).toISOString(),
    duration: (ms) => `${Math.round(ms)} ms`,
    bytes: (count) => `${count} bytes`
  }).map(([label, value]) => `${label.padEnd(24)}${oneLine(value)}`)
  // Once it is resolved, the impact and the next step are over.
  if (record.failure)
    text.push('', record.resolved ? visible(sentencesOf(record.failure).what) : failureText(record.failure))
  if (record.reply) text.push('', visible(record.reply.body))
  return text.join('\n')
}
