/**
 * Copies the sealed files of documents to a folder, and dies before or after a file gets its name there:
 * `node document-backup-victim.ts FOLDER TO before|after|half NUMBER`. `half`: after a part of the file was written.
 */
import fs from 'node:fs/promises'
import { flushCompileCache, syncBuiltinESMExports } from 'node:module'
import { startPracticeService } from '#practice/service.ts'
import { startTestConsole } from './console.ts'
import { die } from './die.ts'

const [dataFolder = '', to = '', step = '', number = ''] = process.argv.slice(2)

let left = Number(number)
const { open, rename } = fs
fs.rename = async (from, target) => {
  const isCopy = String(target).startsWith(to)
  if (isCopy && step === 'before' && (left -= 1) === 0) die()
  await rename(from, target)
  if (isCopy && step === 'after' && (left -= 1) === 0) die()
}
fs.open = async (path, flags, mode) => {
  const handle = await open(path, flags, mode)
  if (flags === 'wx' && String(path).startsWith(to) && step === 'half' && (left -= 1) === 0) {
    await handle.writeFile('a half')
    die()
  }
  return handle
}
syncBuiltinESMExports()

const console = await startTestConsole({ dataFolder, practice: await startPracticeService() })
await console.veridesk.opened()
// What this process has compiled is there for the next one: killed, it writes nothing at its end.
flushCompileCache()
console.save = to
await console.get('backups.documents')
process.exit(0)
