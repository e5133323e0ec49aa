/** Sources that have names and values but no envelope: the registry and a configuration profile. Pure. */
import { policyVersion, policyVersionName } from '#contract/settings/policies.ts'
import type { PolicyFound } from '#core/ports/policies.ts'
import { unusable } from './json-file.ts'

/** Removes the version from the values; one that is newer or no number makes all of them unusable. */
export function ofKnownVersion(all: Readonly<Record<string, unknown>>): PolicyFound {
  const { [policyVersionName]: version = policyVersion, ...values } = all
  if (typeof version === 'number' && version > policyVersion) return unusable({ reason: 'newer' })
  return version === policyVersion
    ? { kind: 'values', values }
    : unusable({ reason: 'policy', policy: policyVersionName })
}
