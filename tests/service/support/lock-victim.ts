/**
 * A console in a process of its own that kills itself: `node lock-victim.ts FOLDER STEP POINT [PASSPHRASE] [RECOVERY-KEY]` performs a
 * step of the lock and ends with SIGKILL at the POINT-th of its moments, counted from 1. The moments are around each write: of an entry
 * of the keychain (ahead of it, sent and not answered, answered) and of `lock.json` (ahead of its rename and after it). Prints the
 * name of each moment; ends with code 0 if it has fewer of them.
 */
import promises from 'node:fs/promises'
import { flushCompileCache, syncBuiltinESMExports } from 'node:module'
import type { WorkerLine } from '#wire/worker-line.ts'
import { startTestConsole, type TestConsole } from './console.ts'
import { die } from './die.ts'
import { launchWorkers } from './workers.ts'

export type LockStep = 'set' | 'change' | 'remove' | 'lock' | 'recover'
const [dataFolder = '', step = 'set', point = '0', passphrase, recoveryKey = ''] = process.argv.slice(2)

let armed = false
let left = Number(point)
function moment(name: string): void {
  if (!armed) return
  process.stdout.write(`${name}\n`)
  if ((left -= 1) <= 0) die()
}

const { rename } = promises
promises.rename = async (from, to) => {
  const isLock = String(to).endsWith('lock.json')
  if (isLock) moment('lock.json: ahead of the rename')
  await rename(from, to)
  if (isLock) moment('lock.json: after the rename')
}
syncBuiltinESMExports()

const writes = new Set(['set', 'setSealed', 'remove'])
/** A line to the keychain's process whose writes are moments. */
function counted(line: WorkerLine): WorkerLine {
  const waiting = new Set<number>()
  return {
    ...line,
    post(message) {
      const { call, method } = message as { readonly call: number; readonly method: string }
      if (!writes.has(method)) return line.post(message)
      moment('keychain: ahead of the write')
      waiting.add(call)
      line.post(message)
      moment('keychain: sent')
    },
    onMessage: (listener) =>
      line.onMessage((message) => {
        if (waiting.delete((message as { readonly answer: number }).answer)) moment('keychain: answered')
        listener(message)
      })
  }
}

const console = await startTestConsole({ dataFolder, practice: undefined } as unknown as TestConsole, 'tester', {
  launchWorker: (name) => (name === 'keychain' ? counted(launchWorkers(name)) : launchWorkers(name))
})
// What this process has compiled is there for the next one: killed, it writes nothing at its end.
flushCompileCache()
if (step !== 'recover' && passphrase !== undefined) await console.get('lock.unlock', { passphrase })
armed = true
const first = 'seven green kettles'
const second = 'nine yellow kettles'
if (step === 'set') await console.get('passphrase.change', { next: first })
if (step === 'change') await console.get('passphrase.change', { current: first, next: second })
if (step === 'remove') await console.get('passphrase.change', { current: first, next: null })
if (step === 'recover') await console.get('lock.recover', { key: recoveryKey, passphrase: second })
if (step === 'lock') {
  await console.get('drafts.keep', { round: (await console.get('drafts.read')).round, text: '{"a":2}' })
  const locking = console.veridesk.lock('person')
  await console.get('lock.ready')
  await locking
  while ((await console.get('app.state')).lock?.working !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 20))
}
process.exit(0)
