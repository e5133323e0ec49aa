/** Links that would make the console connect to addresses that are not public, in every form. */
import { randomUUID } from 'node:crypto'
import { defaultDocumentRules, type Connection } from '#contract/connections/connection.ts'
import { failed } from '#contract/failures/failures.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'
import { createNetwork } from '#core/client/network.ts'
import { createDocuments } from '#core/documents/documents.ts'
import type { Resolve } from '#core/documents/guard.ts'
import { systemClock } from '../../../electron/hosts/node/ports.ts'
import { redirectTo, serveDocuments, setTrap, startProxyTo } from '../../../tests/service/support/document-server.ts'

interface Way {
  readonly privately?: boolean
  readonly resolve?: Resolve
  readonly settings?: Partial<Settings>
}

/** Opens a link over a connection that allows private addresses only if said. True if it was opened. */
async function opens(url: string, { privately = false, resolve, settings: but = {} }: Way = {}): Promise<boolean> {
  const settings = (): Settings => ({ ...defaultSettings, ...but })
  const connection: Connection = {
    id: randomUUID(),
    name: 'Proof',
    baseUrl: 'https://kyc.example.com',
    mode: 'sandbox',
    colour: 'blue',
    mark: 'P',
    createdAt: 0,
    changedAt: 0,
    documents: { ...defaultDocumentRules, privateAddresses: privately }
  }
  const documents = createDocuments({
    clock: systemClock,
    settings,
    seconds: 20,
    sendingRefusal: () => undefined,
    network: createNetwork({ clock: systemClock, resolveSystemProxy: async () => 'DIRECT' }, settings),
    connection: () => connection,
    record: async () => failed('record-missing'),
    ...(resolve && { resolve })
  })
  return (await documents.open({ connectionId: connection.id, field: 'id_url', url })).ok
}

/** One line for each kind of link: links, opened, connections. Errors: any that was opened or connected. */
export async function privateAddresses(): Promise<{
  readonly lines: readonly (readonly [string, number, number, number])[]
  readonly faults: readonly string[]
}> {
  const [trap, server] = await Promise.all([setTrap(), serveDocuments()])
  const proxied = await startProxyTo(server.port)
  const at = (host: string): string => `http://${host}:${trap.port}/`
  const lines: (readonly [string, number, number, number])[] = []
  const faults: string[] = []
  const line = async (name: string, links: readonly (readonly [string, Way?])[]): Promise<void> => {
    const before = trap.connections()
    let opened = 0
    for (const [url, way] of links) if (await opens(url, way)) opened += 1
    const connections = trap.connections() - before
    lines.push([name, links.length, opened, connections])
    if (opened + connections > 0) faults.push(`${name}: ${opened} were opened, with ${connections} connections`)
  }
  try {
    await line(
      'this computer by number, in any notation',
      [
        '127.0.0.1',
        '127.1',
        '0x7f.1',
        '0x7f000001',
        '2130706433',
        '017700000001',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[::127.0.0.1]',
        '[64:ff9b::7f00:1]',
        '[2002:7f00:1::1]',
        '0.0.0.0',
        '0',
        '[::]'
      ].map((host) => [at(host)] as const)
    )
    await line(
      'this computer by name, through the system’s resolver',
      ['localhost', 'localhost.', 'a.localhost', 'documents.localhost'].map((host) => [at(host)] as const)
    )
    await line(
      'link-local, also where private addresses are allowed',
      ['169.254.169.254', '0xa9fea9fe', '[fe80::1]', '224.0.0.1', '255.255.255.255'].map(
        (host) => [at(host), { privately: true }] as const
      )
    )
    await line(
      'a name that resolves to one of them',
      [['127.0.0.1'], ['::1'], ['192.168.0.1'], ['169.254.169.254'], ['93.184.216.34', '127.0.0.1']].map(
        (found) => [at('files.example.com'), { resolve: async () => found }] as const
      )
    )
    const through: Way = { settings: { proxyMode: 'manual', proxyUrl: `http://127.0.0.1:${proxied.port}` } }
    const inPublic = (url: string): string => url.replace(server.origin, 'http://files.example.com')
    const destinations = [
      at('127.0.0.1'),
      at('localhost'),
      at('0x7f.1'),
      `//[::ffff:127.0.0.1]:${trap.port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://[fe80::1]/',
      'http://10.0.0.1/',
      'file:///etc/passwd'
    ]
    await line(
      'a redirect of a public server to one of them',
      destinations.map((to) => [inPublic(server.at(redirectTo(to))), through] as const)
    )
    let turn = 0
    const rebinding: Resolve = async () => [(turn += 1) % 2 === 1 ? '93.184.216.34' : '127.0.0.1']
    await line('a name that changes between two answers', [
      [`${inPublic(server.at(redirectTo(at('rebinding.example.com'))))}`, { ...through, resolve: rebinding }]
    ])
    // The trap notices whoever does.
    const before = trap.connections()
    await opens(at('127.0.0.1'), { privately: true })
    if (trap.connections() === before) faults.push('the trap noticed no connection where one is allowed')
  } finally {
    await Promise.all([trap.close(), server.close(), proxied.close()])
  }
  return { lines, faults }
}
