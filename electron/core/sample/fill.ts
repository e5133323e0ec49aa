/**
 * Fills the history of a session with sample data, through the requests that a window would send: each record is a real
 * verification at the practice service, and each event of the audit trail was made by the product itself. Only the clock is
 * that of the examples (`hand.ts`).
 */
import { randomUUID } from 'node:crypto'
import type { SampleState } from '#contract/app/app-state.ts'
import { dayLength, today } from '#contract/applicants/due-dates.ts'
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Answers, ChannelName, RequestOf } from '#contract/ipc/ipc.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { askFor, type CaseAsk } from '#core/evidence/evidence.ts'
import type { Router } from '#core/ipc/router.ts'
import type { Hand } from '#wire/history/applicants.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import {
  batchOperation,
  exampleBatch,
  exampleReadings,
  imageLink,
  ownName,
  type ExampleCheck,
  type ExampleDecision
} from './examples.ts'
import type { SampleHand } from './hand.ts'
import { sampleBeginning, sampleSteps, type SampleStep } from './past.ts'

export interface FillParts {
  readonly handle: Router
  readonly hand: SampleHand
  /** For what a window asks for only in a team. */
  readonly store: () => Promise<Result<Pick<HistoryStore, 'applicants' | 'approvals'>, Failure>>
  /** Resolves when a batch has ended. */
  readonly batchEnded: (id: string) => Promise<void>
  /** Ends the filling before its next step. */
  readonly signal: AbortSignal
  readonly progress: (state: SampleState) => void
}

/** Steps in progress at once; their writes share the disk's syncs. */
const atOnce = 8

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
  const { signal, hand } = parts
  const now = hand.clock.now()
  const steps = sampleSteps(now)
  const total = 1 + steps.length
  let done = 0
  const step = async (work: () => Promise<unknown>): Promise<void> => {
    signal.throwIfAborted()
    await work()
    done += 1
    parts.progress({ done, total })
  }
  const ask = async <Name extends ChannelName>(name: Name, input?: RequestOf<Name>): Promise<Answers[Name]> => {
    const answer = (await parts.handle(name, input)) as Result<Answers[Name], Failure>
    if (!answer.ok) throw new Refused(answer.failure)
    return answer.value
  }

  parts.progress({ done, total })
  try {
    let practice: ConnectionStatus | undefined
    await hand.at(sampleBeginning(now), () => step(async () => (practice = await begin(ask))))
    if (!practice) return
    const { store, batchEnded: ended } = parts
    const perform = performer({ ask, practice, ended, store, today: today(now) })
    for (const together of inGroups(steps))
      await allEnded(together.map((each) => step(() => hand.at(each, () => perform(each)))))
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

/** Starts the practice service, whose documents are on this computer and can be opened like any other. */
async function begin(ask: Ask): Promise<ConnectionStatus> {
  const connection = await ask('practice.start')
  await ask('settings.change', { lastConnection: connection.id, firstRunDone: true, displayName: ownName })
  const { id, name, baseUrl, mode, colour, mark, documents } = connection
  const local = { ...documents, privateAddresses: true, openAutomatically: true }
  await ask('connections.save', { id, name, baseUrl, mode, colour, mark, documents: local })
  return connection
}

/** Nothing is beside what is of nobody, nor beside a check that is sent several times: records are in the order of their times. */
const isAlone = ({ applicantId, action }: SampleStep): boolean =>
  applicantId === undefined || (action.kind === 'check' && action.check.times !== undefined)

/** Steps that may be in progress at once: those that follow each other, of different people. */
function* inGroups(steps: readonly SampleStep[]): Generator<readonly SampleStep[]> {
  let group: SampleStep[] = []
  for (const step of steps) {
    const isFull = group.length === atOnce || group.some(({ applicantId }) => applicantId === step.applicantId)
    if (group.length > 0 && (isFull || isAlone(step) || group.some(isAlone))) {
      yield group
      group = []
    }
    group.push(step)
  }
  if (group.length > 0) yield group
}

/** Waits for all, also if one fails: nothing is in progress afterwards. */
async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(works)
  const refused = ended.find(({ status }) => status === 'rejected')
  if (refused?.status === 'rejected') throw refused.reason
}

interface Ground {
  readonly ask: Ask
  readonly practice: ConnectionStatus
  readonly ended: FillParts['batchEnded']
  readonly store: FillParts['store']
  /** The present's date, from which due dates count. */
  readonly today: number
}

function performer({ ask, practice, ended, store, today }: Ground): (step: SampleStep) => Promise<void> {
  const run = runnerOf(ask, practice.id, practice.baseUrl)
  const dueOf = (days: number): number => today + days * dayLength
  return async ({ applicantId, action, at, operator }) => {
    if (action.kind === 'check') return run(action.check, applicantId)
    if (action.kind === 'batch') return runBatch(ask, practice, ended)
    if (action.kind === 'interpret') return interpret(ask)
    if (action.kind === 'change') return void (await ask('applicants.changeMany', action.change))
    if (applicantId === undefined) return
    if (action.kind === 'four-eyes') return askApproval(store, { applicantId, note: action.note }, { at, operator })
    if (action.kind === 'resolve') return resolve(ask, applicantId)
    if (action.kind === 'decide') return decide(ask, applicantId, action.decision, dueOf)
    const { tags, note, dueIn, assignee } = action.facts
    if (tags) await ask('applicants.tag', { applicantId, tags: [...tags] })
    if (note !== undefined) await ask('applicants.note', { applicantId, text: note })
    if (dueIn !== undefined) await ask('queue.due', { applicantId, due: dueOf(dueIn) })
    if (assignee !== undefined) await ask('queue.assign', { applicantId, assignee })
  }
}

/** Asks for approval of the decision that stands, as for a file that nobody needs. */
async function askApproval(store: FillParts['store'], order: Omit<CaseAsk, 'pdf'>, by: Hand): Promise<void> {
  const open = await store()
  if (!open.ok) throw new Refused(open.failure)
  const asked = await askFor(open.value, order, by)
  if (!asked.ok) throw new Refused(asked.failure)
}

async function decide(
  ask: Ask,
  applicantId: string,
  { decision, reasons, note, dueIn }: ExampleDecision,
  dueOf: (days: number) => number
): Promise<void> {
  const { evidence } = await ask('applicants.show', { applicantId })
  const due = dueIn === undefined ? {} : { due: dueOf(dueIn) }
  await ask('decisions.make', { applicantId, evidence, decision, reasons: [...reasons], note, ...due })
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
    reading: { operations: [batchOperation] }
  })
  const { id } = await ask('batches.create', {
    checkId,
    connectionId: connection.id,
    name: 'Sample applicants',
    atOnce: 4
  })
  await ask('batches.start', { id })
  await ended(id)
}

/** Interprets the messages whose wording is known and which nobody has interpreted; the others stay unreviewed. */
async function interpret(ask: Ask): Promise<void> {
  const { messages } = await ask('catalogue.list', { limit: 200 })
  for (const { id, message, reading } of messages) {
    const known = reading ? undefined : exampleReadings.find(({ of }) => message.includes(of))
    if (known) await ask('catalogue.read', { readings: [{ id, means: known.means, note: known.note }] })
  }
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
