/** Signals that ask a command to end. */
import type { ExitName } from './exit.ts'

/** How a command ends after a signal: 128 plus the signal's number, as shells expect. */
export const signalEndings = {
  SIGINT: 'interrupted',
  SIGTERM: 'terminated',
  SIGHUP: 'hungUp'
} as const satisfies Partial<Record<NodeJS.Signals, ExitName>>

export type EndingSignal = keyof typeof signalEndings
const signals = Object.keys(signalEndings) as EndingSignal[]

/**
 * Milliseconds during which further signals count as the first one: npm forwards signals that the terminal or a
 * service manager has already sent to the whole group, so one request arrives two or three times.
 */
const repeatWindow = 1000

/**
 * Calls the listener at the first signal. A later Ctrl-C or SIGTERM ends the process at once, as by default; a
 * repeated SIGHUP of a closing terminal does not.
 *
 * @returns A function that ends the watch.
 */
export function onSignal(listener: (signal: EndingSignal) => void): () => void {
  let first: number | undefined
  const stop = (): void => signals.forEach((signal) => void process.off(signal, received))
  const received = (signal: NodeJS.Signals): void => {
    const now = performance.now()
    if (first === undefined) {
      first = now
      listener(signal as EndingSignal)
    } else if (now - first > repeatWindow && signal !== 'SIGHUP') {
      stop()
      process.kill(process.pid, signal)
    }
  }
  for (const signal of signals) process.on(signal, received)
  return stop
}
