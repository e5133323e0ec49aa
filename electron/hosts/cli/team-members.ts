/** `team access|create|invite|join|admit|members|role|remove|leave`. */
import { resolve } from 'node:path'
import { failure } from '#contract/failures/failures.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { isLoopbackHost } from '#contract/connections/connection.ts'
import {
  teamNameSchema,
  teamRoles,
  type TeamMembers,
  type TeamMemberView,
  type TeamWaiting
} from '#contract/team/team.ts'
import { endMemberSql } from '#team/database/member-role.ts'
import { readTeamFile } from '#core/team/installation/chosen-file.ts'
import { askForSecret, readStandardInput } from './credentials-input.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { oneOf, print } from './print-text.ts'
import { addressOf, sqlEnding } from './team.ts'

const line = ({ installation, name, role, own, access }: TeamMemberView): string =>
  `${installation}  ${role.padEnd(10)}  ${oneLine(name)}${own ? ' (this installation)' : ''}${access ? '' : '  without access to the database'}`

const standing = {
  member: [],
  applicant: ['This installation is not a member yet. A supervisor must admit it.'],
  removed: ['A supervisor removed this installation. “team leave” deletes its keys; then it can join again.']
} as const

/** What an entry would change. */
export const changeOf = ({ kind, about }: TeamWaiting): string =>
  kind === 'rule' || !about
    ? 'switches two-person admission off'
    : kind === 'admit'
      ? `admits ${oneLine(about.name)} (${about.installation}) as ${about.role}`
      : `gives ${oneLine(about.name)} (${about.installation}) the role ${about.role}`

const listed = ({ words, own, members, strangers, epoch, twoPerson, waiting }: TeamMembers): readonly string[] => [
  `Team ${words}`,
  ...members.map(line),
  ...strangers.map(
    ({ installation, name }) =>
      `${installation}  ${name === undefined ? 'has access to the database and is not a member' : `was removed (${oneLine(name)}) and still has access to the database`}. “team access --end ${installation}” prints the SQL that ends it`
  ),
  `Keys number ${epoch}.`,
  ...(twoPerson ? ['Two-person admission is on.'] : []),
  ...waiting.map(
    (each) =>
      `Waits for a second supervisor: ${each.entry.slice(0, 12)}, signed by ${oneLine(each.by)}, ${changeOf(each)}. ${each.kind === 'admit' ? 'The request’s words' : 'Its words'}: ${each.compared.words}`
  ),
  ...standing[own]
]
export const shown = ({ options }: Context, members: TeamMembers): Ending => ({
  exit: 'done',
  out: print(options['json'], members, [...listed(members)])
})

export async function prepareAccess(context: Context): Promise<Ending> {
  const end = textOption(context, 'end')
  if (end !== undefined)
    return /^[0-9a-f]{32}$/.test(end)
      ? sqlEnding(context, endMemberSql(end))
      : usage('--end takes the number of an installation: 32 digits, from “team members”.')
  const access = await context.ask('team.access')
  if (!access.ok) return failureEnding(access.failure)
  const { installation, sql } = access.value
  if (context.options['json']) return { exit: 'done', out: print(true, access.value, []) }
  return sqlEnding(
    context,
    `-- Access of the Veridesk installation ${installation} to its team’s database.\n${sql.trim()}`
  )
}

export async function createTeam(context: Context): Promise<Ending> {
  const command = 'team create --host HOST --database NAME --name TEXT'
  const name = textOption(context, 'name')?.trim()
  const unnamed = nameFault(name, command)
  if (name === undefined || unnamed) return usage(unnamed ?? command)
  const address = await addressOf(context.options, command)
  if (!address.ok) return address.failure
  const created = await context.ask('team.create', { name, database: address.value })
  if (!created.ok) return failureEnding(created.failure)
  const local = isLoopbackHost(address.value.host)
    ? ['Invitations will contain the address of this computer itself, at which others cannot reach the database.']
    : []
  const { recoveryKey, ...members } = created.value
  const key = recoveryKey === undefined ? [] : [`Recovery key: ${recoveryKey}`]
  const out = print(context.options['json'], created.value, [...listed(members), ...key])
  const advice =
    recoveryKey === undefined
      ? []
      : [
          'Keep the recovery key with the team’s words, on paper, where no computer is. It is not shown again. Whoever has it can become a supervisor.'
        ]
  return {
    exit: 'done',
    out,
    error: [
      ...local,
      ...advice,
      'Make a second member supervisor soon: without a supervisor, only the recovery key can admit or remove anybody.'
    ].join('\n')
  }
}

/** Becomes a supervisor with the recovery key. */
export async function recoverTeam(context: Context): Promise<Ending> {
  const command = 'team recover --host HOST --database NAME --name TEXT --words WORDS'
  const [name, words] = [textOption(context, 'name')?.trim(), textOption(context, 'words')]
  const unnamed = nameFault(name, command)
  if (name === undefined || unnamed) return usage(unnamed ?? command)
  if (!words) return usage(`Give the team’s words, which were kept with the recovery key: ${command}`)
  const address = await addressOf(context.options, command)
  if (!address.ok) return address.failure
  const recoveryKey = process.stdin.isTTY ? await askForSecret('Recovery key') : (await readStandardInput()).trim()
  const recovered = await context.ask('team.recover', { name, database: address.value, words, recoveryKey })
  return recovered.ok ? shown(context, recovered.value) : failureEnding(recovered.failure)
}

export async function inviteToTeam(context: Context): Promise<Ending> {
  if (!textOption(context, 'to')) return usage('Name the file: team invite --to FILE')
  const saved = await context.ask('team.invite')
  if (!saved.ok) return failureEnding(saved.failure)
  if (!saved.value) return { exit: 'done' }
  const { path, words } = saved.value
  return {
    exit: 'done',
    out: print(context.options['json'], saved.value, [
      `${path}\nThe team’s words: ${words}\nTell them to the receiver in person or by phone, not beside the file. The file opens the list of members: pass it on as you would a password.`
    ])
  }
}

export async function joinTeam(context: Context): Promise<Ending> {
  const [name, words] = [textOption(context, 'name')?.trim(), textOption(context, 'words')]
  const unnamed = name === undefined ? undefined : nameFault(name, 'team join INVITATION --name TEXT')
  if (unnamed) return usage(unnamed)
  if (!name || !words || !textOption(context, 'to'))
    return usage(
      'Name the invitation, this installation, the team’s words and the file to write: team join INVITATION --name TEXT --words WORDS --to FILE'
    )
  const invitation = await textOf(context, 'invitation')
  if (!invitation.ok) return invitation.failure
  const saved = await context.ask('team.join', { name, words, invitation: invitation.value })
  if (!saved.ok) return failureEnding(saved.failure)
  if (!saved.value) return { exit: 'done' }
  return {
    exit: 'done',
    out: print(context.options['json'], saved.value, [
      `${saved.value.path}\nThe request’s words: ${saved.value.words}\nSend the file to a supervisor, and read the words to them in person or by phone.`
    ])
  }
}

export async function admitToTeam(context: Context): Promise<Ending> {
  const [words, role] = [textOption(context, 'words'), oneOf(teamRoles, textOption(context, 'role') ?? '')]
  if (!words || !role)
    return usage(
      `Name the request, its words and the role: team admit REQUEST --words WORDS --role ${teamRoles.join('|')}`
    )
  const request = await textOf(context, 'request')
  if (!request.ok) return request.failure
  const admitted = await context.ask('team.admit', { request: request.value, words, role })
  return admitted.ok ? shown(context, admitted.value) : failureEnding(admitted.failure)
}

export async function listMembers(context: Context): Promise<Ending> {
  const members = await context.ask('team.members')
  return members.ok ? shown(context, members.value) : failureEnding(members.failure)
}

export async function giveRole(context: Context): Promise<Ending> {
  const role = oneOf(teamRoles, textOption(context, 'role') ?? '')
  if (!role) return usage(`Name the member and the role: team role MEMBER --role ${teamRoles.join('|')}`)
  const member = await memberOf(context, 'team role MEMBER')
  if (!member.ok) return member.failure
  const changed = await context.ask('team.changeRole', { installation: member.value.installation, role })
  return changed.ok ? shown(context, changed.value) : failureEnding(changed.failure)
}

export async function removeFromTeam(context: Context): Promise<Ending> {
  const confirm = textOption(context, 'confirm')
  if (confirm === undefined) return usage('Name the member twice: team remove MEMBER --confirm NAME')
  const member = await memberOf(context, 'team remove MEMBER')
  if (!member.ok) return member.failure
  const removed = await context.ask('team.remove', { installation: member.value.installation, name: confirm })
  if (!removed.ok) return failureEnding(removed.failure)
  const { sql, readUpTo } = removed.value
  if (context.options['json']) return { exit: 'done', out: print(true, removed.value, []) }
  return sqlEnding(context, sql, [
    ...listed(removed.value),
    `${oneLine(member.value.name)} could read everything that was shared until now (keys up to number ${readUpTo}), and can read nothing that follows.`,
    'Their access to the database ends when the administrator runs the SQL.'
  ])
}

export async function leaveTeam(context: Context): Promise<Ending> {
  const state = await context.ask('team.state')
  if (!state.ok) return failureEnding(state.failure)
  if (!state.value) return failureEnding(failure('team-missing'))
  if (textOption(context, 'confirm') !== state.value.installation)
    return usage(
      `If this is the only supervisor, nobody can admit or remove members afterwards. Confirm with the ID of this installation: team leave --confirm ${state.value.installation}`
    )
  const left = await context.ask('team.leave')
  if (!left.ok) return failureEnding(left.failure)
  return {
    exit: 'done',
    out: 'The keys and the address of the team were deleted from this computer. Ask a supervisor to remove this installation from the list of members, and the administrator to end its access to the database.'
  }
}

/** What is wrong with the name of an installation. */
function nameFault(name: string | undefined, command: string): string | undefined {
  if (!name) return `Name this installation: ${command}`
  if (name.length > 100) return 'A name has at most 100 characters.'
  return teamNameSchema.safeParse(name).success
    ? undefined
    : 'A name has no line breaks and no characters that change the direction of the text.'
}

/** The text of the file that the command names. */
async function textOf({ operands }: Context, kind: 'invitation' | 'request'): Promise<Result<string, Ending>> {
  const [file] = operands
  if (file === undefined || operands.length > 1)
    return fail(usage(`Name one file: ${kind === 'invitation' ? 'team join INVITATION' : 'team admit REQUEST'}`))
  const read = await readTeamFile(resolve(file), kind)
  return read.ok ? ok(read.value.text) : fail(failureEnding(read.failure))
}

/** The member that an operand means: by its name, or by the beginning of its number. */
async function memberOf(context: Context, command: string): Promise<Result<TeamMemberView, Ending>> {
  const [given] = context.operands
  if (given === undefined || context.operands.length > 1) return fail(usage(`Name one member: ${command}`))
  const found = await context.ask('team.members')
  if (!found.ok) return fail(failureEnding(found.failure))
  const text = given.toLowerCase()
  const fitting = found.value.members.filter(
    ({ installation, name }) =>
      name.toLowerCase() === text || (/^[0-9a-f]{4,32}$/.test(text) && installation.startsWith(text))
  )
  const [member] = fitting
  if (member && fitting.length === 1) return ok(member)
  return fail(
    usage(
      member
        ? `“${oneLine(given)}” means several members. Use the installation ID.`
        : `There is no member “${oneLine(given)}”. “team members” lists them.`
    )
  )
}
