/** The two files that people exchange when one joins: the invitation, and the newcomer’s request. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { teamDatabaseSchema } from '#contract/team/team.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { isCode, isFingerprint, knownWords, wordCount, wordsIn } from '#team/roster/safety-words.ts'
import { applicationSchema, keySchema, requestFits, signatureSchema, type Application } from '#team/roster/request.ts'
import { jsonOf } from '#kit/hashing/json.ts'

const invitationSchema = z.strictObject({
  format: z.literal('veridesk-team-invitation'),
  version: z.literal(1),
  /** Fingerprint of the team. It is compared by its words: whoever can change the file could name another team. */
  team: keySchema,
  /** Opens the list of members in the database. It protects names and roles, not who is a member. */
  rosterKey: keySchema,
  database: teamDatabaseSchema
})
export type Invitation = Omit<z.output<typeof invitationSchema>, 'format' | 'version'>

const requestSchema = z.strictObject({
  format: z.literal('veridesk-team-request'),
  version: z.literal(1),
  team: keySchema,
  member: applicationSchema,
  request: signatureSchema
})
export interface JoinRequest {
  readonly member: Application
  /** The newcomer’s signature. */
  readonly request: string
}

export const invitationText = (invitation: Invitation): string =>
  `${JSON.stringify({ format: 'veridesk-team-invitation', version: 1, ...invitation }, null, 2)}\n`

/** Failure: `team-file-refused`. */
export function parseInvitation(text: string): Result<Invitation, Failure> {
  const read = invitationSchema.safeParse(jsonOf(text))
  if (!read.success) return failed('team-file-refused', { reason: 'invitation' })
  const { team, rosterKey, database } = read.data
  return ok({ team, rosterKey, database })
}

export const requestText = (team: string, { member, request }: JoinRequest): string =>
  `${JSON.stringify({ format: 'veridesk-team-request', version: 1, team, member, request }, null, 2)}\n`

/** Reads a request to join a team, and verifies the newcomer’s signature. Failure: `team-file-refused`. */
export function parseRequest(text: string, team: string): Result<JoinRequest, Failure> {
  const read = requestSchema.safeParse(jsonOf(text))
  if (!read.success) return failed('team-file-refused', { reason: 'request' })
  if (read.data.team !== team) return failed('team-file-refused', { reason: 'team' })
  const { member, request } = read.data
  return requestFits(team, member, request)
    ? ok({ member, request })
    : failed('team-file-refused', { reason: 'signature' })
}

/** What a newcomer and a supervisor compare: a fingerprint of the newcomer’s name and keys, for this team. */
export const requestFingerprint = (team: string, member: Application): string =>
  createHash('sha256')
    .update(`veridesk/team/request/1\0${canonical({ ...member, team })}`, 'utf8')
    .digest('hex')

/** Why words that a person was told are not those of a fingerprint. */
export function wordsFault(told: string, fingerprint: string): Failure | undefined {
  if (isFingerprint(told, fingerprint)) return undefined
  const words = wordsIn(told)
  const number = knownWords(words)
  return isCode(told) || (words.length === wordCount && number === wordCount)
    ? failure('team-words-differ')
    : failure('team-words-incomplete', { count: words.length, number })
}
