/** `team findings|acknowledge`: what is wrong with the events of members, and with which of it a supervisor has dealt. */
import { failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import {
  findingName,
  maxFindingReason,
  teamFindingKinds,
  type TeamExchange,
  type TeamFinding,
  type TeamFindingKind,
  type TeamMemberStatus
} from '#contract/team/activity.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import type { ExitName } from './exit.ts'
import { print, time } from './print-text.ts'
import { receiveFirst } from './team-receive.ts'

const kindOf = (name: string | undefined): TeamFindingKind | undefined =>
  teamFindingKinds.find((kind) => findingName(kind) === name)
const findingNames = teamFindingKinds.map(findingName)

/** A finding in a line: what is wrong, and what to do or who has dealt with it. */
export function findingLine({ failure: why, acknowledged }: TeamFinding): string {
  const { what, nextStep } = sentencesOf(why)
  if (!acknowledged) return `${what} ${nextStep}`
  const { operator, member, at, reason } = acknowledged
  return `${what} Acknowledged by ${oneLine(operator)} (${oneLine(member)}) ${time(at)}: ${oneLine(reason)}`
}

/** A script must not take a team whose database lost something for one in order. */
export const endingOf = ({ members }: TeamExchange): ExitName =>
  members.some(({ findings }) => findings.some(({ acknowledged }) => !acknowledged)) ? 'findings' : 'done'

const memberLines = ({ installation, name, findings }: TeamMemberStatus): readonly string[] =>
  findings.flatMap((finding) => {
    const kind = teamFindingKinds.find((each) => each === finding.failure.code)
    return [
      `${installation}  ${oneLine(name)}${kind ? `  ${findingName(kind)}` : ''}${finding.holds ? '  (shared batches are on hold)' : ''}`,
      `  ${findingLine(finding)}`
    ]
  })

/** What is wrong with the events of each installation, those that were acknowledged among it. */
export async function listFindings(context: Context): Promise<Ending> {
  await receiveFirst(context)
  const answer = await context.ask('team.exchange')
  if (!answer.ok) return failureEnding(answer.failure)
  if (!answer.value) return failureEnding(failure('team-missing'))
  const { members } = answer.value
  const found = members.flatMap(({ installation, name, findings }) =>
    findings.map((finding) => ({ installation, name, ...finding }))
  )
  return {
    exit: endingOf(answer.value),
    out: print(
      context.options['json'],
      found,
      found.length === 0
        ? ['There are no findings, as of the last comparison with the database.']
        : members.flatMap(memberLines)
    )
  }
}

/** A supervisor has dealt with a finding: it holds no shared batch any more. */
export async function acknowledgeFinding(context: Context): Promise<Ending> {
  const [installation, ...more] = context.operands
  const [finding, reason] = [kindOf(textOption(context, 'finding')), textOption(context, 'reason')?.trim()]
  if (installation === undefined || more.length > 0 || !/^[0-9a-f]{32}$/.test(installation) || !finding)
    return usage(
      `Name the installation ID and the finding, from “team findings”: team acknowledge INSTALLATION --finding ${findingNames.join('|')} --reason TEXT`
    )
  if (!reason || reason.length > maxFindingReason)
    return usage(`Give a reason of at most ${maxFindingReason} characters: --reason TEXT`)
  const done = await context.ask('team.acknowledgeFinding', { installation, finding, reason })
  if (!done.ok) return failureEnding(done.failure)
  return {
    exit: 'done',
    out: 'Acknowledged. The finding stays visible, and shared batches continue, after a loss once every member has exchanged data; colleagues receive this with “team exchange”.'
  }
}
