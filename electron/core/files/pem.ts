/** Certificates in a text that a person or an administrator gave. */
import { X509Certificate } from 'node:crypto'

/** Whether each certificate of a PEM text can be read. */
export function areCertificates(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).subject !== undefined)
  } catch {
    return false
  }
}
