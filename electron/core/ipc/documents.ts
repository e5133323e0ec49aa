/** Documents behind links. Each one that is shown leaves an event first. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { documentChannels } from '#contract/documents/channels.ts'
import { ok } from '#contract/failures/result.ts'
import { identify } from '#core/documents/dropped.ts'
import type { HandlerParts } from './parts.ts'

export function documentHandlers({
  documents,
  laterCopies,
  linkChecks,
  drift,
  copyChecks,
  otherFiles,
  auditTrail,
  onRemoval
}: HandlerParts): HandlersOf<typeof documentChannels> {
  /** Openings in progress that can be stopped, by their ids. */
  const openings = new Map<string, AbortController>()
  const inProgress = new Set<AbortController>()
  // No window shows what is fetched now: it is not fetched any further, and no event says that it was viewed.
  onRemoval(() => inProgress.forEach((opening) => opening.abort()))
  /** Runs what ends when a person’s data leave the window. */
  async function stoppable<T>(act: (stop: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    inProgress.add(stop)
    return act(stop.signal).finally(() => inProgress.delete(stop))
  }
  return {
    'drops.identify': async (dropped) => identify(dropped),
    'documents.open': async ({ opening, ...source }) => {
      const stop = new AbortController()
      inProgress.add(stop)
      if (opening !== undefined) openings.set(opening, stop)
      const opened = await documents.open(source, stop.signal)
      inProgress.delete(stop)
      if (opening !== undefined) openings.delete(opening)
      if (!opened.ok) return opened
      const { type, bytes, kept } = opened.value.facts
      const about =
        'recordId' in source
          ? { recordId: source.recordId }
          : source.applicantId === undefined
            ? undefined
            : { applicantId: source.applicantId }
      await auditTrail.note({
        kind: 'document.viewed',
        plain: { field: source.field, type, bytes, source: kept ? 'kept' : 'link' },
        ...(about && { about })
      })
      return opened
    },
    'documents.stop': async ({ opening }) => {
      const found = openings.get(opening)
      found?.abort()
      return ok(found !== undefined)
    },
    'documents.compare': (place) => drift.compare(place),
    'documents.note': (place) => drift.note(place),
    'documents.keep': (place) => stoppable((stop) => laterCopies.keep(place, stop)),
    'documents.addFile': (place) => stoppable((stop) => laterCopies.choose(place, stop)),
    'documents.condition': () => copyChecks.condition(),
    'documents.verify': () => copyChecks.verify(),
    'documents.otherFiles': () => otherFiles.look(),
    'documents.deleteOtherFiles': ({ digest }) => otherFiles.remove(digest),
    'documents.check': (order) => linkChecks.form(order)
  }
}
