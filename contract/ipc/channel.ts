/** A channel between a window and core: one entry declares its request, its size limit and its answer. */
import { z } from 'zod'
import type { EventKind, View } from '../evidence/event-kinds.ts'
import type { Failure } from '../failures/failures.ts'
import type { Result } from '../failures/result.ts'

export const kibibyte = 1024
/** The request of a channel without input. */
export const nothing = z.undefined()
/** The answer of a channel that saves a file; null if the user cancelled. */
export type SavedFile = { readonly path: string } | null

/** Kinds of events of the audit trail that an action leaves with its operator; or why it leaves none. */
export type Leaves = readonly EventKind[] | { readonly none: string }

/** What an action tells the windows, and the exchange with a team, once it has succeeded. */
export type Announced = 'connections-changed' | 'data-management-changed' | 'evidence-changed' | 'history-changed'

export interface Channel<Answer = unknown, Input extends z.ZodType = z.ZodType, Left extends Leaves = Leaves> {
  /** The request's schema: requests that do not match never reach a handler. */
  readonly input: Input
  /** Maximum bytes of the request as JSON. */
  readonly maxBytes: number
  /**
   * `take`: the answer may be used after personal data was removed, because it contains none or reports the removal
   * itself. Any other answer is then dropped: it was created before and may contain what was removed.
   */
  readonly late?: 'take'
  readonly leaves: Left
  /** The condition, if not every request leaves them. */
  readonly when?: string
  /**
   * The view of personal data that an answer is, recorded before it is given: once for each `visit` in the request, or each
   * time. The values are those of the request without its visit. Undefined: it shows none.
   */
  views?(input: WithoutVisit<z.output<Input>>, answer: Answer): View | undefined
  /** What a request that succeeded has changed; undefined: nothing that anybody is told of. */
  announces?(input: WithoutVisit<z.output<Input>>, answer: Answer): Announced | undefined
  /** For the compiler only: the type of the answer's value. */
  readonly answer?: () => Answer
}

/** The router takes the visit from the request. */
export type WithoutVisit<Input> = Input extends unknown
  ? 'visit' extends keyof Input
    ? Omit<Input, 'visit'>
    : Input
  : never

type Declared<Answer, Input extends z.ZodType, Left extends Leaves> = Pick<
  Channel<Answer, Input, Left>,
  'input' | 'maxBytes' | 'late' | 'when' | 'announces'
> &
  (
    | (Required<Pick<Channel<Answer, Input, Left>, 'views'>> & { readonly leaves?: Left })
    | { readonly leaves: Left; readonly views?: undefined }
  )

/**
 * Declares a channel that returns `Answer` within a `Result` whose failure is a `Failure`. One that says what it `views`
 * leaves the event of that view, unless it says otherwise.
 */
export const channel =
  <Answer>() =>
  <Input extends z.ZodType, const Left extends Leaves = readonly ['view.opened']>(
    declared: Declared<Answer, Input, Left>
  ): Channel<Answer, Input, Left> =>
    ({ leaves: ['view.opened'], ...declared }) as unknown as Channel<Answer, Input, Left>

export type ValueOf<Declared extends Channel> = Declared extends Channel<infer Answer> ? Answer : never

/** A handler for each channel of a group. */
export type HandlersOf<Group extends Readonly<Record<string, Channel>>> = {
  readonly [Name in keyof Group]: (
    input: WithoutVisit<z.output<Group[Name]['input']>>,
    visit?: string
  ) => Promise<Result<ValueOf<Group[Name]>, Failure>>
}
