/** What is refused before anything is sent: values that no header may have, and certificates that are not trusted. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { credentialIds, maxCredentialBytes } from '#contract/connections/credentials.ts'
import { sendVerification } from '#core/client/send.ts'
import { createCredentials } from '#core/secrets/credentials.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import {
  canaries,
  httpReply,
  orderTo,
  startRawService,
  trustIn
} from '../../../tests/service/support/client-services.ts'
import { createTestAuthority, selfSigned, type Issued } from '../../../tests/service/support/tls.ts'
import { seeded, type Random } from '../random.ts'

const valid = 'Canary-value-0123456789'

/** A value with one fault, by kind. */
const invalidValues: readonly (readonly [string, (random: Random) => string])[] = [
  ['a line break', (random) => placed(['\r', '\n', '\r\n', '\r\nx-other: 1'][random(4)] ?? '\n', random)],
  ['a NUL', (random) => placed('\0', random)],
  [
    'another control character',
    (random) => placed(String.fromCharCode([1, 7, 8, 9, 11, 12, 14, 27, 31, 127][random(10)] ?? 1), random)
  ],
  ['a character beyond ASCII', (random) => placed(String.fromCodePoint(128 + random(0xd700 - 128)), random)],
  ['half a character', (random) => placed(String.fromCharCode(0xd800 + random(2048)), random)],
  ['a character that only looks like ASCII', (random) => placed(String.fromCodePoint(0xff01 + random(94)), random)],
  ['a space at an end', (random) => (random(2) === 0 ? ` ${valid}` : `${valid} `)],
  ['too many bytes', (random) => 'x'.repeat(maxCredentialBytes + 1 + random(5000))]
]
function placed(part: string, random: Random): string {
  const at = random(valid.length + 1)
  return valid.slice(0, at) + part + valid.slice(at)
}

/** Tries each kind of value at saving and at sending. */
async function headers(each: number, faults: string[]): Promise<(string | number)[][]> {
  const service = await startRawService((socket) => socket.end(httpReply('{"message":"m"}')))
  const session = createSessionSecrets()
  const store = createCredentials({ keychain: session, session: createSessionSecrets() })
  const trust = await trustIn()
  const random = seeded(11)
  const rows: (string | number)[][] = []
  try {
    for (const value of [valid, 'x', 'x'.repeat(maxCredentialBytes), 'inner space and "quotes" \\ ~']) {
      const saved = await store.set('connection', credentialIds[0], value)
      const sent = await sendVerification(
        await orderTo(service.origin, { trust, credentials: { ...canaries, [credentialIds[0]]: value } })
      )
      if (!saved.ok || sent.outcome !== 'answered')
        faults.push(`a valid value of ${value.length} characters was refused`)
    }
    const before = service.sockets.length
    for (const [name, make] of invalidValues) {
      let [tried, saving, sending] = [0, 0, 0]
      for (let nth = 0; nth < each; nth += 1) {
        const id = credentialIds[nth % credentialIds.length] ?? credentialIds[0]
        const value = make(random)
        const saved = await store.set('connection', id, value)
        const sent = await sendVerification(
          await orderTo(service.origin, { trust, credentials: { ...canaries, [id]: value } })
        )
        tried += 1
        if (!saved.ok && saved.failure.code === 'credential-invalid') saving += 1
        if (sent.outcome === 'not-sent' && sent.failure?.code === 'credential-invalid') sending += 1
      }
      if (saving < tried || sending < tried)
        faults.push(`a header value with ${name}: ${tried - saving} of ${tried} were saved and ${tried - sending} sent`)
      rows.push([`header value with ${name}`, tried, saving, sending, service.sockets.length - before])
    }
    if (service.sockets.length > before)
      faults.push(`${service.sockets.length - before} connections were opened for values that were refused`)
  } finally {
    service.end()
  }
  return rows
}

const day = 86_400_000

/** Sends to services with each kind of certificate. */
async function certificates(each: number, faults: string[]): Promise<(string | number)[][]> {
  const authority = createTestAuthority()
  const names = ['localhost', '127.0.0.1']
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-refusals-'))
  const kinds: readonly (readonly [string, Issued, boolean])[] = [
    ['of a trusted authority (the control)', authority.issue({ names }), true],
    ['self-signed', selfSigned(names), false],
    ['of an unknown authority', createTestAuthority().issue({ names }), false],
    [
      'expired',
      authority.issue({ names, notBefore: new Date(Date.now() - 3 * day), notAfter: new Date(Date.now() - day) }),
      false
    ],
    ['not yet valid', authority.issue({ names, notBefore: new Date(Date.now() + day) }), false],
    ['for another host', authority.issue({ names: ['other.example'] }), false]
  ]
  const rows: (string | number)[][] = []
  try {
    writeFileSync(join(folder, 'ca.pem'), authority.cert)
    const trust = await trustIn(join(folder, 'ca.pem'))
    for (const [name, issued, trusted] of kinds) {
      let requests = 0
      const server = https.createServer({ ...issued }, (request, response) => {
        requests += 1
        request.resume().on('end', () => response.end('{"message":"secure"}'))
      })
      server.on('tlsClientError', () => undefined)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      let refused = 0
      for (let nth = 0; nth < each; nth += 1) {
        const ending = await sendVerification(await orderTo(`https://${names[nth % names.length]}:${port}`, { trust }))
        if (ending.outcome === 'not-sent' && ending.failure?.code === 'tls-failed') refused += 1
      }
      server.closeAllConnections()
      server.close()
      if (trusted ? requests !== each : refused !== each || requests > 0)
        faults.push(`a certificate ${name}: ${refused} of ${each} refused, ${requests} requests arrived`)
      rows.push([`certificate ${name}`, each, '', refused, requests])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return rows
}

/** Tries both. Errors: anything that is saved or sent. */
export async function proveRefusals({ sized }: SectionRun): Promise<Measured> {
  const faults: string[] = []
  const rows = [...(await headers(sized(1000, 20), faults)), ...(await certificates(sized(100, 4), faults))]
  return {
    table: { columns: ['what', 'times', 'refused when saved', 'refused when sent', 'arrived at the service'], rows },
    faults
  }
}
