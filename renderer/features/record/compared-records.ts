/** Two records side by side: what is known of each, what differs first. */
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeOf } from '#contract/verification/outcomes.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { duration, localTime } from '../../kit/time.ts'
import { words } from './words.ts'

export interface ComparedFact {
  readonly label: string
  readonly older: string
  readonly newer: string
  readonly differs: boolean
}

function factsOf(record: RecordDetail): ReadonlyMap<string, string> {
  const { operation, connection, state, status, took, input } = record
  const fields = operationOf(operation).fields.map(
    ({ label, name }) => [label, record.erased ? 'erased' : (input[name] ?? '')] as const
  )
  return new Map<string, string>([
    [words.outcome, state === 'open' ? words.inProgress : outcomeOf(state).label],
    [words.httpStatus, String(status ?? '')],
    [words.message, record.fullMessage ?? ''],
    [words.operation, operationOf(operation).title],
    ...fields,
    [words.connection, `${connection.name} (${connection.mode})`],
    [words.address, connection.origin],
    [words.time, localTime(record.startedAt)],
    [words.duration, took === undefined ? '' : duration(took)],
    [words.operator, record.operator],
    [words.credentialFingerprint, record.credentialFingerprint],
    ['Veridesk', record.consoleVersion]
  ])
}

/** The facts of both, those that differ first; a field that only one has is empty for the other. */
export function comparedFacts(older: RecordDetail, newer: RecordDetail): readonly ComparedFact[] {
  const [before, after] = [factsOf(older), factsOf(newer)]
  const facts = [...new Set([...before.keys(), ...after.keys()])].map((label) => {
    const [one, other] = [before.get(label) ?? '', after.get(label) ?? '']
    return { label, older: one, newer: other, differs: one !== other }
  })
  return [...facts.filter(({ differs }) => differs), ...facts.filter(({ differs }) => !differs)]
}
