/** The recovery key: created and shown once, and used to open the history when the keychain's key is lost. */
import { join } from 'node:path'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { RecoveryKey, RecoveryState } from '#contract/data-management/data-management.ts'
import type { HistoryState } from '#contract/history/records.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { makeFolder, ownFileBytes, readRegular } from '#wire/files/regular.ts'
import { writeAtomically } from '#wire/files/write.ts'
import { historyFolder, masterKeyAccount, setAsideHistory } from '#core/history/open.ts'
import type { Clock } from '#kit/clock.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { bytesUnder, digitsOf, keepBytes, keepKey } from '#core/secrets/key-bytes.ts'
import { copyFolders, exists, recoveryFiles, recoveryFileName } from '#core/history/copy-folders.ts'
import { masterKeyOf } from './check.ts'
import { escrowKey } from './escrow.ts'
import { confirmRecovery, createRecovery, openRecovery, readRecovery, type RecoveryFile } from './recovery.ts'
import { parseRecoveryCode } from './recovery-code.ts'

/** Account for a key from the keychain that did not fit. It is never discarded. */
export const formerKeyAccount = 'history/master-key-before-recovery'

export interface RecoveryParts {
  readonly dataFolder: string
  readonly keychain: SecretStore
  readonly clock: Clock
  /** The organisation's public key (PEM) for which a recovery key is sealed as well. */
  readonly escrowTo: () => string | undefined
  readonly historyState: () => HistoryState
  /** The open history, or why there is none; waits for an opening in progress. */
  readonly store: () => Promise<Result<HistoryStore, Failure>>
  readonly whileClosed: (work: () => Promise<void>) => Promise<HistoryState>
  /** Opens the history with the key that the keychain holds now. */
  readonly open: () => Promise<HistoryState>
  readonly openWithKey: (masterKey: Buffer) => Promise<HistoryState>
}

export interface Recoveries {
  state(): Promise<Result<RecoveryState, Failure>>
  /** Creates a recovery key. Failures: the keychain's, `history-not-on-file`, `disk-full`, `settings-locked`. */
  create(): Promise<Result<RecoveryKey, Failure>>
  /**
   * Confirms that a copy of the key created at that time exists. Failures: `recovery-missing` if another was created
   * since; those of `writeAtomically`.
   */
  confirm(createdAt: number): Promise<Result<RecoveryState, Failure>>
  /**
   * Opens the history with a recovery key. Failures: `recovery-missing`, `recovery-key-wrong`; those of the history
   * are in the state.
   */
  open(code: string): Promise<Result<HistoryState, Failure>>
  /** The key of a history, 32 bytes that the caller zeroes, without opening anything. Failures: `recovery-missing`, `recovery-key-wrong`. */
  masterKeyOf(code: string): Promise<Result<Buffer, Failure>>
}

/** Whether the keychain's text is that key. */
function isKey(held: Buffer | undefined, masterKey: Buffer): boolean {
  const digits = digitsOf(masterKey)
  const same = held?.equals(digits) ?? false
  digits.fill(0)
  return same
}
/** Stores the key; another one that is there stays under a name of its own. */
async function take(
  keychain: SecretStore,
  masterKey: Buffer,
  held: Buffer | undefined
): Promise<Result<null, Failure>> {
  if (held !== undefined && !isKey(held, masterKey)) {
    const kept = await keepBytes(keychain, formerKeyAccount, held)
    if (!kept.ok) return kept
  }
  return keepKey(keychain, masterKeyAccount, masterKey)
}

/** What is known of the key of a file, or of none. @param to The public key (PEM) for which it should be sealed. */
function stateOf(file: RecoveryFile | undefined, to: string | undefined): RecoveryState {
  const isDue = to !== undefined && file?.escrow?.key !== escrowKey(to)
  const escrow = isDue ? 'due' : file?.escrow && 'sealed'
  return {
    exists: file !== undefined,
    ...(file && { createdAt: file.createdAt }),
    confirmed: file?.confirmedAt !== undefined,
    ...(escrow && { escrow })
  }
}

export function createRecoveries(parts: RecoveryParts): Recoveries {
  const folder = historyFolder(parts.dataFolder)

  /**
   * The old history and its key are lost, a start has created an empty history under a new key, and backups remain:
   * sets the empty history aside, so that the backups can be restored with their own key.
   */
  async function replaceEmpty(masterKey: Buffer, held: Buffer): Promise<Result<HistoryState, Failure>> {
    const store = await parts.store()
    const counts = store.ok ? await store.value.counts({}) : store
    if (!counts.ok) return counts
    if (counts.value.total > 0) return failed('recovery-key-wrong', { reason: 'records-present' })
    let fault: Failure | undefined
    const state = await parts.whileClosed(async () => {
      const aside = await setAsideHistory(folder, parts.clock, parts.keychain)
      const taken = aside.ok ? await take(parts.keychain, masterKey, held) : aside
      if (!taken.ok) fault = taken.failure
    })
    return fault ? { ok: false, failure: fault } : ok(state)
  }
  /** The file that a recovery key opens, of the history or of a copy, and the key in it. */
  async function openedBy(
    text: string
  ): Promise<Result<{ readonly file: RecoveryFile; readonly masterKey: Buffer }, Failure>> {
    const code = parseRecoveryCode(text)
    if ('fault' in code) return failed('recovery-key-wrong', code.fault)
    const files = []
    for (const each of [folder, ...(await copyFolders(parts.dataFolder))]) files.push(await readRecovery(each))
    const found = files.filter((file) => file !== undefined)
    if (found.length === 0) return failed('recovery-missing')
    for (const file of found) {
      const masterKey = openRecovery(file, code.key)
      if (masterKey !== undefined) return ok({ file, masterKey })
    }
    return failed('recovery-key-wrong', { reason: 'other-history' })
  }

  async function openWith(file: RecoveryFile, masterKey: Buffer): Promise<Result<HistoryState, Failure>> {
    // Somebody who opens with the key has a copy. If this cannot be stored, confirmation is requested again.
    await confirmRecovery(folder, file.createdAt, parts.clock.now())
    await parts.store()
    const present = parts.historyState()
    const held =
      (await parts.keychain.probe()) === 'ready' ? await bytesUnder(parts.keychain, masterKeyAccount) : undefined
    try {
      if (present.state === 'ready' && present.kept === 'file') {
        const other = held?.ok && !isKey(held.value, masterKey) ? held.value : undefined
        return other === undefined ? ok(present) : await replaceEmpty(masterKey, other)
      }
      // Its name in the keychain is lost: the key is stored under a new one.
      const isUnnamed = held?.ok === false && held.failure.details?.['reason'] === 'missing'
      if (isUnnamed && (await take(parts.keychain, masterKey, undefined)).ok) return ok(await parts.open())
      if (!held?.ok) return ok(await parts.openWithKey(masterKey))
      const taken = isKey(held.value, masterKey) ? ok(null) : await take(parts.keychain, masterKey, held.value)
      return taken.ok ? ok(await parts.open()) : taken
    } finally {
      if (held?.ok) held.value?.fill(0)
    }
  }

  return {
    state: async () => ok(stateOf(await readRecovery(folder), parts.escrowTo())),
    async create() {
      await parts.store()
      const state = parts.historyState()
      if (state.state === 'failed') return { ok: false, failure: state.failure }
      if (state.state !== 'ready' || state.kept !== 'file') return failed('history-not-on-file')
      const key = await masterKeyOf(parts.keychain)
      if (!key.ok) return key
      const createdAt = parts.clock.now()
      await makeFolder(folder)
      const escrowTo = parts.escrowTo()
      const code = await createRecovery(folder, key.value, createdAt, escrowTo).finally(() => key.value.fill(0))
      if (!code.ok) return code
      // The previous recovery key must no longer open anything, so its file is replaced in every copy.
      const text = await readRegular(join(folder, recoveryFileName), ownFileBytes)
      for (const path of recoveryFiles(await copyFolders(parts.dataFolder))) {
        if (await exists(path)) await writeAtomically(path, text)
      }
      const escrowedFor = escrowTo === undefined ? undefined : escrowKey(escrowTo)
      return ok({ key: code.value, createdAt, ...(escrowedFor !== undefined && { escrowedFor }) })
    },
    async confirm(createdAt) {
      const confirmed = await confirmRecovery(folder, createdAt, parts.clock.now())
      if (!confirmed.ok) return confirmed
      const file = confirmed.value ? await readRecovery(folder) : undefined
      return file ? ok(stateOf(file, parts.escrowTo())) : failed('recovery-missing')
    },
    async masterKeyOf(text) {
      const opened = await openedBy(text)
      return opened.ok ? ok(opened.value.masterKey) : opened
    },
    async open(text) {
      const opened = await openedBy(text)
      if (!opened.ok) return opened
      const { file, masterKey } = opened.value
      return openWith(file, masterKey).finally(() => masterKey.fill(0))
    }
  }
}
