/**
 * A process that runs a batch of a recipe until its first row waits for its second operation, reports it, and waits to be killed:
 *
 * node tests/service/support/recipe-victim.ts FOLDER KEY BASE_URL ID
 */
import { flushCompileCache } from 'node:module'
import { openGround } from '../../../scripts/batch-ground.ts'

const [folder = '', masterKey = '', baseUrl = '', id = ''] = process.argv.slice(2)
const ground = await openGround({ folder, masterKey, baseUrl, announce: () => undefined })
// What this process has compiled is there for the next one: killed, it writes nothing at its end.
flushCompileCache()
await ground.batches.start(id)
for (let left = 0; left !== 2;) {
  const taken = await ground.store.batches.take(id, 0, 1)
  left = taken.ok ? (taken.value[0]?.left.length ?? 0) : 0
}
process.stdout.write('between\n')
setInterval(() => undefined, 1000)
