/** Asks for approval of a decision in the team, and answers colleagues. Every action is documented where it is defined. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { ApprovalAnswerOrder, ApprovalRequest, TeamApprovals, TimedQuery } from '#contract/team/approvals.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { validSigningKey } from '#core/evidence/own-keys.ts'
import type { NamedEvent } from '#wire/history/approvals.ts'
import type { Proposal } from '#wire/history/applicants.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { newSalt, signAnswer } from '#wire/evidence/approval-signature.ts'
import type { TeamWorker } from '#team/thread/thread.ts'
import type { Answer, TeamParts } from './actions.ts'
import type { ExchangePorts, TeamExchanging } from './exchange.ts'
import { readTeam } from './saved.ts'

export interface Approving {
  /** Null without a team. Failures: those of the exchange's `worker` and of the history. */
  list(query: TimedQuery): Answer<TeamApprovals>
  /** Records a request, which leaves with the exchange. Failures: `team-missing`, `team-approval-refused`, those of the history. */
  ask(request: ApprovalRequest): Answer<null>
  /** The same for a decision that was just proposed, with the evidence of colleagues that has arrived. */
  propose(proposal: Proposal): Answer<null>
  /** Whether colleagues see a decision and one of them may answer, so that approval is asked for there and not by file. */
  reaches(about: Pick<Proposal, 'applicantId' | 'decision'>): Promise<boolean>
  /** Signs and records an answer, which leaves with the exchange. Failures: `team-missing`, `team-answer-refused`, the keychain's, those of the history. */
  answer(order: ApprovalAnswerOrder): Answer<null>
}

/** What is needed to record something for the team. */
interface Sharing {
  readonly team: string
  readonly installation: string
  readonly kept: readonly string[] | undefined
  readonly store: HistoryStore
  readonly operator: string
}

export function createApproving(
  { dataFolder, keychain, clock }: TeamParts,
  ports: ExchangePorts | undefined,
  exchange: Pick<TeamExchanging, 'worker'>
): Approving {
  async function sharing(): Answer<Sharing> {
    const saved = readTeam(dataFolder)
    if (!saved.ok) return saved
    const { team, installation = '', kept } = saved.value ?? {}
    if (team === undefined || !ports) return failed('team-missing')
    const store = await ports.history()
    return store.ok ? ok({ team, installation, kept, store: store.value, operator: ports.operator }) : store
  }
  const worker = async (): Answer<TeamWorker> => {
    const found = await exchange.worker()
    if (!found.ok) return found
    return found.value ? ok(found.value) : failed('team-missing')
  }
  const recorded = (done: Result<unknown, Failure>): Result<null, Failure> => (done.ok ? ok(null) : done)

  /** @param request Without `evidence`, on whatever of colleagues has arrived. */
  async function request({
    applicantId,
    decision,
    note,
    evidence: displayed
  }: Omit<ApprovalRequest, 'evidence'> & Partial<ApprovalRequest>): Answer<null> {
    const here = await sharing()
    if (!here.ok) return here
    const { team, installation, kept, store, operator } = here.value
    if (!kept) return failed('team-approval-refused', { reason: 'not-sharing' })
    const open = await worker()
    if (!open.ok) return open
    const evidence = await open.value.approvals.basis(applicantId)
    if (!evidence.ok) return evidence
    if (displayed && !isAsDisplayed(evidence.value, displayed))
      return failed('team-approval-refused', { reason: 'newer' })
    const read = await store.exchange.read({ after: decision - 1, events: 1, bytes: 1, kept })
    if (!read.ok) return read
    if (read.value.events.some(({ kept: isKept }) => isKept)) return failed('team-approval-refused', { reason: 'kept' })
    return recorded(
      await store.approvals.ask(
        { applicantId, decision, installation, scope: team, evidence: evidence.value, note },
        { at: clock.now(), operator }
      )
    )
  }

  return {
    async list(query) {
      const found = await exchange.worker()
      return found.ok ? ((await found.value?.approvals.list(query)) ?? ok(null)) : found
    },
    ask: request,
    async reaches({ applicantId, decision }) {
      const here = await sharing()
      if (!here.ok || !here.value.kept) return false
      const { store, kept } = here.value
      const read = await store.exchange.read({ after: decision - 1, events: 1, bytes: 1, kept })
      if (!read.ok || read.value.events.some(({ kept: isKept }) => isKept)) return false
      const open = await worker()
      const listed = open.ok ? await open.value.approvals.list({ applicantId, limit: 1 }) : open
      return !listed.ok || (listed.value.approvers > 0 && listed.value.unseen === undefined)
    },
    propose: (proposal) => request({ ...proposal, note: '' }),
    async answer({ applicantId, installation, seq, agrees, note }) {
      const here = await sharing()
      if (!here.ok) return here
      const { team, kept, store, operator } = here.value
      if (!kept) return failed('team-answer-refused', { reason: 'not-sharing' })
      const open = await worker()
      if (!open.ok) return open
      const found = await open.value.approvals.answerable({ applicantId, installation, seq })
      if (!found.ok) return found
      const key = await validSigningKey(keychain, clock.now())
      if (!key.ok) return key
      const signer = keyOfSigner(key.value)
      if (signer !== found.value.identity) return failed('team-change-refused', { reason: 'identity' })
      const { asked } = found.value
      const at = Math.trunc(clock.now())
      const words = { scope: team, asked, agrees, salt: newSalt() }
      const signature = signAnswer(key.value, { ...words, at, by: operator })
      return recorded(
        await store.approvals.answer({ ...words, applicantId, note, signer, signature }, { at, operator })
      )
    }
  }
}

/** Nobody asks on evidence that they were not shown. */
const isAsDisplayed = (evidence: readonly NamedEvent[], displayed: ApprovalRequest['evidence']): boolean =>
  evidence.length === displayed.length &&
  evidence.every(([installation, seq]) => displayed.some((each) => each[0] === installation && each[1] === seq))
