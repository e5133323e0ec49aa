/** The check of the links of the batch being created. */
import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import type { TableFormat } from '#contract/batches/batches.ts'
import type { BatchLinkCheck, BatchLinkRow, LinkKind } from '#contract/batches/links.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ask, listen } from '../../bridge.ts'
import { whatToDo } from '../../kit/failure-text.ts'
import { latest } from '../../kit/latest.ts'
import { onRemoval } from '../../kit/removal.ts'
import { useApp } from '../shell/app-store.ts'
import { useBatchDraft } from './batch-draft-store.ts'
import { savedRows } from './batch-words.ts'
import { useConnections } from '../connections/connections-store.ts'
import { words } from './words.ts'

/** Rows with findings that are listed; all of them can be saved. */
const listed = 500

export const useBatchLinks = defineStore('batch-links', () => {
  const app = useApp()
  const draft = useBatchDraft()
  const connections = useConnections()
  const check = shallowRef<BatchLinkCheck>()
  const failure = shallowRef<Failure>()
  const rows = shallowRef<readonly BatchLinkRow[]>([])
  const kind = shallowRef<LinkKind>()
  const isRunning = computed(() => check.value?.state === 'running')

  function clear(): void {
    check.value = failure.value = kind.value = undefined
    rows.value = []
  }
  // Other rows, another reading or another connection: what was found is about something else.
  watch([() => draft.check, () => connections.current?.id], () => {
    if (isRunning.value) void stop()
    clear()
  })
  watch(check, (found) => draft.setFound(found?.found ?? 0))

  const load = latest<void>(async () => {
    const checkId = check.value?.checkId
    if (!checkId) return
    const of = kind.value
    const answer = await ask('batches.linkRows', { checkId, limit: listed, ...(of && { kind: of }) })
    if (answer.ok && check.value?.checkId === checkId && kind.value === of) rows.value = answer.value
  })
  function take(found: BatchLinkCheck): void {
    const isEnded = isRunning.value && found.state !== 'running'
    check.value = found
    load()
    if (isEnded)
      app.announce(
        found.state === 'done' ? words.linksCheckedRowsWithFindings({ found: found.found }) : words.theCheckOfLinksWas
      )
  }
  function onProgress(found: BatchLinkCheck): void {
    if (found.checkId !== draft.check?.checkId || found.connectionId !== connections.current?.id) return
    if (check.value) take(found)
    else early = found
  }
  /** Progress that came before the answer to the start. */
  let early: BatchLinkCheck | undefined
  async function start(): Promise<void> {
    const [checked, connection] = [draft.check, connections.current]
    if (!checked || !connection) return
    clear()
    early = undefined
    const { atOnce, pace } = draft.order
    const answer = await ask('batches.checkLinks', {
      checkId: checked.checkId,
      connectionId: connection.id,
      atOnce,
      pace
    })
    if (draft.check !== checked || connections.current?.id !== connection.id) return
    if (answer.ok) take(early ?? answer.value)
    else failure.value = answer.failure
  }
  async function stop(): Promise<void> {
    const checkId = check.value?.checkId
    if (checkId) await ask('batches.stopLinks', { checkId })
  }
  function filter(to: LinkKind | undefined): void {
    kind.value = to
    load()
  }
  async function save(format: TableFormat): Promise<void> {
    const checkId = check.value?.checkId
    if (!checkId) return
    const answer = await ask('batches.saveLinks', { checkId, format })
    if (!answer.ok) app.showToast(whatToDo(answer.failure), { tone: 'warning' })
    else if (answer.value) app.showToast(...savedRows(answer.value))
  }

  onRemoval('batch-links', clear)
  listen((event) => void (event.kind === 'link-check' && onProgress(event.check)))
  return { check, failure, rows, kind, isRunning, start, stop, filter, save }
})
