/** Who has acknowledged an erasure, for its receipt. Pure. */
import type { TeamErasureAt } from '#contract/team/erasures.ts'
import type { CarriedOutBy } from './known.ts'

/** @param members Members and former members, of which the former have the role `removed`. */
export function acknowledgements(
  members: readonly { readonly installation: string; readonly name: string; readonly role: string }[],
  own: string,
  carriedOut: readonly CarriedOutBy[]
): readonly TeamErasureAt[] {
  const when = new Map(carriedOut.map(({ by, at }) => [by, at]))
  return members
    .filter(({ installation }) => installation !== own)
    .map(({ installation, name, role }) => {
      const at = when.get(installation)
      if (at !== undefined) return { installation, name, state: 'acknowledged', at }
      return { installation, name, state: role === 'removed' ? 'removed' : 'pending' }
    })
}
