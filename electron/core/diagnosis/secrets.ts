/** Keeps secrets out of a report: what proxies are given could come back in a realm, a header or a certificate. */
import type { DiagnosisStep } from '#contract/connections/diagnosis.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { RouteDecision } from '#core/client/proxy.ts'
import type { BasicSignIn } from '#core/client/tunnel.ts'
import { createMasker, type Masker } from '#core/masking/masker.ts'

export interface ReportSecrets {
  /** The user name and the password of the proxies of a route, which an environment variable may contain. */
  addRoute(decision: RouteDecision): void
  addSignIn(signIn: BasicSignIn): void
  mask(text: string): string
  maskStep(step: DiagnosisStep): DiagnosisStep
  maskFailure(failure: Failure): Failure
}

const placeholder = '•••'

const mark = '•••@'

/**
 * Replaces the user name and the password of each address in a text: `PROXY user:password@host:8080` becomes `PROXY
 * •••@host:8080`. Everything before the last @ of a word is replaced, because a password may contain one.
 */
const withoutUserInfo = (text: string): string =>
  text.replace(/([a-z][a-z0-9+.-]*:\/\/)?[^\s;,]*@/gi, (_found, scheme: string | undefined) => `${scheme ?? ''}${mark}`)

export function createSecrets(): ReportSecrets {
  let masker: Masker = createMasker([])
  const add = (...values: readonly string[]): void => {
    masker = createMasker(
      values.filter((value) => value !== '').map((value) => ({ value, placeholder })),
      masker
    )
  }
  const addPair = (pair: string): void =>
    add(pair, pair.slice(0, Math.max(0, pair.indexOf(':'))), pair.slice(pair.indexOf(':') + 1))
  const mask = (text: string): string => masker.mask(withoutUserInfo(text))
  /** Every text of a value, at any depth. */
  const masked = <T>(value: T): T => {
    if (typeof value === 'string') return mask(value) as T
    if (Array.isArray(value)) return value.map(masked) as T
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, masked(each)])) as T
    return value
  }
  return {
    addRoute({ route }) {
      if (!route.ok) return
      for (const hop of route.value.hops)
        if (hop.kind === 'proxy' && hop.authorization)
          addPair(Buffer.from(hop.authorization.replace(/^Basic /, ''), 'base64').toString())
    },
    addSignIn: ({ user, password }) => addPair(`${user}:${password}`),
    mask,
    maskStep: (step) => ({
      ...step,
      facts: masked(step.facts),
      ...(step.certificates && { certificates: masked(step.certificates) }),
      ...(step.failure && { failure: maskFailure(step.failure) })
    }),
    maskFailure
  }
  function maskFailure(failure: Failure): Failure {
    return {
      ...failure,
      ...(failure.details && { details: masked(failure.details) }),
      ...(failure.cause && { cause: maskFailure(failure.cause) })
    }
  }
}
