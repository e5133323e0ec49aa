/**
 * Verifies or erases an applicant whose document is copied, keeps a copy for a record, or runs a batch, and dies at a chosen step:
 * `node document-copy-victim.ts FOLDER STEP [URL [RECORD]]`, or with `batch` and its ID instead of these two.
 * A real process and a real kill, between two calls of the file system.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import { flushCompileCache, syncBuiltinESMExports } from 'node:module'
import { sep } from 'node:path'
import { startPracticeService } from '#practice/service.ts'
import { startTestConsole } from './console.ts'
import { die } from './die.ts'

const [dataFolder = '', step = '', url = '', recordId = ''] = process.argv.slice(2)

const ofCopies = (path: unknown): path is string => String(path).includes(`${sep}documents${sep}`)
const { rename, unlink } = fs
fs.rename = async (from, to) => {
  if (!ofCopies(to)) return rename(from, to)
  const sealing = to.endsWith('.new')
  if (step === (sealing ? 'written' : 'begun')) die()
  await rename(from, to)
  if (step === (sealing ? 'sealed' : 'named')) die()
}
fs.unlink = async (path) => {
  if (step === 'erased' && ofCopies(path)) die()
  return unlink(path)
}
syncBuiltinESMExports()

const console = await startTestConsole({ dataFolder, practice: await startPracticeService() })
await console.veridesk.opened()
// What this process has compiled is there for the next one: killed, it writes nothing at its end.
flushCompileCache()
if (step === 'erased')
  await console.get('erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked for by letter' })
else if (url === 'batch') {
  await console.get('practice.start')
  const batches = await console.veridesk.batches()
  await console.get('batches.start', { id: recordId })
  await batches.ended(recordId)
  await batches.copied()
} else if (recordId !== '') await console.ask('documents.keep', { recordId, field: 'document_url' })
else
  await console.get('verification.run', {
    runId: randomUUID(),
    connectionId: (await console.get('practice.start')).id,
    operation: 'validate-applicant-id-document',
    input: { applicant_id: 'APP-1', document_url: url },
    repeatAnyway: true
  })
process.exit(0)
