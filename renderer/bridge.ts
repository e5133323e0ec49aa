/** The one way from the window to the core. */
import { takenLate } from '#contract/channel-names.ts'
import { failure } from '#contract/failures.ts'
import type { AnswerOf, ChannelName, ConsoleEvent, RequestOf } from '#contract/ipc.ts'
import { generation } from './lib/removal.ts'

/**
 * Asks the core. A refused or broken call comes back as a failure too, so that no view meets a throw. So does an answer
 * that may hold what was removed meanwhile (`answer-outdated`): nothing puts it back.
 */
export async function ask<Name extends ChannelName>(name: Name, input?: RequestOf<Name>): Promise<AnswerOf<Name>> {
  try {
    // One method of the bridge is called with its own request: what the compiler cannot follow through the union.
    const method = window.veridesk[name] as (input?: RequestOf<Name>) => Promise<AnswerOf<Name>>
    const asked = generation.value
    const answer = await method(input)
    const late = asked !== generation.value && !(takenLate as readonly ChannelName[]).includes(name)
    return late ? { ok: false, failure: failure('answer-outdated') } : answer
  } catch (error) {
    return {
      ok: false,
      failure: failure('internal', error instanceof Error ? { reason: 'error', error: error.name } : { reason: 'no-answer' })
    }
  }
}

/** Listens to the core's events; returns the function that ends it. */
export function listen(listener: (event: ConsoleEvent) => void): () => void {
  return window.veridesk.onEvent(listener)
}
