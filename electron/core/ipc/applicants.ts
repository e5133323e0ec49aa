/** Applicants, decisions, the work queue and the message catalogue. */
import type { DecisionDraft } from '#contract/applicants/applicants.ts'
import type { applicantChannels } from '#contract/applicants/channels.ts'
import type { LeftOut } from '#contract/applicants/decide-many.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok } from '#contract/failures/result.ts'
import { maxClaimQuestions } from '#contract/team/queue.ts'
import { importApplicants } from '#core/applicants/import.ts'
import {
  answeredChecklist,
  decisionFault,
  drawSample,
  heldRule,
  manyFault,
  newSeed,
  oneByOneFault,
  refusalFault,
  relationshipFault,
  reviewFault
} from '#core/applicants/rules.ts'
import type { DecidingHand, Hand, Proposal } from '#wire/history/applicants.ts'
import { withHistory, type HandlerParts } from './parts.ts'

/** What the window says that was in sight, and how long: only what the policy records. */
function seenOf(
  { policies }: Pick<HandlerParts, 'policies'>,
  { shown = [], focus }: Pick<DecisionDraft, 'shown' | 'focus'>
): Pick<DecidingHand, 'shown' | 'focus'> {
  const proof = policies.values().ReviewProof
  return proof === 'off' ? {} : { shown, ...(proof === 'documents-and-time' && { focus }) }
}

/** Asks the team for each proposal. One that could not be asked for waits, and a person asks for it on its page. */
async function askForApproval(
  { inTeam, team }: Pick<HandlerParts, 'inTeam' | 'team'>,
  proposals: readonly Proposal[]
): Promise<void> {
  if (proposals.length === 0 || !inTeam()) return
  const { approvals } = await team()
  for (const proposal of proposals) await approvals.propose(proposal)
}

/** One decision about many applicants. */
function manyHandlers(
  parts: HandlerParts
): Pick<HandlersOf<typeof applicantChannels>, 'decisions.prepare' | 'decisions.makeMany'> {
  const { host, settings } = parts
  const by = (): Hand => ({ at: host.clock.now(), operator: host.operator })
  const shareFault = (share: number): Failure | undefined => {
    const least = settings.current().sampleMinimumShare
    return share < least ? failure('sample-too-small', { least: String(least) }) : undefined
  }
  /**
   * Whom colleagues have, or have decided: a decision about many replaces no colleague's, so somebody who sees both decides. A decision
   * never waits for a team that cannot be asked.
   */
  async function atColleagues(applicantIds: readonly string[]): Promise<ReadonlyMap<string, LeftOut>> {
    const found = new Map<string, LeftOut>()
    if (!parts.inTeam()) return found
    const team = await parts.team()
    for (let from = 0; from < applicantIds.length; from += maxClaimQuestions) {
      const some = applicantIds.slice(from, from + maxClaimQuestions)
      const claims = await team.claims({ applicantIds: some, recordIds: [] })
      if (!claims.ok || claims.value === null) continue
      for (const [applicantId, { claim, decision }] of Object.entries(claims.value.applicants)) {
        const why = decision ? 'colleague-decided' : claim && !claim.own ? 'claimed' : undefined
        if (why) found.set(applicantId, { applicantId, why })
      }
    }
    return found
  }

  return {
    'decisions.prepare': async ({ applicantIds, decision, share, seed = newSeed() }) => {
      const fault = shareFault(share)
      if (fault) return { ok: false, failure: fault }
      const [weighed, elsewhere] = await Promise.all([
        withHistory(parts, ({ applicants }) =>
          applicants.weigh(applicantIds, decision, by(), settings.current().tagsDecidedAlone)
        ),
        atColleagues(applicantIds)
      ])
      if (!weighed.ok) return weighed
      const applicants = weighed.value.applicants.filter(({ applicantId }) => !elsewhere.has(applicantId))
      const ids = applicants.map(({ applicantId }) => applicantId)
      const sample = drawSample(ids, seed, share)
      const alone = oneByOneFault(decision, ids.length - sample.length, settings.current())
      if (alone) return { ok: false, failure: alone }
      return ok({
        ...weighed.value,
        seed,
        applicants,
        noted: weighed.value.noted.filter((id) => !elsewhere.has(id)),
        leftOut: [
          ...weighed.value.leftOut,
          ...weighed.value.applicants.flatMap(({ applicantId }) => elsewhere.get(applicantId) ?? [])
        ],
        sample
      })
    },
    'decisions.makeMany': async ({ set, ...draft }) => {
      const ids = draft.applicants.map(({ applicantId }) => applicantId)
      const sample = drawSample(ids, set.seed, set.share)
      const fault = shareFault(set.share) ?? manyFault(draft, ids.length - sample.length, settings.current())
      if (fault) return { ok: false, failure: fault }
      const ofColleagues = [...(await atColleagues(ids)).values()]
      const made = await withHistory(parts, ({ applicants }) =>
        applicants.decideMany(
          {
            ...draft,
            ofColleagues,
            tagsAlone: settings.current().tagsDecidedAlone,
            set: { ...set, size: ids.length },
            sample,
            checklist: answeredChecklist(settings.current(), draft.decision)
          },
          // Nobody looked at these one by one.
          { ...by(), fourEyes: heldRule(settings.current()), ...seenOf(parts, {}) }
        )
      )
      if (!made.ok) return made
      const { proposals, ...answer } = made.value
      await askForApproval(parts, proposals)
      return ok({ ...answer, proposed: proposals.length })
    }
  }
}

export function applicantHandlers(parts: HandlerParts): HandlersOf<typeof applicantChannels> {
  const { host, settings } = parts
  const by = (): Hand => ({ at: host.clock.now(), operator: host.operator })
  const days = (): number => settings.current().reviewRemindDays
  return {
    'applicants.status': ({ applicantIds }) =>
      withHistory(parts, ({ applicants }) => applicants.statuses(applicantIds)),
    'applicants.list': (query) => withHistory(parts, ({ applicants }) => applicants.list(query, host.clock.now())),
    'applicants.matching': (query) =>
      withHistory(parts, ({ applicants }) => applicants.matching(query, host.clock.now())),
    'applicants.counts': (query) => withHistory(parts, ({ applicants }) => applicants.counts(query, host.clock.now())),
    'applicants.show': ({ applicantId }) => withHistory(parts, ({ applicants }) => applicants.show(applicantId)),
    'applicants.timeline': (query) => withHistory(parts, ({ applicants }) => applicants.timeline(query)),
    'applicants.views': ({ applicantId, limit, before }) =>
      withHistory(parts, ({ audit }) =>
        audit.page({ about: applicantId, groups: ['views'], limit, ...(before !== undefined && { before }) })
      ),
    'applicants.answers': ({ applicantId }) => withHistory(parts, ({ applicants }) => applicants.answers(applicantId)),
    'applicants.note': ({ applicantId, text }) =>
      withHistory(parts, ({ applicants }) => applicants.note(applicantId, text, by())),
    'applicants.tag': ({ applicantId, tags }) =>
      withHistory(parts, ({ applicants }) => applicants.tag(applicantId, tags, by())),
    'applicants.expiry': (draft) => withHistory(parts, ({ applicants }) => applicants.expiry(draft, by())),
    'applicants.review': async (draft) => {
      const fault = reviewFault(draft, settings.current())
      if (fault) return { ok: false, failure: fault }
      const reviewChecklist = answeredChecklist(settings.current(), 'review', draft.checks)
      return withHistory(parts, ({ applicants }) => applicants.review(draft, { ...by(), reviewChecklist }))
    },
    'applicants.challenge': (draft) => withHistory(parts, ({ applicants }) => applicants.challenge(draft, by())),
    'applicants.rate': async (draft) => {
      const found = settings.current().riskClasses.find(({ code }) => code === draft.risk)
      if (!found) return failed('risk-class-missing', { risk: draft.risk })
      return withHistory(parts, ({ applicants }) => applicants.rate({ ...draft, months: found.months }, by()))
    },
    'applicants.relate': async (draft) => {
      const hand = by()
      const fault = relationshipFault(draft, hand.at)
      return fault ? fail(fault) : withHistory(parts, ({ applicants }) => applicants.relate(draft, hand))
    },
    'applicants.changeMany': async ({ risk, ...draft }) => {
      const fault = relationshipFault(draft.relationship, host.clock.now())
      if (fault) return fail(fault)
      const found = settings.current().riskClasses.find(({ code }) => code === risk)
      if (risk !== undefined && !found) return failed('risk-class-missing', { risk })
      const rated = found && { risk: found.code, months: found.months }
      return withHistory(parts, ({ applicants }) => applicants.changeMany({ ...draft, rated }, by()))
    },
    'applicants.import': (order) =>
      withHistory(parts, ({ applicants }) => importApplicants(order, settings.current().riskClasses, applicants, by)),
    'applicants.link': ({ recordId, applicantId }) =>
      withHistory(parts, ({ applicants }) => applicants.link(recordId, applicantId, by())),
    'applicants.unlink': ({ recordId }) => withHistory(parts, ({ applicants }) => applicants.unlink(recordId, by())),
    'decisions.make': async (draft) => {
      const fault = decisionFault(draft, settings.current()) ?? refusalFault(draft, host.clock.now())
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
      const [checklist, reviewChecklist] = [
        answeredChecklist(settings.current(), draft.decision, draft.checks),
        answeredChecklist(settings.current(), 'review', draft.reviewChecks)
      ]
      const hand = { ...by(), ...seenOf(parts, draft), fourEyes: heldRule(settings.current()) }
      const made = await withHistory(parts, ({ applicants }) =>
        applicants.decide(draft, { ...hand, supersedes, checklist, reviewChecklist })
      )
      if (made.ok && made.value.state === 'proposed' && made.value.decision)
        await askForApproval(parts, [{ applicantId: draft.applicantId, decision: made.value.decision.seq }])
      return made
    },
    ...manyHandlers(parts),
    'queue.list': (query) => withHistory(parts, ({ queue }) => queue.page(query, host.clock.now(), days())),
    'queue.matching': ({ filter }) =>
      withHistory(parts, ({ queue }) => queue.matching(filter, host.clock.now(), days())),
    'queue.waiting': async () => ok((await parts.attention.waiting()) ?? null),
    'queue.due': (draft) => withHistory(parts, ({ applicants }) => applicants.due(draft, by())),
    'queue.assign': async (draft) =>
      (draft.of ?? draft.to) !== undefined && !parts.inTeam()
        ? failed('team-missing')
        : withHistory(parts, ({ applicants }) => applicants.assign(draft, by())),
    'catalogue.list': (query) => withHistory(parts, ({ catalogue }) => catalogue.page(query)),
    'catalogue.read': ({ readings }) => withHistory(parts, ({ catalogue }) => catalogue.read(readings, by())),
    'catalogue.waiting': ({ ids }) => withHistory(parts, ({ catalogue }) => catalogue.waiting(ids)),
    'catalogue.newest': ({ applicantIds }) => withHistory(parts, ({ catalogue }) => catalogue.newest(applicantIds)),
    'catalogue.of': ({ recordId }) => withHistory(parts, ({ catalogue }) => catalogue.ofRecord(recordId)),
    'catalogue.readings': ({ id }) => withHistory(parts, ({ catalogue }) => catalogue.readings(id))
  }
}
