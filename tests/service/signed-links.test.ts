/** The service receives signed links whole; nothing that Veridesk keeps, finds or exports has their secrets. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { credentialIds } from '#contract/connections/credentials.ts'
import { canaries } from './support/client-services.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let console: TestConsole
let folder: string
beforeEach(async () => {
  console = await startTestConsole()
  folder = await mkdtemp(join(tmpdir(), 'veridesk-links-'))
})
afterEach(async () => {
  await console.dispose()
  await rm(folder, { recursive: true, force: true })
})

const secret = 'c4naryQ7RkP2mWvT9Zx'
const links = [
  `https://b.oss-cn-hangzhou.aliyuncs.com/oss.jpg?x-oss-date=20361126T200000Z&x-oss-expires=900&x-oss-credential=${secret}%2F1&x-oss-signature=${secret}`,
  `https://b.cos.ap-guangzhou.myqcloud.com/cos.jpg?q-ak=${secret}&q-sign-time=2111190000;2111190900&q-signature=${secret}&x-cos-security-token=${secret}`,
  `https://objectstorage.eu-frankfurt-1.oraclecloud.com/p/${secret}/n/ns/b/bk/o/oracle.jpg`,
  `https://www.dropbox.com/scl/fi/abc/dropbox.jpg?rlkey=${secret}&st=${secret}&dl=1`,
  `https://files.example.com/nginx.jpg?md5=${secret}&expires=2111190900`,
  `https://files.example.com/nothing.jpg?d=${secret}a1B2c3D4e5`
]

test('in history, search, export and pack, of a service that returns them', async () => {
  const received: string[] = []
  const service = createServer(async (request, response) => {
    const body = await text(request)
    received.push(body)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ message: `got ${body}` }))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void service.close())
  const { connection } = await console.get('connections.save', {
    name: 'Service',
    baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    mode: 'sandbox',
    colour: 'blue',
    mark: 'SV'
  })
  for (const credential of credentialIds)
    await console.get('credentials.set', { connectionId: connection.id, credential, value: canaries[credential] })
  const kept: unknown[] = []
  for (const link of links) {
    const ending = await console.get('verification.run', {
      runId: randomUUID(),
      connectionId: connection.id,
      operation: 'validate-kyc-photo',
      input: { photo_url: link }
    })
    if (ending.kind !== 'recorded') throw new Error(JSON.stringify(ending))
    kept.push(ending, await console.get('history.record', { id: ending.record.id }))
  }
  expect(received.map((body) => (JSON.parse(body) as { photo_url: string }).photo_url)).toEqual(links)

  for (const search of [secret, secret.slice(0, 10)])
    expect((await console.get('history.page', { filter: { search }, limit: 10 })).records).toEqual([])
  // What names the document is found.
  for (const name of ['oracle.jpg', 'nginx.jpg', 'myqcloud'])
    expect((await console.get('history.page', { filter: { search: name }, limit: 10 })).records).toHaveLength(1)
  for (const format of ['csv', 'jsonl'] as const) {
    console.save = join(folder, `history.${format}`)
    await console.get('exports.history', { exportId: randomUUID(), filter: {}, format })
    kept.push(await readFile(console.save, 'utf8'))
  }
  const page = await console.get('history.page', { filter: {}, limit: 10 })
  console.save = join(folder, 'pack.json')
  await console.get('evidence.create', {
    about: { kind: 'record', id: page.records[0]?.id ?? '' },
    profile: 'full',
    pdf: false
  })
  kept.push(page, await readFile(console.save, 'utf8'))
  expect(JSON.stringify(kept)).not.toContain(secret)
  expect(JSON.stringify(kept)).toContain('rlkey=REMOVED')
})
