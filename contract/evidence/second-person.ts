/**
 * Four-eyes approval requires two people. A different key shows that a countersignature comes from another keychain;
 * whether its name is that of another person is decided here, for countersigning, importing and verifying.
 * `verify.mjs` does the same independently; docs/evidence-format.md has the rule.
 */
import { foldedName, type SecondPerson } from './evidence.ts'

/**
 * Whether a countersigner's name differs from those of everyone involved in the case.
 *
 * @param names Names of those involved; null if withheld.
 */
export function secondPerson(by: string, names: readonly (string | null)[]): SecondPerson {
  const folded = names.map((name) => foldedName(name ?? ''))
  const own = foldedName(by)
  if (own !== '' && folded.includes(own)) return 'no'
  return own === '' || folded.includes('') ? 'unknown' : 'yes'
}
