/** Verifications in progress and just ended: one draft for each operation, kept while the user is on other pages. */
import { sentencesOf } from '#contract/failures/sentences.ts'
import { defineStore } from 'pinia'
import { reactive } from 'vue'
import type { Failure, FieldFault } from '#contract/failures.ts'
import type { ConsoleEvent } from '#contract/ipc.ts'
import { removedMark, scrubLink } from '#contract/links.ts'
import { isOperationId, operationIds, operationOf, type OperationId } from '#contract/operations.ts'
import { outcomeOf } from '#contract/outcomes.ts'
import type { RecordDetail, RunEnding } from '#contract/records.ts'
import { fieldFault } from '#contract/verification.ts'
import { whatHappened } from '../lib/failure-text.ts'
import { ask } from '../bridge.ts'
import { generation, onRemoval } from '../lib/removal.ts'
import { useApp } from './app.ts'

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
}

function emptyDraft(operation: OperationId): Draft {
  const values = Object.fromEntries(operationOf(operation).fields.map((field) => [field.name, '']))
  return { values, faults: {}, outdated: [] }
}

export const useRun = defineStore('run', () => {
  const app = useApp()
  const drafts = reactive(Object.fromEntries(operationIds.map((id) => [id, emptyDraft(id)])) as Record<OperationId, Draft>)

  function onProgress(event: Extract<ConsoleEvent, { kind: 'run-progress' }>): void {
    for (const draft of Object.values(drafts)) {
      if (draft.running?.runId === event.runId) draft.running.phase = event.phase
    }
  }

  /** Validates every field; false if one cannot be sent. */
  function check(operation: OperationId): boolean {
    const draft = drafts[operation]
    draft.faults = {}
    for (const field of operationOf(operation).fields) {
      const value = (draft.values[field.name] ?? '').trim()
      draft.values[field.name] = value
      const fault = fieldFault(field.kind, value)
      if (fault) draft.faults[field.name] = fault
    }
    return Object.keys(draft.faults).length === 0
  }

  async function send(operation: OperationId, connectionId: string, repeatAnyway = false): Promise<void> {
    const draft = drafts[operation]
    if (draft.running || !check(operation)) return
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
      ...(draft.rerunOf && { rerunOf: draft.rerunOf }),
      ...(repeatAnyway && { repeatAnyway: true })
    })
    delete draft.running
    // The guard found an answer from before the removal: neither it nor the input is restored.
    if (answer.ok && answer.value.kind === 'recently-answered' && asked !== generation.value) return clear(operation)
    if (!answer.ok) {
      draft.failure = answer.failure
      draft.faults = { ...answer.failure.fields }
      app.announce(whatHappened(answer.failure))
      return
    }
    draft.ending = answer.value
    app.announce(announcement(answer.value))
  }

  async function cancel(operation: OperationId): Promise<void> {
    const running = drafts[operation].running
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
    if (record.linksScrubbed) {
      draft.outdated = fields
        .filter((field) => field.kind === 'url' && draft.values[field.name]?.includes(removedMark))
        .map((field) => field.name)
    }
    drafts[record.operation] = draft
  }

  /** The same record may be shown below a form. */
  function onResolved(record: RecordDetail): void {
    const draft = drafts[record.operation]
    if (draft.ending?.kind === 'recorded' && draft.ending.record.id === record.id) draft.ending = { kind: 'recorded', record }
  }

  const outdatedIn = (operation: OperationId, values: Readonly<Record<string, string>>): string[] =>
    operationOf(operation).fields.filter(({ kind, name }) => kind === 'url' && values[name]?.includes(removedMark)).map(({ name }) => name)
  /** Input that has not been sent. The signature of a link is never stored. */
  const kept = {
    take: () =>
      operationIds.flatMap((id) => {
        const { values, ending, rerunOf } = drafts[id]
        if (ending || Object.values(values).every((value) => value === '')) return []
        const stored = operationOf(id).fields.map(({ name, kind }) => [name, kind === 'url' ? scrubLink(values[name] ?? '').url : (values[name] ?? '')])
        return [{ id, values: Object.fromEntries(stored) as Record<string, string>, ...(rerunOf && { rerunOf }) }]
      }),
    restore(forms: readonly { readonly id: string; readonly values: Readonly<Record<string, string>>; readonly rerunOf?: string }[]) {
      for (const { id, values, rerunOf } of forms) {
        if (!isOperationId(id) || drafts[id].running || Object.values(drafts[id].values).some((value) => value !== '')) continue
        for (const { name } of operationOf(id).fields) drafts[id].values[name] = String(values[name] ?? '')
        drafts[id].outdated = outdatedIn(id, values)
        if (rerunOf) drafts[id].rerunOf = rerunOf
      }
    }
  }

  function clear(operation: OperationId): void {
    if (!drafts[operation].running) drafts[operation] = emptyDraft(operation)
  }

  /**
   * A verification in progress is kept: nobody is erased while one of theirs is in progress, and otherwise its outcome
   * would be visible only in the history.
   */
  onRemoval('run', () => operationIds.forEach(clear))

  return { drafts, kept, onProgress, onResolved, check, send, cancel, prefill, clear }
})

/** The end of a run as one sentence for screen readers. */
function announcement(ending: RunEnding): string {
  if (ending.kind === 'recently-answered') return 'Not sent: the same request was recently answered.'
  if (ending.kind === 'may-have-been-sent') return 'Not sent: the same request may have been sent already.'
  return inWords(ending.record)
}

/** A record's outcome as one sentence for screen readers. */
function inWords(record: RecordDetail): string {
  if (record.state === 'open') return 'The verification is in progress.'
  const status = record.status === undefined ? '' : `, status ${record.status}`
  const words = record.message ? `. The service’s message: ${record.message}` : record.failure ? `. ${sentencesOf(record.failure).what}` : ''
  return `${outcomeOf(record.state).label}${status}${words}`
}
