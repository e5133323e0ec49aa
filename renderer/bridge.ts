/** The only interface between the window and core. */
import { takenLate } from '#contract/ipc/channel-names.ts'
import { failure } from '#contract/failures/failures.ts'
import type { AnswerOf, ChannelName, ConsoleEvent, RequestOf } from '#contract/ipc/ipc.ts'
import { generation } from './kit/removal.ts'
import { isLater, loadLaterSentences } from './kit/later-sentences.ts'

/**
 * Sends a request to core. A refused or failed call also returns a failure, so no view has to handle exceptions. An
 * answer that may contain data removed in the meantime is replaced by the failure `answer-outdated`.
 */
export async function ask<Name extends ChannelName>(name: Name, input?: RequestOf<Name>): Promise<AnswerOf<Name>> {
  try {
    // One method is called with its own request type, which the compiler cannot follow through the union.
    const method = window.veridesk[name] as (input?: RequestOf<Name>) => Promise<AnswerOf<Name>>
    const asked = generation.value
    const answer = await method(input)
    const late = asked !== generation.value && !(takenLate as readonly ChannelName[]).includes(name)
    if (!late && !answer.ok && isLater(answer.failure)) await loadLaterSentences()
    return late ? { ok: false, failure: failure('answer-outdated') } : answer
  } catch (error) {
    return {
      ok: false,
      failure: failure(
        'internal',
        error instanceof Error ? { reason: 'error', error: error.name } : { reason: 'no-answer' }
      )
    }
  }
}

/** Subscribes to core's events; returns a function that unsubscribes. */
export function listen(listener: (event: ConsoleEvent) => void): () => void {
  return window.veridesk.onEvent(listener)
}
