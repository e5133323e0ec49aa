/** A connection: where the service is, how it is marked, and what the window may know of its secrets. */
import { z } from 'zod'
import type { CredentialPresence } from './credentials.ts'
import { invalidField, type Failure, type FieldFault } from './failures.ts'
import { issueOf, rule } from './field-issues.ts'

/** Sandbox costs nothing and touches nobody; live costs money and touches a real person's data. */
export const connectionModes = ['sandbox', 'live'] as const
export type ConnectionMode = (typeof connectionModes)[number]

/** Marks that tell connections apart; names of the design's palette, not CSS colours. */
export const connectionColours = ['slate', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'violet'] as const
export type ConnectionColour = (typeof connectionColours)[number]

/** Whether a host is this machine itself, where plain http may be used. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/**
 * Why a base URL cannot be used, or undefined where it can.
 * Rules: https anywhere, http on loopback alone; no path, query, fragment, user name or password.
 */
export function baseUrlFault(text: string): FieldFault | undefined {
  if (text.length > 2048) return invalidField('base-url-too-long')
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return invalidField('base-url-incomplete')
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return invalidField('base-url-scheme')
  if (url.username || url.password) return invalidField('base-url-credentials')
  if (url.search || text.includes('?')) return invalidField('base-url-query')
  if (url.hash || text.includes('#')) return invalidField('base-url-fragment')
  if (url.pathname !== '/') return invalidField('base-url-path')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return invalidField('base-url-http')
  return undefined
}

/** The normal form under which base URLs are compared and stored: scheme, host and port. */
export function normaliseBaseUrl(text: string): string {
  return new URL(text.trim()).origin
}

const baseUrl = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const fault = baseUrlFault(text)
    if (fault) context.addIssue(issueOf(fault))
  })

/** What a person fills in. */
export const connectionDraftSchema = z.strictObject({
  /** Absent for a new connection. */
  id: z.uuid().optional(),
  name: z.string().trim().min(1, rule('name-missing')).max(60),
  baseUrl,
  mode: z.enum(connectionModes),
  colour: z.enum(connectionColours),
  /** Two to four letters shown beside the name, so that the mark never rests on colour alone. */
  mark: z.string().trim().regex(/^[\p{L}\p{N}]{1,4}$/u, rule('mark-invalid'))
})
export type ConnectionDraft = z.output<typeof connectionDraftSchema>

/** A connection as stored. */
export interface Connection extends Required<ConnectionDraft> {
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly changedAt: number
  /** The bundled practice service: its address changes with each start and is filled in by the core. */
  readonly practice?: boolean
}

/** Where a connection's credentials are kept, and which are set. */
export interface ConnectionStatus extends Connection {
  readonly credentials: CredentialPresence
  /** `keychain`, or `session` where no keychain can be used: gone when the console is closed. */
  readonly kept: 'keychain' | 'session'
  /** Credentials are kept, but for something else: the address and the mode that they were given for. None counts as set. */
  readonly givenFor?: string
}

/** What a step of a reachability check found. `proxy`: host and port, where the step leads to a proxy instead of the service. */
export type ReachabilityFinding =
  | { readonly code: 'addresses'; readonly host: string; readonly addresses: readonly string[]; readonly proxy?: string }
  | { readonly code: 'connected'; readonly address: string; readonly proxy?: string }
  | { readonly code: 'certificate'; readonly protocol: string; readonly subject: string; readonly issuer?: string; readonly validUntil: string }
  /** Why a step was skipped: http to this computer has no TLS; an earlier step failed. */
  | { readonly code: 'not-needed' | 'not-tried' }

/** One step of a reachability check; no operation and no credential is sent. */
export interface ReachabilityStep {
  readonly step: 'name' | 'connect' | 'tls'
  readonly state: 'passed' | 'failed' | 'skipped'
  /** What the step found, or why it was skipped. */
  readonly found?: ReachabilityFinding
  /** Why it failed. */
  readonly failure?: Failure
  /** What is wrong with the address, so that nothing was tried. */
  readonly fault?: FieldFault
  /** Milliseconds. */
  readonly took: number
}
export interface ReachabilityReport {
  readonly reachable: boolean
  readonly steps: readonly ReachabilityStep[]
}
