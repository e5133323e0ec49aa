/** Opens documents at addresses, in a network of its own, and prints how many packets left for each. */
import { randomUUID } from 'node:crypto'
import { defaultDocumentRules, type Connection } from '#contract/connections/connection.ts'
import { failed } from '#contract/failures/failures.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { createNetwork } from '#core/client/network.ts'
import { createDocuments } from '#core/documents/documents.ts'
import { systemClock } from '../../../electron/hosts/node/ports.ts'
import { packetsOut } from '../../app/fixtures/own-network.ts'

const settings = () => defaultSettings
const connection: Connection = {
  id: randomUUID(),
  name: 'Test',
  baseUrl: 'https://kyc.example.com',
  mode: 'sandbox',
  colour: 'blue',
  mark: 'T',
  createdAt: 0,
  changedAt: 0,
  documents: { ...defaultDocumentRules, privateAddresses: false }
}
const documents = createDocuments({
  clock: systemClock,
  settings,
  seconds: 2,
  sendingRefusal: () => undefined,
  network: createNetwork({ clock: systemClock, resolveSystemProxy: async () => 'DIRECT' }, settings),
  connection: () => connection,
  record: async () => failed('record-missing')
})

/** By address. */
export type PacketsOut = Readonly<Record<string, number>>

const packets: Record<string, number> = {}
for (const url of JSON.parse(process.argv[2] ?? '') as string[]) {
  const before = packetsOut()
  await documents.open({ connectionId: connection.id, field: 'id_url', url })
  packets[url] = packetsOut() - before
}
process.stdout.write(`${JSON.stringify(packets satisfies PacketsOut)}\n`)
process.exit(0)
