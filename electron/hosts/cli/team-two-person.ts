/** `team rule|confirm|withdraw`: two-person admission. */
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { TeamWaiting } from '#contract/team/team.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { changeOf, shown } from './team-members.ts'

export async function changeRule(context: Context): Promise<Ending> {
  const [given] = context.operands
  if ((given !== 'on' && given !== 'off') || context.operands.length > 1)
    return usage('Say whether a second supervisor is needed: team rule on, or team rule off')
  const changed = await context.ask('team.changeRule', { twoPerson: given === 'on' })
  return changed.ok ? shown(context, changed.value) : failureEnding(changed.failure)
}

export async function confirmEntry(context: Context): Promise<Ending> {
  const found = await entryOf(context, 'team confirm ENTRY --words WORDS')
  if (!found.ok) return found.failure
  const words = textOption(context, 'words')
  if (!words)
    return usage(
      `This ${changeOf(found.value)}. Give the words that ${found.value.kind === 'admit' ? 'the new member' : 'its supervisor'} read to you: team confirm ENTRY --words WORDS`
    )
  const confirmed = await context.ask('team.confirm', { entry: found.value.entry, words })
  return confirmed.ok ? shown(context, confirmed.value) : failureEnding(confirmed.failure)
}

export async function withdrawEntry(context: Context): Promise<Ending> {
  const found = await entryOf(context, 'team withdraw ENTRY')
  if (!found.ok) return found.failure
  const withdrawn = await context.ask('team.withdraw', { entry: found.value.entry })
  return withdrawn.ok ? shown(context, withdrawn.value) : failureEnding(withdrawn.failure)
}

/** What waits and begins with the ID that was given. */
async function entryOf(context: Context, command: string): Promise<Result<TeamWaiting, Ending>> {
  const [given] = context.operands
  if (given === undefined || !/^[0-9a-f]{4,64}$/i.test(given) || context.operands.length > 1)
    return fail(usage(`Name one entry, by at least four digits of its ID from “team members”: ${command}`))
  const members = await context.ask('team.members')
  if (!members.ok) return fail(failureEnding(members.failure))
  const fitting = members.value.waiting.filter(({ entry }) => entry.startsWith(given.toLowerCase()))
  const [entry] = fitting
  if (entry && fitting.length === 1) return ok(entry)
  return fail(usage(entry ? `Several entries begin with “${given}”.` : `Nothing that waits begins with “${given}”.`))
}
