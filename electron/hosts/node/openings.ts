/** Links and files that the system passes to the program, kept until a window takes them. */
import { extname, resolve } from 'node:path'
import { linkScheme } from '#contract/app/link-to.ts'
import { approvalEnding, packEndings, placeOf, tableEndings, type NotifiedPlace } from '#contract/app/opening.ts'
import type { AskedToOpen } from '#core/ports/host.ts'

/** More waiting things than a person opens: a program that sends them fills no memory. */
const mostWaiting = 20

const endings: readonly string[] = [...packEndings, approvalEnding, ...tableEndings].map((ending) => `.${ending}`)

/**
 * What an argument of the program asks to open; undefined if it is something else, such as a flag.
 *
 * @param folder The folder in which the program was started: a relative path is in it.
 */
export function askedBy(argument: string, folder: string): AskedToOpen | undefined {
  if (argument.toLowerCase().startsWith(`${linkScheme}:`)) return placeOf(argument) ?? 'refused'
  if (argument.startsWith('-') || !endings.includes(extname(argument).toLowerCase())) return undefined
  return { path: resolve(folder, argument) }
}

export interface Openings {
  /** Keeps what the arguments ask to open; the oldest go first if there are too many. */
  ask(args: readonly string[], folder: string): void
  /** Keeps a place that the person chose in a notification. */
  lead(place: NotifiedPlace): void
  take(): AskedToOpen | undefined
  /** Called when something was added. One listener. */
  onAsked(listener: () => void): void
}

export function createOpenings(): Openings {
  const waiting: AskedToOpen[] = []
  let tell = (): void => undefined
  function add(asked: readonly AskedToOpen[]): void {
    if (asked.length === 0) return
    waiting.push(...asked)
    waiting.splice(0, waiting.length - mostWaiting)
    tell()
  }
  return {
    ask: (args, folder) => add(args.flatMap((argument) => askedBy(argument, folder) ?? [])),
    lead: (place) => add([place]),
    take: () => waiting.shift(),
    onAsked: (listener) => (tell = listener)
  }
}
