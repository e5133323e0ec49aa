/**
 * The circumstances of a verification, declared once: recorded with its intent before anything is sent, and part of the
 * record, of its event and of evidence packs. What is added here and in `record-facts.ts` is shown wherever records are.
 */
export interface RecordContext {
  /** Path of the request. */
  readonly path: string
  /** True if a signed link was scrubbed, so that resending needs a fresh link. */
  readonly linksScrubbed: boolean
  /** Keyed hash of the three credentials, 16 hex digits: shows that they changed without revealing them. */
  readonly credentialFingerprint: string
  /** Version of Veridesk that ran the verification. */
  readonly consoleVersion: string
  /** The operating system's user. */
  readonly operator: string
  /** IANA name of the time zone that the operator's computer was set to. */
  readonly timeZone: string
}

/** What each value in an event is, for authors of verifiers. */
export const recordContextValues = {
  path: 'text: path of the request',
  linksScrubbed: 'true if signatures were removed from links before they were recorded',
  credentialFingerprint: 'text: beginning of a digest of the credentials',
  consoleVersion: 'text',
  operator: 'text: name in decisions and account of the system, as `Name (account)`; the account alone without a name',
  timeZone: 'text: time zone of the operator’s computer, its IANA name'
} as const satisfies Readonly<Record<keyof RecordContext, string>>

/** About staff and the credentials they used: only full packs show them. */
export const staffContext: readonly (keyof RecordContext)[] = ['operator', 'credentialFingerprint', 'timeZone']

const names = Object.keys(recordContextValues) as (keyof RecordContext)[]

/** The circumstances alone, of whatever has them. */
export const contextOf = (from: RecordContext): RecordContext =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as unknown as RecordContext
