/** What a channel between a window and the core is: one entry declares its request, its size limit and its answer. */
import { z } from 'zod'
import type { Failure } from '../failures.ts'
import type { Result } from '../result.ts'

export const kibibyte = 1024
/** The request of a channel that asks without saying anything. */
export const nothing = z.undefined()
/** The answer of a channel that saves a file: null where the person chose no place. */
export type SavedFile = { readonly path: string } | null

export interface Channel<Answer = unknown, Input extends z.ZodType = z.ZodType> {
  /** The request's schema: whatever does not have this shape never reaches a handler. */
  readonly input: Input
  /** Bytes of the request as JSON. */
  readonly maxBytes: number
  /**
   * `take`: the answer may arrive after data of persons was removed, since it holds none or reports the removal
   * itself. Every other answer is dropped then: it was made before, and may hold what was removed.
   */
  readonly late?: 'take'
  /** Known to the compiler alone: the type of the answer's value. */
  readonly answer?: () => Answer
}

/** Declares a channel that is answered with an `Answer`, inside a `Result` whose failure is a `Failure`. */
export const channel =
  <Answer>() =>
  <Input extends z.ZodType>(declared: Pick<Channel<Answer, Input>, 'input' | 'maxBytes' | 'late'>): Channel<Answer, Input> =>
    declared

export type ValueOf<Declared extends Channel> = Declared extends Channel<infer Answer> ? Answer : never

/** A handler for each channel of a group. */
export type HandlersOf<Group extends Readonly<Record<string, Channel>>> = {
  readonly [Name in keyof Group]: (input: z.output<Group[Name]['input']>) => Promise<Result<ValueOf<Group[Name]>, Failure>>
}
