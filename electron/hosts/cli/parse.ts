/** Parses argv into a command and its options, or a sentence that says what is wrong. */
import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { commands, type Command, type CommandName } from './commands.ts'

/** The option's value; a list if it can be given more than once. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export interface Invocation {
  readonly command: CommandName | 'help'
  readonly operands: readonly string[]
  readonly options: OptionValues
  /** A data folder other than the user's default. */
  readonly dataFolder?: string
}

/** Options of every command. */
const common = {
  'help': { type: 'boolean', short: 'h' },
  'data': { type: 'string' },
  'passphrase-stdin': { type: 'boolean' }
} as const

/** What to say of words that are no command: with the commands that begin with the first one, if there are any. */
function missingCommand(words: readonly string[]): string {
  const missing = `There is no command “${words.slice(0, 2).join(' ')}”.`
  const likely = Object.values<Command>(commands)
    .filter((command) => command.words[0] === words[0])
    .map((command) => `“${command.words.join(' ')}”`)
  return likely.length === 0 ? `${missing} “help” lists them.` : `${missing} “help” describes ${likely.join(', ')}.`
}

/** An option that has one value and was given two: neither may win unseen, such as the connection that a request is sent with. */
function givenTwice(
  tokens: readonly { readonly kind: string; readonly name?: string }[],
  { options }: Command
): string | undefined {
  const names = tokens.flatMap(({ kind, name }) => (kind === 'option' && name !== undefined ? [name] : []))
  return names.find((name, index) => options[name]?.multiple !== true && names.indexOf(name) < index)
}

/** Parses what follows `veridesk` on the command line. */
export function parseCommandLine(argv: readonly string[]): Result<Invocation, string> {
  const words = argv.filter((word, index) => !word.startsWith('-') && argv[index - 1] !== '--data')
  if (words.length === 0 || words[0] === 'help') return ok({ command: 'help', operands: [], options: {} })
  const found = Object.entries<Command>(commands).find(([, command]) =>
    command.words.every((word, index) => words[index] === word)
  )
  if (!found) return fail(missingCommand(words))
  const [name, command] = found
  const options = Object.fromEntries(
    Object.entries(command.options).map(([flag, option]) => [
      flag,
      { type: option.type, multiple: option.multiple === true }
    ])
  )
  try {
    const parsed = parseArgs({
      args: [...argv],
      options: { ...options, ...common },
      allowPositionals: true,
      strict: true,
      tokens: true
    })
    const twice = givenTwice(parsed.tokens, command)
    if (twice !== undefined) return fail(`--${twice} was given twice, and only one value of it can apply.`)
    const values = parsed.values as OptionValues
    if (values['help']) return ok({ command: 'help', operands: [], options: {} })
    return ok({
      command: name as CommandName,
      operands: parsed.positionals.slice(command.words.length),
      options: values,
      dataFolder: typeof values['data'] === 'string' ? values['data'] : undefined
    })
  } catch (error) {
    return fail(error instanceof Error ? error.message : 'The command line was not understood.')
  }
}
