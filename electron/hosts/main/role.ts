/** As what the program was started; pure. */
import { workerNames, type WorkerName } from '#wire/worker-line.ts'

/** What the launcher of the command line passes before `--`; the person's words follow it, and Chromium reads none of them. */
export const commandLineSwitches = ['--cli', '--no-sandbox', '--no-zygote', '--log-level=3'] as const
/** Begins the switch with which the command line starts its workers. */
export const workerSwitch = '--cli-worker='

export type Role =
  | { readonly kind: 'window' }
  | {
      readonly kind: 'command-line'
      /** The words after `veridesk`. */
      readonly words: readonly string[]
      /** The other start arguments; an installed program refuses any. */
      readonly others: readonly string[]
    }
  | { readonly kind: 'worker'; readonly name: WorkerName; readonly others: readonly string[] }

/** @param args The start arguments, without the program. */
export function roleOf(args: readonly string[]): Role {
  const end = args.indexOf('--')
  const before = end === -1 ? args : args.slice(0, end)
  const name = workerNames.find((each) => before.includes(`${workerSwitch}${each}`))
  const own: readonly string[] = [...commandLineSwitches, `${workerSwitch}${name}`]
  const others = before.filter((argument) => !own.includes(argument))
  if (name) return { kind: 'worker', name, others }
  if (!before.includes('--cli')) return { kind: 'window' }
  return { kind: 'command-line', words: end === -1 ? [] : args.slice(end + 1), others }
}
