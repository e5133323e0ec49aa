/**
 * The operating system's keychain as a port: one operation at a time, each with a time limit; every error is a state.
 */
import { maxCredentialBytes } from '#contract/connections/credentials.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { KeychainState } from '#contract/app/app-state.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Clock } from '#kit/clock.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { newLineKey, sealForLine } from '#kit/sealing/line.ts'
import { connect, type Connected } from '#wire/rpc.ts'
import type { KeychainAnswer, KeychainFault, KeychainProcess } from '#wire/keychain-faults.ts'
import { createTurns } from '#kit/async/in-turn.ts'
import { within } from '#kit/async/within.ts'

export interface KeychainOptions {
  readonly launch: LaunchWorker
  readonly clock: Clock
  /** Milliseconds that one operation may take. */
  readonly limitMs?: number
  /** Called whenever an operation finds a different state from the previous one. */
  readonly onState?: (state: KeychainState) => void
}

type KeychainCall = (process: KeychainProcess) => Promise<KeychainAnswer>

/** Milliseconds that `close` waits for the operation in progress. */
const closeLimitMs = 1000

/** The process behind the keychain: launched by the first call, and not used again after anything worse than a lock. */
function createProcess(launch: KeychainOptions['launch']) {
  let worker: Connected<KeychainProcess> | undefined
  let answered = false

  const startWorker = (): Connected<KeychainProcess> => {
    const started = connect<KeychainProcess>(launch('keychain'), (): KeychainAnswer => {
      // A process that never answered could not be started; one that did was killed or crashed.
      return { ok: false, fault: answered ? 'hung' : 'absent' }
    })
    answered = false
    void started.ended.then(() => {
      if (worker === started) worker = undefined
    })
    return started
  }

  /** One call within the limit. After anything worse than a lock, the process is not used again. */
  const callOnce = async (limit: number, call: KeychainCall): Promise<KeychainAnswer> => {
    worker ??= startWorker()
    const flying = worker
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), limit)))
    const first = await Promise.race([call(flying.api), late])
    clearTimeout(timer)
    const answer: KeychainAnswer = first === 'late' ? { ok: false, fault: 'hung' } : asAnswer(first)
    if (worker === flying) answered = true
    if (!answer.ok && answer.fault !== 'locked') {
      flying.end()
      if (worker === flying) worker = undefined
    }
    return answer
  }

  return {
    callOnce,
    end(): void {
      worker?.end()
      worker = undefined
    }
  }
}

/**
 * Starts nothing by itself: the first call launches the process.
 *
 * Failures: `keychain-absent`, `-locked`, `-denied`, `-hung`. After a timeout the process is killed and calls fail at
 * once with `keychain-hung` until `probe()` launches a new one.
 */
export function createKeychain({ launch, clock, limitMs = 5000, onState }: KeychainOptions): SecretStore {
  let state: KeychainState = 'unchecked'
  let closed = false
  let probing: Promise<KeychainState> | undefined
  const { callOnce, end } = createProcess(launch)

  const found = (next: KeychainState): void => {
    if (next === state) return
    state = next
    onState?.(next)
  }

  /**
   * libsecret stays bound to the first service it found and finds none after a restart. If a keychain that was ready
   * or locked is suddenly absent, the call is repeated in a new process. Every call may be repeated.
   */
  const callOrRetry = async (limit: number, call: KeychainCall): Promise<KeychainAnswer> => {
    const deadline = clock.monotonic() + limit
    let answer = await callOnce(limit, call)
    if (!answer.ok && answer.fault === 'absent' && (state === 'ready' || state === 'locked') && !closed)
      answer = await callOnce(Math.max(1, deadline - clock.monotonic()), call)
    found(answer.ok ? 'ready' : answer.fault)
    return answer
  }

  const inTurn = createTurns()

  const operate = (call: KeychainCall): Promise<KeychainAnswer> =>
    inTurn<KeychainAnswer>(async () =>
      closed || state === 'hung' ? { ok: false, fault: 'hung' } : callOrRetry(limitMs, call)
    )

  const probe = (): Promise<KeychainState> => {
    const before = state
    const deadline = clock.monotonic() + limitMs
    return inTurn(async () => {
      // An operation that hung while this probe was queued has already determined the state.
      if (closed || (state === 'hung' && before !== 'hung')) return state
      await callOrRetry(Math.max(1, deadline - clock.monotonic()), (process) => process.probe())
      return state
    })
  }

  return {
    async get(account) {
      const answer = await operate((process) => process.get(account))
      return answer.ok ? ok(answer.value ?? undefined) : refusal(answer.fault)
    },
    async getBytes(account) {
      const line = newLineKey()
      let value: Uint8Array | null = null
      const answer = await operate(async (process) => {
        const found = await process.getSealed(account, line.publicKey)
        if (!found.ok) return found
        value = found.value
        return { ok: true, value: null }
      })
      if (!answer.ok) return refusal(answer.fault)
      return ok(value === null ? undefined : line.open(value))
    },
    async setBytes(account, value) {
      const fault = secretFault(value)
      if (fault) return failed('credential-invalid', { reason: fault })
      const answer = await operate(async (process) => {
        const key = await process.publicKey()
        return key.ok && key.value
          ? process.setSealed(account, sealForLine(key.value, value))
          : { ok: false, fault: key.ok ? 'denied' : key.fault }
      })
      return answer.ok ? ok(null) : refusal(answer.fault)
    },
    async set(account, value) {
      const fault = secretFault(Buffer.from(value))
      if (fault) return failed('credential-invalid', { reason: fault })
      const answer = await operate((process) => process.set(account, value))
      return answer.ok ? ok(null) : refusal(answer.fault)
    },
    async remove(account) {
      const answer = await operate((process) => process.remove(account))
      return answer.ok ? ok(null) : refusal(answer.fault)
    },
    probe() {
      probing ??= probe().finally(() => (probing = undefined))
      return probing
    },
    state: () => state,
    async rest() {
      await within(
        closeLimitMs,
        inTurn(() => Promise.resolve())
      )
      end()
    },
    async close() {
      closed = true
      await within(
        closeLimitMs,
        inTurn(() => Promise.resolve())
      )
      end()
    }
  }
}

/** Limits that all three systems' keychains preserve; a NUL would truncate a value silently. */
function secretFault(value: Uint8Array): 'empty' | 'nul' | 'too-long' | undefined {
  if (value.length === 0) return 'empty'
  if (value.includes(0)) return 'nul'
  if (value.length > maxCredentialBytes) return 'too-long'
  return undefined
}

function refusal(fault: KeychainFault): Result<never, Failure> {
  return failed(`keychain-${fault}`)
}

/** A failure of the worker itself (a bug) is treated as a refusal, so that nothing is taken for missing. */
function asAnswer(answer: KeychainAnswer): KeychainAnswer {
  return answer.ok === true || 'fault' in answer ? answer : { ok: false, fault: 'denied' }
}
