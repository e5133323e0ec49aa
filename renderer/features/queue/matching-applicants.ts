/** The applicants that match the filters of a list: how many there are, and who, for a change of all of them. */
import { shallowRef, type ShallowRef } from 'vue'
import { maxMatchingApplicants, type MatchingApplicants } from '#contract/applicants/applicants.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { useApp } from '../shell/app-store.ts'
import { whatToDo } from '../../kit/failure-text.ts'
import { count } from '../../kit/text.ts'
import { words } from './words.ts'

export interface Matching {
  /** The latest answer; absent until there is one. */
  readonly found: ShallowRef<MatchingApplicants | undefined>
  /** Asks how many match. */
  look(): Promise<void>
  /** Everyone who matches now. Undefined, with a message, if it failed or there are too many. */
  all(): Promise<readonly string[] | undefined>
}

/** Shown where the whole result cannot be selected. */
export const tooManyMatch = (): string =>
  words.moreThanMaxmatchingapplicantsMatchNarrow({ maxMatchingApplicants: count(maxMatchingApplicants) })

/** @param ask With the filters as they are now. */
export function useMatchingApplicants(ask: () => Promise<Result<MatchingApplicants, Failure>>): Matching {
  const app = useApp()
  const found = shallowRef<MatchingApplicants>()
  let question = 0

  async function read(): Promise<Result<MatchingApplicants, Failure>> {
    const mine = ++question
    const answer = await ask()
    if (mine === question && answer.ok) found.value = answer.value
    return answer
  }
  return {
    found,
    look: async () => void (await read()),
    all: async () => {
      const answer = await read()
      if (answer.ok && !answer.value.more) return answer.value.ids
      app.showToast(answer.ok ? tooManyMatch() : whatToDo(answer.failure), { tone: 'warning' })
      return undefined
    }
  }
}
