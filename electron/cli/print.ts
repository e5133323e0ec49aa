/** What the command line prints, as text for people. JSON is printed by the commands as it is. */
import type { Failure } from '#contract/failures.ts'
import { oneLine, visible } from '#contract/hidden-text.ts'
import { operationOf } from '#contract/operations.ts'
import { outcomeOf, type RecordState } from '#contract/outcomes.ts'
import type { RecordDetail, RecordSummary } from '#contract/records.ts'

const stateLabel = (state: RecordState): string => (state === 'open' ? 'Under way' : outcomeOf(state).label)

/** The three sentences of a failure, and the faults of its fields. */
export function failureText(failure: Failure): string {
  const faults = Object.entries(failure.fields ?? {}).map(([field, fault]) => `  ${field}: ${fault}`)
  return visible([failure.what, ...faults, failure.safe, failure.todo].join('\n'))
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

/** One record whole. */
export function recordText(record: RecordDetail): string {
  const lines: [string, string | number | undefined][] = [
    ['Operation', operationOf(record.operation).title],
    ['Connection', `${record.connection.name} (${record.connection.mode}) ${record.connection.origin}`],
    ...Object.entries(record.input),
    ['Outcome', stateLabel(record.state)],
    ['Status', record.status && `${record.status} ${oneLine(record.reply?.statusText ?? '')}`.trim()],
    ['Message', record.fullMessage && oneLine(record.fullMessage)],
    ['Took', record.took === undefined ? undefined : `${Math.round(record.took)} ms`],
    ['Started', new Date(record.startedAt).toISOString()],
    ['Record', record.id]
  ]
  const text = lines.filter(([, value]) => value !== undefined).map(([label, value]) => `${label.padEnd(20)}${oneLine(String(value))}`)
  if (record.failure) text.push('', failureText(record.failure))
  if (record.reply) text.push('', visible(record.reply.body))
  return text.join('\n')
}
