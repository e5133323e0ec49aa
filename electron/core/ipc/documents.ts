/** Documents behind links. Each one that is shown leaves an event first. */
import type { HandlersOf } from '#contract/channels/channel.ts'
import type { documentChannels } from '#contract/channels/documents.ts'
import { identify } from '#core/documents/dropped.ts'
import type { HandlerParts } from './parts.ts'

export function documentHandlers({ documents, linkChecks, drift, auditTrail }: HandlerParts): HandlersOf<typeof documentChannels> {
  return {
    'drops.identify': async (dropped) => identify(dropped),
    'documents.open': async (source) => {
      const opened = await documents.open(source)
      if (!opened.ok) return opened
      const { type, bytes, sha256 } = opened.value.facts
      const about = 'recordId' in source ? { recordId: source.recordId } : source.applicantId === undefined ? undefined : { applicantId: source.applicantId }
      await auditTrail.note({ kind: 'document.viewed', plain: { field: source.field, type, bytes, sha256 }, ...(about && { about }) })
      return opened
    },
    'documents.compare': (place) => drift.compare(place),
    'documents.note': (place) => drift.note(place),
    'documents.check': (order) => linkChecks.form(order)
  }
}
