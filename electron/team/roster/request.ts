/** What an installation says of itself when it asks to be admitted, signed with its own identity key. */
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { teamNameForm } from '#contract/team/team.ts'
import { bytesFit, keyOfSigner, signBytes } from '#wire/evidence/keys.ts'
import { signedBytes } from '#wire/evidence/dsse.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'

const requestType = 'application/vnd.veridesk.team-request+json'

const hex = (bytes: number): z.ZodString => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))
export const installationSchema = hex(16)
export const keySchema = hex(32)
export const signatureSchema = hex(64)

export const applicationSchema = z.strictObject({
  /** Public identity key (Ed25519). */
  identity: keySchema,
  installation: installationSchema,
  /** Public mailbox key (X25519). */
  mailbox: keySchema,
  name: z.string().min(1).max(100).regex(teamNameForm)
})
/** Who asks to be admitted, and with which keys. */
export type Application = z.output<typeof applicationSchema>

const bytesOf = (team: string, { identity, installation, mailbox, name }: Application): Buffer =>
  signedBytes(requestType, Buffer.from(canonical({ identity, installation, mailbox, name, team }), 'utf8'))

/** Makes a request of what an installation says of itself. @returns The request's signature, hex. */
export const signRequest = (team: string, application: Application, key: KeyObject): string =>
  signBytes(key, bytesOf(team, application)).toString('hex')

/** The application of this installation. */
export const applicationOf = (key: KeyObject, parts: Omit<Application, 'identity'>): Application => ({
  ...parts,
  identity: keyOfSigner(key)
})

/** Whether the owner of the identity key asked to be admitted to this team with this mailbox and name. */
export const requestFits = (team: string, application: Application, signature: string): boolean =>
  bytesFit(application.identity, bytesOf(team, application), Buffer.from(signature, 'hex'))
