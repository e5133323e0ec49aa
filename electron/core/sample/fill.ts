/**
 * Fills the history of a session with sample data, through the requests that a window would send: each record is a real
 * verification at the practice service, and each event of the audit trail is what happened, at the time it happened.
 */
import { today } from '#contract/applicants/due-dates.ts'
import { randomUUID } from 'node:crypto'
import type { SampleState } from '#contract/app/app-state.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { Answers, ChannelName, RequestOf } from '#contract/ipc/ipc.ts'
import { operationOf } from '#contract/verification/operations.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Router } from '#core/ipc/router.ts'
import type { Clock } from '#kit/clock.ts'
import {
  batchOperation,
  checksOfNobody,
  exampleApplicants,
  exampleBatch,
  exampleReadings,
  imageLink,
  resolvedApplicant,
  type ExampleApplicant,
  type ExampleCheck
} from './examples.ts'

export interface FillParts {
  readonly handle: Router
  readonly clock: Pick<Clock, 'now'>
  /** Resolves when a batch has ended. */
  readonly batchEnded: (id: string) => Promise<void>
  /** Ends the filling before its next step. */
  readonly signal: AbortSignal
  readonly progress: (state: SampleState) => void
}

/** Verifications in progress at once; their writes share the disk's syncs. */
const atOnce = 4
const hour = 3_600_000

/** A step that failed. */
class Refused extends Error {
  readonly failure: Failure
  constructor(why: Failure) {
    super(why.code)
    this.failure = why
  }
}

/** Never rejects: a failure is part of the progress. */
export async function fillWithExamples(parts: FillParts): Promise<void> {
  const { signal } = parts
  // The batch and the settings are one step each; then each verification, and each applicant's other facts.
  const checks = exampleApplicants.flatMap((applicant) => applicant.checks.map((check) => ({ check, applicant })))
  const total = 3 + checks.length + checksOfNobody.length + exampleApplicants.length
  let done = 0
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    const value = await work()
    done += 1
    parts.progress({ done, total })
    return value
  }
  const ask = async <Name extends ChannelName>(name: Name, input?: RequestOf<Name>): Promise<Answers[Name]> => {
    const answer = (await parts.handle(name, input)) as Result<Answers[Name], Failure>
    if (!answer.ok) throw new Refused(answer.failure)
    return answer.value
  }

  parts.progress({ done, total })
  try {
    const practice = await step(async () => {
      const connection = await ask('practice.start')
      await ask('settings.change', { lastConnection: connection.id, firstRunDone: true })
      // The specimen images are on this computer, and can be opened like any document.
      const { id, name, baseUrl, mode, colour, mark } = connection
      await ask('connections.save', {
        id,
        name,
        baseUrl,
        mode,
        colour,
        mark,
        documents: { ...connection.documents, privateAddresses: true }
      })
      return connection
    })
    const run = runnerOf(ask, practice.id, practice.baseUrl)
    await step(() => runBatch(ask, practice, parts.batchEnded))
    await inParallel([
      ...checks.map(
        ({ check, applicant }) =>
          () =>
            step(() => run(check, applicant.id))
      ),
      ...checksOfNobody.map((check) => () => step(() => run(check)))
    ])
    await step(() => interpret(ask))
    for (const applicant of exampleApplicants) await step(() => complete(ask, parts.clock, applicant, run))
  } catch (error) {
    if (signal.aborted) return
    parts.progress({
      done,
      total,
      failure:
        error instanceof Refused
          ? failure('sample-incomplete', { cause: error.failure })
          : failure('sample-incomplete', { reason: 'error' })
    })
  }
}

type Ask = <Name extends ChannelName>(name: Name, input?: RequestOf<Name>) => Promise<Answers[Name]>
type Run = (check: ExampleCheck, applicantId?: string) => Promise<void>

function runnerOf(ask: Ask, connectionId: string, baseUrl: string): Run {
  return async ({ operation, trigger, times = 1, cancelled }, applicantId) => {
    const { fields } = operationOf(operation)
    const subject = applicantId ?? randomUUID().slice(0, 8)
    const input = Object.fromEntries(
      fields.map(({ name, kind }) => [
        name,
        kind === 'applicant-id' ? (applicantId ?? '') : imageLink(baseUrl, operation, name, trigger, subject)
      ])
    )
    const named = fields.some(({ kind }) => kind === 'applicant-id')
    for (let time = 0; time < times; time += 1) {
      const runId = randomUUID()
      const ending = ask('verification.run', {
        runId,
        connectionId,
        operation,
        input,
        ...(!named && applicantId !== undefined && { applicantId }),
        ...(time > 0 && { repeatAnyway: true })
      })
      if (cancelled) await Promise.all([ending, ask('verification.cancel', { runId })])
      if ((await ending).kind !== 'recorded') throw new Refused(failure('sample-incomplete', { reason: 'held-back' }))
    }
  }
}

async function runBatch(
  ask: Ask,
  connection: { readonly id: string; readonly baseUrl: string },
  ended: FillParts['batchEnded']
): Promise<void> {
  const { checkId } = await ask('batches.checkText', {
    name: 'sample-applicants.csv',
    text: exampleBatch(connection.baseUrl),
    reading: { operation: batchOperation }
  })
  const { id } = await ask('batches.create', {
    checkId,
    connectionId: connection.id,
    name: 'Sample applicants',
    atOnce
  })
  await ask('batches.start', { id })
  await ended(id)
}

/** Interprets the messages whose wording is known; the others stay unreviewed. */
async function interpret(ask: Ask): Promise<void> {
  const { messages } = await ask('catalogue.list', { limit: 200 })
  for (const { id, message } of messages) {
    const reading = exampleReadings.find(({ of }) => message.includes(of))
    if (reading) await ask('catalogue.read', { id, means: reading.means, note: reading.note })
  }
}

/** What people add to an applicant after its verifications. */
async function complete(ask: Ask, clock: Pick<Clock, 'now'>, applicant: ExampleApplicant, run: Run): Promise<void> {
  const { id: applicantId, tags, note, dueIn, assignee, decision, afterwards = [] } = applicant
  const due = (hours: number): number => today(clock.now() + hours * hour)
  if (tags) await ask('applicants.tag', { applicantId, tags: [...tags] })
  if (note !== undefined) await ask('applicants.note', { applicantId, text: note })
  if (dueIn !== undefined) await ask('queue.due', { applicantId, due: due(dueIn) })
  if (assignee !== undefined) await ask('queue.assign', { applicantId, assignee })
  if (applicantId === resolvedApplicant) await resolve(ask, applicantId)
  if (decision) {
    const { evidence } = await ask('applicants.show', { applicantId })
    await ask('decisions.make', {
      applicantId,
      evidence,
      decision: decision.decision,
      reasons: [...decision.reasons],
      note: decision.note,
      ...(decision.dueIn !== undefined && { due: due(decision.dueIn) })
    })
  }
  for (const check of afterwards) await run(check, applicantId)
}

async function resolve(ask: Ask, applicantId: string): Promise<void> {
  const { entries } = await ask('applicants.timeline', { applicantId, limit: 50 })
  for (const entry of entries) {
    if (entry.kind === 'check' && entry.record.state === 'unknown')
      await ask('history.resolve', {
        id: entry.record.id,
        as: 'processed',
        note: 'The provider confirmed that it was processed.'
      })
  }
}

/** Runs works in order, a few at once. After a failure no other one begins, and those in progress end first. */
async function inParallel(works: readonly (() => Promise<void>)[]): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let work = works[next++]; work; work = works[next++]) {
      try {
        await work()
      } catch (error) {
        next = works.length
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane))
  const refused = lanes.find((ended) => ended.status === 'rejected')
  if (refused) throw refused.reason
}
