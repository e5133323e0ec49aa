/** `team share|exchange|activity`. */
import { isoDue } from '#contract/applicants/due-dates.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import {
  maxTeamEntries,
  type TeamDeed,
  type TeamEntry,
  type TeamExchange,
  type TeamMemberStatus
} from '#contract/team/activity.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeOf } from '#contract/verification/outcomes.ts'
import { failure } from '#contract/failures/failures.ts'
import { failureEnding, findConnection, textOption, usage, type Context, type Ending } from './context.ts'
import { failureText } from './print.ts'
import { decisionText, print, time } from './print-text.ts'
import { receiveFirst } from './team-receive.ts'
import { endingOf, findingLine } from './team-findings.ts'

/** Shares the named connections and keeps all others here; without names, all but the practice service. */
export async function shareWithTeam(context: Context): Promise<Ending> {
  const list = await context.ask('connections.list')
  if (!list.ok) return failureEnding(list.failure)
  const named = new Set<string>()
  for (const name of context.operands) {
    const found = await findConnection(context, name)
    if (!found.ok) return found.failure
    named.add(found.value.id)
  }
  const isShared = ({ id, practice }: { readonly id: string; readonly practice?: boolean }): boolean =>
    named.size === 0 ? practice !== true : named.has(id)
  const shared = await context.ask('team.share', {
    kept: list.value.filter((each) => !isShared(each)).map(({ id }) => id)
  })
  if (!shared.ok) return failureEnding(shared.failure)
  const names = (which: boolean): string =>
    list.value
      .filter((each) => isShared(each) === which)
      .map(({ name }) => oneLine(name))
      .join(', ') || 'none'
  return {
    exit: 'done',
    out: print(context.options['json'], shared.value, [
      `Shared: ${names(true)}`,
      `Kept here: ${names(false)}`,
      'Connections that are added later are shared. “team exchange” shares now; the window does it while it is open.'
    ])
  }
}

/** Milliseconds between two looks at how far it is. */
const pause = 250

/** The time that a command has; undefined if its option is no such time. */
function secondsOf(context: Context): number | undefined {
  const seconds = Number(textOption(context, 'timeout') ?? 60)
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400 ? seconds : undefined
}

function exchanged(
  context: Context,
  state: TeamExchange,
  { isDone, isSharing }: { readonly isDone: boolean; readonly isSharing: boolean }
): Ending {
  const errors = [
    ...(state.clock ? [failureText(state.clock)] : []),
    ...(isDone ? [] : ['Not everything is exchanged yet. Repeat the command with a larger --timeout.'])
  ]
  return {
    exit: isDone ? endingOf(state) : 'incomplete',
    out: print(context.options['json'], state, [...lines(state, isSharing)]),
    ...(errors.length > 0 && { error: errors.join('\n') })
  }
}

/** Exchanges events until nothing is left to send or receive, or until the database does not answer. */
export async function exchangeWithTeam(context: Context): Promise<Ending> {
  const seconds = secondsOf(context)
  if (seconds === undefined) return usage('--timeout takes a number of seconds from 1 to 86400.')
  const team = await context.ask('team.state')
  if (!team.ok) return failureEnding(team.failure)
  const isSharing = team.value?.sharing !== undefined
  const until = performance.now() + seconds * 1000
  for (;;) {
    const answer = await context.ask('team.exchange')
    const state = answer.ok ? answer.value : null
    const isDone = state?.at !== undefined && state.toReceive === 0 && (state.toSend === 0 || !isSharing)
    if (!state || state.failure || isDone || performance.now() > until) context.clearProgress()
    else context.showProgress(`${state.toSend} to send, ${state.toReceive} to receive`)
    if (!answer.ok) return failureEnding(answer.failure)
    if (!state) return failureEnding(failure('team-missing'))
    if (state.failure) return failureEnding(state.failure)
    if (isDone || performance.now() > until) {
      return exchanged(context, state, { isDone, isSharing })
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

const lines = ({ members }: TeamExchange, isSharing: boolean): readonly string[] => [
  ...members.map(memberLine),
  ...(isSharing ? [] : ['Nothing of this installation is shared: “team share” chooses what is.']),
  ...members.flatMap(({ name, findings }) => findings.map((finding) => `${oneLine(name)}: ${findingLine(finding)}`))
]

function memberLine({ installation, name, own, role, events, lastAt, confirmedBy }: TeamMemberStatus): string {
  const last = lastAt === undefined ? '' : `, last ${new Date(lastAt).toISOString()}`
  return `${installation}  ${oneLine(name)}${own ? ' (this installation)' : role === 'removed' ? ' (removed)' : ''}: ${events} events${last}${events > 0 ? `, confirmed by ${confirmedBy}` : ''}`
}

/** What colleagues did, as far as it has arrived here: of all applicants, or of one. */
export async function showActivity(context: Context): Promise<Ending> {
  const [applicantId, limit] = [textOption(context, 'applicant'), Number(textOption(context, 'limit') ?? 50)]
  if (!Number.isInteger(limit) || limit < 1 || limit > maxTeamEntries)
    return usage(`--limit takes a number from 1 to ${maxTeamEntries}.`)
  const state = await context.ask('team.state')
  if (!state.ok) return failureEnding(state.failure)
  if (state.value?.team === undefined) return failureEnding(failure('team-missing'))
  await receiveFirst(context)
  const answer =
    applicantId === undefined
      ? await context.ask('team.activity', { limit })
      : await context.ask('team.applicant', { applicantId, limit })
  if (!answer.ok) return failureEnding(answer.failure)
  const shown = answer.value ?? { entries: [] }
  const differ =
    'conflict' in shown && shown.conflict
      ? [
          'Decisions differ: they were made without knowing of each other. Act on the strictest one until somebody makes a new decision.'
        ]
      : []
  if (shown.entries.length === 0 && !context.options['json'])
    return { exit: 'done', error: 'Nothing has arrived from colleagues.' }
  return { exit: 'done', out: print(context.options['json'], shown, [...differ, ...shown.entries.map(entryLine)]) }
}

/** Instead of an applicant whose key was erased, or has not arrived. */
const closedWords = { erased: '(erased)', awaited: '(not readable yet)' } as const

const entryLine = ({ at, member, applicantId, closed, what }: TeamEntry): string =>
  [time(at), oneLine(member), oneLine(applicantId ?? (closed ? closedWords[closed] : '')), oneLine(words(what))]
    .filter((part) => part !== '')
    .join('  ')

type Deed<Kind extends TeamDeed['kind']> = Extract<TeamDeed, { readonly kind: Kind }>

const noted = (note: string | undefined): string => (note ? `, ${note}` : '')

const deedWords: { readonly [Kind in TeamDeed['kind']]: (what: Deed<Kind>) => string } = {
  'check': ({ operation, outcome, status, message }) =>
    [operationOf(operation).title, outcome === undefined ? 'in progress' : outcomeOf(outcome).label, status, message]
      .filter((part) => part !== undefined)
      .join(', '),
  'decision': ({ decision, proposed, agrees, reasons = [], note }) =>
    [
      !proposed || agrees ? `decision: ${decision}` : decisionText({ decision, proposed, agrees }),
      ...reasons,
      ...(note ? [note] : [])
    ].join(', '),
  'note': ({ text = '' }) => `note: ${text}`,
  'tags': ({ tags = [] }) => `tags: ${tags.join(', ')}`,
  'due': ({ due }) => (due === null ? 'due date removed' : `due ${isoDue(due)}`),
  'expiry': ({ document = '', expires = '' }) => `document expires: ${document} ${expires}`,
  'challenge': ({ text = '' }) => `challenge: ${text}`,
  'review': ({ outcome: found, note }) => `review: ${found}${noted(note)}`,
  'risk': ({ risk, months, note }) => `risk class ${risk}, review after ${months} months${noted(note)}`,
  'relationship': ({ state, on, note }) => `relationship: ${state}, ${on}${noted(note)}`,
  'assignee': ({ assignee }) => (assignee === null ? 'assignment removed' : `assigned to ${assignee ?? ''}`),
  'hold': ({ placed }) => (placed ? 'legal hold placed' : 'legal hold lifted'),
  'approval-asked': ({ note }) => `approval requested${noted(note)}`,
  'approval-answered': ({ agrees, note }) =>
    `request for approval answered: ${agrees ? 'countersigned' : 'returned'}${noted(note)}`,
  'erasure': () => 'applicant erased'
}

const words = (what: TeamDeed): string => (deedWords[what.kind] as (what: TeamDeed) => string)(what)
