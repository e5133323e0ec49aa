/** A connection: where the service is, how it is marked, and what the window may know of its secrets. */
import { z } from 'zod'
import type { CredentialPresence } from './credentials.ts'

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
 * Why a base URL cannot be used, as the end of a sentence, or undefined where it can.
 * Rules: https anywhere, http on loopback alone; no path, query, fragment, user name or password.
 */
export function baseUrlFault(text: string): string | undefined {
  if (text.length > 2048) return 'the address is longer than 2,048 characters'
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'it is not a complete address such as https://kyc.example.com'
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it must begin with https://'
  if (url.username || url.password) return 'it must not hold a user name or password'
  if (url.search || text.includes('?')) return 'it must not hold a query (the part after “?”)'
  if (url.hash || text.includes('#')) return 'it must not hold a fragment (the part after “#”)'
  if (url.pathname !== '/') return 'it must not hold a path: the console adds the path of each operation'
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return 'http is allowed to this computer only; secrets to any other host need https'
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
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })

/** What a person fills in. */
export const connectionDraftSchema = z.strictObject({
  /** Absent for a new connection. */
  id: z.uuid().optional(),
  name: z.string().trim().min(1, 'a name is needed').max(60, 'at most 60 characters'),
  baseUrl,
  mode: z.enum(connectionModes),
  colour: z.enum(connectionColours),
  /** Two to four letters shown beside the name, so that the mark never rests on colour alone. */
  mark: z.string().trim().regex(/^[\p{L}\p{N}]{1,4}$/u, 'one to four letters or digits')
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

/** One step of a reachability check; no operation and no credential is sent. */
export interface ReachabilityStep {
  readonly step: 'name' | 'connect' | 'tls'
  readonly state: 'passed' | 'failed' | 'skipped'
  /** What was found: addresses, the certificate's subject and end, or the reason. */
  readonly detail: string
  /** Milliseconds. */
  readonly took: number
}
export interface ReachabilityReport {
  readonly reachable: boolean
  readonly steps: readonly ReachabilityStep[]
}
