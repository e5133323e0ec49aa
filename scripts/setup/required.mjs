/**
 * What a run of the tests may not do without, by `VERIDESK_REQUIRE` (`keyring`, `electron`, or both with a comma): where
 * that is missing, its tests fail instead of being skipped. Without it a machine tests what it can.
 */
import { SetupProblem } from './ground.mjs'

const known = ['keyring', 'electron']

/**
 * The names that the environment asks for.
 * @returns {ReadonlySet<string>}
 * @throws SetupProblem for a name that nobody knows: a misspelt one would ask for nothing.
 */
export function requiredParts(environment = process.env) {
  const names = (environment.VERIDESK_REQUIRE ?? '').split(',').map((name) => name.trim()).filter(Boolean)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown) throw new SetupProblem(`VERIDESK_REQUIRE names “${unknown}”, which is nothing that can be required.`, `Choose from: ${known.join(', ')}`)
  return new Set(names)
}

/**
 * The row of a stage that did not run, because what it needs is missing.
 *
 * @param {string} name Of the stage. @param {'keyring' | 'electron'} part What is missing. @param {string} reason
 * @param {ReadonlySet<string>} required
 */
export function withoutPart(name, part, reason, required) {
  const isRequired = required.has(part)
  return {
    name,
    note: `${isRequired ? 'required, and missing' : 'skipped'}: no ${part} (${reason})`,
    passed: 0,
    failed: isRequired ? 1 : 0,
    skipped: isRequired ? 0 : 1,
    failures: isRequired ? [{ name, reason: `VERIDESK_REQUIRE asks for ${part}, which is missing: ${reason}.` }] : [],
    seconds: 0
  }
}
