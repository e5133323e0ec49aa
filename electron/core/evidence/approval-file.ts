/**
 * Answers to requests for approval in files: what travels through a team, signed as a whole, so that the note cannot be
 * changed either. docs/evidence-format.md, "Approvals".
 */
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { maxNoteLength } from '#contract/applicants/applicants.ts'
import { maxApprovalText } from '#contract/evidence/evidence.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { jsonOf } from '#kit/hashing/json.ts'
import { isAnswerSignedBy } from '#wire/evidence/approval-signature.ts'
import { envelopeFits, envelopeForm, sealEnvelope } from '#wire/evidence/dsse.ts'
import { fingerprintOf, isWorthless } from '#wire/evidence/keys.ts'
import type { ArrivedAnswer } from '#wire/history/approvals.ts'

const approvalType = 'application/vnd.veridesk.approval+json'

/** Everything about an answer but whom it concerns: the request says that. */
export type FiledAnswer = Omit<ArrivedAnswer, 'applicantId' | 'void'>

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))
const named = z.tuple([hex(16), z.int().positive(), hex(32)])
const answerSchema = z.strictObject({
  agrees: z.boolean(),
  answer: named,
  asked: named,
  at: z.int().min(-8.64e15).max(8.64e15),
  by: z.string().max(500),
  note: z.string().max(maxNoteLength),
  salt: hex(16),
  scope: hex(32),
  signature: hex(64),
  signer: hex(32)
})

/** The text of an answer's file: an envelope, canonical, and a line feed. @param key That of its signer. */
export const approvalText = (answer: FiledAnswer, key: KeyObject): string =>
  `${canonical(sealEnvelope(approvalType, canonical(answer), key))}\n`

/** Reads an answer. Failure: `form` if it is none in its canonical form, `signature` if a signature is not valid. */
export function readApproval(text: string): Result<FiledAnswer, 'form' | 'signature'> {
  if (text.length > maxApprovalText) return fail('form')
  const envelope = envelopeForm(approvalType).safeParse(jsonOf(text))
  if (!envelope.success || `${canonical(envelope.data)}\n` !== text) return fail('form')
  const bytes = Buffer.from(envelope.data.payload, 'base64')
  const read = answerSchema.safeParse(jsonOf(bytes.toString('utf8')))
  if (!read.success || !Buffer.from(canonical(read.data)).equals(bytes)) return fail('form')
  const { signer, signature } = read.data
  const isSigned =
    !isWorthless(signer) &&
    envelope.data.signatures[0].keyid === fingerprintOf(signer) &&
    envelopeFits(envelope.data, signer) &&
    isAnswerSignedBy(signer, read.data, signature)
  return isSigned ? ok(read.data) : fail('signature')
}
