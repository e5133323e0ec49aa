/** Two records side by side: what is known of each, what differs first. */
import { factsOf } from '#contract/history/record-facts.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { bytesInWords } from '../../kit/text.ts'
import { duration, localTime } from '../../kit/time.ts'

export interface ComparedFact {
  readonly label: string
  readonly older: string
  readonly newer: string
  readonly differs: boolean
}

const textsOf = (record: RecordDetail): ReadonlyMap<string, string> =>
  new Map(factsOf(record, 'comparison', { time: localTime, duration, bytes: bytesInWords }))

/** The facts of both, those that differ first; a field that only one has is empty for the other. */
export function comparedFacts(older: RecordDetail, newer: RecordDetail): readonly ComparedFact[] {
  const [before, after] = [textsOf(older), textsOf(newer)]
  const facts = [...new Set([...before.keys(), ...after.keys()])].map((label) => {
    const [one, other] = [before.get(label) ?? '', after.get(label) ?? '']
    return { label, older: one, newer: other, differs: one !== other }
  })
  return [...facts.filter(({ differs }) => differs), ...facts.filter(({ differs }) => !differs)]
}
