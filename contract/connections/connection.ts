/** A connection: the service's address, how it is marked, and what the window may know of its secrets. */
import { z } from 'zod'
import type { CredentialPresence } from './credentials.ts'
import { invalidField, type Failure, type FieldFault } from '../failures/failures.ts'
import { issueOf, rule } from '../verification/field-issues.ts'
import { operations } from '../verification/operations.ts'

/** Sandbox is free and affects nobody; live costs money and processes a real person's data. */
export const connectionModes = ['sandbox', 'live'] as const
export type ConnectionMode = (typeof connectionModes)[number]

/** Colours that distinguish connections; names in the design's palette, not CSS colours. */
export const connectionColours = ['slate', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'violet'] as const
export type ConnectionColour = (typeof connectionColours)[number]

/** Whether a host is this computer, where plain http is allowed. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** Of each operation, then of their version. */
const operationPaths = [
  ...operations.map(({ path }) => path),
  ...operations.map(({ id, path }) => path.slice(0, -id.length - 1))
]

/**
 * What a gateway puts before the path of an operation: '' or `/name`, as often as there are parts. The path of an operation at its
 * end is cut: people paste the whole URL that their provider shows.
 */
function prefixOf({ pathname }: URL): string {
  const whole = pathname.replace(/\/+$/, '')
  const end = operationPaths.find((path) => whole.endsWith(path)) ?? ''
  return whole.slice(0, whole.length - end.length)
}
/** Parts of a path that no server and no gateway can read in two ways: no empty one, no encoded slash, backslash or dot. */
const prefixForm = /^(?:\/(?!%)(?:[\w~!$&'()*+,;=:@.-]|%(?!2[ef]|5c|0)[\da-f]{2})+)*$/i

/**
 * Why a base URL is invalid, or undefined if it is valid. Rules: https anywhere, http only on loopback; a path only as the
 * prefix of a gateway; no query, fragment, user name or password.
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
  if (!prefixForm.test(prefixOf(url))) return invalidField('base-url-path')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) return invalidField('base-url-http')
  return undefined
}

/** The normal form for comparing and storing base URLs: scheme, host, port, and the prefix of a gateway. */
export function normaliseBaseUrl(text: string): string {
  const url = new URL(text.trim())
  return `${url.origin}${prefixOf(url)}`
}

const baseUrl = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const fault = baseUrlFault(text)
    if (fault) context.addIssue(issueOf(fault))
  })

/** What is allowed when a document behind a link is opened for a connection. */
const documentRulesSchema = z.strictObject({
  /** Documents may be requested from this computer and from private networks; never from link-local addresses. */
  privateAddresses: z.boolean(),
  /** The window opens the documents of a record or an applicant that is opened; never those of a form. */
  openAutomatically: z.boolean()
})
export type DocumentRules = z.output<typeof documentRulesSchema>
export const defaultDocumentRules: DocumentRules = { privateAddresses: false, openAutomatically: false }
/** As stored: what was stored before a rule existed has its default. */
export const storedDocumentRulesSchema = documentRulesSchema
  .extend({ openAutomatically: z.boolean().default(defaultDocumentRules.openAutomatically) })
  .default(defaultDocumentRules)

/**
 * Whether the documents behind the links of a verification are kept, from the least to the most: `possible` sends without a copy if
 * a person says so, `required` never does.
 */
export const copyRules = ['off', 'possible', 'required'] as const
export type CopyRule = (typeof copyRules)[number]
/** The stricter of two rules. */
export const stricter = (one: CopyRule, other: CopyRule): CopyRule =>
  copyRules.indexOf(one) < copyRules.indexOf(other) ? other : one

/** What the provider charges for one request, as the organisation knows it: shown where something is about to be paid. */
const connectionPriceSchema = z.strictObject({
  amount: z.number().positive(rule('price-invalid')).max(1_000_000, rule('price-invalid')),
  /** ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/, rule('currency-invalid'))
})
export type ConnectionPrice = z.output<typeof connectionPriceSchema>

/** The fields that a user enters. */
export const connectionDraftSchema = z.strictObject({
  /** Absent for a new connection. */
  id: z.uuid().optional(),
  name: z.string().trim().min(1, rule('name-missing')).max(60),
  baseUrl,
  mode: z.enum(connectionModes),
  colour: z.enum(connectionColours),
  /** One to four letters or digits shown beside the name, so that connections are not distinguished by colour alone. */
  mark: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}]{1,4}$/u, rule('mark-invalid')),
  /** Unchanged if absent; nothing is allowed for a new connection. */
  documents: documentRulesSchema.optional(),
  /** Unchanged if absent; off for a new connection. */
  copies: z.enum(copyRules).optional(),
  /** Unchanged if absent; null for none. */
  price: connectionPriceSchema.nullable().optional()
})
export type ConnectionDraft = z.output<typeof connectionDraftSchema>

/** A connection as stored. */
export interface Connection extends Required<Omit<ConnectionDraft, 'price' | 'copies'>> {
  /** Off if absent. */
  readonly copies?: CopyRule | undefined
  readonly price?: ConnectionPrice | null | undefined
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly changedAt: number
  /** The bundled practice service: its address changes with each start and is set by core. */
  readonly practice?: boolean
  /** Ready-made by a policy: it cannot be edited or removed. Never stored. */
  readonly managed?: boolean
}

/** Where a connection's credentials are stored, and which are set. */
export interface ConnectionStatus extends Connection {
  readonly credentials: CredentialPresence
  /** `keychain`, or `session` if no keychain is available: lost when the console is closed. */
  readonly kept: 'keychain' | 'session'
  /** A command of the organisation prints the credentials for each session: none are stored, and none can be set. */
  readonly byCommand?: true
  /** The address and mode that stored credentials were given for, if these differ. None then counts as set. */
  readonly givenFor?: string
  /** The service has refused the credentials as they are, since Veridesk was started. */
  readonly refused?: boolean
}

/**
 * The result of a step of a reachability test. `proxy`: host and port, if the step leads to a proxy instead of the
 * service.
 */
export type ReachabilityFinding =
  | {
      readonly code: 'addresses'
      readonly host: string
      readonly addresses: readonly string[]
      readonly proxy?: string
    }
  | { readonly code: 'connected'; readonly address: string; readonly proxy?: string }
  | {
      readonly code: 'certificate'
      readonly protocol: string
      readonly subject: string
      readonly issuer?: string
      readonly validUntil: string
    }
  /** Why a step was skipped: http to this computer has no TLS; an earlier step failed. */
  | { readonly code: 'not-needed' | 'not-tried' }

/** One step of a reachability test; no request and no credentials are sent. */
export interface ReachabilityStep {
  readonly step: 'name' | 'connect' | 'tls'
  readonly state: 'passed' | 'failed' | 'skipped'
  /** What the step found, or why it was skipped. */
  readonly found?: ReachabilityFinding
  /** Why it failed. */
  readonly failure?: Failure
  /** What is wrong with the address, if nothing was tried. */
  readonly fault?: FieldFault
  /** Milliseconds. */
  readonly took: number
}
export interface ReachabilityReport {
  readonly reachable: boolean
  readonly steps: readonly ReachabilityStep[]
}
