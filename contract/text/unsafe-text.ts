/**
 * Texts that must not become a value, by their look alone: commands and requests, which carry credentials, and credentials. Whether a text holds
 * the credentials of a connection, core knows (`electron/core/secrets/own-secrets.ts`).
 */

const methods = 'GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS'
const headers =
  'authorization|proxy-authorization|cookie|set-cookie|content-type|accept|user-agent|referer|origin|host|x-[a-z][a-z0-9-]*'

const requests: readonly RegExp[] = [
  /^(?:[$#>%]\s+)?(?:curl|wget)(?:\.exe)?\s+\S/i,
  // HTTPie and what imitates it.
  new RegExp(`^(?:[$#>%]\\s+)?(?:https?|xhs?)\\s+(?:--?\\S+\\s+)*(?:(?:${methods})\\s+)?\\S*[.:/]`, 'i'),
  /^(?:\$\w+(?:\.\w+)*\s*=\s*|[\s\S]*?[\r\n;|]\s*)?(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\s+\S/i,
  /^\$\w+\s*=\s*New-Object\s/i,
  /\|\s*(?:curl|wget|https?|xhs?)(?:\.exe)?\s/i,
  /^(?:await\s+)?fetch\s*\(/,
  new RegExp(`^(?:${methods})\\s+(?:https?:/)?/\\S*(?:\\s|$)`, 'i'),
  /^HTTP\/\d/,
  new RegExp(`^["']?(?:${headers})["']?\\s*[:=]\\s*\\S`, 'i'),
  /(?:^|\s)(?:-H|-d|-F|-u|--header|--data(?:-[a-z]+)?|--json|--form|--user|-Headers|-Body)(?:\s+|=)[$^]?["'@]/i
]

/** Whether a text looks like a command that sends a request, a request itself, or a header of one. */
export const looksLikeRequest = (text: string): boolean => requests.some((each) => each.test(text.trimStart()))

/** What stands for a credential in a copied command. */
const placeholder = '(?!["\'$^]?(?:<[A-Z_]+>|•+|\\*+|REMOVED))'
const secrets: readonly RegExp[] = [
  // A value with a digit, or a long one: prose such as “x-api-key: is missing” has neither.
  new RegExp(
    `\\b(?:x-api-key|x-api-secret|(?:proxy-)?authorization|(?:set-)?cookie)["']?\\s*[:=]\\s*["'$^]*${placeholder}(?:(?:Bearer|Basic|Token|ApiKey)\\s+)?${placeholder}(?:(?=\\S*\\d)\\S{6,}|\\S{16,})`,
    'i'
  ),
  /\b(?:[Bb]earer|[Bb]asic)\s+(?=\S*(?:\d|[a-z]\S*[A-Z]))[\w+/=.~-]{16,}/,
  // A JSON Web Token (RFC 7519).
  /\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/
]

/** A link may have a token: it is removed when the link is stored. */
const links = /\bhttps?:\/\/[^\s"'<>]+/gi

/** Whether a text contains something that looks like a credential. */
export function looksLikeCredential(text: string): boolean {
  const outside = text.includes('://') ? text.replace(links, ' ') : text
  return secrets.some((each) => each.test(outside))
}
