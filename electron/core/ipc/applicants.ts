/** Applicants, decisions, the work queue and the message catalogue. */
import type { applicantChannels } from '#contract/applicants/channels.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { decisionFault } from '#core/applicants/rules.ts'
import type { Hand } from '#wire/history/applicants.ts'
import { shown, withHistory, type HandlerParts } from './parts.ts'

export function applicantHandlers(parts: HandlerParts): HandlersOf<typeof applicantChannels> {
  const { host, settings } = parts
  const by = (): Hand => ({ at: host.clock.now(), operator: host.operator })

  /** Announces a successful change to the windows. */
  const change = async <T>(work: Promise<Result<T, Failure>>): Promise<Result<T, Failure>> => {
    const result = await work
    if (result.ok) host.announce({ kind: 'evidence-changed' })
    return result
  }

  return {
    'applicants.list': ({ visit, ...query }) =>
      withHistory(parts, ({ applicants }) =>
        shown(parts, { what: 'applicants', ...(query.search && { search: true }) }, visit, applicants.list(query))
      ),
    'applicants.matching': ({ visit, ...query }) =>
      withHistory(parts, ({ applicants }) =>
        shown(parts, { what: 'applicants', ...(query.search && { search: true }) }, visit, applicants.matching(query))
      ),
    'applicants.show': ({ applicantId, visit }) =>
      withHistory(parts, ({ applicants }) =>
        shown(parts, { what: 'applicant', about: { applicantId } }, visit, applicants.show(applicantId))
      ),
    'applicants.timeline': ({ visit, ...query }) =>
      withHistory(parts, ({ applicants }) =>
        shown(
          parts,
          { what: 'applicant', about: { applicantId: query.applicantId } },
          visit,
          applicants.timeline(query)
        )
      ),
    'applicants.answers': ({ applicantId, visit }) =>
      withHistory(parts, ({ applicants }) =>
        shown(parts, { what: 'applicant', about: { applicantId } }, visit, applicants.answers(applicantId))
      ),
    'applicants.note': ({ applicantId, text }) =>
      withHistory(parts, ({ applicants }) => change(applicants.note(applicantId, text, by()))),
    'applicants.tag': ({ applicantId, tags }) =>
      withHistory(parts, ({ applicants }) => change(applicants.tag(applicantId, tags, by()))),
    'applicants.changeMany': (draft) =>
      withHistory(parts, ({ applicants }) => change(applicants.changeMany(draft, by()))),
    'applicants.link': ({ recordId, applicantId }) =>
      withHistory(parts, ({ applicants }) => change(applicants.link(recordId, applicantId, by()))),
    'applicants.unlink': ({ recordId }) =>
      withHistory(parts, ({ applicants }) => change(applicants.unlink(recordId, by()))),
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
      return withHistory(parts, ({ applicants }) => change(applicants.decide(draft, { ...by(), supersedes })))
    },
    'queue.list': ({ visit, ...query }) =>
      withHistory(parts, ({ queue }) => {
        const page = queue.page(query, host.clock.now())
        return query.limit === 0
          ? page
          : shown(parts, { what: 'queue', ...(query.filter?.search && { search: true }) }, visit, page)
      }),
    'queue.matching': ({ visit, filter }) =>
      withHistory(parts, ({ queue }) =>
        shown(
          parts,
          { what: 'queue', ...(filter.search && { search: true }) },
          visit,
          queue.matching(filter, host.clock.now())
        )
      ),
    'queue.due': (draft) => withHistory(parts, ({ applicants }) => change(applicants.due(draft, by()))),
    'queue.assign': async (draft) =>
      (draft.of ?? draft.to) !== undefined && !parts.inTeam()
        ? failed('team-missing')
        : withHistory(parts, ({ applicants }) => change(applicants.assign(draft, by()))),
    'catalogue.list': ({ visit, ...query }) =>
      withHistory(parts, ({ catalogue }) => {
        const { applicantId } = query
        const page = catalogue.page(query)
        return applicantId === undefined
          ? page
          : shown(parts, { what: 'messages', about: { applicantId } }, visit, page)
      }),
    'catalogue.read': (draft) => withHistory(parts, ({ catalogue }) => change(catalogue.read(draft, by()))),
    'catalogue.of': ({ recordId }) => withHistory(parts, ({ catalogue }) => catalogue.ofRecord(recordId)),
    'catalogue.readings': ({ id }) => withHistory(parts, ({ catalogue }) => catalogue.readings(id))
  }
}
