/** `team approvals|approve`. */
import { oneLine } from '#contract/text/hidden-text.ts'
import { failure } from '#contract/failures/failures.ts'
import { admissionWords, type ApprovalState, type TeamApproval } from '#contract/team/approvals.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { decisionText, print, time } from './print-text.ts'
import { receiveFirst } from './team-receive.ts'

const states: Readonly<Record<ApprovalState, string>> = {
  waiting: 'waiting',
  agreed: 'countersigned',
  disagreed: 'returned',
  void: 'void: newer evidence',
  incomplete: 'evidence still arriving',
  invalid: 'not valid'
}
/** How many digits of an installation name it here. */
const digits = 8
const most = 200
const nameOf = ({ installation, seq }: TeamApproval): string => `${installation.slice(0, digits)}-${seq}`

/** Requests for approval, of colleagues and of this installation. */
export async function listApprovals(context: Context): Promise<Ending> {
  const [applicantId, limit] = [textOption(context, 'applicant'), Number(textOption(context, 'limit') ?? 50)]
  if (!Number.isInteger(limit) || limit < 1 || limit > most) return usage(`--limit takes a number from 1 to ${most}.`)
  await receiveFirst(context)
  const answer = await context.ask('team.approvals', { limit, ...(applicantId !== undefined && { applicantId }) })
  if (!answer.ok) return failureEnding(answer.failure)
  if (!answer.value) return failureEnding(failure('team-missing'))
  if (answer.value.approvals.length === 0 && !context.options['json'])
    return { exit: 'done', error: 'There are no requests for approval.' }
  return { exit: 'done', out: print(context.options['json'], answer.value, answer.value.approvals.flatMap(lines)) }
}

function lines(approval: TeamApproval): readonly string[] {
  const { at, applicantId, member = 'this installation', decision, state, answers, unsent, unseen, overdue } = approval
  const first = [
    nameOf(approval),
    time(at),
    oneLine(applicantId),
    decision ? decisionText({ ...decision, ...(state === 'agreed' && { agrees: true }) }) : '',
    oneLine(member),
    states[state],
    overdue ? 'overdue' : '',
    unseen && state !== 'agreed' ? 'not seen: a colleague erased the applicant' : unsent ? 'not sent yet' : ''
  ]
    .filter((part) => part !== '')
    .join('  ')
  return [
    first,
    ...answers.map(
      (each) =>
        `  ${each.agrees ? 'countersigned' : 'returned'}  ${oneLine(each.member ?? 'this installation')}  ${time(each.at)}${each.fault === undefined ? '' : '  (does not count)'}${each.note ? `  ${oneLine(each.note)}` : ''}${each.admission ? `  (${oneLine(admissionWords(each.admission))}${each.admission.byAsker ? ', who asks' : ''})` : ''}`
    )
  ]
}

/** Signs an answer to a colleague's request. */
export async function answerApproval(context: Context): Promise<Ending> {
  const [name = ''] = context.operands
  const { countersign, return: returned } = context.options
  if ((countersign === true) === (returned === true)) return usage('Add either --countersign or --return.')
  await receiveFirst(context)
  const found = await context.ask('team.approvals', { limit: most })
  if (!found.ok) return failureEnding(found.failure)
  if (!found.value) return failureEnding(failure('team-missing'))
  const approval = found.value.approvals.find((each) => nameOf(each) === name)
  if (!approval) return failureEnding(failure('team-answer-refused', { reason: 'missing' }))
  const { applicantId, installation, seq } = approval
  const answer = await context.ask('team.answerApproval', {
    applicantId,
    installation,
    seq,
    agrees: countersign === true,
    note: textOption(context, 'note') ?? ''
  })
  if (!answer.ok) return failureEnding(answer.failure)
  return {
    exit: 'done',
    out: `${countersign === true ? 'Decision countersigned.' : 'Decision returned.'} “team exchange” sends the answer.`
  }
}
