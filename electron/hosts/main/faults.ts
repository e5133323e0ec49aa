/** Logs uncaught errors. One line each, without the error's own text, which could contain data being sent. */

/** An error as its kind and its place in the code, without its content. */
export function redacted(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = (error as NodeJS.ErrnoException).code
  const place = /([\w.-]+\.[cm]?[jt]s:\d+:\d+)/.exec(
    error.stack?.split('\n').find((line) => /^\s+at /.test(line)) ?? ''
  )?.[1]
  return [error.name, code, place && `at ${place}`].filter(Boolean).join(' ')
}

/** Logs uncaught errors; after a throw the process's state is uncertain, so `end` closes it in order. */
export function watchFaults(end: () => void): void {
  const log = (kind: string, error: unknown): void =>
    void process.stderr.write(`veridesk: ${kind}: ${redacted(error)}\n`)
  // A closed terminal is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  process.on('uncaughtException', (error) => {
    log('uncaught exception', error)
    end()
  })
  process.on('unhandledRejection', (error) => log('unhandled rejection', error))
}
