/** What a request leaves in memory: nothing that only a full garbage collection would free. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { httpReply, rawService } from './support/client-order.ts'

const script = fileURLToPath(new URL('./support/many-sends.ts', import.meta.url))
// Objects that outlive two collections of a small young generation are moved to the old one, which is not collected meanwhile.
const flags = ['--max-semi-space-size=1', '--initial-old-space-size=1024']

it('a request that has ended is freed, in a batch too', async () => {
  const service = await rawService((socket) => socket.write(httpReply('{"message":"m"}', ['connection: keep-alive'])))
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, service.origin, '1500'])
  expect(Number(stdout)).toBeLessThan(4000)
})
