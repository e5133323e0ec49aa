/**
 * A process that brings a batch into a state, reports it, and waits to be killed:
 *
 * node tests/service/support/batch-victim.ts FOLDER KEY BASE_URL STATE
 */
import { flushCompileCache } from 'node:module'
import { openGround } from '../../../scripts/batch-ground.ts'
import { reach, type Reached } from './batch-states.ts'

const [folder = '', masterKey = '', baseUrl = '', state = 'made'] = process.argv.slice(2)
const ground = await openGround({ folder, masterKey, baseUrl, announce: () => undefined })
// What this process has compiled is there for the next one: killed, it writes nothing at its end.
flushCompileCache()
const id = await reach[state as Reached](ground)
process.stdout.write(`${JSON.stringify({ at: state, id })}\n`)
setInterval(() => undefined, 1000)
