/** What a window meets: the state, the lock with its gate, and the router. */
import type { AppState } from '#contract/app/app-state.ts'
import { keptTextsRefusal } from '#core/ipc/kept-texts.ts'
import { createRouter, type Handlers } from '#core/ipc/router.ts'
import { createConsoleLock } from '#core/lock/console-lock.ts'
import { createGate } from '#core/lock/gate.ts'
import { lockedState } from '#core/lock/shown.ts'
import { createSampleSession } from '#core/sample/session.ts'
import type { Ground } from './ground.ts'
import type { Networking } from './network.ts'
import type { Records } from './records.ts'
import type { Work } from './work.ts'
import { batchHandlers } from '../ipc/batches.ts'
import { appHandlers } from '../ipc/app.ts'
import { applicantHandlers } from '../ipc/applicants.ts'
import { connectionHandlers, diagnosisHandlers, proxySignInHandlers } from '../ipc/connections.ts'
import { historyHandlers } from '../ipc/history.ts'
import { overviewHandlers } from '../ipc/overview.ts'
import { documentHandlers } from '../ipc/documents.ts'
import { lockHandlers, screenShareHandlers } from '../ipc/lock.ts'
import { evidenceHandlers, auditHandlers } from '../ipc/evidence.ts'
import { teamHandlers, teamBatchHandlers } from '../ipc/team.ts'
import { dataManagementHandlers } from '../ipc/data-management.ts'
import type { HandlerParts } from '../ipc/parts.ts'

/** Builds the handlers of the router. */
function createHandlers(parts: HandlerParts): Handlers {
  return {
    ...appHandlers(parts),
    ...lockHandlers(parts),
    ...connectionHandlers(parts),
    ...diagnosisHandlers(parts),
    ...proxySignInHandlers(parts),
    ...historyHandlers(parts),
    ...overviewHandlers(parts),
    ...batchHandlers(parts.batches),
    ...applicantHandlers(parts),
    ...auditHandlers(parts),
    ...dataManagementHandlers(parts),
    ...evidenceHandlers(parts),
    ...documentHandlers(parts),
    ...screenShareHandlers(parts),
    ...teamHandlers(parts),
    ...teamBatchHandlers(parts)
  }
}

export function createFront(ground: Ground, records: Records, networking: Networking, work: Work) {
  const { host, policies, log, settings, stateChanged } = ground
  const { cleared, connections, forwarding, own, updates } = networking
  const { attention, team, runs, checks, batches, dataManagement } = work
  const gate = createGate(ground.phase.now)
  const consoleLock = createConsoleLock({
    ...ground,
    ...records,
    runs,
    batches,
    updates,
    data: dataManagement,
    gate,
    async drop() {
      cleared.forget()
      await team.drop()
    },
    back() {
      team.start()
      updates.look()
      forwarding.look()
    },
    changed: () => stateChanged('lock')
  })
  const { lock, admission, idle } = consoleLock
  const sample =
    ground.hand &&
    createSampleSession({
      hand: ground.hand,
      store: () => records.history.ready(),
      batchEnded: batches.ended,
      changed: stateChanged
    })

  let lastNumber = 0
  const wholeState = (rulesRefusal = settings.rulesRefusal()): AppState => ({
    number: (lastNumber += 1),
    host: host.kind === 'electron' ? 'electron' : 'preview',
    version: host.version,
    operator: { account: ground.account, ...(host.fullName !== undefined && { fullName: host.fullName }) },
    platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
    settings: settings.current(),
    managed: policies.state(),
    policySources: policies.sources(),
    passphrase: ground.tries.isProtected(),
    ...(sample && { sample: sample.state() }),
    screenShare: records.screenShare.state(),
    keychain: ground.keychain.state(),
    history: records.history.state(),
    updates: updates.state(),
    forwarding: forwarding.state(),
    fileFaults: { settings: settings.fault(), connections: connections.fault() },
    ...(rulesRefusal && { rulesRefusal }),
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
  ground.stateChanges.on(() => host.announce({ kind: 'state-changed', state: state() }))

  const keptTexts = keptTextsRefusal(own)
  const router = createRouter(
    createHandlers({
      ...ground,
      ...records,
      ...networking,
      ...dataManagement,
      attention,
      runs,
      checks,
      batches,
      team: team.load,
      lock,
      admission,
      active: idle.active,
      state
    }),
    {
      refusal: async (name, input) =>
        policies.channelRefusal(name) ?? settings.channelRefusal(name, input) ?? keptTexts(name, input),
      viewed: (view, visit) => records.auditTrail.viewed(view, visit),
      announce: (event) => host.announce(event),
      onBug: (channel, error) =>
        log.write('bug', { operation: channel, code: error instanceof Error ? error.name : 'unknown' })
    }
  )
  return {
    ...consoleLock,
    openAtStart: () => (sample ? sample.open(consoleLock.openAtStart) : consoleLock.openAtStart()),
    handle: gate.guard(router),
    fillSample: () => sample?.fill(router),
    stopSample: () => sample?.stop()
  }
}
