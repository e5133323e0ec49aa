/** From what the sources contain to one set of policies: valid as a whole, or not used at all. Pure. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { isPolicyName, policyNames, policyOf, type PolicyName, type PolicyValues } from '#contract/settings/policies.ts'
import { proxyAddressFault } from '#contract/connections/proxy-address.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { escrowKey } from '#core/backup/escrow.ts'
import { areCertificates } from '#core/files/pem.ts'
import type { PolicyFault, PolicyPlace } from '#core/ports/policies.ts'

/** Policies in force. Never changed: another reading makes another set. */
export interface PolicySet {
  readonly values: PolicyValues
  /** Where each value comes from. */
  readonly places: Readonly<Partial<Record<PolicyName, string>>>
  /** Names that this version does not know. They have no effect and are reported. */
  readonly unknown: readonly string[]
}

export const noPolicies: PolicySet = { values: {}, places: {}, unknown: [] }

/** Why the sources cannot be used. */
export interface Unusable {
  readonly place: string
  readonly fault: PolicyFault
}

/** What a schema cannot say: an address without password, certificates and keys that can be read. */
const checks: Readonly<{ [Name in PolicyName]?: (value: NonNullable<PolicyValues[Name]>) => boolean }> = {
  ProxyUrl: (url) => proxyAddressFault(url) === undefined,
  RecoveryKeyEscrow: (pem) => escrowKey(pem) !== undefined,
  TimestampAuthority: ({ certificates }) => areCertificates(certificates)
}

/** The value of one policy by its schema; undefined if it is invalid. */
function valid(name: PolicyName, value: unknown): { readonly value: unknown } | undefined {
  const parsed = policyOf(name).schema.safeParse(value)
  const check = checks[name] as ((value: unknown) => boolean) | undefined
  return parsed.success && check?.(parsed.data) !== false ? { value: parsed.data } : undefined
}

/**
 * Combines all sources: for each policy the first source that sets it counts. If anything in any source is unusable,
 * nothing of any source is used.
 */
export function understand(sources: readonly PolicyPlace[]): Result<PolicySet, Unusable> {
  const values: Partial<Record<PolicyName, unknown>> = {}
  const places: Partial<Record<PolicyName, string>> = {}
  const unknown = new Set<string>()
  for (const { place, found } of sources) {
    if (found.kind === 'unusable') return fail({ place, fault: found.fault })
    if (found.kind === 'none') continue
    for (const [name, value] of Object.entries(found.values)) {
      if (!isPolicyName(name)) {
        unknown.add(name)
        continue
      }
      // A value that another source overrides must be valid as well: it applies as soon as the other is gone.
      const checked = valid(name, value)
      if (!checked) return fail({ place, fault: { reason: 'policy', policy: name } })
      if (places[name] !== undefined) continue
      values[name] = checked.value
      places[name] = place
    }
  }
  return ok({ values: inOrder(values) as PolicyValues, places: inOrder(places), unknown: [...unknown].sort() })
}

/** In the order of the table, so that equal sets have equal texts. */
const inOrder = <T>(by: Partial<Record<PolicyName, T>>): Partial<Record<PolicyName, T>> =>
  Object.fromEntries(policyNames.filter((name) => by[name] !== undefined).map((name) => [name, by[name]]))

/** Maximum characters of the unknown names in a notice. */
const maxNames = 200

/** The notice for names that this version does not know. */
export function unknownNotice({ unknown }: PolicySet): Failure | undefined {
  if (unknown.length === 0) return undefined
  const names = unknown.join(', ')
  return failure('policies-unknown', { names: names.length > maxNames ? `${names.slice(0, maxNames)}…` : names })
}
