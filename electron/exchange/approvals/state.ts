/** The state of a request for approval: from events and the list of members alone, never by a clock. Pure. */
import type { TeamRole } from '#contract/team/team.ts'
import { approverRoles, type AnswerFault, type ApprovalState } from '#contract/team/approvals.ts'
import { secondPerson } from '#contract/evidence/second-person.ts'
import type { NamedEvent } from '#wire/history/approvals.ts'
import type { ApprovingSpans } from '#team/roster/state.ts'
import { isAnswerSignedBy } from '#wire/evidence/approval-signature.ts'

/** A request of any installation. */
export interface KnownAsk {
  readonly installation: string
  readonly seq: number
  /** Of its event, hex. */
  readonly hash: string
  readonly operator: string | undefined
  readonly decision: NamedEvent
  /** The newest evidence of each colleague that it knows; of its own installation, all before it counts. */
  readonly evidence: readonly NamedEvent[]
}

/** An answer of any installation. */
export interface KnownAnswer {
  readonly installation: string
  readonly seq: number
  readonly at: number
  readonly operator: string | undefined
  readonly scope: string
  readonly asked: NamedEvent
  readonly agrees: boolean
  /** Hex, all. */
  readonly salt: string
  readonly signer: string
  readonly signature: string
}

export interface Approver {
  readonly name: string
  /** The present one; of those who were removed, the last. Their later events are not accepted. */
  readonly lastRole: TeamRole
  /** Public key, hex. */
  readonly identity: string
  /** No longer a member: earlier answers count, and no new one is accepted. */
  readonly removed?: true
  /** The installation that admitted it, by the signed list; null for the one that created the team. */
  readonly admittedBy?: string | null
  /** The installation that gave it its role, if that was later. */
  readonly roleBy?: string
  /** Once it lost or got a role that approves. */
  readonly approving?: ApprovingSpans
}

/** What is known where the request is looked at. */
export interface ApprovalFacts {
  readonly team: string
  /** By installation, from the signed list. */
  readonly members: ReadonlyMap<string, Approver>
  /** The decision at the number that is named, if it is one about the same applicant. */
  readonly decision: { readonly hash: string; readonly operator: string | undefined } | undefined
  /** Of each installation, the last event about the applicant that is evidence or a decision. */
  readonly newest: ReadonlyMap<string, number>
  /** The hash of an event; undefined if it has not arrived. */
  hashOf(installation: string, seq: number): string | undefined
}

export interface Approval<Answer extends KnownAnswer = KnownAnswer> {
  readonly state: ApprovalState
  /** Installations with evidence that the request does not name. */
  readonly newer: readonly string[]
  /** The last answer of each installation to this request, and why it does not count. */
  readonly answers: readonly { readonly answer: Answer; readonly fault: AnswerFault | undefined }[]
}

const isSame = (a: NamedEvent, b: NamedEvent): boolean => a[0] === b[0] && a[1] === b[1] && a[2] === b[2]
export const nameOfAsk = ({ installation, seq, hash }: Pick<KnownAsk, 'installation' | 'seq' | 'hash'>): NamedEvent => [
  installation,
  seq,
  hash
]

/** The state of a request, by what is known here. */
export function approvalOf<Answer extends KnownAnswer>(
  ask: KnownAsk,
  given: readonly Answer[],
  facts: ApprovalFacts
): Approval<Answer> {
  const answers = lastOfEach(given.filter(({ asked }) => isSame(asked, nameOfAsk(ask)))).map((answer) => ({
    answer,
    fault: answerFault(ask, answer, facts)
  }))
  const counting = answers.filter(({ fault }) => fault === undefined)
  const { state, newer } = basis(ask, facts)
  if (state !== 'waiting') return { state, newer, answers }
  if (counting.some(({ answer }) => !answer.agrees)) return { state: 'disagreed', newer, answers }
  return { state: counting.length > 0 ? 'agreed' : 'waiting', newer, answers }
}

/**
 * What second persons said of a decision: of each installation the last answer that counts, to any request that names the
 * decision, in the order of their installations, so that whoever knows the same events finds the same. `agrees` is false
 * if one of them does not; undefined if nobody has answered. Newer evidence changes nothing here: see `approvalOf`.
 *
 * @param asks Requests about the applicant of the decision, of any installation.
 * @param given Without those that whoever decided has kept as void.
 */
export function secondAnswers<Answer extends KnownAnswer>(
  decision: NamedEvent,
  asks: readonly (KnownAsk & { readonly decided: ApprovalFacts['decision'] })[],
  given: readonly Answer[],
  { team, members }: Pick<ApprovalFacts, 'team' | 'members'>
): { readonly agrees: boolean; readonly answers: readonly Answer[] } | undefined {
  const [author, seq, hash] = decision
  const naming = asks.filter(
    (ask) =>
      ask.installation === author && isSame(ask.decision, decision) && ask.seq > seq && ask.decided?.hash === hash
  )
  const counting = given.filter((answer) => {
    const ask = naming.find((each) => isSame(answer.asked, nameOfAsk(each)))
    return ask && answerFault(ask, answer, { team, members, decision: ask.decided }) === undefined
  })
  if (counting.length === 0) return undefined
  const answers = [...lastOfEach(counting)].sort((a, b) => (a.installation < b.installation ? -1 : 1))
  return { agrees: answers.every(({ agrees }) => agrees), answers }
}

/** Of each installation, the last one in its chain. */
function lastOfEach<Answer extends KnownAnswer>(answers: readonly Answer[]): readonly Answer[] {
  const last = new Map<string, Answer>()
  for (const answer of answers)
    if (answer.seq > (last.get(answer.installation)?.seq ?? 0)) last.set(answer.installation, answer)
  return [...last.values()]
}

/** Whether the request stands on what is known here, whatever was answered. */
function basis(
  ask: KnownAsk,
  { decision, newest, hashOf }: ApprovalFacts
): { readonly state: 'waiting' | 'void' | 'incomplete' | 'invalid'; readonly newer: readonly string[] } {
  const [author, seq, hash] = ask.decision
  // Nobody asks for approval of what somebody else decided, or of what is not decided yet.
  if (author !== ask.installation || seq >= ask.seq || decision?.hash !== hash) return { state: 'invalid', newer: [] }
  const named = namedBy(ask)
  const heads = [...named.values()].filter(([installation]) => installation !== ask.installation)
  if (heads.some(([installation, at, expected]) => (hashOf(installation, at) ?? expected) !== expected))
    return { state: 'invalid', newer: [] }
  const newer = [...newest]
    .filter(
      ([installation, last]) =>
        last > (installation === ask.installation ? ask.seq : (named.get(installation)?.[1] ?? 0))
    )
    .map(([installation]) => installation)
  if (newer.length > 0) return { state: 'void', newer }
  // A name for what is still to come covers nothing that can be seen, so nobody can agree to it.
  return {
    state: heads.some(([installation, at]) => hashOf(installation, at) === undefined) ? 'incomplete' : 'waiting',
    newer
  }
}

function namedBy({ evidence }: KnownAsk): ReadonlyMap<string, NamedEvent> {
  const named = new Map<string, NamedEvent>()
  for (const event of evidence) if (event[1] > (named.get(event[0])?.[1] ?? 0)) named.set(event[0], event)
  return named
}

/** The members who could answer a request of an installation that everybody involved in is its own user. */
export function approversOf(author: string, members: ReadonlyMap<string, Approver>): readonly string[] {
  const name = members.get(author)?.name
  const ask = { installation: author, operator: name }
  return [...members].flatMap(([installation, { name: operator, removed }]) =>
    removed ||
    approverFault(ask, { installation, operator }, { members, decision: { hash: '', operator: name } }) !== undefined
      ? []
      : [installation]
  )
}

/** Why an answer to this request does not count. */
export function answerFault(
  ask: KnownAsk,
  answer: KnownAnswer,
  { team, members, decision }: Pick<ApprovalFacts, 'team' | 'members' | 'decision'>
): AnswerFault | undefined {
  const { installation, seq, operator = '', scope, asked, agrees, at, salt, signer, signature } = answer
  const member = members.get(installation)
  if (!member) return 'stranger'
  const isSigned = isAnswerSignedBy(signer, { scope, asked, agrees, at, by: operator, salt }, signature)
  if (scope !== team || signer !== member.identity || !isSigned) return 'signature'
  return approverFault(ask, { installation, operator, seq }, { members, decision })
}

/** Whether a member approves with an event: by the role that it had then; without a number, by the present one. */
function approves({ lastRole, approving }: Approver, seq = Infinity): boolean {
  const { after = 0, earlier } = approving ?? { earlier: [] }
  const isNow = approverRoles.includes(lastRole) && seq > after
  return isNow || earlier.some(([from, until]) => seq > from && seq <= until)
}

/** Why somebody cannot approve this request, whatever they answer; `seq` is the number of an answer that they gave. */
export function approverFault(
  { installation: author, operator: asker }: Pick<KnownAsk, 'installation' | 'operator'>,
  approver: { readonly installation: string; readonly operator: string; readonly seq?: number },
  { members, decision }: Pick<ApprovalFacts, 'members' | 'decision'>
): Exclude<AnswerFault, 'signature'> | undefined {
  const member = members.get(approver.installation)
  if (!member) return 'stranger'
  // The key stands for a user, whatever the installation.
  if (member.identity === members.get(author)?.identity) return 'author'
  if (!approves(member, approver.seq)) return 'role'
  // By the name that the computer gave, and by the one in the list of members.
  const people = [
    secondPerson(approver.operator, [asker ?? '', decision?.operator ?? '']),
    secondPerson(member.name, [members.get(author)?.name ?? ''])
  ]
  return people.includes('no') ? 'same-person' : people.includes('unknown') ? 'unknown-person' : undefined
}
