/** Signals that ask a command to end. */
import type { ExitName } from './exit.ts'

/** How a command ends that a signal has ended: 128 and the signal's number, as shells expect it. */
export const signalEndings = { SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'hungUp' } as const satisfies Partial<
  Record<NodeJS.Signals, ExitName>
>

export type EndingSignal = keyof typeof signalEndings
const signals = Object.keys(signalEndings) as EndingSignal[]

/**
 * Milliseconds in which further signals belong to the first: npm passes on what the terminal or a service
 * manager has sent to the whole group already, so that one wish comes two or three times.
 */
const oneWish = 1000

/**
 * Calls back at the first signal. A later Ctrl-C or SIGTERM ends the process at once, as it would without this;
 * a closing terminal may repeat its SIGHUP and gains nothing by it.
 *
 * @returns Ends the watch.
 */
export function onSignal(listener: (signal: EndingSignal) => void): () => void {
  let first: number | undefined
  const stop = (): void => signals.forEach((signal) => void process.off(signal, received))
  const received = (signal: NodeJS.Signals): void => {
    const now = performance.now()
    if (first === undefined) {
      first = now
      listener(signal as EndingSignal)
    } else if (now - first > oneWish && signal !== 'SIGHUP') {
      stop()
      process.kill(process.pid, signal)
    }
  }
  for (const signal of signals) process.on(signal, received)
  return stop
}
