/**
 * Starts the program again for sample data, from a process of its own: on Linux, a program that the main process starts inherits
 * Chromium's open files, those in the user's data folder among them.
 */
import { serve } from '#wire/rpc.ts'
import { sampleOpener, type SampleStarter } from '../node/sample-window.ts'

let opener: ReturnType<typeof sampleOpener> | undefined

serve<SampleStarter>({
  open: (own) => (opener ??= sampleOpener(own))()
})
