/**
 * Core's composition root: creates the parts of the console in the order of startup. A host passes its ports and
 * receives one router.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AppState, KeychainState } from '#contract/app-state.ts'
import type { ConsoleEvent } from '#contract/ipc.ts'
import type { ConnectionStatus } from '#contract/connection.ts'
import type { LockReason } from '#contract/lock.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { fail, ok, type Result } from '#contract/result.ts'
import { keepEarlyNotes } from '#core/audit/early-notes.ts'
import { ownFiles } from '#core/files/own-names.ts'
import { createAuditTrail } from './audit/audit-trail.ts'
import { createBatches } from '#core/batches/batches.ts'
import type { TeamOfBatches } from '#core/batches/shared/ports.ts'
import { readCaFile } from '#core/client/trust.ts'
import type { VerideskConsole } from './console-interface.ts'
import { createClipboard } from './data-removal/clipboard.ts'
import { openConnections } from '#core/connections/connections.ts'
import { createDiagnoses } from '#core/diagnosis/diagnoses.ts'
import { createDocuments } from '#core/documents/documents.ts'
import { createDrift } from '#core/documents/drift.ts'
import { createLinkChecks } from '#core/documents/link-checks.ts'
import { createRouter } from './ipc/router.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { createHandlers } from './ipc/handlers.ts'
import { keptTextsRefusal } from './ipc/kept-texts.ts'
import { createDialogs } from './lock/dialogs.ts'
import { createConsoleLock } from './lock/console-lock.ts'
import { createProtectedSecrets } from './lock/protected-secrets.ts'
import { openTries } from './lock/tries.ts'
import { lockedState, toldWhileLocked } from './lock/shown.ts'
import { createCurrentHistory } from './history/current.ts'
import { formerKeyAccount } from './backup/recoveries.ts'
import { masterKeyAccount } from './history/open.ts'
import { createDataManagement } from './data-management.ts'
import { createDrafts } from './drafts/drafts.ts'
import { createLog } from '#core/log/log.ts'
import { createNetwork } from './client/network.ts'
import type { Masker } from '#core/masking/masker.ts'
import { ownSecrets } from '#core/masking/own-secrets.ts'
import { openPolicies } from '#core/policies/policies.ts'
import type { HostPorts } from './ports/host.ts'
import { createPractice } from './connections/practice.ts'
import { createRemovals } from './data-removal/removals.ts'
import { createClearedCredentials } from '#core/secrets/cleared.ts'
import { bindCredentials } from '#core/secrets/bound.ts'
import { createCredentials } from '#core/secrets/credentials.ts'
import { createKeychain } from '#core/secrets/keychain.ts'
import { secretsOfFolder } from './history/folder-keys.ts'
import { lastUseOf } from './secrets/last-use.ts'
import { createProxySignIns } from './secrets/proxy-sign-ins.ts'
import { createSessionSecrets, withoutKeychain } from './secrets/session-secrets.ts'
import { createSampleSession, type SampleSession } from './sample/session.ts'
import { createScreenShare } from '#core/screen-share/screen-share.ts'
import { openSettings } from '#core/settings/settings.ts'
import type { Team } from '#core/team/team.ts'
import { createTimestamps } from '#core/timestamps/timestamps.ts'
import { createUpdates } from '#core/updates/updates.ts'
import { within } from './workers/within.ts'
import { withdrawn } from '#core/verification/access.ts'
import { createRuns, type RunParts } from '#core/verification/runs.ts'

// Node's HTTP and axios take longer to load than everything else here, and are not needed before a form is submitted.
const client = () => import('#core/client/send.ts')
/** Milliseconds from opening the history until what sends requests is preloaded; by then a window has been drawn. */
const preloadDelay = 1000

/** Milliseconds for the host to read and clear the clipboard when the console ends. */
const clipboardPatience = 1000

/** After these, the history has something new that a team may wait for. */
const recording: ReadonlySet<ConsoleEvent['kind']> = new Set<ConsoleEvent['kind']>([
  'history-changed',
  'evidence-changed',
  'batch-changed',
  'data-management-changed'
])

/** Everything that exists after `start()`. */
async function compose(given: HostPorts) {
  let team: Promise<Team> | undefined
  const dialogs = createDialogs(given, () => lock.phase().phase === 'open')
  const host: HostPorts = {
    ...given,
    chooseFile: dialogs.chooseFile,
    chooseSavePath: dialogs.chooseSavePath,
    announce(event) {
      if (lock.phase().phase === 'open' || toldWhileLocked.has(event.kind)) given.announce(event)
      if (recording.has(event.kind)) void team?.then((loaded) => loaded.look())
    }
  }
  const { clock, dataFolder: folder } = host
  const policies = await openPolicies({ reader: host.policies, folder, clock })
  const log = createLog({ folder, clock, level: () => policies.values().LogLevel ?? 'all' })
  const settings = await openSettings({ folder, clock, policies, checkCaFile: (path) => readCaFile(path) })

  // Keys of sample data are needed by its session alone, and its credentials are those of the practice service: none of them
  // reaches the keychain, and its process is never started.
  const keychain = host.sample
    ? createSessionSecrets()
    : createKeychain({ launch: host.launchWorker, clock, onState: keychainChanged })
  const credentialStore = host.sample ? withoutKeychain : keychain
  const folderSecrets = createProtectedSecrets(secretsOfFolder(keychain, folder), async () => {
    const account = inTeam() ? (await loadTeam()).account() : undefined
    return [`${masterKeyAccount}-drafts`, formerKeyAccount, ...(account === undefined ? [] : [account])]
  })
  const tries = await openTries(folder, clock)
  const session = createSessionSecrets()
  const credentials = bindCredentials({
    credentials: createCredentials({ keychain: credentialStore, session }),
    keychain: credentialStore,
    session,
    lastUse: (connectionId) => lastUseOf(history.store(), connectionId)
  })
  const cleared = createClearedCredentials(clock)
  const connections = await openConnections({
    folder,
    clock,
    credentials,
    // A session with sample data has the practice service only.
    policies: host.sample ? { ...policies, connections: () => [] } : policies
  })

  const own = (): Promise<Masker> => ownSecrets({ connections: connections.ids, held: credentials.held })
  const files = createChosenFiles(folder)
  const clipboard = createClipboard(host, () => settings.current().clipboardSeconds)
  const removals = createRemovals((cause) => host.announce({ kind: 'data-removed', cause }))
  removals.on(() => void clipboard.empty())
  removals.on(() => void host.forgetAddresses?.().catch(() => undefined))
  const history = createCurrentHistory({
    dataFolder: folder,
    keychain: folderSecrets,
    session,
    launch: host.launchWorker,
    clock,
    changed: () => {
      stateChanged(`history-${history.state().state}`)
      noteStart()
    },
    replaced: () => removals.announce('replaced')
  })
  /** Whether what is written now is still there after a restart. */
  const lasting = (): boolean => {
    const present = history.state()
    return present.state === 'ready' && present.kept === 'file'
  }
  const drafts = createDrafts({ folder, keychain: folderSecrets, lasting, onRemoval: removals.on })
  const auditTrail = createAuditTrail({
    clock,
    operator: host.operator,
    history: history.store,
    early: keepEarlyNotes(folder, clock.now()),
    writable: () => {
      const present = history.state()
      return present.state !== 'ready' || present.readOnly !== true
    },
    lasting,
    onFailure: ({ code }) => log.write('bug', { operation: 'audit.note', code })
  })
  const screenShare = createScreenShare({
    host,
    auditTrail,
    atStart: host.kind !== 'cli' && settings.current().screenShareAtStart
  })
  const practice = createPractice(host, connections, settings, auditTrail, policies)
  let begun: unknown
  /** Records the start of the console in each history that is opened with it. */
  const noteStart = (): void => {
    const open = history.store()
    if (!open.ok || open.value === begun) return
    // After a lock the same history opens again, and the unlocking is recorded.
    if (begun === undefined || !isReopening())
      void auditTrail.note({ kind: 'program.started', plain: { version: host.version, host: host.kind } })
    begun = open.value
    void dataManagement.resume()
  }
  const proxySignIns = createProxySignIns({ keychain: credentialStore, session })
  const network = createNetwork(host, settings.current, async (proxy) => {
    const found = await proxySignIns.of(proxy)
    if (found.ok && found.value) [found.value.user, found.value.password].forEach(log.mask)
    return found
  })
  const diagnoses = createDiagnoses({ host, network, settings: settings.current, files })
  const updates = createUpdates({
    settings: settings.current,
    sendingRefusal: settings.sendingRefusal,
    network,
    clock,
    folder,
    version: host.version,
    isSample: host.sample !== undefined,
    isScheduled: host.kind !== 'cli',
    isLocked: () => lock.phase().phase !== 'open',
    changed: () => stateChanged('updates')
  })
  const timestamps = createTimestamps({
    settings: settings.current,
    sendingRefusal: settings.sendingRefusal,
    network,
    clock
  })
  const documents = createDocuments({
    clock,
    network,
    settings: settings.current,
    sendingRefusal: () => settings.sendingRefusal() ?? connections.fault(),
    connection: connections.get,
    record: async (id) => {
      const store = await history.ready()
      return store.ok ? store.value.record(id) : store
    }
  })
  const linkChecks = createLinkChecks({ clock, documents, history: history.ready, auditTrail })
  removals.on(linkChecks.forget)
  const drift = createDrift({ clock, operator: host.operator, documents, history: history.ready, auditTrail })
  const sending: RunParts = {
    clock,
    consoleVersion: host.version,
    operator: host.operator,
    settings: settings.current,
    connection: practice.reachable,
    credentials: async (connection) => {
      const values = await credentials.values(connection)
      if (values.ok) Object.values(values.value).forEach(log.mask)
      return values
    },
    fingerprint: credentials.fingerprint,
    standing(taken) {
      const revision = credentials.revision(taken.id)
      return () =>
        withdrawn(taken, connections.get(taken.id), credentials.revision(taken.id) !== revision) ??
        settings.sendingRefusal() ??
        connections.fault() ??
        policies.addressRefusal(taken)
    },
    seenDocuments: linkChecks.seen,
    history: history.ready,
    // Loads the client before an intent is written.
    network: async (origin) => {
      await client()
      return network.to(origin)
    },
    send: async (order) => (await client()).sendVerification(order),
    announce: host.announce
  }
  /** Of a history in memory nothing may leave: its events would contradict those on file. */
  const historyOnFile = async (): ReturnType<typeof history.ready> => {
    const store = await history.ready()
    return !store.ok || lasting() ? store : failed('history-not-on-file')
  }
  const presentConnections = async (): Promise<Result<readonly ConnectionStatus[], Failure>> => {
    const fault = connections.fault()
    return fault ? fail(fault) : ok(await connections.list())
  }
  const loadTeam = (): Promise<Team> =>
    (team ??= import('#core/team/team.ts').then(({ createTeam }) =>
      createTeam(
        { dataFolder: folder, keychain: folderSecrets, clock, auditTrail, files, chooseSavePath: host.chooseSavePath },
        {
          launch: host.launchWorker,
          starts: host.kind !== 'cli',
          operator: host.operator,
          version: host.version,
          history: historyOnFile,
          connections: presentConnections,
          changed: () => host.announce({ kind: 'team-changed' }),
          recorded: () => host.announce({ kind: 'evidence-changed' })
        }
      )
    ))
  const inTeam = (): boolean => !host.sample && existsSync(join(folder, ownFiles.team))
  const colleagues: RunParts['colleagues'] = async (same) =>
    inTeam() ? (await loadTeam()).earlier(same) : ok(undefined)
  const runs = createRuns({ ...sending, own, colleagues })
  // Examples are added by the program, so no notification reports the end of their batch.
  const batchHost = host.sample ? { ...host, notify: () => undefined } : host
  const teamOfBatches: TeamOfBatches = {
    run: async (order) => (inTeam() ? (await loadTeam()).batches.run(order) : failed('team-missing')),
    results: async (found, own) =>
      inTeam() ? (await loadTeam()).batches.results(found, own) : ok({ ...found, source: own }),
    locate: async (id) => (inTeam() ? (await loadTeam()).batches.locate(id) : undefined)
  }
  const batches = createBatches({
    ...sending,
    own,
    policies,
    team: teamOfBatches,
    inTeam,
    colleagues,
    host: batchHost,
    documents,
    random: Math.random,
    files,
    auditTrail,
    drafts,
    onRemoval: removals.on
  })

  const dataManagement = createDataManagement({
    host,
    keychain: folderSecrets,
    settings,
    policies,
    history,
    auditTrail,
    removals,
    files,
    timestamps,
    noticed: () => stateChanged('backup-by-schedule'),
    inTeam: async (events) => (inTeam() ? (await loadTeam()).erasures(events) : undefined),
    // If its file cannot be opened now, the same follows with the next exchange.
    erasedInTeam: async (applicantIds) => void (inTeam() && (await (await loadTeam()).eraseApplicants(applicantIds))),
    inProgress: () => (batches.busy() ? 'batch' : runs.busy() ? 'check' : undefined)
  })

  let sample: SampleSession | undefined
  let lastNumber = 0
  const wholeState = (): AppState => ({
    number: (lastNumber += 1),
    host: host.kind === 'electron' ? 'electron' : 'preview',
    version: host.version,
    platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
    settings: settings.current(),
    managed: policies.state(),
    passphrase: tries.isProtected(),
    ...(sample && { sample: sample.state() }),
    screenShare: screenShare.state(),
    keychain: keychain.state(),
    history: history.state(),
    updates: updates.state(),
    fileFaults: { settings: settings.fault(), connections: connections.fault() },
    notices: [
      ...policies.notices(),
      settings.fault(),
      connections.fault(),
      ...dataManagement.notices(),
      ...(host.notices?.() ?? [])
    ].filter((notice) => notice !== undefined)
  })
  /** The only place that builds the state, synchronously, so a higher number is never an older state. */
  const state = (): AppState => {
    const locked = lock.state()
    return locked ? lockedState(wholeState(), locked) : wholeState()
  }
  function keychainChanged(found: KeychainState): void {
    stateChanged(`keychain-${found}`)
    // Locking the keychain implies that no secret should stay in memory.
    if (found === 'locked') cleared.forget()
    // Loads which credentials are set as soon as the keychain is ready, so that windows get them without waiting.
    if (found === 'ready') {
      void connections.list().then(() => host.announce({ kind: 'connections-changed' }))
      // It could not read its keys before.
      void team?.then((loaded) => loaded.start())
    }
  }
  function stateChanged(event: string): void {
    log.write(event)
    host.announce({ kind: 'state-changed', state: state() })
  }

  /** A command ends within seconds and exchanges nothing unless it is asked to. */
  const startTeam = (): void => {
    if (host.kind !== 'cli' && inTeam()) void loadTeam().then((loaded) => loaded.start())
  }

  const { lock, gate, admission, idle, isReopening, openAtStart } = createConsoleLock({
    host,
    dialogs,
    settings,
    removals,
    history,
    keychain,
    secrets: folderSecrets,
    tries,
    auditTrail,
    lasting,
    batches: () => batches,
    runs: () => runs,
    data: () => dataManagement,
    updates,
    async drop() {
      cleared.forget()
      const loaded = await team
      team = undefined
      await loaded?.close()
      // One that is left behind would meet those of the next team: each may replace the mailbox key.
      await loaded?.quiet()
    },
    back() {
      startTeam()
      updates.look()
    },
    route: (name, payload) => router(name, payload),
    changed: () => stateChanged('lock')
  })

  const keptTexts = keptTextsRefusal(own)
  const handlers = createHandlers({
    own,
    lock,
    admission,
    active: () => idle.active(),
    team: loadTeam,
    inTeam,
    host,
    clipboard,
    keychain,
    credentials,
    cleared,
    connections,
    settings,
    policies,
    history,
    network,
    diagnoses,
    proxySignIns,
    practice,
    runs,
    batches,
    drafts,
    timestamps,
    updates,
    documents,
    linkChecks,
    drift,
    auditTrail,
    screenShare,
    onRemoval: removals.on,
    ...dataManagement,
    state,
    stateChanged: () => host.announce({ kind: 'state-changed', state: state() })
  })
  const router = createRouter(
    handlers,
    (channel, error) => log.write('bug', { operation: channel, code: error instanceof Error ? error.name : 'unknown' }),
    async (name, input) => policies.channelRefusal(name) ?? keptTexts(name, input)
  )
  if (host.sample) {
    sample = createSampleSession({
      handle: router,
      clock,
      batchEnded: batches.ended,
      changed: () => host.announce({ kind: 'state-changed', state: state() })
    })
  }

  log.write('start', { version: host.version, state: host.kind })
  policies.watch((note) => {
    if (note) void auditTrail.note(note)
    if (note?.kind === 'policies.refused') log.write('policies-failed', { code: note.plain.reason })
    stateChanged('policies')
    host.announce({ kind: 'connections-changed' })
    dataManagement.lookAtSchedule()
  })
  const swept = files.sweep()
  // What cannot be loaded is reported by the verification that needs it.
  const preload = (): void =>
    void client()
      .then(network.trust)
      .catch(() => undefined)
  // Both may take seconds if a keychain hangs; the window is open by then and is notified.
  const opened = openAtStart().then(() => {
    dataManagement.start()
    if (lock.phase().phase === 'open') startTeam()
    void sample?.fill()
    if (!host.sendsAtOnce) setTimeout(preload, preloadDelay).unref()
    return Promise.all([credentials.tidy(), swept, updates.start()])
  })
  if (host.sendsAtOnce) setImmediate(preload)

  return {
    router: gate.handle,
    lock: async (why: LockReason) => (host.sample ? undefined : lock.lock(why)),
    opened,
    batches,
    async close() {
      idle.close()
      cleared.forget()
      await policies.close()
      // A page that is closing may not answer any more.
      const cleaned = within(clipboardPatience, clipboard.empty())
      const filled = sample?.stop()
      await Promise.all([runs.close(), batches.close(), filled, cleaned])
      await (await team)?.close()
      await updates.close()
      await dataManagement.close()
      await auditTrail.note({ kind: 'program.stopped', plain: { version: host.version } })
      await history.close()
      await keychain.close()
      await log.flush()
    }
  }
}

/** Builds a console for a host. Reads, starts and writes nothing before `start()`. */
export function createConsole(host: HostPorts): VerideskConsole {
  let parts: ReturnType<typeof compose> | undefined
  const up = () => (parts ??= compose(host))
  return {
    async start() {
      await up()
    },
    async opened() {
      await (
        await up()
      ).opened
    },
    handle: async (name, payload) => (await up()).router(name, payload),
    lock: async (why) => (await up()).lock(why),
    batches: async () => (await up()).batches,
    async close() {
      await (await parts)?.close()
    }
  }
}
