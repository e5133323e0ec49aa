/**
 * Verifications in progress and just ended: one draft for each operation, and one for each operation on an applicant's
 * page, kept while the user is on other pages.
 */
import { defineStore } from 'pinia'
import { reactive } from 'vue'
import type { Failure, FieldFault } from '#contract/failures/failures.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { removedMark, scrubLink } from '#contract/links/links.ts'
import {
  applicantFieldOf,
  isOperationId,
  operationIds,
  operationOf,
  type OperationId
} from '#contract/verification/operations.ts'
import { outcomeOf } from '#contract/verification/outcomes.ts'
import type { RecordDetail, UnknownAgain } from '#contract/history/records.ts'
import type { RunEnding } from '#contract/verification/run-ending.ts'
import { fieldFault } from '#contract/verification/verification.ts'
import { sentencesOf, whatHappened } from '../../kit/failure-text.ts'
import { ask } from '../../bridge.ts'
import { generation, onRemoval } from '../../kit/removal.ts'
import { useApp } from '../shell/app-store.ts'
import { shownLine } from '../../kit/screen-share.ts'
import { words } from './words.ts'

export type Phase = Extract<ConsoleEvent, { kind: 'run-progress' }>['phase']

export interface Draft {
  values: Record<string, string>
  /** Errors shown at the fields. */
  faults: Record<string, FieldFault>
  running?: { runId: string; since: number; phase?: Phase; cancelling: boolean }
  ending?: RunEnding
  failure?: Failure
  /** Set if the form was filled from an earlier record. */
  rerunOf?: string
  /** Fields whose stored links had their signatures removed: a new link is needed. */
  outdated: string[]
  /** What was answered when it was last sent. */
  answers?: SendAnswers
  /** The applicant whose page the form is on. */
  readonly applicantId?: string
  /** The values that the form was opened with. */
  given: Readonly<Record<string, string>>
  /** Fields that the page determines. */
  readonly fixed: readonly string[]
}

/** What a person has answered to what held a request back. */
export interface SendAnswers {
  readonly repeatAnyway?: boolean
  readonly confirmation?: string
  readonly unknownAgain?: UnknownAgain
  readonly withoutCopies?: boolean
}

/** Where a form is: on the operation's own page, or on an applicant's. */
export type FormPlace = OperationId | `${OperationId} ${string}`
export const placeOf = (operation: OperationId, applicantId: string): FormPlace => `${operation} ${applicantId}`
export const operationAt = (place: FormPlace): OperationId => place.split(' ', 1)[0] as OperationId

const outdatedIn = (operation: OperationId, values: Readonly<Record<string, string>>): string[] =>
  operationOf(operation)
    .fields.filter(({ kind, name }) => kind === 'url' && values[name]?.includes(removedMark))
    .map(({ name }) => name)

function emptyDraft(operation: OperationId): Draft {
  const values = Object.fromEntries(operationOf(operation).fields.map((field) => [field.name, '']))
  return { values, faults: {}, outdated: [], given: { ...values }, fixed: [] }
}
/** A form on an applicant's page, with the applicant's ID and the links of an earlier record. */
function applicantDraft(operation: OperationId, applicantId: string, input: Readonly<Record<string, string>>): Draft {
  const field = applicantFieldOf(operation)
  const given = { ...emptyDraft(operation).values, ...input, ...(field !== undefined && { [field]: applicantId }) }
  return {
    values: { ...given },
    faults: {},
    outdated: outdatedIn(operation, given),
    applicantId,
    given,
    fixed: field === undefined ? [] : [field]
  }
}
/** Whether the user has entered something that the form was not opened with. */
export const isFilled = ({ values, given }: Draft): boolean =>
  Object.entries(values).some(([name, value]) => value !== (given[name] ?? ''))

/** A form as it is stored. */
interface KeptForm {
  readonly id: string
  readonly values: Readonly<Record<string, string>>
  readonly applicantId?: string
  readonly given?: Readonly<Record<string, string>>
  readonly rerunOf?: string
}

type Drafts = Record<FormPlace, Draft>

/** The forms: opened, filled and emptied. */
function useForms(drafts: Drafts) {
  const lastOpened = new Map<string, OperationId>()

  /** The form at a place; on an applicant's page it has to be opened first. */
  const at = (place: FormPlace): Draft => drafts[place] ?? (drafts[place] = emptyDraft(operationAt(place)))
  /** Opens a form on an applicant's page, filled from the last input; what the user has changed in it stays. */
  function openFor(
    applicantId: string,
    operation: OperationId,
    lastInput: Readonly<Record<string, string>>
  ): FormPlace {
    lastOpened.set(applicantId, operation)
    const place = placeOf(operation, applicantId)
    const open = drafts[place] as Draft | undefined
    if (!open || (!open.running && !open.ending && !open.failure && !isFilled(open)))
      drafts[place] = applicantDraft(operation, applicantId, lastInput)
    return place
  }
  /** The form on an applicant's page with unsent input, a request in progress or an answer; the last opened one first. */
  const inUseFor = (applicantId: string): OperationId | undefined => {
    const last = lastOpened.get(applicantId)
    return [...(last ? [last] : []), ...operationIds].find((operation) => {
      const open = drafts[placeOf(operation, applicantId)] as Draft | undefined
      return open && (open.running || open.ending || open.failure || isFilled(open))
    })
  }

  /** Empties a form; on an applicant's page it goes back to what it was opened with. */
  function clear(place: FormPlace): void {
    const { running, applicantId, given } = at(place)
    if (running) return
    const operation = operationAt(place)
    drafts[place] = applicantId === undefined ? emptyDraft(operation) : applicantDraft(operation, applicantId, given)
  }
  function dropAll(): void {
    lastOpened.clear()
    for (const [place, draft] of Object.entries(drafts) as [FormPlace, Draft][]) {
      if (draft.applicantId === undefined) clear(place)
      else if (!draft.running) delete drafts[place]
    }
  }

  return { at, openFor, inUseFor, clear, dropAll }
}

const scrubbed = (operation: OperationId, values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    operationOf(operation).fields.map(({ name, kind }) => [
      name,
      kind === 'url' ? scrubLink(values[name] ?? '').url : (values[name] ?? '')
    ])
  )

/** Input that has not been sent. The signature of a link is never stored. */
const keptInput = (drafts: Drafts, { at, openFor }: Pick<ReturnType<typeof useForms>, 'at' | 'openFor'>) => ({
  take: () =>
    Object.entries(drafts).flatMap(([place, draft]) => {
      const { ending, rerunOf, applicantId } = draft
      if (ending || !isFilled(draft)) return []
      const id = operationAt(place as FormPlace)
      return [
        {
          id,
          values: scrubbed(id, draft.values),
          ...(applicantId !== undefined && { applicantId, given: scrubbed(id, draft.given) }),
          ...(rerunOf && { rerunOf })
        }
      ]
    }),
  restore(forms: readonly KeptForm[]) {
    for (const { id, values, applicantId, given, rerunOf } of forms) {
      if (!isOperationId(id)) continue
      const draft = at(applicantId === undefined ? id : openFor(applicantId, id, given ?? {}))
      if (draft.running || draft.ending || isFilled(draft)) continue
      for (const { name } of operationOf(id).fields) draft.values[name] = String(values[name] ?? '')
      draft.outdated = outdatedIn(id, values)
      if (rerunOf) draft.rerunOf = rerunOf
    }
  }
})

export const useRun = defineStore('run', () => {
  const app = useApp()
  const drafts = reactive(
    Object.fromEntries(operationIds.map((id) => [id, emptyDraft(id)])) as Record<FormPlace, Draft>
  )
  const { at, openFor, inUseFor, clear, dropAll } = useForms(drafts)
  const kept = keptInput(drafts, { at, openFor })

  function onProgress(event: Extract<ConsoleEvent, { kind: 'run-progress' }>): void {
    for (const draft of Object.values(drafts)) {
      if (draft.running?.runId === event.runId) draft.running.phase = event.phase
    }
  }

  /** Fills a form with pasted values, except what its page determines. Answers with the names that were filled, and how to undo it. */
  function fill(place: FormPlace, values: Readonly<Record<string, string>>): { names: string[]; undo: () => void } {
    const draft = at(place)
    const before = { ...draft.values }
    const names = Object.keys(values).filter((name) => !draft.fixed.includes(name))
    for (const name of names) draft.values[name] = values[name] ?? ''
    draft.faults = {}
    draft.outdated = draft.outdated.filter((name) => !names.includes(name))
    return { names, undo: () => (draft.values = before) }
  }

  /** Validates every field; false if one cannot be sent. */
  function check(place: FormPlace): boolean {
    const draft = at(place)
    draft.faults = {}
    for (const field of operationOf(operationAt(place)).fields) {
      const value = (draft.values[field.name] ?? '').trim()
      draft.values[field.name] = value
      const fault = fieldFault(field.kind, value)
      if (fault) draft.faults[field.name] = fault
    }
    return Object.keys(draft.faults).length === 0
  }

  async function send(place: FormPlace, connectionId: string, answers: SendAnswers = {}): Promise<void> {
    const operation = operationAt(place)
    const draft = at(place)
    if (draft.running || !check(place)) return
    const { applicantId } = draft
    const { repeatAnyway, confirmation, unknownAgain, withoutCopies } = answers
    draft.answers = answers
    const runId = crypto.randomUUID()
    const asked = generation.value
    draft.running = { runId, since: performance.now(), cancelling: false }
    delete draft.failure
    delete draft.ending
    const answer = await ask('verification.run', {
      runId,
      connectionId,
      operation,
      input: { ...draft.values },
      ...(applicantId !== undefined && applicantFieldOf(operation) === undefined && { applicantId }),
      ...(draft.rerunOf && { rerunOf: draft.rerunOf }),
      ...(repeatAnyway && { repeatAnyway: true }),
      ...(confirmation !== undefined && { confirmation }),
      ...(unknownAgain && { unknownAgain }),
      ...(withoutCopies && { withoutCopies })
    })
    delete draft.running
    // The guard found an answer from before the removal: neither it nor the input is restored.
    if (answer.ok && namesEarlier(answer.value) && asked !== generation.value) return clear(place)
    if (!answer.ok) {
      draft.failure = answer.failure
      draft.faults = { ...answer.failure.fields }
      app.announce(whatHappened(answer.failure))
      return
    }
    draft.ending = answer.value
    app.announce(announcement(answer.value))
  }

  async function cancel(place: FormPlace): Promise<void> {
    const running = at(place).running
    if (!running || running.cancelling) return
    running.cancelling = true
    const answer = await ask('verification.cancel', { runId: running.runId })
    if (!answer.ok) running.cancelling = false
  }

  /** Fills a form from a record; links without their signature have to be entered again. */
  function prefill(record: Pick<RecordDetail, 'id' | 'operation' | 'input' | 'linksScrubbed'>): void {
    const draft = emptyDraft(record.operation)
    const fields = operationOf(record.operation).fields
    for (const field of fields) draft.values[field.name] = record.input[field.name] ?? ''
    draft.rerunOf = record.id
    if (record.linksScrubbed) draft.outdated = outdatedIn(record.operation, draft.values)
    drafts[record.operation] = draft
  }

  /** The same record may be shown below a form. */
  function onResolved(record: RecordDetail): void {
    for (const draft of Object.values(drafts))
      if (draft.ending?.kind === 'recorded' && draft.ending.record.id === record.id)
        draft.ending = { kind: 'recorded', record }
  }

  /**
   * A verification in progress is kept: nobody is erased while one of theirs is in progress, and otherwise its outcome
   * would be visible only in the history.
   */
  onRemoval('run', dropAll)

  return { drafts, at, openFor, inUseFor, kept, onProgress, onResolved, check, send, cancel, prefill, fill, clear }
})

/** Whether it shows an earlier request, and so what was in the history when it was asked. */
const namesEarlier = (ending: RunEnding): boolean =>
  ending.kind === 'recently-answered' ||
  ending.kind === 'checked-by-colleague' ||
  (ending.kind === 'may-have-been-sent' && ending.earlier.kind === 'unresolved')

/** The end of a run as one sentence for screen readers. */
function announcement(ending: RunEnding): string {
  if (ending.kind === 'recently-answered') return words.notSentTheSameRequest
  if (ending.kind === 'checked-by-colleague') return words.notSentAColleagueRecently
  if (ending.kind === 'may-have-been-sent')
    return ending.earlier.kind === 'unresolved' ? words.notSentTheOutcomeOf : words.notSentTheSameRequestMay
  if (ending.kind === 'not-copied') return ending.required ? words.nothingWasSentACopy : words.notSentYetNoCopy
  if (ending.kind === 'live-unconfirmed') return words.notSentYetConnectionIs({ connection: ending.connection })
  return inWords(ending.record)
}

/** A record's outcome as one sentence for screen readers. */
function inWords(record: RecordDetail): string {
  if (record.state === 'open') return words.theVerificationIsInProgress
  const { label: outcome } = outcomeOf(record.state)
  return [
    record.status === undefined ? outcome : words.outcomeStatus({ outcome, status: record.status }),
    ...(record.message
      ? [words.theServicesMessageIs({ message: shownLine(record.message) })]
      : record.failure
        ? [sentencesOf(record.failure).what]
        : [])
  ].join('. ')
}
