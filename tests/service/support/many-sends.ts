/**
 * Sends requests one after another, in a process whose full garbage collections are put off; prints the bytes that each of
 * the later ones left in memory: `node many-sends.ts ORIGIN COUNT`.
 */
import { getHeapSpaceStatistics } from 'node:v8'
import { createLinePool } from '#core/client/line.ts'
import { sendVerification } from '#core/client/send.ts'
import { orderTo } from './client-services.ts'

const [origin = '', count = ''] = process.argv.slice(2)
const oldSpace = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? NaN

const order = await orderTo(origin)
const lines = createLinePool(() => performance.now())
const send = async (times: number): Promise<void> => {
  for (let done = 0; done < times; done += 1) {
    const { outcome } = await sendVerification({ ...order, lines })
    if (outcome !== 'answered') throw new Error(outcome)
  }
}
// Code is compiled and optimised during the first ones.
await send(Number(count))
const before = oldSpace()
await send(Number(count))
console.log(Math.round((oldSpace() - before) / Number(count)))
lines.close()
