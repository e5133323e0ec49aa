/**
 * What a test run requires, by `VERIDESK_REQUIRE` (`keyring`, `electron`, `postgresql`, `orca`, separated by commas): if it is
 * missing, its tests fail instead of being skipped. Without the variable they are skipped.
 */
import { SetupProblem } from './ground.mjs'

const known = ['keyring', 'electron', 'postgresql', 'orca']

/**
 * The names in the environment variable.
 * @returns {ReadonlySet<string>}
 * @throws SetupProblem for an unknown name: a misspelt one would require nothing.
 */
export function requiredParts(environment = process.env) {
  const names = (environment.VERIDESK_REQUIRE ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown)
    throw new SetupProblem(
      `VERIDESK_REQUIRE names “${unknown}”, which is nothing that can be required.`,
      `Choose from: ${known.join(', ')}`
    )
  return new Set(names)
}

/**
 * The row of a stage that did not run because a requirement is missing.
 *
 * @param {string} name Of the stage. @param {'keyring' | 'electron'} part The missing part. @param {string} reason
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
