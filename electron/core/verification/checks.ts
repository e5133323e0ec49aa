/**
 * Checks an applicant: the operations one after another, each a record of its own by the rules of a single verification, each at
 * most once. Nothing more is sent after an unknown outcome, a refusal (401, 403, 429), or a question that a person has to answer.
 */
import { randomUUID } from 'node:crypto'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { applicantFieldOf } from '#contract/verification/operations.ts'
import type { CheckPart, CheckPlanRequest, CheckRequest, PlannedPart } from '#contract/verification/check-run.ts'
import { inputOfCheck, stopsCheck } from '#contract/verification/recipes.ts'
import { inputFaults } from '#contract/verification/verification.ts'
import type { RunEnding } from '#contract/verification/run-ending.ts'
import type { Runs } from './runs.ts'

export interface Checks {
  /** What sending would meet. Sends nothing. */
  plan(request: CheckPlanRequest): Promise<Result<readonly PlannedPart[], Failure>>
  /** Resolves when nothing of it is left to send. */
  run(request: CheckRequest): Promise<Result<readonly CheckPart[], Failure>>
  /** The parts of a check that runs; none of one that has ended. */
  show(checkId: string): readonly CheckPart[]
  /** Sends none of its operations that were not sent yet; what is in progress ends. False if it had ended. */
  cancelRest(checkId: string): boolean
}

type Operation = CheckPart['operation']

/** How a verification ended, as a part of the check. */
function partOf(operation: Operation, answer: Result<RunEnding, Failure>): CheckPart {
  if (!answer.ok) return { operation, kind: 'failed', failure: answer.failure }
  const ending = answer.value
  switch (ending.kind) {
    case 'recorded':
      return { operation, kind: 'recorded', record: ending.record }
    case 'unrecorded':
      return { operation, kind: 'unrecorded', record: ending.record, failure: ending.failure }
    case 'recently-answered':
      return { operation, kind: 'used', recordId: ending.earlier.id, at: ending.earlier.startedAt }
    case 'may-have-been-sent':
      return {
        operation,
        kind: 'held',
        why: ending.kind,
        ...(ending.earlier.kind === 'unresolved' && { recordId: ending.earlier.record.id })
      }
    default:
      return { operation, kind: 'held', why: ending.kind }
  }
}

const isLast = (part: CheckPart): boolean =>
  part.kind === 'held' ||
  part.kind === 'failed' ||
  part.kind === 'unrecorded' ||
  (part.kind === 'recorded' && stopsCheck(part.record))

/** Creates the checks of a console. */
export function createChecks(runs: Pick<Runs, 'run' | 'earlier'>, announce: (event: ConsoleEvent) => void): Checks {
  const running = new Map<string, { parts: CheckPart[]; cancelled: boolean }>()

  return {
    async plan({ connectionId, operations, values }) {
      const parts: PlannedPart[] = []
      for (const operation of operations) {
        const input = inputOfCheck(operation, values)
        // What is not complete yet was not answered either.
        if (Object.keys(inputFaults(operation, input)).length > 0) {
          parts.push({ operation })
          continue
        }
        const found = await runs.earlier({ connectionId, operation, input })
        if (!found.ok) return found
        const earlier = found.value
        if (!earlier) parts.push({ operation })
        else if (earlier.kind === 'answered' || earlier.kind === 'unresolved')
          parts.push({
            operation,
            earlier: { kind: earlier.kind, at: earlier.record.startedAt, recordId: earlier.record.id }
          })
        else
          parts.push({
            operation,
            earlier: { kind: 'not-known', at: earlier.kind === 'sent' ? earlier.sentAt : earlier.restoredAt }
          })
      }
      return ok(parts)
    },
    async run({
      checkId,
      connectionId,
      operations,
      values,
      applicantId,
      repeat = [],
      confirmation,
      unknownAgain = []
    }) {
      const check = {
        parts: operations.map((operation): CheckPart => ({ operation, kind: 'waiting' })),
        cancelled: false
      }
      running.set(checkId, check)
      let stopped: Operation | undefined
      const put = (at: number, part: CheckPart): void => {
        check.parts[at] = part
        announce({ kind: 'check-progress', checkId })
      }
      for (const [at, operation] of operations.entries()) {
        if (check.cancelled || stopped !== undefined) {
          const why = stopped === undefined ? 'cancelled' : 'stopped'
          put(at, { operation, kind: 'not-sent', why, ...(stopped !== undefined && { after: stopped }) })
          continue
        }
        put(at, { operation, kind: 'sending' })
        const unknown = unknownAgain.find((each) => each.operation === operation)?.answer
        const answer = await runs.run({
          runId: randomUUID(),
          connectionId,
          operation,
          input: { ...inputOfCheck(operation, values) },
          ...(applicantId !== undefined && applicantFieldOf(operation) === undefined && { applicantId }),
          ...(repeat.includes(operation) && { repeatAnyway: true }),
          ...(confirmation !== undefined && { confirmation }),
          ...(unknown && { unknownAgain: unknown })
        })
        const part = partOf(operation, answer)
        put(at, part)
        if (isLast(part)) stopped = operation
      }
      running.delete(checkId)
      return ok(check.parts)
    },
    show: (checkId) => running.get(checkId)?.parts ?? [],
    cancelRest(checkId) {
      const check = running.get(checkId)
      if (check) check.cancelled = true
      return check !== undefined
    }
  }
}
