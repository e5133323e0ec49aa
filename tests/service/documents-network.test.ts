/** What leaves the computer when a document is opened: nothing for an address that is not public, seen in a network of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inOwnNetwork, noOwnNetwork } from '../app/fixtures/own-network.ts'
import type { PacketsOut } from './support/documents-outside.ts'

const driver = join(import.meta.dirname, 'support', 'documents-outside.ts')
const numbers = [
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '100.64.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.1.2.3',
  '240.0.0.1',
  '255.255.255.255',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::a00:1]',
  '[2002:a00:1::1]',
  '[fe80::1]',
  '[fc00::1]',
  '[ff02::1]',
  '[2001:db8::1]'
]

const why = noOwnNetwork()
test.skipIf(why !== undefined)(
  `no packet leaves for an address that is not public${why === undefined ? '' : ` (not run: ${why})`}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'veridesk-documents-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    // The last two show that what leaves is seen: a public address, and a name, which is asked for outside.
    const seen = ['http://93.184.216.34/x.jpg', 'http://files.example.com/x.jpg']
    const packets = await inOwnNetwork<PacketsOut>(
      driver,
      [...numbers.map((host) => `http://${host}:8080/x.jpg`), ...seen],
      folder
    )
    expect(seen.filter((url) => !packets[url])).toEqual([])
    expect(Object.entries(packets).filter(([url, count]) => count > 0 && !seen.includes(url))).toEqual([])
    expect(Object.keys(packets)).toHaveLength(numbers.length + seen.length)
  }
)
