/** Ends the preview with words for the person who started it. */
export function stop(text: string, code: number): never {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}
