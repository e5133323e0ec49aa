/** Holds the folder of a session with sample data: prints its path, and ends it when told to. */
import { stdin } from 'node:process'
import { openSampleFolder } from '../../../electron/hosts/node/sample-folder.ts'

const opened = await openSampleFolder(() => undefined)
if (!opened.ok) throw new Error(opened.failure.code)
console.log(opened.value.path)
stdin.on('data', (text) => {
  if (String(text).trim() === 'exit') process.exit(0)
  void opened.value.remove().then(() => process.exit(0))
})
