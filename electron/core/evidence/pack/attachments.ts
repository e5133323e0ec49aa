/** Files that belong to a pack: the signed content has their size and hash. */
import { createHash } from 'node:crypto'
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { finding } from '../refusal.ts'
import type { Attachment } from './pack.ts'

export const attachmentOf = (name: string, file: Uint8Array): Attachment => ({
  bytes: file.length,
  name,
  sha256: createHash('sha256').update(file).digest('hex')
})

/** Whether a file that the reader gives is one of a pack's. */
export function attachmentFinding(attachments: readonly Attachment[], name: string, file: Uint8Array): EvidenceFinding {
  const { bytes, sha256 } = attachmentOf(name, file)
  const same = attachments.find((each) => each.sha256 === sha256 && each.bytes === bytes)
  if (same) return finding('attachment-right', { name })
  return attachments.some((each) => each.name === name)
    ? finding('attachment-wrong', { name })
    : finding('attachment-unknown', { name })
}
