/**
 * Finds out why a service cannot be reached. Takes the steps of a verification by the client's own code, then sends one `HEAD /`
 * without credentials, and says what is wrong. No credential of a connection is read for it.
 */
import { baseUrlFault } from '#contract/connections/connection.ts'
import type { DiagnosisReport, DiagnosisStep } from '#contract/connections/diagnosis.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { dial, type SignInTo } from '#core/client/dial.ts'
import type { DialStep } from '#core/client/dial-steps.ts'
import type { Network } from '#core/client/network.ts'
import { probe } from '#core/client/probe.ts'
import type { Route } from '#core/client/proxy.ts'
import type { StopReason } from '#core/client/socket-faults.ts'
import type { Trust } from '#wire/trust.ts'
import type { Clock } from '#kit/clock.ts'
import { answerOfProbe, clockFacts, routeFacts, stepOfDial, trustFacts } from './facts.ts'
import { createSecrets } from './secrets.ts'
import { verdictOfAnswer, verdictOfDial, verdictOfFault } from './verdict.ts'

export interface DiagnosisOrder {
  readonly address: string
  readonly network: Pick<Network, 'decide' | 'trust' | 'signIn'>
  readonly settings: Pick<Settings, 'connectTimeout' | 'totalTimeout'>
  readonly clock: Clock
  readonly version: string
  readonly platform: string
  /** Aborts when the user cancels. */
  readonly cancel: AbortSignal
  onStep(step: DiagnosisStep): void
}

/** Seconds that the answer to `HEAD /` may take, however long a verification may. */
const longestAnswer = 15

/** A signal that aborts when the user cancels or the time is over; its reason is a `StopReason`. */
function limited(cancel: AbortSignal, seconds: number): { readonly stop: AbortSignal; end(): void } {
  const controller = new AbortController()
  const onCancel = (): void => controller.abort('cancelled' satisfies StopReason)
  const timer = setTimeout(() => controller.abort('connect-timeout' satisfies StopReason), seconds * 1000)
  if (cancel.aborted) onCancel()
  else cancel.addEventListener('abort', onCancel, { once: true })
  return {
    stop: controller.signal,
    end() {
      clearTimeout(timer)
      cancel.removeEventListener('abort', onCancel)
    }
  }
}

/** Why a route cannot be used, as a verdict. */
function verdictOfRoute({ code, details, fields }: Failure): Failure {
  if (code === 'proxy-setting-unusable') return failure('diagnosis-proxy-setting', {}, fields)
  const reason = details?.['reason']
  return failure('diagnosis-system-proxy', { reason: reason === 'socks' || reason === 'address' ? reason : 'unknown' })
}

/** Diagnoses an address. Never rejects for an expected failure; ends within the timeouts of the settings. */
export async function diagnose(order: DiagnosisOrder): Promise<DiagnosisReport> {
  const { clock, network, cancel } = order
  const startedAt = clock.now()
  const begun = clock.monotonic()
  const steps: DiagnosisStep[] = []
  const secrets = createSecrets()
  const fault = baseUrlFault(order.address)
  const address = fault ? secrets.mask(order.address) : new URL(order.address).origin
  const add = (step: DiagnosisStep): void => {
    const shown = secrets.maskStep({ ...step, took: Math.round(step.took) })
    steps.push(shown)
    order.onStep(shown)
  }
  const end = (found: Failure | undefined): DiagnosisReport => ({
    address,
    startedAt,
    steps,
    took: Math.round(clock.monotonic() - begun),
    end: cancel.aborted ? 'cancelled' : found ? 'found' : 'good',
    ...(found && !cancel.aborted && { failure: secrets.maskFailure(found) }),
    version: order.version,
    platform: order.platform
  })
  if (fault) return end(failure('diagnosis-address-invalid', {}, { baseUrl: fault }))

  let since = clock.monotonic()
  const took = (): number => clock.monotonic() - since
  const decision = await network.decide(address)
  const { route } = decision
  secrets.addRoute(decision)
  add({
    step: 'route',
    state: route.ok ? 'passed' : 'failed',
    took: took(),
    facts: routeFacts(decision),
    ...(!route.ok && { failure: route.failure })
  })
  if (!route.ok) return end(verdictOfRoute(route.failure))

  since = clock.monotonic()
  const trust = await network.trust()
  add({
    step: 'trust',
    state: trust.ok ? 'passed' : 'failed',
    took: took(),
    facts: trust.ok ? trustFacts(trust.value) : [],
    ...(!trust.ok && { failure: trust.failure })
  })
  if (!trust.ok) return end(failure('diagnosis-ca-file'))
  if (cancel.aborted) return end(undefined)

  const signIn: SignInTo | undefined =
    network.signIn &&
    (async (proxy) => {
      const stored = (await network.signIn?.(proxy)) ?? ok(undefined)
      if (stored.ok && stored.value) secrets.addSignIn(stored.value)
      return stored
    })
  return end(await connectAndAsk({ order, address, route: route.value, trust: trust.value, signIn, add }))
}

interface Attempt {
  readonly order: DiagnosisOrder
  readonly address: string
  readonly route: Route
  readonly trust: Trust
  readonly signIn: SignInTo | undefined
  add(step: DiagnosisStep): void
}

/** Opens the connection and asks; returns what is wrong. */
async function connectAndAsk({ order, address, route, trust, signIn, add }: Attempt): Promise<Failure | undefined> {
  const { settings, clock, cancel } = order
  const seconds = Math.min(settings.connectTimeout, settings.totalTimeout)
  const place = { host: new URL(address).host, seconds }
  const dialled: DialStep[] = []
  const connecting = limited(cancel, seconds)
  const socket = await dial({
    origin: address,
    route,
    trust,
    stop: connecting.stop,
    seconds,
    ...(signIn && { signIn }),
    onStep(step) {
      dialled.push(step)
      add(stepOfDial(step))
    }
  })
  connecting.end()
  const last = dialled.at(-1)
  if (!socket.ok) return last?.failure ? verdictOfDial(last, place) : failure('diagnosis-other', { host: place.host })

  const limit = Math.min(settings.totalTimeout, longestAnswer)
  const asking = limited(cancel, limit)
  const since = clock.monotonic()
  const answer = await probe(socket.value, place.host, asking.stop)
  asking.end()
  const took = clock.monotonic() - since
  if (!answer.ok) {
    const verdict = verdictOfFault(answer.failure, place.host, limit)
    if (!cancel.aborted)
      add({ step: 'http', state: 'failed', took, facts: [{ name: 'request', values: ['HEAD /'] }], failure: verdict })
    return verdict
  }
  add({
    step: 'http',
    state: answer.value.status < 500 ? 'passed' : 'failed',
    took,
    facts: answerOfProbe(answer.value)
  })
  const skew = skewOf(answer.value.date, clock.now(), took)
  const verdict = verdictOfAnswer(answer.value, skew, dialled, place)
  if (skew !== undefined)
    add({
      step: 'clock',
      state: verdict?.code === 'diagnosis-clock' ? 'failed' : 'passed',
      took: 0,
      facts: clockFacts(answer.value.date ?? '', clock.now(), skew)
    })
  return verdict
}

/** How much this computer's clock is ahead of a server's, in milliseconds; undefined if the server says no valid time. */
function skewOf(date: string | undefined, now: number, took: number): number | undefined {
  const theirs = Date.parse(date ?? '')
  // A server writes whole seconds; its clock was read about half way through the request.
  return Number.isNaN(theirs) ? undefined : now - took / 2 - (theirs + 500)
}
