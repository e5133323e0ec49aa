/** Whose countersignatures a pack has, and whether a second person gave them. */
import { must } from './canonical.mjs'

/** In `Name (account)`, the account says who it is. */
const accountIn = (name) => (typeof name === 'string' ? (/^[^()]+ \((.+)\)$/u.exec(name)?.[1] ?? name) : '')

/** Normalises a name for comparison: compatibility forms, case, white space and invisible characters do not matter. */
export const foldedName = (name) =>
  accountIn(name)
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^unknown$/, '')

/**
 * For each countersignature: `yes` if its name is none of those of the people who were involved, `unknown` if a name is
 * missing.
 */
export function secondPeople(countersignatures, names) {
  const involved = names.map(foldedName)
  return countersignatures
    .map(({ by }) => foldedName(by))
    .map((own) => (own === '' ? 'unknown' : involved.includes(own) ? 'no' : involved.includes('') ? 'unknown' : 'yes'))
}

/** The last countersignatures of a key; of two at the same time, both. */
export function lastOf(words) {
  const last = Math.max(...words.map(({ at }) => at))
  return words.filter(({ at }) => at === last)
}
const agreesLast = (words) => lastOf(words).every(({ agrees }) => agrees)

/** Refuses a pack if too few of the keys agree that the reader named. `keys` are the countersignatures' fingerprints. */
export function checkCountersigners(countersignatures, keys, { named, required }) {
  const stands = named.map((key) => {
    const words = countersignatures.filter((_, index) => keys[index] === key)
    return words.length === 0 ? `${key} did not countersign` : agreesLast(words) ? undefined : `${key} does not agree`
  })
  const against = stands.filter((why) => why !== undefined)
  must(
    named.length - against.length >= required,
    `Of the keys of countersigners that you named, ${named.length - against.length} agree and ${required} must: ${against.join('; ')}.`
  )
}

/**
 * How many second persons agree, of those whose key counts: several keys under one name are one person.
 *
 * @param counts Whether the key of the countersignature at an index counts.
 */
export function agreeingPeople(countersignatures, people, counts) {
  const all = countersignatures
    .map((words, index) => ({ ...words, person: people[index], counts: counts(index) }))
    .filter((each) => each.counts)
  const agreeing = [...new Set(all.map(({ key }) => key))]
    .map((key) => lastOf(all.filter((each) => each.key === key)))
    .filter((words) => words.every(({ agrees, person }) => agrees && person === 'yes'))
  return new Set(agreeing.map(([{ by }]) => foldedName(by))).size
}
