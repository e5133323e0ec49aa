/** What each step found, as facts for a reader: pure functions. Texts that came over the network are masked by the caller. */
import { isIP } from 'node:net'
import type {
  DiagnosisFact,
  DiagnosisFactCode,
  DiagnosisFactName,
  DiagnosisStep
} from '#contract/connections/diagnosis.ts'
import { schemesOf } from '#core/client/challenges.ts'
import type { DialStep } from '#core/client/dial-steps.ts'
import type { Handshake } from '#core/client/handshake.ts'
import { probeRequest, type ProbeAnswer } from '#core/client/probe.ts'
import { proxyAddress, type RouteDecision } from '#core/client/proxy.ts'
import type { Trust } from '#wire/trust.ts'
import type { TunnelAnswer } from '#core/client/tunnel.ts'

const fact = (name: DiagnosisFactName, values: readonly string[], code?: DiagnosisFactCode): DiagnosisFact => ({
  name,
  values,
  ...(code && { code })
})

/** Characters of a text from the network that are shown. */
const longest = 200
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)
const family = (address: string): string => (isIP(address) === 6 ? `${address} (IPv6)` : `${address} (IPv4)`)

/** How the route was decided, and which hops it has. A verdict still contains what it came with. */
export function routeFacts({ reason, route }: RouteDecision): DiagnosisFact[] {
  const how: DiagnosisFact[] = []
  if (reason.by === 'setting') how.push(fact('route', [], 'no-proxy'))
  if (reason.by === 'loopback') how.push(fact('route', [], 'loopback'))
  if (reason.by === 'manual') how.push(fact('route', [], 'manual'))
  if (reason.by === 'bypass') how.push(fact('route', [reason.entry], 'bypass'))
  if (reason.by === 'system')
    how.push(
      fact('route', [], 'system'),
      ...(reason.verdict === undefined ? [] : [fact('verdict', [reason.verdict === '' ? 'DIRECT' : reason.verdict])])
    )
  if (!route.ok) return how
  return [
    ...how,
    fact(
      'proxy',
      route.value.hops.map((hop) => (hop.kind === 'direct' ? 'DIRECT' : proxyAddress(hop)))
    )
  ]
}

const storeCodes = { system: 'store-system', runtime: 'store-runtime', file: 'store-file' } as const

export const trustFacts = ({ stores }: Trust): DiagnosisFact[] =>
  stores.map(({ store, count }) => fact('stores', [String(count)], storeCodes[store]))

function nameFacts(step: DialStep & { readonly step: 'name' }): DiagnosisFact[] {
  const host = fact('host', [step.host])
  if (isIP(step.host) !== 0) return [host, fact('addresses', [], 'is-address')]
  return [
    host,
    ...(step.addresses.length > 0 ? [fact('addresses', step.addresses.map(family))] : []),
    fact('resolver', step.fault && !step.fault.stop ? [step.fault.code] : [], 'system-resolver')
  ]
}

const challengeText = ({ scheme, realm }: TunnelAnswer['challenges'][number]): string =>
  cut(realm === undefined ? scheme : `${scheme} (${realm})`)

function answerFacts(answer: TunnelAnswer | undefined): DiagnosisFact[] {
  if (!answer) return []
  return [
    fact('answer', [answer.reply ?? String(answer.status)]),
    ...(schemesOf(answer.challenges).length > 0 ? [fact('schemes', answer.challenges.map(challengeText))] : [])
  ]
}

function handshakeFacts(handshake: Handshake | undefined, host: string): DiagnosisFact[] {
  if (!handshake) return []
  const { protocol, cipher, alpn, chain, nameMatches } = handshake
  const trusted = chain.find(({ store }) => store !== undefined)
  const last = chain.at(-1)
  return [
    fact('protocol', [protocol]),
    fact('cipher', [cipher]),
    alpn === undefined ? fact('alpn', [], 'no-alpn') : fact('alpn', [alpn]),
    fact(
      'name',
      [host, chain[0]?.names.join(', ') || chain[0]?.subject || ''],
      nameMatches ? 'name-matches' : 'name-differs'
    ),
    ...(trusted
      ? [fact('chain', [trusted.subject], 'chain-trusted')]
      : last
        ? [fact('chain', [last.issuer], 'chain-not-trusted')]
        : [])
  ]
}

/** The facts of a step of opening a connection. */
export function dialFacts(step: DialStep): DiagnosisFact[] {
  switch (step.step) {
    case 'name':
      return nameFacts(step)
    case 'connect':
      return [
        ...(step.address === undefined ? [] : [fact('connected', [step.address])]),
        ...(step.attempts.length > 0
          ? [
              fact(
                'attempts',
                step.attempts.map(({ address, error }) => `${address} ${error}`)
              )
            ]
          : [])
      ]
    case 'proxy-tls':
    case 'tls':
      return handshakeFacts(step.handshake, step.host)
    case 'tunnel':
      return [
        ...answerFacts(step.answer),
        ...(step.given === 'environment'
          ? [fact('sign-in', [], 'from-environment')]
          : step.failure && step.answer?.status === 407
            ? [fact('sign-in', [], 'none-stored')]
            : [])
      ]
    case 'sign-in':
      return [fact('sign-in', [], 'from-keychain'), ...answerFacts(step.answer)]
  }
}

/** A step of opening a connection, for the report. */
export function stepOfDial(step: DialStep): DiagnosisStep {
  const certificates = 'handshake' in step ? step.handshake?.chain : undefined
  return {
    step: step.step,
    state: step.failure ? 'failed' : 'passed',
    took: step.took,
    ...(step.proxy !== undefined && { proxy: step.proxy }),
    facts: dialFacts(step),
    ...(certificates && certificates.length > 0 && { certificates }),
    ...(step.failure && { failure: step.failure })
  }
}

export function answerOfProbe({ status, statusText, server, location }: ProbeAnswer): DiagnosisFact[] {
  return [
    fact('request', [probeRequest]),
    fact('answer', [cut(`${status} ${statusText}`.trim())]),
    ...(server === undefined ? [] : [fact('server', [cut(server)])]),
    // Without its query, which may hold a token.
    ...(location === undefined ? [] : [fact('redirect', [cut(location.replace(/[?#].*$/, ''))])])
  ]
}

/** The clocks. `skew`: how much this computer's is ahead, in milliseconds. */
export function clockFacts(date: string, now: number, skew: number): DiagnosisFact[] {
  const seconds = Math.round(Math.abs(skew) / 1000)
  return [
    fact('server-time', [cut(date)]),
    fact('own-time', [new Date(now).toISOString()]),
    fact('difference', [String(seconds)], skew > 0 ? 'seconds-ahead' : 'seconds-behind')
  ]
}
