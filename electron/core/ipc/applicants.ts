/** Applicants, decisions, the work queue and the message catalogue. */
import type { applicantChannels } from '#contract/applicants/channels.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import { failed } from '#contract/failures/failures.ts'
import { decisionFault } from '#core/applicants/rules.ts'
import type { Hand } from '#wire/history/applicants.ts'
import { withHistory, type HandlerParts } from './parts.ts'

export function applicantHandlers(parts: HandlerParts): HandlersOf<typeof applicantChannels> {
  const { host, settings } = parts
  const by = (): Hand => ({ at: host.clock.now(), operator: host.operator })

  return {
    'applicants.list': (query) => withHistory(parts, ({ applicants }) => applicants.list(query, host.clock.now())),
    'applicants.matching': (query) =>
      withHistory(parts, ({ applicants }) => applicants.matching(query, host.clock.now())),
    'applicants.counts': (query) => withHistory(parts, ({ applicants }) => applicants.counts(query, host.clock.now())),
    'applicants.show': ({ applicantId }) => withHistory(parts, ({ applicants }) => applicants.show(applicantId)),
    'applicants.timeline': (query) => withHistory(parts, ({ applicants }) => applicants.timeline(query)),
    'applicants.answers': ({ applicantId }) => withHistory(parts, ({ applicants }) => applicants.answers(applicantId)),
    'applicants.note': ({ applicantId, text }) =>
      withHistory(parts, ({ applicants }) => applicants.note(applicantId, text, by())),
    'applicants.tag': ({ applicantId, tags }) =>
      withHistory(parts, ({ applicants }) => applicants.tag(applicantId, tags, by())),
    'applicants.changeMany': (draft) => withHistory(parts, ({ applicants }) => applicants.changeMany(draft, by())),
    'applicants.link': ({ recordId, applicantId }) =>
      withHistory(parts, ({ applicants }) => applicants.link(recordId, applicantId, by())),
    'applicants.unlink': ({ recordId }) => withHistory(parts, ({ applicants }) => applicants.unlink(recordId, by())),
    'decisions.make': async (draft) => {
      const fault = decisionFault(draft, settings.current())
      if (fault) return { ok: false, failure: fault }
      // Replaced is what was shown and still stands; a decision never waits for a team that cannot be asked.
      const { known = [] } = draft
      const standing =
        known.length > 0 && parts.inTeam() ? await (await parts.team()).superseded(draft.applicantId) : undefined
      const supersedes = standing?.ok
        ? standing.value.filter(([installation, seq]) =>
            known.some((each) => each[0] === installation && each[1] === seq)
          )
        : []
      return withHistory(parts, ({ applicants }) => applicants.decide(draft, { ...by(), supersedes }))
    },
    'queue.list': (query) => withHistory(parts, ({ queue }) => queue.page(query, host.clock.now())),
    'queue.matching': ({ filter }) => withHistory(parts, ({ queue }) => queue.matching(filter, host.clock.now())),
    'queue.due': (draft) => withHistory(parts, ({ applicants }) => applicants.due(draft, by())),
    'queue.assign': async (draft) =>
      (draft.of ?? draft.to) !== undefined && !parts.inTeam()
        ? failed('team-missing')
        : withHistory(parts, ({ applicants }) => applicants.assign(draft, by())),
    'catalogue.list': (query) => withHistory(parts, ({ catalogue }) => catalogue.page(query)),
    'catalogue.read': (draft) => withHistory(parts, ({ catalogue }) => catalogue.read(draft, by())),
    'catalogue.of': ({ recordId }) => withHistory(parts, ({ catalogue }) => catalogue.ofRecord(recordId)),
    'catalogue.readings': ({ id }) => withHistory(parts, ({ catalogue }) => catalogue.readings(id))
  }
}
