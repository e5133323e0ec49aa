/** The policy file of Linux: `{ "format": "veridesk-policies", "version": 1, "policies": { … } }`. Pure. */
import { z } from 'zod'
import { policyFormat, policyVersion } from '#contract/settings/policies.ts'
import type { PolicyFault, PolicyFound } from '#core/ports/policies.ts'

/** Policy files are small; a larger one is a mistake. */
export const maxPolicyBytes = 1024 * 1024

const envelopeSchema = z.strictObject({
  format: z.literal(policyFormat),
  version: z.literal(policyVersion),
  policies: z.record(z.string(), z.unknown())
})
/** A newer version may have changed even the envelope, so its number is read first. */
const newerSchema = z.looseObject({ format: z.literal(policyFormat), version: z.int().min(policyVersion + 1) })

export const unusable = (fault: PolicyFault): PolicyFound => ({ kind: 'unusable', fault })

/** The values in the bytes of a policy file. */
export function policiesInFile(bytes: Uint8Array): PolicyFound {
  if (bytes.byteLength > maxPolicyBytes) return unusable({ reason: 'too-large' })
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return unusable({ reason: 'not-text' })
  }
  if (text.trim() === '') return unusable({ reason: 'empty' })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return unusable({ reason: 'not-json' })
  }
  if (newerSchema.safeParse(json).success) return unusable({ reason: 'newer' })
  const envelope = envelopeSchema.safeParse(json)
  // Parsed by zod, which drops a “__proto__” that JSON may contain.
  return envelope.success
    ? { kind: 'values', values: envelope.data.policies }
    : unusable({ reason: 'other-format', format: policyFormat })
}
