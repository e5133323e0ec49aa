/**
 * What an installation keeps of its team: `team.json` in the data folder, and one value in the keychain. The file has no
 * secret; it remembers the last entry of the list of members, so that nobody can show an older list.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { teamDatabaseSchema } from '#contract/team/team.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import { peekVersioned, writeVersioned, type VersionedFile } from '#core/files/versioned.ts'
import { codeOf } from '#wire/files/write.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { mailboxText, parseMailbox, type Mailbox } from '#team/keys/mailbox.ts'
import { installationSchema, keySchema } from '#team/roster/request.ts'
import { jsonOf } from '#kit/hashing/json.ts'

type Answer<T> = Promise<Result<T, Failure>>

const savedSchema = z.strictObject({
  installation: installationSchema,
  /** What follows is there once a team is created or joined. */
  name: z.string().optional(),
  database: teamDatabaseSchema.optional(),
  team: keySchema.optional(),
  /** The last entry of the list of members that was verified. */
  head: z.strictObject({ height: z.int().min(1), hash: keySchema }).optional(),
  /** IDs of connections whose checks stay here; nothing is shared before there is a list. */
  kept: z.array(z.string().max(64)).max(1000).optional()
})
export type SavedTeam = z.output<typeof savedSchema>

const fileOf = (dataFolder: string): VersionedFile<SavedTeam | undefined> => ({
  path: join(dataFolder, ownFiles.team),
  format: 'veridesk-team',
  version: 1,
  schema: savedSchema.optional(),
  defaults: undefined,
  now: 0
})

/** Undefined without a team. Failures: those of `peekVersioned`; nothing of a team is done with a damaged file. */
export const readTeam = (dataFolder: string): Result<SavedTeam | undefined, Failure> =>
  peekVersioned(fileOf(dataFolder))

/** Failures: those of `writeAtomically`. */
export const saveTeam = (dataFolder: string, saved: SavedTeam): Answer<null> =>
  writeVersioned(fileOf(dataFolder), saved)

export interface TeamSecrets {
  /** Of the installation’s role in the database. */
  readonly password: string
  /** The key of the list of members, 64 hex digits: from the invitation. */
  readonly rosterKey?: string | undefined
  readonly mailbox?: Mailbox | undefined
  /** The mailbox that replaces it, from before it is announced until it is. */
  readonly next?: Mailbox | undefined
  /** The key of the file of received events, 64 hex digits. */
  readonly received?: string | undefined
  /** The team's recovery key, 64 hex digits, from before the team is created until it was shown: nobody else has it. */
  readonly recovery?: string | undefined
}

const secretsSchema = z.strictObject({
  password: z.string().min(1),
  rosterKey: keySchema.optional(),
  mailbox: z.string().optional(),
  next: z.string().optional(),
  received: keySchema.optional(),
  recovery: keySchema.optional()
})

/** An installation’s number is its own, so data folders of one user do not share this. */
const accountOf = (installation: string): string => `team/${installation}`

/** The keychain's account of the team's keys; undefined without a team. */
export function accountOfTeam(dataFolder: string): string | undefined {
  const saved = readTeam(dataFolder)
  return saved.ok && saved.value ? accountOf(saved.value.installation) : undefined
}

/** Failures: the keychain’s; `team-keys-lost` if its value is missing or cannot be read. */
export async function readSecrets(keychain: SecretStore, installation: string): Answer<TeamSecrets> {
  const found = await keychain.get(accountOf(installation))
  if (!found.ok) return found
  const read = secretsSchema.safeParse(jsonOf(found.value ?? ''))
  if (!read.success) return failed('team-keys-lost')
  const { password, rosterKey, received, recovery } = read.data
  const [mailbox, next] = [read.data.mailbox, read.data.next].map((text) =>
    text === undefined ? ok(undefined) : parseMailbox(text)
  )
  if (!mailbox?.ok || !next?.ok) return failed('team-keys-lost')
  return ok({ password, rosterKey, mailbox: mailbox.value, next: next.value, received, recovery })
}

/** Writes the secrets and reads them back: what they open cannot be had again. Failures: the keychain’s. */
export async function saveSecrets(
  keychain: SecretStore,
  installation: string,
  { password, rosterKey, mailbox, next, received, recovery }: TeamSecrets
): Answer<null> {
  const text = JSON.stringify({
    password,
    rosterKey,
    mailbox: mailbox && mailboxText(mailbox),
    next: next && mailboxText(next),
    received,
    recovery
  })
  const written = await keychain.set(accountOf(installation), text)
  if (!written.ok) return written
  const back = await keychain.get(accountOf(installation))
  if (!back.ok) return back
  return back.value === text ? ok(null) : failed('keychain-denied')
}

/** Deletes the secrets first: a file without them is useless, and says so. Failures: the keychain’s, `settings-locked`. */
export async function forgetTeam(dataFolder: string, keychain: SecretStore, installation: string): Answer<null> {
  const removed = await keychain.remove(accountOf(installation))
  if (!removed.ok) return removed
  try {
    await rm(fileOf(dataFolder).path, { force: true })
    return ok(null)
  } catch (error) {
    return failed('settings-locked', { file: ownFiles.team, errno: codeOf(error) })
  }
}
