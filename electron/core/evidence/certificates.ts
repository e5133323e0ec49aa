/** X.509 certificates of the signing key: not secret, kept in the data folder, and included in each pack. */
import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { ownFiles } from '#wire/files/own-names.ts'
import type { CertificateSubject } from './x509-writer.ts'
import type { SigningCertificate } from '#contract/evidence/certificates.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import { openDataFile, type DataFile } from '#core/files/data-file.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import type { Clock } from '#kit/clock.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { isForKey, subjectOf } from './certificate-facts.ts'
import { fingerprintOf, keyOfSigner } from '#wire/evidence/keys.ts'
import { signingKey } from './signing-key.ts'
import { validSigningKey } from './own-keys.ts'
import { certificateRequest, pemOf } from './x509-writer.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface CertificateParts {
  readonly dataFolder: string
  readonly keychain: SecretStore
  readonly clock: Clock
  readonly auditTrail: Pick<AuditTrail, 'note'>
  readonly chooseSavePath: (title: string, name: string, extensions: readonly string[]) => Promise<string | undefined>
  readonly files: Pick<ChosenFiles, 'write'>
}

export interface SigningCertificates {
  /** DER of the certificates for a key (hex), its own first; none if those that are kept are for another key. */
  of(key: string): Promise<readonly Uint8Array[]>
  /** Those in use, the signer's own first. */
  show(): Answer<readonly SigningCertificate[]>
  /** Saves a PKCS#10 request for the company's certificate authority. Failure: `signing-key-revoked`. */
  request(subject: CertificateSubject): Answer<{ readonly path: string } | null>
  /** Uses the certificates of a PEM text. Failure: `certificate-refused`. */
  import(pem: string): Answer<readonly SigningCertificate[]>
  remove(): Answer<null>
}

/** Maximum certificates in a chain. */
const longest = 10
const schema = z.array(z.base64().max(64 * 1024)).max(longest)
type Kept = z.output<typeof schema>

export function createSigningCertificates(parts: CertificateParts): SigningCertificates {
  let opening: Promise<DataFile<Kept>> | undefined
  const file = (): Promise<DataFile<Kept>> =>
    (opening ??= openDataFile<Kept>({
      path: join(parts.dataFolder, ownFiles.certificates),
      format: 'veridesk-evidence-certificates',
      version: 1,
      schema,
      defaults: [],
      now: parts.clock.now()
    }))
  const kept = async (): Promise<readonly Buffer[]> => {
    const data = await file()
    data.refresh()
    return data.data().map((text) => Buffer.from(text, 'base64'))
  }
  async function keep(chain: readonly Uint8Array[]): Answer<null> {
    const data = await file()
    const fresh = data.refresh()
    if (!fresh.ok) return fresh
    const before = data.data()[0]
    const written = await data.write(chain.map((der) => Buffer.from(der).toString('base64')))
    if (!written.ok) return written
    const named = (der: Uint8Array | undefined): string =>
      der
        ? `${subjectOf(der)} (${new X509Certificate(der).fingerprint256.replaceAll(':', '').toLowerCase().slice(0, 16)})`
        : ''
    await parts.auditTrail.note({
      kind: 'setting.changed',
      plain: {
        name: 'signingKeyCertificate',
        from: named(before === undefined ? undefined : Buffer.from(before, 'base64')),
        to: named(chain[0])
      }
    })
    return ok(null)
  }
  async function of(key: string): Promise<readonly Uint8Array[]> {
    const chain = await kept()
    return chain[0] && isForKey(chain[0], key) ? chain : []
  }

  return {
    of,
    async show() {
      const key = await signingKey(parts.keychain)
      return key.ok ? ok((await of(keyOfSigner(key.value))).map(shownCertificate)) : key
    },
    async request(subject) {
      const key = await validSigningKey(parts.keychain, parts.clock.now())
      if (!key.ok) return key
      const name = `veridesk-${fingerprintOf(keyOfSigner(key.value)).slice(0, 16)}.csr`
      const path = await parts.chooseSavePath('Save certificate request', name, ['csr'])
      if (path === undefined) return ok(null)
      const written = await parts.files.write(
        path,
        pemOf('CERTIFICATE REQUEST', certificateRequest(key.value, subject))
      )
      return written.ok ? ok({ path }) : written
    },
    async import(pem) {
      const key = await signingKey(parts.keychain)
      if (!key.ok) return key
      const chain = chainIn(pem, keyOfSigner(key.value), parts.clock.now())
      if (!chain.ok) return chain
      const used = await keep(chain.value)
      return used.ok ? ok(chain.value.map(shownCertificate)) : used
    },
    remove: () => keep([])
  }
}

function shownCertificate(der: Uint8Array): SigningCertificate {
  const { fingerprint256, issuer, validFrom, validTo } = new X509Certificate(der)
  return {
    subject: subjectOf(der),
    issuer: issuer.split('\n').join(', '),
    from: Date.parse(validFrom),
    until: Date.parse(validTo),
    sha256: fingerprint256.replaceAll(':', '').toLowerCase()
  }
}

/** The certificate of the key and those above it, in order; others in the file are left out. */
function chainIn(pem: string, key: string, now: number): Result<readonly Uint8Array[], Failure> {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  let all: X509Certificate[]
  try {
    all = blocks.map((block) => new X509Certificate(block))
  } catch {
    return failed('certificate-refused', { reason: 'unreadable' })
  }
  if (all.length === 0) return failed('certificate-refused', { reason: 'none' })
  const own = all.find(({ raw }) => isForKey(raw, key))
  if (!own) return failed('certificate-refused', { reason: 'other-key' })
  if (Date.parse(own.validTo) < now) return failed('certificate-refused', { reason: 'expired' })
  const chain = [own]
  for (let last: X509Certificate | undefined = own; last && chain.length <= longest;) {
    const lower: X509Certificate = last
    last = all.find((each) => !chain.includes(each) && lower.checkIssued(each) && lower.verify(each.publicKey))
    if (last) chain.push(last)
  }
  return ok(chain.slice(0, longest).map(({ raw }) => raw))
}
