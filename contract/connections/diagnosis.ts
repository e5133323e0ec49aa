/**
 * A network diagnosis: the steps from this computer to a service, what each found, and what is wrong. Data only; the
 * words are in `failures/diagnosis.ts` and `failures/diagnosis-words.ts`. Nothing in it is a secret.
 */
import type { Failure } from '../failures/failures.ts'

/** The steps in their order; those for a proxy occur only with one, and again for each further proxy that is tried. */
export const diagnosisSteps = [
  'route',
  'trust',
  'name',
  'connect',
  'proxy-tls',
  'tunnel',
  'sign-in',
  'tls',
  'http',
  'clock'
] as const
export type DiagnosisStepName = (typeof diagnosisSteps)[number]

/**
 * Where a certificate is trusted from: the system's store, the list of the runtime, a file that an administrator gave
 * the runtime, or the file in the settings.
 */
export type CertificateStore = 'system' | 'runtime' | 'file'

/** A certificate of a chain, as far as it can be shown to anybody. */
export interface CertificateFacts {
  readonly subject: string
  readonly issuer: string
  /** Names and addresses that it is valid for. */
  readonly names: readonly string[]
  /** As Node writes them: `Jan  1 00:00:00 2030 GMT`. */
  readonly validFrom: string
  readonly validTo: string
  /** SHA-256, in hexadecimal with colons. */
  readonly fingerprint: string
  readonly selfIssued: boolean
  /** Absent if no store has it. */
  readonly store?: CertificateStore
}

export type DiagnosisFactName =
  | 'route'
  | 'proxy'
  | 'verdict'
  | 'stores'
  | 'host'
  | 'addresses'
  | 'resolver'
  | 'connected'
  | 'attempts'
  | 'answer'
  | 'schemes'
  | 'sign-in'
  | 'protocol'
  | 'cipher'
  | 'alpn'
  | 'name'
  | 'chain'
  | 'request'
  | 'server'
  | 'redirect'
  | 'server-time'
  | 'own-time'
  | 'difference'

/** How a fact reads where it is more than its values. */
export type DiagnosisFactCode =
  | 'no-proxy'
  | 'loopback'
  | 'bypass'
  | 'manual'
  | 'system'
  | 'store-system'
  | 'store-runtime'
  | 'store-file'
  | 'is-address'
  | 'system-resolver'
  | 'no-alpn'
  | 'name-matches'
  | 'name-differs'
  | 'chain-trusted'
  | 'chain-not-trusted'
  | 'from-environment'
  | 'from-keychain'
  | 'none-stored'
  | 'seconds-ahead'
  | 'seconds-behind'

/** What a step found: its values as they are, or filled into the words of a code. */
export interface DiagnosisFact {
  readonly name: DiagnosisFactName
  readonly values: readonly string[]
  readonly code?: DiagnosisFactCode
}

export interface DiagnosisStep {
  readonly step: DiagnosisStepName
  readonly state: 'passed' | 'failed'
  /** Milliseconds. */
  readonly took: number
  /** Host and port of the proxy that it leads to, if it is not the service. */
  readonly proxy?: string
  readonly facts: readonly DiagnosisFact[]
  /** The chain as presented, the service's first; the last one may come from a store. */
  readonly certificates?: readonly CertificateFacts[]
  /** Why it failed, as a verification would say it. */
  readonly failure?: Failure
}

export interface DiagnosisReport {
  /** Scheme, host and port. */
  readonly address: string
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Milliseconds. */
  readonly took: number
  readonly end: 'good' | 'found' | 'cancelled'
  /** What is wrong: always a code of `failures/diagnosis.ts`. Absent if nothing is, or if it was cancelled. */
  readonly failure?: Failure
  readonly steps: readonly DiagnosisStep[]
  /** For who reads the report elsewhere. */
  readonly version: string
  readonly platform: string
}
