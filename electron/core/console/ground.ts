/** The ground of a console: the host with the lock's phase before it, policies, log, settings, and the keychain. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { KeychainState } from '#contract/app/app-state.ts'
import { signatureOf } from '#contract/app/signatures.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { formerKeyAccount } from '#core/backup/recoveries.ts'
import { recoveryFacts } from '#core/backup/recovery.ts'
import { readCaFile } from '#wire/trust.ts'
import { createClipboard } from '#core/data-removal/clipboard.ts'
import { createRemovals } from '#core/data-removal/removals.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { secretsOfFolder } from '#core/history/folder-keys.ts'
import { historyFolder, masterKeyAccount } from '#core/history/open.ts'
import { createDialogs } from '#core/lock/dialogs.ts'
import { createPhase } from '#core/lock/phase.ts'
import { createProtectedSecrets } from '#core/lock/protected-secrets.ts'
import { toldWhileLocked } from '#core/lock/shown.ts'
import { openTries } from '#core/lock/tries.ts'
import { createLog } from '#core/log/log.ts'
import { openPolicies } from '#core/policies/policies.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { createSampleHand } from '#core/sample/hand.ts'
import { createKeychain } from '#core/secrets/keychain.ts'
import { createSessionSecrets, withoutKeychain } from '#core/secrets/session-secrets.ts'
import { openSettings } from '#core/settings/settings.ts'
import { createSignal } from './signal.ts'

export type Ground = Awaited<ReturnType<typeof createGround>>

export async function createGround(given: HostPorts) {
  const phase = createPhase()
  const dialogs = createDialogs(given, phase.isOpen)
  /** Every event, also those that a locked window is not told. */
  const events = createSignal<ConsoleEvent>()
  const hand = given.sample && createSampleHand(given.clock)
  let displayName = (): string => ''
  const host: HostPorts = {
    ...given,
    ...(hand && { clock: hand.clock }),
    get operator() {
      return hand?.operator() ?? signatureOf(displayName(), given.operator)
    },
    chooseFile: dialogs.chooseFile,
    chooseSavePath: dialogs.chooseSavePath,
    announce(event) {
      if (phase.isOpen() || toldWhileLocked.has(event.kind)) given.announce(event)
      events.tell(event)
    }
  }
  const { clock, dataFolder: folder } = host
  const tries = await openTries(folder, clock)
  const policies = await openPolicies({
    reader: host.policies,
    folder,
    clock,
    // Sample data end with their session, and have neither.
    ...(!host.sample && {
      protection: {
        hasPassphrase: () => tries.isProtected(),
        recoveryKey: () => recoveryFacts(historyFolder(folder))
      }
    })
  })
  const log = createLog({ folder, clock, level: () => policies.values().LogLevel ?? 'all' })
  const settings = await openSettings({ folder, clock, policies, checkCaFile: (path) => readCaFile(path) })
  displayName = () => settings.current().displayName

  const stateChanges = createSignal<void>()
  /** Notifies the windows that the state has changed. @param event What the log says of it. */
  const stateChanged = (event?: string): void => {
    if (event !== undefined) log.write(event)
    stateChanges.tell()
  }

  const removals = createRemovals((cause) => host.announce({ kind: 'data-removed', cause }))
  const clipboard = createClipboard(host, () => settings.current().clipboardSeconds)
  removals.on(() => void clipboard.empty())
  removals.on(() => void host.forgetAddresses?.().catch(() => undefined))

  const keychainStates = createSignal<KeychainState>()
  // Keys of sample data are needed by its session alone, and its credentials are those of the practice service: none of them
  // reaches the keychain, and its process is never started.
  const keychain = host.sample
    ? createSessionSecrets()
    : createKeychain({
        launch: host.launchWorker,
        clock,
        onState(found) {
          stateChanged(`keychain-${found}`)
          keychainStates.tell(found)
        }
      })
  /** Whether this installation has anything of a team. */
  const inTeam = (): boolean => !host.sample && existsSync(join(folder, ownFiles.team))
  const folderSecrets = createProtectedSecrets(secretsOfFolder(keychain, folder), async () => {
    const team = inTeam() ? (await import('#core/team/installation/saved.ts')).accountOfTeam(folder) : undefined
    return [`${masterKeyAccount}-drafts`, formerKeyAccount, ...(team === undefined ? [] : [team])]
  })
  return {
    host,
    /** The system's account of who works here; `host.operator` is how they sign. */
    account: given.operator,
    /** Present in a session with sample data. */
    hand,
    clock,
    folder,
    phase,
    dialogs,
    events,
    policies,
    log,
    settings,
    stateChanges,
    stateChanged,
    files: createChosenFiles(folder),
    removals,
    onRemoval: removals.on,
    clipboard,
    keychain,
    keychainStates,
    /** Where credentials are kept. */
    credentialStore: host.sample ? withoutKeychain : keychain,
    /** The keys of the data folder. */
    folderSecrets,
    session: createSessionSecrets(),
    tries,
    inTeam
  }
}
