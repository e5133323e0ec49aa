/**
 * The process whose power is cut: opens the history in a folder, creates a batch, runs it one row at a time, and closes.
 * Prints the applicant ID of each row at the moment at which its request is sent, and “over” at the end.
 *
 *   node scripts/prove/power/writer.ts FOLDER KEY BASE_URL ROWS
 */
import { sendVerification } from '#core/client/send.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { makeApplicantBatch, openGround } from '../../batch-ground.ts'

const [folder = '', masterKey = '', baseUrl = '', rows = '0'] = process.argv.slice(2)

const ground = await openGround({
  folder,
  masterKey,
  baseUrl,
  announce: () => undefined,
  send: (order) => {
    process.stdout.write(`${Object.values(order.body).join()}\n`)
    return sendVerification(order)
  }
})
const id = await makeApplicantBatch(
  ground,
  Array.from({ length: Number(rows) }, (_, index) => `POWER-${index + 1}`),
  { atOnce: 1 }
)
const started = await ground.batches.start(id)
if (!started.ok) throw new Error(sentencesOf(started.failure).what)
await ground.batches.ended(id)
await ground.close()
process.stdout.write('over\n')
