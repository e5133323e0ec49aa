/** Applicants, decisions, the work queue and the message catalogue. */
import type { applicantChannels } from '#contract/channels/applicants.ts'
import type { HandlersOf } from '#contract/channels/channel.ts'
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import { decisionFault } from '#core/applicants/rules.ts'
import type { Hand } from '#core/history/api/applicants.ts'
import { withHistory, type HandlerParts } from './parts.ts'

export function applicantHandlers(parts: HandlerParts): HandlersOf<typeof applicantChannels> {
  const { host, settings, auditTrail } = parts
  const by = (): Hand => ({ at: host.clock.now(), operator: host.operator })

  /** A change, told to the windows where it was made. */
  const change = async <T>(work: Promise<Result<T, Failure>>): Promise<Result<T, Failure>> => {
    const result = await work
    if (result.ok) host.announce({ kind: 'evidence-changed' })
    return result
  }

  return {
    'applicants.list': (query) => withHistory(parts, ({ applicants }) => applicants.list(query)),
    'applicants.show': ({ applicantId }) =>
      withHistory(parts, async ({ applicants }) => {
        const shown = await applicants.show(applicantId)
        if (shown.ok) await auditTrail.viewed({ applicantId })
        return shown
      }),
    'applicants.timeline': (query) => withHistory(parts, ({ applicants }) => applicants.timeline(query)),
    'applicants.note': ({ applicantId, text }) => withHistory(parts, ({ applicants }) => change(applicants.note(applicantId, text, by()))),
    'applicants.tag': ({ applicantId, tags }) => withHistory(parts, ({ applicants }) => change(applicants.tag(applicantId, tags, by()))),
    'applicants.link': ({ recordId, applicantId }) => withHistory(parts, ({ applicants }) => change(applicants.link(recordId, applicantId, by()))),
    'applicants.unlink': ({ recordId }) => withHistory(parts, ({ applicants }) => change(applicants.unlink(recordId, by()))),
    'decisions.make': async (draft) => {
      const fault = decisionFault(draft, settings.current())
      return fault ? { ok: false, failure: fault } : withHistory(parts, ({ applicants }) => change(applicants.decide(draft, by())))
    },
    'queue.list': (query) => withHistory(parts, ({ applicants }) => applicants.queue(query, host.clock.now())),
    'queue.due': (draft) => withHistory(parts, ({ applicants }) => change(applicants.due(draft, by()))),
    'catalogue.list': (query) => withHistory(parts, ({ applicants }) => applicants.catalogue(query)),
    'catalogue.read': (draft) => withHistory(parts, ({ applicants }) => change(applicants.read(draft, by()))),
    'catalogue.readings': ({ id }) => withHistory(parts, ({ applicants }) => applicants.readings(id))
  }
}
