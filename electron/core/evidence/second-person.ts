/**
 * Four-eyes approval asks for two people. A key of its own shows that a countersignature comes from another keychain;
 * whether its name is that of another person is decided here, for countersigning, for importing and for verifying.
 * `verifier/verify.mjs` does the same without a line of this one; docs/evidence-format.md has the rule.
 */
import type { SecondPerson } from '#contract/evidence.ts'
import type { Pack, PackEvent } from './pack.ts'

/**
 * A name for comparing: compatibility forms, capital letters, white space and signs that cannot be seen make no
 * difference. Empty where the name says nothing, as where the operating system gave none.
 */
export function foldedName(name: string): string {
  const visible = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const folded = visible.toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim()
  return folded === 'unknown' ? '' : folded
}

/**
 * Whether a countersigner's name differs from those of everyone who had a hand in the case.
 *
 * @param names Of those who made it; null where the name is withheld.
 */
export function secondPerson(by: string, names: readonly (string | null)[]): SecondPerson {
  const folded = names.map((name) => foldedName(name ?? ''))
  const own = foldedName(by)
  if (own !== '' && folded.includes(own)) return 'no'
  return own === '' || folded.includes('') ? 'unknown' : 'yes'
}

/** The operator of an event that is shown whole or gives the name singly; null where the name is withheld. */
function operatorOf({ plain, fields }: PackEvent): string | null {
  const name = plain === null ? fields.find((field) => field.name === 'plain.operator')?.value : (JSON.parse(plain) as { operator?: unknown }).operator
  return typeof name === 'string' ? name : null
}

/** Who made a pack, and who made the decision that stands in it, where there is one. */
export function makersOf({ content }: Pack): (string | null)[] {
  const decision = content.events.findLast(({ kind }) => kind === 'decision.made')
  return [content.made.by, ...(decision ? [operatorOf(decision)] : [])]
}
