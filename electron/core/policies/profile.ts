/** A managed preference file of macOS, converted to JSON by the system's `plutil`. Pure. */
import { z } from 'zod'
import type { PolicyFound } from '#core/ports/policies.ts'
import { maxPolicyBytes, unusable } from './json-file.ts'
import { ofKnownVersion } from './named-values.ts'

const dictionarySchema = z.record(z.string(), z.unknown())

/** Keys that the system adds to a managed preference file. */
const ofSystem = /^(?:PayloadUUID|PfmManaged|_manualProfile|com\.apple\.)/

/**
 * The values in the JSON of a managed preference file.
 *
 * @param json What `plutil -convert json` prints: `true` and `false` for booleans, numbers for integers and reals.
 */
export function policiesInProfile(json: string): PolicyFound {
  if (json.length > maxPolicyBytes) return unusable({ reason: 'too-large' })
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return unusable({ reason: 'not-plist' })
  }
  const dictionary = dictionarySchema.safeParse(parsed)
  if (!dictionary.success) return unusable({ reason: 'not-plist' })
  return ofKnownVersion(Object.fromEntries(Object.entries(dictionary.data).filter(([name]) => !ofSystem.test(name))))
}
