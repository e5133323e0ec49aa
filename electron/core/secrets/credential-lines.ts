/** Credentials as lines `header: value`: on standard input of the command line, and from a command of the organisation. Pure. */
import { credentials, type CredentialId } from '#contract/connections/credentials.ts'

/**
 * The values by credential; undefined if a line is none of these. Spaces and tabs after the colon are not part of a value
 * (RFC 9110, 5.5); all else is taken verbatim.
 */
export function credentialsInLines(text: string): Readonly<Partial<Record<CredentialId, string>>> | undefined {
  const values: Partial<Record<CredentialId, string>> = {}
  for (const line of text.split(/\r?\n/).filter((each) => each !== '')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    const declared = credentials.find(
      (credential) => credential.header.toLowerCase() === name || credential.id === name
    )
    if (colon < 0 || !declared) return undefined
    values[declared.id] = line.slice(colon + 1).replace(/^[ \t]+/, '')
  }
  return values
}
