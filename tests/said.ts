/** The sentence that says what happened, from a result, an ending or a failure; empty if there is none. */
import type { Failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'

export function said(of: unknown): string {
  const found = ((of as { readonly failure?: unknown } | null | undefined)?.failure ?? of) as Failure | undefined
  return found?.code === undefined ? '' : sentencesOf(found).what
}
