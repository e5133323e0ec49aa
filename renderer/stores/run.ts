/** Checks under way and just ended: one desk for each operation, kept while the person looks elsewhere. */
import { defineStore } from 'pinia'
import { reactive } from 'vue'
import type { Failure } from '#contract/failures.ts'
import type { ConsoleEvent } from '#contract/ipc.ts'
import { removedMark } from '#contract/links.ts'
import { operationIds, operationOf, type OperationId } from '#contract/operations.ts'
import { outcomeOf } from '#contract/outcomes.ts'
import type { RecordDetail, RunEnding } from '#contract/records.ts'
import { fieldFault } from '#contract/verification.ts'
import { ask } from '../bridge.ts'
import { generation, onRemoval } from '../lib/removal.ts'
import { useApp } from './app.ts'

export type Phase = Extract<ConsoleEvent, { kind: 'run-progress' }>['phase']

export interface Desk {
  values: Record<string, string>
  /** Faults shown at the fields. */
  faults: Record<string, string>
  running?: { runId: string; since: number; phase?: Phase; cancelling: boolean }
  ending?: RunEnding
  failure?: Failure
  /** Set where the form was filled from an earlier record. */
  rerunOf?: string
  /** Fields whose stored links had their signatures removed: a fresh link is needed. */
  stale: string[]
}

function emptyDesk(operation: OperationId): Desk {
  const values = Object.fromEntries(operationOf(operation).fields.map((field) => [field.name, '']))
  return { values, faults: {}, stale: [] }
}

export const useRun = defineStore('run', () => {
  const app = useApp()
  const desks = reactive(Object.fromEntries(operationIds.map((id) => [id, emptyDesk(id)])) as Record<OperationId, Desk>)

  function hear(event: Extract<ConsoleEvent, { kind: 'run-progress' }>): void {
    for (const desk of Object.values(desks)) {
      if (desk.running?.runId === event.runId) desk.running.phase = event.phase
    }
  }

  /** Checks every field; false where one cannot be sent. */
  function check(operation: OperationId): boolean {
    const desk = desks[operation]
    desk.faults = {}
    for (const field of operationOf(operation).fields) {
      const value = (desk.values[field.name] ?? '').trim()
      desk.values[field.name] = value
      const fault = fieldFault(field.kind, value)
      if (fault) desk.faults[field.name] = fault
    }
    return Object.keys(desk.faults).length === 0
  }

  async function send(operation: OperationId, connectionId: string, repeatAnyway = false): Promise<void> {
    const desk = desks[operation]
    if (desk.running || !check(operation)) return
    const runId = crypto.randomUUID()
    const asked = generation.value
    desk.running = { runId, since: performance.now(), cancelling: false }
    delete desk.failure
    delete desk.ending
    const answer = await ask('verification.run', {
      runId,
      connectionId,
      operation,
      input: { ...desk.values },
      ...(desk.rerunOf && { rerunOf: desk.rerunOf }),
      ...(repeatAnyway && { repeatAnyway: true })
    })
    delete desk.running
    // What the guard found was answered before data was removed: neither it nor what was typed for it comes back.
    if (answer.ok && answer.value.kind === 'answered-lately' && asked !== generation.value) return clear(operation)
    if (!answer.ok) {
      desk.failure = answer.failure
      desk.faults = { ...answer.failure.fields }
      app.announce(`${answer.failure.what} ${answer.failure.safe}`)
      return
    }
    desk.ending = answer.value
    app.announce(announcement(answer.value))
  }

  async function cancel(operation: OperationId): Promise<void> {
    const running = desks[operation].running
    if (!running || running.cancelling) return
    running.cancelling = true
    const answer = await ask('verification.cancel', { runId: running.runId })
    if (!answer.ok) running.cancelling = false
  }

  /** Fills a form from a record; links that lost their signature are asked for anew. */
  function prefill(record: Pick<RecordDetail, 'id' | 'operation' | 'input' | 'linksScrubbed'>): void {
    const desk = emptyDesk(record.operation)
    const fields = operationOf(record.operation).fields
    for (const field of fields) desk.values[field.name] = record.input[field.name] ?? ''
    desk.rerunOf = record.id
    if (record.linksScrubbed) {
      desk.stale = fields
        .filter((field) => field.kind === 'url' && desk.values[field.name]?.includes(removedMark))
        .map((field) => field.name)
    }
    desks[record.operation] = desk
  }

  function clear(operation: OperationId): void {
    if (!desks[operation].running) desks[operation] = emptyDesk(operation)
  }

  /** A check under way stays: nobody is erased while one of their checks is, and its ending is in the history alone else. */
  onRemoval('run', () => operationIds.forEach(clear))

  return { desks, hear, check, send, cancel, prefill, clear }
})

/** How a run ended, as one sentence for screen readers. */
function announcement(ending: RunEnding): string {
  if (ending.kind === 'answered-lately') return 'Not sent: the same check was answered recently.'
  if (ending.kind === 'may-have-been-sent') return 'Not sent: the same check may have been sent already.'
  return inWords(ending.record)
}

/** A record's outcome as one sentence for screen readers. */
function inWords(record: RecordDetail): string {
  if (record.state === 'open') return 'The check is under way.'
  const status = record.status === undefined ? '' : `, status ${record.status}`
  const words = record.message ? `. The service’s message: ${record.message}` : record.failure ? `. ${record.failure.what}` : ''
  return `${outcomeOf(record.state).label}${status}${words}`
}
