/**
 * Four-eyes approval requires two people. A different key shows that an answer comes from another keychain; whether its
 * name is that of another person is decided here, for answering and for receiving an answer.
 */
import { foldedName, type SecondPerson } from './evidence.ts'

/**
 * Whether somebody's name differs from those of everyone involved in what they approve.
 *
 * @param names Names of those involved; null if withheld.
 */
export function secondPerson(by: string, names: readonly (string | null)[]): SecondPerson {
  const folded = names.map((name) => foldedName(name ?? ''))
  const own = foldedName(by)
  if (own !== '' && folded.includes(own)) return 'no'
  return own === '' || folded.includes('') ? 'unknown' : 'yes'
}
