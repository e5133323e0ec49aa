/**
 * Which certificates are trusted: the operating system's authorities, those of the runtime, and those of an
 * additional file. The check cannot be switched off.
 */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import tls from 'node:tls'
import type { CertificateStore } from '#contract/connections/diagnosis.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { certificatesIn } from './certificate-file.ts'
import { readRegular } from './files/regular.ts'
import { codeOf } from './files/write.ts'

/** What TLS connections are checked against. Parsed once: hundreds of certificates cost milliseconds each time. */
export interface Trust {
  /** Identifies this set; an open connection is reused only under the set that it was checked with. */
  readonly id: string
  readonly secureContext: tls.SecureContext
  /** Number of trusted authorities, and how many of them came from the additional file. */
  readonly authorities: number
  readonly extra: number
  /** The stores that were read and have certificates, with their number, in the order in which `storeOf` looks. */
  readonly stores: readonly { readonly store: CertificateStore; readonly count: number }[]
  /** The first store that has a certificate, given in DER; undefined if none has it. */
  storeOf(certificate: Uint8Array): CertificateStore | undefined
}

const maxCaFileBytes = 8 * 1024 * 1024
/** Where Linux distributions store the system's bundle: Debian, Fedora, openSUSE, RHEL 7, Alpine. */
const linuxBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem'
]

/**
 * Reads a file of certificate authorities: PEM, DER or PKCS#7; text between the certificates is ignored, including a private key.
 * Fails with `code`, which depends on whether the file is being chosen or used.
 */
export async function readCaFile(
  path: string,
  code: 'ca-file-invalid' | 'ca-file-unusable' = 'ca-file-invalid'
): Promise<Result<{ readonly pem: string[]; readonly certificates: number }, Failure>> {
  let bytes: Uint8Array
  try {
    bytes = await readRegular(path, maxCaFileBytes)
  } catch (error) {
    const errno = codeOf(error)
    if (errno === 'EFTYPE') return failed(code, { reason: 'not-a-file' })
    return errno === 'EFBIG'
      ? failed(code, { reason: 'too-large', limitBytes: maxCaFileBytes })
      : failed(code, { errno })
  }
  const found = await certificatesIn(bytes)
  const pem = found.filter((each) => each !== undefined)
  if (found.length === 0) return failed(code, { reason: 'no-certificate' })
  if (pem.length < found.length)
    return failed(code, { reason: 'damaged', number: found.indexOf(undefined) + 1, count: found.length })
  return ok({ pem, certificates: pem.length })
}

/** `tls.getCACertificates` of Node 22.15 and later; Electron 33 has Node 20, which lacks it. */
type ListAuthorities = (type: 'system' | 'bundled') => string[]

/** PEM certificates by where they come from. */
type Authorities = readonly { readonly store: CertificateStore; readonly pem: readonly string[] }[]

async function systemAuthorities(): Promise<Authorities> {
  const list = (tls as { getCACertificates?: ListAuthorities }).getCACertificates
  if (list)
    return [
      { store: 'system', pem: list('system') },
      { store: 'runtime', pem: list('bundled') }
    ]
  const runtime = { store: 'runtime', pem: tls.rootCertificates } as const
  if (process.platform === 'linux') {
    for (const path of linuxBundles) {
      const bytes = await readRegular(path, maxCaFileBytes).catch(() => new Uint8Array())
      const found = (await certificatesIn(bytes)).filter((each) => each !== undefined)
      if (found.length > 0) return [{ store: 'system', pem: found }, runtime]
    }
  }
  return [runtime]
}

const digestOf = (der: Uint8Array): string => createHash('sha256').update(der).digest('hex')
const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')

/** Looks a certificate up in the stores. The digests are computed at the first use: only a diagnosis needs them. */
function lookUpIn(authorities: Authorities): Trust['storeOf'] {
  let digests: ReadonlyMap<string, CertificateStore> | undefined
  return (certificate) => {
    digests ??= new Map(
      [...authorities].reverse().flatMap(({ store, pem }) => pem.map((each) => [digestOf(derOf(each)), store] as const))
    )
    return digests.get(digestOf(certificate))
  }
}

/** Loads and caches trust; one per host, so that the system's store is read once. */
export interface TrustStore {
  /** The trust with this additional file (empty for none). Fails with `ca-file-unusable`; then nothing may be sent. */
  trust(extraCaFile: string): Promise<Result<Trust, Failure>>
}

/** A trust store; what it has parsed is cached until the additional file changes on disk. */
export function createTrustStore(): TrustStore {
  let system: Promise<Authorities> | undefined
  let kept: { readonly key: string; readonly trust: Trust } | undefined
  return {
    async trust(extraCaFile) {
      const key = extraCaFile === '' ? '' : await fileKey(extraCaFile)
      if (kept?.key === key) return ok(kept.trust)
      const extra =
        extraCaFile === '' ? ok({ pem: [], certificates: 0 }) : await readCaFile(extraCaFile, 'ca-file-unusable')
      if (!extra.ok) return extra
      system ??= systemAuthorities()
      const authorities: Authorities = [...(await system), { store: 'file' as const, pem: extra.value.pem }].filter(
        ({ pem }) => pem.length > 0
      )
      const ca = [...new Set(authorities.flatMap(({ pem }) => pem))]
      const trust: Trust = {
        id: key,
        secureContext: tls.createSecureContext({ ca, minVersion: 'TLSv1.2' }),
        authorities: ca.length,
        extra: extra.value.certificates,
        stores: authorities.map(({ store, pem }) => ({ store, count: pem.length })),
        storeOf: lookUpIn(authorities)
      }
      kept = { key, trust }
      return ok(trust)
    }
  }
}

async function fileKey(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return `${path}\n${found?.mtimeMs ?? 0}\n${found?.size ?? 0}`
}
