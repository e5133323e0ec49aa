/** The command line as the tests start it: built, for it starts in less than half of the time that the source takes. */
import { fileURLToPath } from 'node:url'

export const commandLine = fileURLToPath(new URL('../../../out/preview/cli.js', import.meta.url))

/** The same from its source. */
export const commandLineSource = fileURLToPath(new URL('../../../electron/cli/main.ts', import.meta.url))
