/** A channel between a window and core: one entry declares its request, its size limit and its answer. */
import { z } from 'zod'
import type { Failure } from '../failures/failures.ts'
import type { Result } from '../failures/result.ts'

export const kibibyte = 1024
/** The request of a channel without input. */
export const nothing = z.undefined()
/** The answer of a channel that saves a file; null if the user cancelled. */
export type SavedFile = { readonly path: string } | null

export interface Channel<Answer = unknown, Input extends z.ZodType = z.ZodType> {
  /** The request's schema: requests that do not match never reach a handler. */
  readonly input: Input
  /** Maximum bytes of the request as JSON. */
  readonly maxBytes: number
  /**
   * `take`: the answer may be used after personal data was removed, because it contains none or reports the removal
   * itself. Any other answer is then dropped: it was created before and may contain what was removed.
   */
  readonly late?: 'take'
  /** For the compiler only: the type of the answer's value. */
  readonly answer?: () => Answer
}

/** Declares a channel that returns `Answer` within a `Result` whose failure is a `Failure`. */
export const channel =
  <Answer>() =>
  <Input extends z.ZodType>(
    declared: Pick<Channel<Answer, Input>, 'input' | 'maxBytes' | 'late'>
  ): Channel<Answer, Input> =>
    declared

export type ValueOf<Declared extends Channel> = Declared extends Channel<infer Answer> ? Answer : never

/** A handler for each channel of a group. */
export type HandlersOf<Group extends Readonly<Record<string, Channel>>> = {
  readonly [Name in keyof Group]: (
    input: z.output<Group[Name]['input']>
  ) => Promise<Result<ValueOf<Group[Name]>, Failure>>
}
