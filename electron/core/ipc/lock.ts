/** Handlers of the lock. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { lockChannels, screenShareChannels } from '#contract/lock/channels.ts'
import type { AppState } from '#contract/app/app-state.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { done, type HandlerParts } from './parts.ts'

export function lockHandlers({
  host,
  lock,
  admission,
  active,
  policies,
  state,
  stateChanged
}: HandlerParts): HandlersOf<typeof lockChannels> {
  const unlock: (...way: Parameters<typeof lock.unlock>) => Promise<Result<AppState, Failure>> = async (admit) => {
    const unlocked = await lock.unlock(admit)
    if (!unlocked.ok) return unlocked
    active()
    return { ok: true, value: state() }
  }
  return {
    'lock.now': async () => {
      if (host.sample) return failed('lock-not-here')
      await lock.lock('person')
      return done
    },
    'lock.ready': async () => {
      lock.ready()
      return done
    },
    'lock.active': async () => {
      active()
      return done
    },
    'lock.unlock': ({ passphrase }) => unlock(() => admission.admit(passphrase)),
    'lock.recover': ({ key, passphrase }) => unlock(() => admission.recover(key, passphrase)),
    'passphrase.change': async ({ current, next }) => {
      const refusal = next === null ? policies.passphraseRefusal() : undefined
      if (refusal) return fail(refusal)
      const changed = await admission.change(current, next)
      stateChanged()
      return changed.ok ? { ok: true, value: state() } : changed
    }
  }
}

/** Screen-share mode. A value is shown after its event is recorded. */
export function screenShareHandlers({
  screenShare,
  auditTrail,
  state,
  stateChanged
}: HandlerParts): HandlersOf<typeof screenShareChannels> {
  return {
    'screenShare.switch': async ({ on }) => {
      await screenShare.switch(on)
      stateChanged()
      return ok(state())
    },
    'screenShare.reveal': async ({ field, about }) => {
      await auditTrail.note({ kind: 'value.revealed', plain: { field }, ...(about && { about }) })
      return done
    }
  }
}
