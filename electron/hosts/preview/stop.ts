/** Ends the preview with a message for the user who started it. */
export function stop(text: string, code: number): never {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}
