/**
 * The process that is killed: opens the history in a folder, creates the batch if it does not exist yet, and runs it to
 * its end. Prints its current step as JSON lines.
 *
 *   node batch-kills-child.ts FOLDER KEY BASE_URL ROWS AT_ONCE
 */
import { flushCompileCache } from 'node:module'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { makeApplicantBatch, openGround } from '../../../scripts/batch-ground.ts'

const [folder = '', masterKey = '', baseUrl = '', rows = '0', atOnce = '8'] = process.argv.slice(2)
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

const ground = await openGround({ folder, masterKey, baseUrl, announce: () => undefined })
// What this process has compiled is there for the next one: killed, it writes nothing at its end.
flushCompileCache()
const list = await ground.batches.list({ limit: 1 })
if (!list.ok) throw new Error(sentencesOf(list.failure).what)
const ids = Array.from({ length: Number(rows) }, (_, index) => `KILL-${index + 1}`)
const id = list.value[0]?.id ?? (await makeApplicantBatch(ground, ids, { atOnce: Number(atOnce) }))
say({ at: 'running', id })
const started = await ground.batches.start(id)
if (!started.ok && started.failure.code !== 'batch-not-startable') throw new Error(sentencesOf(started.failure).what)
await ground.batches.ended(id)
const end = await ground.batches.show(id)
if (!end.ok) throw new Error(sentencesOf(end.failure).what)
say({ at: 'over', state: end.value.state, reason: end.value.reason?.code })
await ground.close()
