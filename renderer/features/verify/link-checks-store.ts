/** Checks of links by form: the last one of each, and the question before a form with findings is sent. */
import { defineStore } from 'pinia'
import { reactive } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import { standsOut, type LinkCheck } from '#contract/links/checks.ts'
import { applicantFieldOf, operationOf } from '#contract/verification/operations.ts'
import { fieldFault } from '#contract/verification/verification.ts'
import { ask } from '../../bridge.ts'
import { onRemoval } from '../../kit/removal.ts'
import { useApp } from '../shell/app-store.ts'
import { operationAt, useRun, type FormPlace } from './run-store.ts'
import { words } from './words.ts'

export interface CheckedForm {
  /** Identifies the check in progress. */
  checking?: symbol
  /** What was checked: results no longer hold once it differs. */
  of?: string
  checks: readonly LinkCheck[]
  failure?: Failure
  /** Answers the question whether to send. */
  decide?: (send: boolean) => void
}

export const useLinkChecks = defineStore('link-checks', () => {
  const app = useApp()
  const run = useRun()
  const forms = reactive({} as Record<FormPlace, CheckedForm>)
  function at(place: FormPlace): CheckedForm {
    forms[place] ??= { checks: [] }
    return forms[place]
  }

  /** The input of which the links count: valid links, and the applicant. Empty without a link. */
  function inputOf(place: FormPlace): Record<string, string> {
    const { values } = run.at(place)
    const given = (name: string): string => (values[name] ?? '').trim()
    const links = operationOf(operationAt(place)).fields.flatMap(({ kind, name }) =>
      kind === 'url' && fieldFault('url', given(name)) === undefined ? [[name, given(name)] as const] : []
    )
    const applicant = applicantFieldOf(operationAt(place))
    return links.length === 0
      ? {}
      : Object.fromEntries(
          applicant === undefined || given(applicant) === '' ? links : [...links, [applicant, given(applicant)]]
        )
  }
  const signatureOf = (place: FormPlace, connectionId: string): string => JSON.stringify([connectionId, inputOf(place)])

  /** The results, if they are of what the form contains now. */
  const checksOf = (place: FormPlace, connectionId: string | undefined): readonly LinkCheck[] =>
    connectionId !== undefined && at(place).of === signatureOf(place, connectionId) ? at(place).checks : []

  /** Checks the links of a form; false if it was stopped or failed. */
  async function check(place: FormPlace, connectionId: string): Promise<boolean> {
    const form = at(place)
    const mine = (form.checking = Symbol('check'))
    delete form.failure
    const of = signatureOf(place, connectionId)
    const { applicantId } = run.at(place)
    const answer = await ask('documents.check', {
      connectionId,
      operation: operationAt(place),
      input: inputOf(place),
      ...(applicantId !== undefined && { applicantId })
    })
    if (form.checking !== mine) return false
    delete form.checking
    if (!answer.ok) {
      form.failure = answer.failure
      return false
    }
    Object.assign(form, { of, checks: answer.value })
    const found = answer.value.filter(standsOut).length
    app.announce(found === 0 ? words.linksCheckedNothingStandsOut : words.linksCheckedLinksWithFindings({ found }))
    return true
  }
  function stop(place: FormPlace): void {
    delete at(place).checking
  }

  /** Whether a form may be sent: checks its links, and asks only if something stands out. */
  async function allows(place: FormPlace, connectionId: string): Promise<boolean> {
    const form = at(place)
    if (form.checking || form.decide) return false
    if (Object.keys(inputOf(place)).length === 0) return true
    // What was changed while it was checked is not what the user sent.
    if (!(await check(place, connectionId)) || at(place).of !== signatureOf(place, connectionId)) return false
    if (!checksOf(place, connectionId).some(standsOut)) return true
    return new Promise((resolve) => {
      form.decide = (send) => {
        delete form.decide
        resolve(send)
      }
    })
  }

  function clear(place: FormPlace): void {
    at(place).decide?.(false)
    stop(place)
    delete forms[place]
  }
  onRemoval('link-checks', () => (Object.keys(forms) as FormPlace[]).forEach(clear))

  return { forms, at, inputOf, checksOf, check, stop, allows, clear }
})
