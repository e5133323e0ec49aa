/** Writes a file to a user's path and never ends: `node writing-victim.ts DATA_FOLDER FILE TEXT`, to be killed. */
import { createChosenFiles } from '#core/files/unfinished.ts'

const [dataFolder = '', file = '', text = ''] = process.argv.slice(2)
async function* pieces(): AsyncGenerator<string> {
  yield text.repeat(10_000)
  process.stdout.write('written\n')
  await new Promise((resolve) => setTimeout(resolve, 2 ** 30))
  yield ''
}
await createChosenFiles(dataFolder).write(file, pieces())
