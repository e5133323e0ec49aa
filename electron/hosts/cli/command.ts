/** The declaration of a command of the command line. */

export interface Option {
  readonly type: 'string' | 'boolean'
  /** The placeholder of its value in the help. */
  readonly value?: string
  readonly help: string
  /** Can be given more than once. */
  readonly multiple?: true
  /** Its value is a file that the command writes: whether it can be written is tested before anything else. */
  readonly writes?: true
}

export interface Command {
  /** Its words, such as `history search`. */
  readonly words: readonly [string] | readonly [string, string]
  /** What follows the words, in the help. */
  readonly operands: string
  readonly help: string
  readonly options: Readonly<Record<string, Option>>
}
