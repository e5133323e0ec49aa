/**
 * Whose certificates are trusted: the operating system's authorities, those that the runtime
 * brings, and a file of further ones. There is no way to switch the check off.
 */
import { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import tls from 'node:tls'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'

/** What a TLS connection is checked against, parsed once: hundreds of certificates cost milliseconds each time. */
export interface Trust {
  /** Tells one trust from another; an open connection is used again only under the trust that checked it. */
  readonly id: string
  readonly secureContext: tls.SecureContext
  /** How many authorities are trusted in all, and how many of them came from the extra file. */
  readonly authorities: number
  readonly extra: number
}

const maxCaFileBytes = 8 * 1024 * 1024
const pemBlock = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g

/** Where Linux distributions keep the system's bundle: Debian, Fedora, openSUSE, RHEL 7, Alpine. */
const linuxBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem'
]

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem) !== undefined
  } catch {
    return false
  }
}

/**
 * Reads a PEM file of certificate authorities; text between the certificates is ignored, a private
 * key in it too. Fails with `code`: what it means depends on whether it is chosen or used.
 */
export async function readCaFile(
  path: string,
  code: 'ca-file-invalid' | 'ca-file-unusable' = 'ca-file-invalid'
): Promise<Result<{ readonly pem: string[]; readonly certificates: number }, Failure>> {
  let text: string
  try {
    const found = await stat(path)
    if (!found.isFile()) return failed(code, { reason: 'not-a-file' })
    if (found.size > maxCaFileBytes) return failed(code, { reason: 'too-large', limitBytes: maxCaFileBytes })
    text = await readFile(path, 'latin1')
  } catch (error) {
    return failed(code, { errno: (error as NodeJS.ErrnoException).code ?? 'unknown' })
  }
  const pem = text.match(pemBlock) ?? []
  if (pem.length === 0) return failed(code, { reason: 'no-certificate' })
  const broken = pem.findIndex((block) => !isCertificate(block))
  if (broken >= 0) return failed(code, { reason: 'damaged', number: broken + 1, count: pem.length })
  return ok({ pem, certificates: pem.length })
}

/** `tls.getCACertificates` of Node 22.15 and later; Electron 33 brings Node 20, which has none. */
type ListAuthorities = (type: 'system' | 'bundled' | 'extra') => string[]

async function systemAuthorities(): Promise<string[]> {
  const list = (tls as { getCACertificates?: ListAuthorities }).getCACertificates
  // Certificates of NODE_EXTRA_CA_CERTS count too: an administrator set them for this program.
  if (list) return [...list('system'), ...list('bundled'), ...list('extra')]
  if (process.platform === 'linux') {
    for (const path of linuxBundles) {
      const bundle = await readFile(path, 'latin1').catch(() => '')
      const found = (bundle.match(pemBlock) ?? []).filter(isCertificate)
      if (found.length > 0) return [...found, ...tls.rootCertificates]
    }
  }
  return [...tls.rootCertificates]
}

/** Loads and remembers trust; one for each host, so that the system's store is read once. */
export interface TrustStore {
  /** The trust with this extra file (empty for none). Fails with `ca-file-unusable`: then nothing may be sent. */
  trust(extraCaFile: string): Promise<Result<Trust, Failure>>
}

/** A trust store; what it has parsed is kept until the extra file changes on disk. */
export function createTrustStore(): TrustStore {
  let system: Promise<string[]> | undefined
  let kept: { readonly key: string; readonly trust: Trust } | undefined
  return {
    async trust(extraCaFile) {
      const key = extraCaFile === '' ? '' : await fileKey(extraCaFile)
      if (kept?.key === key) return ok(kept.trust)
      const extra = extraCaFile === '' ? ok({ pem: [], certificates: 0 }) : await readCaFile(extraCaFile, 'ca-file-unusable')
      if (!extra.ok) return extra
      system ??= systemAuthorities()
      const ca = [...new Set([...(await system), ...extra.value.pem])]
      const trust: Trust = {
        id: key,
        secureContext: tls.createSecureContext({ ca, minVersion: 'TLSv1.2' }),
        authorities: ca.length,
        extra: extra.value.certificates
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
