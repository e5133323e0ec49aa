/**
 * `recovery.sealed`: the history's master key encrypted with the recovery key, in the history folder and in each
 * backup. The recovery key itself is not stored anywhere; only the user has it, on paper.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { ownFileBytes, readRegular } from '#wire/files/regular.ts'
import { writeAtomically } from '#wire/files/write.ts'
import { escrowSchema, sealEscrow } from './escrow.ts'
import { recoveryCode } from './recovery-code.ts'
import { recoveryFileName } from '#core/history/copy-folders.ts'

const format = 'veridesk-recovery'
const sealedSchema = z.strictObject({
  format: z.literal(format),
  version: z.literal(1),
  createdAt: z.int().nonnegative(),
  /** When the user confirmed having a copy of the key. Not authenticated: a reminder, not a proof. */
  confirmedAt: z.int().nonnegative().optional(),
  /** The recovery key, sealed for the organisation. */
  escrow: escrowSchema.optional(),
  nonce: z.string().regex(/^[0-9a-f]{24}$/),
  sealed: z.string().regex(/^[0-9a-f]{96}$/)
})
export type RecoveryFile = z.output<typeof sealedSchema>

const sealingKey = (recoveryKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', recoveryKey, Buffer.alloc(0), 'veridesk/recovery/master-key', 32))
const bound = (createdAt: number): Buffer => Buffer.from(`${format}/1/${createdAt}`, 'utf8')

/** Reads the file of a folder; undefined if it is missing or unreadable. */
export async function readRecovery(folder: string): Promise<RecoveryFile | undefined> {
  try {
    return sealedSchema.parse(JSON.parse(String(await readRegular(join(folder, recoveryFileName), ownFileBytes))))
  } catch {
    return undefined
  }
}

/** What policies ask of the recovery key, read before each request: whether somebody confirmed a copy, and for whose key it is sealed. */
export function recoveryFacts(folder: string): { readonly confirmed: boolean; readonly escrowedFor?: string } {
  try {
    const { confirmedAt, escrow } = sealedSchema.parse(JSON.parse(readFileSync(join(folder, recoveryFileName), 'utf8')))
    return { confirmed: confirmedAt !== undefined, ...(escrow && { escrowedFor: escrow.key }) }
  } catch {
    return { confirmed: false }
  }
}

/**
 * Creates a recovery key and writes the file; the previous recovery key no longer opens anything.
 *
 * @param escrowTo The organisation's public key (PEM), for which it is sealed as well.
 * @returns The code, to be shown once. Failures: those of `writeAtomically`.
 */
export async function createRecovery(
  folder: string,
  masterKey: Uint8Array,
  createdAt: number,
  escrowTo?: string
): Promise<Result<string, Failure>> {
  const recoveryKey = randomBytes(32)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(recoveryKey), nonce)
  cipher.setAAD(bound(createdAt))
  const sealed = Buffer.concat([cipher.update(masterKey), cipher.final(), cipher.getAuthTag()])
  const code = recoveryCode(recoveryKey)
  const file: RecoveryFile = {
    format,
    version: 1,
    createdAt,
    ...(escrowTo !== undefined && { escrow: sealEscrow(escrowTo, createdAt, code) }),
    nonce: nonce.toString('hex'),
    sealed: sealed.toString('hex')
  }
  const written = await writeAtomically(join(folder, recoveryFileName), `${JSON.stringify(file, null, 2)}\n`)
  return written.ok ? ok(code) : written
}

/**
 * Records that a copy of the key created at `createdAt` exists. Returns false, without writing, if another key was
 * created since.
 */
export async function confirmRecovery(
  folder: string,
  createdAt: number,
  at: number
): Promise<Result<boolean, Failure>> {
  const file = await readRecovery(folder)
  if (file?.createdAt !== createdAt) return ok(false)
  if (file.confirmedAt !== undefined) return ok(true)
  const written = await writeAtomically(
    join(folder, recoveryFileName),
    `${JSON.stringify({ ...file, confirmedAt: at }, null, 2)}\n`
  )
  return written.ok ? ok(true) : written
}

/** Decrypts the master key, 32 bytes that the caller zeroes; undefined if this recovery key does not open the file. */
export function openRecovery(file: RecoveryFile, recoveryKey: Buffer): Buffer | undefined {
  const sealed = Buffer.from(file.sealed, 'hex')
  try {
    const decipher = createDecipheriv('aes-256-gcm', sealingKey(recoveryKey), Buffer.from(file.nonce, 'hex'))
    decipher.setAAD(bound(file.createdAt))
    decipher.setAuthTag(sealed.subarray(32))
    // In this mode the first call returns everything; the second verifies it.
    const key = decipher.update(sealed.subarray(0, 32))
    decipher.final()
    return key
  } catch {
    return undefined
  }
}
