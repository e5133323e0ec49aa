/** Decides whether somebody may unlock, and changes the passphrase. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { UnlockWay } from '#contract/lock/lock.ts'
import { passphraseFault } from '#contract/lock/passphrase.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { PassphraseChange } from '#wire/history/audit-notes.ts'
import { createTurns } from '#kit/async/in-turn.ts'
import type { ProtectedSecrets } from './protected-secrets.ts'
import type { Tries } from './tries.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface AdmissionParts {
  readonly secrets: ProtectedSecrets
  readonly tries: Tries
  /** The history's key by a recovery key, 32 bytes that the caller zeroes. Failures: `recovery-missing`, `recovery-key-wrong`. */
  masterKeyOf(recoveryKey: string): Answer<Buffer>
  /** Whether the history is in files: nothing else has a key to protect. */
  isOnFile(): boolean
  noteFailed(tries: number): Promise<void>
  noteChanged(change: PassphraseChange): Promise<void>
}

export interface Admission {
  /**
   * Whether a passphrase, or none, unlocks. Failures: `passphrase-missing`, `passphrase-wrong`, `passphrase-wait`, the
   * keychain's; those of writing a file if the attempt cannot be counted.
   */
  admit(passphrase: string | undefined): Answer<UnlockWay>
  /** Sets a new passphrase by the recovery key. Failures: `passphrase-weak`, those of `masterKeyOf` and of the keychain. */
  recover(recoveryKey: string, passphrase: string): Answer<UnlockWay>
  /** Sets, changes or (null) removes the passphrase; needs the current one. Failures: those of `admit`, `passphrase-weak`, `history-not-on-file`. */
  change(current: string | undefined, next: string | null): Answer<null>
}

const weak = (next: string): Result<null, Failure> => {
  const fault = passphraseFault(next)
  return fault ? failed('passphrase-weak', { reason: fault }) : ok(null)
}

export function createAdmission({ secrets, tries, ...parts }: AdmissionParts): Admission {
  // Two attempts at once would share one wait.
  const inTurn = createTurns()

  async function admit(passphrase: string | undefined): Answer<UnlockWay> {
    const found = await secrets.isProtected()
    // Without a keychain there is nothing to open; what the history lacks is shown by its own state.
    if (!found.ok) return tries.isProtected() ? found : ok('session')
    await tries.setProtected(found.value)
    if (!found.value) return ok('session')
    if (passphrase === undefined) return failed('passphrase-missing')
    if (tries.wait() > 0) return failed('passphrase-wait', { seconds: tries.wait() })
    const counted = await tries.begin()
    if (!counted.ok) return counted
    const opened = await secrets.open(passphrase)
    if (!opened.ok) {
      await tries.undo()
      return opened
    }
    if (!opened.value) {
      await parts.noteFailed(tries.wrong())
      return failed('passphrase-wrong', { count: tries.wrong() })
    }
    await tries.right()
    return ok('passphrase')
  }

  async function recover(recoveryKey: string, passphrase: string): Answer<UnlockWay> {
    const strong = weak(passphrase)
    if (!strong.ok) return strong
    const masterKey = await parts.masterKeyOf(recoveryKey)
    if (!masterKey.ok) return masterKey
    const recovered = await secrets.recover(masterKey.value, passphrase).finally(() => masterKey.value.fill(0))
    if (!recovered.ok) return recovered
    if (!recovered.value) return failed('recovery-key-wrong', { reason: 'other-history' })
    await tries.right()
    await parts.noteChanged('recovered')
    return ok('recovery')
  }

  async function change(current: string | undefined, next: string | null): Answer<null> {
    if (!parts.isOnFile()) return failed('history-not-on-file')
    const strong = next === null ? ok(null) : weak(next)
    if (!strong.ok) return strong
    const admitted = await admit(current)
    if (!admitted.ok) return admitted
    const had = admitted.value === 'passphrase'
    // The file says so first: a start after a crash then asks for a passphrase rather than showing anything.
    if (next !== null) await tries.setProtected(true)
    const changed = next === null ? await secrets.unprotect() : await secrets.protect(next)
    if (!changed.ok) return changed
    await tries.setProtected(next !== null)
    if (had || next !== null) await parts.noteChanged(next === null ? 'removed' : had ? 'changed' : 'set')
    return ok(null)
  }

  return {
    admit: (passphrase) => inTurn(() => admit(passphrase)),
    recover: (recoveryKey, passphrase) => inTurn(() => recover(recoveryKey, passphrase)),
    change: (current, next) => inTurn(() => change(current, next))
  }
}
