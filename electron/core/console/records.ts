/** The history of a console with what writes to it by itself: drafts, audit trail, screen-share mode. */
import type { HistoryState } from '#contract/history/records.ts'
import { createAuditTrail } from '#core/audit/audit-trail.ts'
import { keepEarlyNotes } from '#core/audit/early-notes.ts'
import { createDrafts } from '#core/drafts/drafts.ts'
import { createCurrentHistory } from '#core/history/current.ts'
import { createScreenShare } from '#core/screen-share/screen-share.ts'
import type { Ground } from './ground.ts'
import { createSignal } from './signal.ts'

export type Records = ReturnType<typeof createRecords>

export function createRecords({
  host,
  clock,
  folder,
  phase,
  log,
  settings,
  stateChanged,
  removals,
  folderSecrets,
  session
}: Ground) {
  const states = createSignal<HistoryState>()
  const history = createCurrentHistory({
    dataFolder: folder,
    keychain: folderSecrets,
    session,
    launch: host.launchWorker,
    clock,
    changed(state) {
      stateChanged(`history-${state.state}`)
      states.tell(state)
    },
    replaced: () => removals.announce('replaced')
  })
  /** Whether what is written now is still there after a restart. */
  const lasting = (): boolean => {
    const present = history.state()
    return present.state === 'ready' && present.kept === 'file'
  }
  const auditTrail = createAuditTrail({
    clock,
    get operator() {
      return host.operator
    },
    history: history.store,
    early: keepEarlyNotes(folder, clock.now()),
    writable: () => {
      const present = history.state()
      return present.state !== 'ready' || present.readOnly !== true
    },
    lasting,
    onFailure: ({ code }) => log.write('bug', { operation: 'audit.note', code })
  })
  /** A history was opened that was not the open one. */
  const opened = createSignal<void>()
  let begun: unknown
  states.on(() => {
    const open = history.store()
    if (!open.ok || open.value === begun) return
    // After a lock the same history opens again, and the unlocking is recorded.
    if (begun === undefined || phase.now().phase !== 'unlocking')
      void auditTrail.note({ kind: 'program.started', plain: { version: host.version, host: host.kind } })
    begun = open.value
    opened.tell()
  })
  /** Has the names of applicants read from the fields that the settings map; as they are while nobody can read that. */
  const mapNames = async (): Promise<void> => {
    if (settings.fault()) return
    const open = history.store()
    const mapped = open.ok ? await open.value.applicants.mapNames(settings.current().nameFields) : open
    if (mapped.ok && mapped.value) host.announce({ kind: 'evidence-changed' })
  }
  opened.on(() => void mapNames())
  return {
    history,
    opened,
    mapNames,
    lasting,
    auditTrail,
    drafts: createDrafts({ folder, keychain: folderSecrets, lasting, onRemoval: removals.on }),
    screenShare: createScreenShare({
      host,
      auditTrail,
      atStart: host.kind !== 'cli' && settings.current().screenShareAtStart
    })
  }
}
