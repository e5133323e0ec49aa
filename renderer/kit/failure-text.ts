/** Failures as text. Screen-share mode hides their details, which may be file names or values of rows. */
import type { DetailValue, Failure, FieldFault } from '#contract/failures/failures.ts'
import {
  fieldFaultSentence as wholeFaultSentence,
  sentencesOf as allSentencesOf,
  type Sentences
} from '#contract/failures/filling.ts'
import { isolated } from './language.ts'
import { hiddenWord, isHidden } from './screen-share.ts'
import { hasLaterSentences } from './later-sentences.ts'

/** Details that choose a sentence or name a server, and nobody. */
const open: ReadonlySet<string> = new Set([
  'reason',
  'errno',
  'error',
  'code',
  'host',
  'hosts',
  'origin',
  'proxy',
  'connection',
  'version'
])

type Details = Readonly<Record<string, DetailValue>>
const hide = (details: Details): Details =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'number' || open.has(name) ? value : hiddenWord
    ])
  )

function withoutDetails(failure: Failure): Failure {
  const { details, cause } = failure
  return { ...failure, ...(details && { details: hide(details) }), ...(cause && { cause: withoutDetails(cause) }) }
}

/** Details are texts from others within a sentence. */
const isolatedIn = (details: Details): Details =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [name, isolated(value)]))
const withIsolated = (failure: Failure): Failure => ({
  ...failure,
  ...(failure.details && { details: isolatedIn(failure.details) }),
  ...(failure.cause && { cause: withIsolated(failure.cause) })
})

/** The sentences of a failure as the window may show them. */
export function sentencesOf(failure: Failure): Sentences {
  void hasLaterSentences.value
  return allSentencesOf(withIsolated(isHidden.value ? withoutDetails(failure) : failure))
}

/** The sentence of a fault of a field as the window may show it. */
export const fieldFaultSentence = (fault: FieldFault): string =>
  wholeFaultSentence(
    fault.details
      ? ({ ...fault, details: isolatedIn(isHidden.value ? hide(fault.details) : fault.details) } as FieldFault)
      : fault
  )

/** What happened and the next step, for a toast. */
export function whatToDo(failure: Failure): string {
  const { what, nextStep } = sentencesOf(failure)
  return `${what} ${nextStep}`
}

/** What happened and its impact, for an announcement; a panel shows the next step. */
export function whatHappened(failure: Failure): string {
  const { what, impact } = sentencesOf(failure)
  return `${what} ${impact}`
}
