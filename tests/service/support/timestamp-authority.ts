/**
 * A time-stamp authority for tests: certificates and tokens made by OpenSSL in a folder of its own, and an HTTP server on
 * loopback that answers with them.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type KeyKind = 'rsa' | 'rsa-small' | 'other-curve' | 'p256' | 'p384' | 'p521' | 'ed25519'
const keyOptions: Readonly<Record<KeyKind, readonly string[]>> = {
  'rsa': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'rsa-small': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
  'other-curve': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
  'p256': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'p384': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  'p521': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  'ed25519': ['-algorithm', 'ED25519']
}

/** Extensions of certificates, as in a configuration of OpenSSL. */
export const extensions = {
  ca: 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash',
  timeStamps:
    'basicConstraints=CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping\nsubjectKeyIdentifier=hash',
  signer: 'basicConstraints=CA:FALSE\nkeyUsage=critical,digitalSignature'
} as const

/** Names of files in the folder. */
export interface Identity {
  readonly name: string
  readonly kind: KeyKind
  readonly issuer?: Identity
}

export interface Openssl {
  readonly folder: string
  run(...words: readonly string[]): Buffer
  /** A key and a certificate: self-signed, or by an issuer. Days may be negative: then it has expired. */
  identity(
    name: string,
    options?: { kind?: KeyKind; issuer?: Identity; extensions?: string; days?: number; pss?: boolean }
  ): Identity
  /** PEM of a certificate for a PKCS#10 request. */
  issued(request: string, issuer: Identity): string
  der(identity: Identity): Uint8Array
  pem(identity: Identity): string
  /** The answer of `openssl ts -reply` to a query. */
  reply(query: Uint8Array, signer: Identity, digest?: string): Buffer
  /** A token over any content, by `openssl cms -sign`, where `openssl ts` would refuse. */
  signed(content: Uint8Array, signer: Identity, ...words: readonly string[]): Buffer
  /** A query for a file's content. */
  query(message: Uint8Array, digest?: string): Buffer
  remove(): void
}

export function openssl(): Openssl {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-authority-'))
  const run = (...words: readonly string[]): Buffer =>
    execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 24 })
  let number = 0
  const chainOf = (identity: Identity): Identity[] =>
    identity.issuer ? [identity.issuer, ...chainOf(identity.issuer)] : []
  const made: Openssl = {
    folder,
    run,
    identity(
      name,
      {
        kind = 'p256',
        issuer,
        extensions: wanted = issuer ? extensions.timeStamps : extensions.ca,
        days = 30,
        pss = false
      } = {}
    ) {
      const file = `${(number += 1)}-${name.replace(/\W/g, '')}`
      run('genpkey', ...keyOptions[kind], '-out', `${file}.key`)
      writeFileSync(join(folder, `${file}.ext`), wanted)
      run('req', '-new', '-key', `${file}.key`, '-subj', `/O=Test/CN=${name}`, '-out', `${file}.csr`)
      const by = issuer ? ['-CA', `${issuer.name}.pem`, '-CAkey', `${issuer.name}.key`] : ['-signkey', `${file}.key`]
      const hash = (issuer ?? { kind }).kind === 'ed25519' ? [] : ['-sha256']
      const padding = pss ? ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32'] : []
      run(
        'x509',
        '-req',
        '-in',
        `${file}.csr`,
        ...by,
        '-set_serial',
        String(1000 + number),
        '-days',
        String(days),
        ...hash,
        ...padding,
        '-extfile',
        `${file}.ext`,
        '-out',
        `${file}.pem`
      )
      return { name: file, kind, issuer }
    },
    issued(request, { name }) {
      writeFileSync(join(folder, 'request.csr'), request)
      writeFileSync(join(folder, 'issued.ext'), extensions.signer)
      const by = ['-CA', `${name}.pem`, '-CAkey', `${name}.key`, '-set_serial', '77', '-days', '30']
      return run('x509', '-req', '-in', 'request.csr', ...by, '-extfile', 'issued.ext').toString()
    },
    der: ({ name }) => new Uint8Array(run('x509', '-in', `${name}.pem`, '-outform', 'DER')),
    pem: ({ name }) => readFileSync(join(folder, `${name}.pem`), 'utf8'),
    reply(query, signer, digest = 'sha256') {
      const id = (number += 1)
      writeFileSync(join(folder, `${id}.tsq`), query)
      writeFileSync(join(folder, `${id}.chain`), chainOf(signer).map(made.pem).join(''))
      if (!existsSync(join(folder, 'serial'))) writeFileSync(join(folder, 'serial'), '01')
      writeFileSync(
        join(folder, `${id}.cnf`),
        `[tsa]\ndefault_tsa=one\n[one]\nserial=serial\ncrypto_device=builtin\nsigner_cert=${signer.name}.pem\nsigner_key=${signer.name}.key\ncerts=${id}.chain\nsigner_digest=${digest}\n` +
          'default_policy=1.2.3.4.1\ndigests=sha256,sha384,sha512\naccuracy=secs:1\nordering=no\ntsa_name=yes\ness_cert_id_alg=sha256\n'
      )
      run('ts', '-reply', '-config', `${id}.cnf`, '-queryfile', `${id}.tsq`, '-out', `${id}.tsr`)
      return readFileSync(join(folder, `${id}.tsr`))
    },
    signed(content, signer, ...words) {
      const id = (number += 1)
      writeFileSync(join(folder, `${id}.content`), content)
      const others = chainOf(signer).map(made.pem).join('')
      writeFileSync(join(folder, `${id}.chain`), others || made.pem(signer))
      return run(
        'cms',
        '-sign',
        '-binary',
        '-nodetach',
        ...(words.includes('-noattr') ? [] : ['-cades', '-nosmimecap']),
        '-econtent_type',
        '1.2.840.113549.1.9.16.1.4',
        '-in',
        `${id}.content`,
        '-signer',
        `${signer.name}.pem`,
        '-inkey',
        `${signer.name}.key`,
        '-certfile',
        `${id}.chain`,
        '-outform',
        'DER',
        ...(words.length > 0 ? words : ['-md', 'sha256'])
      )
    },
    query(message, digest = 'sha256') {
      const id = (number += 1)
      writeFileSync(join(folder, `${id}.data`), message)
      return run('ts', '-query', '-data', `${id}.data`, `-${digest}`, '-cert')
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
  return made
}

/** The token in an authority's answer; empty if it refused. */
export function tokenOf(reply: Uint8Array): Uint8Array {
  const after = (at: number): readonly [start: number, end: number] => {
    const first = reply[at + 1]!
    if (first < 0x80) return [at + 2, at + 2 + first]
    const length = [...reply.subarray(at + 2, at + 2 + (first & 0x7f))].reduce((sum, byte) => sum * 256 + byte, 0)
    return [at + 2 + (first & 0x7f), at + 2 + (first & 0x7f) + length]
  }
  const [inner, end] = after(0)
  return reply.subarray(after(inner)[1], end)
}

export interface AuthorityServer {
  readonly url: string
  /** What was asked: method, headers and body. */
  readonly asked: { readonly method: string; readonly headers: http.IncomingHttpHeaders; readonly body: Buffer }[]
  /** Changes how it answers. */
  answer(by: (query: Buffer, response: http.ServerResponse) => void): void
  close(): Promise<void>
}

/** Serves an authority on loopback. */
export async function serveAuthority(
  by: (query: Buffer, response: http.ServerResponse) => void
): Promise<AuthorityServer> {
  let answer = by
  const asked: AuthorityServer['asked'] = []
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      asked.push({ method: request.method ?? '', headers: request.headers, body })
      answer(body, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`,
    asked,
    answer: (next) => void (answer = next),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

/** Answers as an authority does. */
export const good =
  (authority: Openssl, signer: Identity, digest?: string) =>
  (query: Buffer, response: http.ServerResponse): void => {
    response
      .writeHead(200, { 'content-type': 'application/timestamp-reply' })
      .end(authority.reply(query, signer, digest))
  }
