/** `evidence keys|revoke|replace-key`. */
import { readFingerprint } from '#contract/evidence/evidence.ts'
import { revocationReasons, type OwnKey } from '#contract/evidence/keys.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { oneOf, print, time } from './print-text.ts'

function line({ fingerprint, current, replacedAt, revoked }: OwnKey): string {
  const facts = [
    ...(current ? ['current'] : []),
    ...(replacedAt === undefined ? [] : [`replaced ${time(replacedAt)}`]),
    ...(revoked ? [`revoked since ${time(revoked.since)} (${revoked.reason})`] : [])
  ]
  return `${fingerprint}  ${facts.join(', ')}`
}

export async function listKeys(context: Context): Promise<Ending> {
  const keys = await context.ask('keys.list')
  return keys.ok
    ? { exit: 'done', out: print(context.options['json'], keys.value, keys.value.map(line)) }
    : failureEnding(keys.failure)
}

/** Writes a revocation. Nothing else changes: the key signs packs until it is replaced. */
export async function revokeKey(context: Context): Promise<Ending> {
  const reason = oneOf(revocationReasons, textOption(context, 'reason') ?? '')
  if (!reason || !textOption(context, 'to'))
    return usage(`Say why and name the file: evidence revoke --reason ${revocationReasons.join('|')} --to FILE`)
  const named = textOption(context, 'key')
  const key = named === undefined ? undefined : readFingerprint(named)
  if (named !== undefined && key === undefined) return usage('--key is a fingerprint: 64 hexadecimal digits.')
  const from = textOption(context, 'since')
  const since = from === undefined ? undefined : Date.parse(from)
  if (since !== undefined && !(since >= 0)) return usage('--since is a time such as 2026-11-22T10:00:00Z.')
  const note = textOption(context, 'note') ?? ''
  if (note.length > 1000) return usage('--note has at most 1000 characters.')
  const revoked = await context.ask('keys.revoke', {
    reason,
    note,
    ...(key && { key }),
    ...(since !== undefined && { since })
  })
  if (!revoked.ok) return failureEnding(revoked.failure)
  const next =
    key === undefined
      ? '\n“evidence replace-key” creates a new key. Until then, packs are signed with the revoked one.'
      : ''
  return { exit: 'done', out: `${revoked.value?.path ?? ''}${next}` }
}

export async function replaceKey(context: Context): Promise<Ending> {
  const key = readFingerprint(textOption(context, 'confirm') ?? '')
  if (key === undefined) return usage('Name the current key: evidence replace-key --confirm FINGERPRINT')
  const team = await context.ask('team.state')
  if (team.ok && team.value?.team !== undefined)
    return {
      exit: 'failed',
      error:
        'The team knows this installation by the current key.\nNothing was changed.\nHave another supervisor remove it, run “team leave”, replace the key, and join again. If it is the only supervisor, make another member a supervisor first.'
    }
  const keys = await context.ask('keys.replace', { key })
  return keys.ok
    ? { exit: 'done', out: print(context.options['json'], keys.value, keys.value.map(line)) }
    : failureEnding(keys.failure)
}
