/** `team overview|fork|verify-fork`: what the team is doing, and evidence against an installation that signed two histories. */
import { basename, resolve } from 'node:path'
import { failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import type { TeamConflict, TeamInstallation, TeamOverview } from '#contract/team/overview.ts'
import { readRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'
import { verifyForkFile } from '#team/log/fork.ts'
import { safetyWords } from '#team/roster/safety-words.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import type { OptionValues } from './parse.ts'
import { count, decisionText, print, time } from './print-text.ts'
import { receiveFirst } from './team-receive.ts'
import { findingLine } from './team-findings.ts'

const day = 24 * 60 * 60_000
/** A proof names the events from the first difference to the next signature: 256 on each side. */
const mostProofBytes = 64 * 1024 * 1024

/** What the team is doing, as far as it has arrived here. */
export async function showOverview(context: Context): Promise<Ending> {
  const days = Number(textOption(context, 'days') ?? 7)
  if (!Number.isInteger(days) || days < 1 || days > 3660) return usage('--days takes a whole number from 1 to 3660.')
  await receiveFirst(context)
  const now = Date.now()
  // Of an installation whose clock is ahead, the newest work is of tomorrow.
  const answer = await context.ask('team.overview', { from: now - days * day, until: now + day + 1 })
  if (!answer.ok) return failureEnding(answer.failure)
  if (!answer.value) return failureEnding(failure('team-missing'))
  return { exit: 'done', out: print(context.options['json'], answer.value, overviewLines(answer.value, days)) }
}

function overviewLines(
  { at, keysDueSince, ownFailure, installations, people, queue, unknowns, conflicts, more }: TeamOverview,
  days: number
): readonly string[] {
  return [
    at === undefined ? 'Not compared with the database since the start.' : `Compared with the database ${time(at)}.`,
    ...(ownFailure ? [`The figures of this installation are missing. ${sentencesOf(ownFailure).what}`] : []),
    ...(keysDueSince === undefined
      ? []
      : [
          `New keys have been due since the erasure of ${time(keysDueSince)}: a supervisor’s installation creates them.`
        ]),
    `Installations, with the work of ${count(days, 'day', 'days')}:`,
    ...installations.flatMap(installationLines),
    'People:',
    ...people.map(
      ({ person, member, checks, decisions }) =>
        `  ${oneLine(person || '(unknown)')} at ${oneLine(member)}: ${count(checks, 'verification', 'verifications')}, ${count(decisions, 'decision', 'decisions')}`
    ),
    `Queue: ${queue.length === 0 ? 'none' : ''}`.trim(),
    ...queue.map(({ person, count: items }) => `  ${person === '' ? 'unassigned' : oneLine(person)}: ${items}`),
    `Unknown outcomes of colleagues, newest first: ${unknowns.length === 0 ? 'none' : ''}`.trim(),
    ...unknowns.map(
      ({ at: when, member, applicantId, installation, seq }) =>
        `  ${time(when)}  ${oneLine(member)}  ${oneLine(applicantId ?? '')}  event ${seq} of ${installation}`
    ),
    `Decisions that differ: ${conflicts.length === 0 ? 'none' : ''}`.trim(),
    ...conflicts.map(conflictLine),
    ...(more ? ['There is too much to count: only the newest entries were counted.'] : [])
  ]
}

function installationLines({
  installation,
  name,
  own,
  role,
  events,
  lastAt,
  unconfirmed,
  checks,
  decisions,
  unknown,
  waiting,
  erasures,
  kept,
  findings
}: TeamInstallation): readonly string[] {
  const notes = [
    ...(unknown > 0 ? [count(unknown, 'unknown outcome', 'unknown outcomes')] : []),
    ...(waiting > 0 ? [`${count(waiting, 'applicant', 'applicants')} pending decision`] : []),
    ...(unconfirmed > 0 ? [`has not confirmed ${count(unconfirmed, 'event', 'events')}`] : []),
    ...(erasures > 0 ? [`has not acknowledged ${count(erasures, 'erasure', 'erasures')}`] : []),
    ...(kept > 0 ? ['still has its own records of applicants whom a colleague erased'] : [])
  ]
  return [
    `  ${installation}  ${oneLine(name)}${own ? ' (this installation)' : ''}, ${role}: ${count(checks, 'verification', 'verifications')}, ${count(decisions, 'decision', 'decisions')}; ${lastAt === undefined ? (own ? count(events, 'event shared', 'events shared') : 'nothing has arrived') : `last event ${time(lastAt)}`}`,
    ...(notes.length > 0 ? [`    ${notes.join('; ')}`] : []),
    ...findings.map((finding) => `    ${findingLine(finding)}`)
  ]
}

const conflictLine = ({ applicantId, decisions }: TeamConflict): string =>
  `  ${oneLine(applicantId)}: ${decisions.map((made) => `${decisionText(made)} by ${oneLine(made.member ?? 'this installation')} ${time(made.at)}`).join(', ')}`

/** Saves the proof that an installation has signed two histories. */
export async function saveFork(context: Context): Promise<Ending> {
  const [installation, ...more] = context.operands
  if (
    installation === undefined ||
    more.length > 0 ||
    !/^[0-9a-f]{32}$/.test(installation) ||
    !textOption(context, 'to')
  )
    return usage('Name the installation ID, from “team exchange”, and the file: team fork INSTALLATION --to FILE')
  const saved = await context.ask('team.saveProof', { installation })
  if (!saved.ok) return failureEnding(saved.failure)
  return saved.value ? { exit: 'done', out: saved.value.path } : usage('Name the file: --to FILE')
}

/** Verifies a file with such a proof. Needs neither data nor a team. */
export async function verifyFork(operands: readonly string[], options: OptionValues): Promise<Ending> {
  const [file, ...more] = operands
  if (file === undefined || more.length > 0) return usage('Name one file: team verify-fork FILE')
  const text = await proofText(resolve(file))
  if (typeof text !== 'string') return text
  const proven = verifyForkFile(text)
  if (!proven.ok) return failureEnding(proven.failure)
  const { installation, team, publicKey, event } = proven.value
  return {
    exit: 'done',
    out: print(options['json'], proven.value, [
      `The key ${publicKey} has signed two different events with the number ${event}, as the installation ${installation} of the team “${safetyWords(team)}”.`,
      'The list of members shows whose key it is: compare the installation ID with “team members”, and the team’s words.'
    ])
  }
}

async function proofText(path: string): Promise<string | Ending> {
  try {
    return String(await readRegular(path, mostProofBytes))
  } catch (error) {
    return failureEnding(failure('file-unreadable', { file: basename(path), errno: codeOf(error) }))
  }
}
