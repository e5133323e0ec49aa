/** The managed preferences of macOS: what a configuration profile of a device or of a user sets. */
import { preferenceDomain } from '#contract/settings/policies.ts'
import type { PolicyPlace, PolicyReader, PolicyFound } from '#core/ports/policies.ts'
import { runTool } from './tool.ts'
import { readTrusted } from './trusted-file.ts'
import { poll } from './watch.ts'
import { z } from 'zod'
import { maxPolicyBytes, unusable } from '../../../core/policies/json-file.ts'
import { ofKnownVersion } from '../../../core/policies/named-values.ts'

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

const folder = '/Library/Managed Preferences'
const plutil = '/usr/bin/plutil'
const root = 0

async function placeAt(path: string): Promise<PolicyPlace> {
  const file = await readTrusted(path, [root])
  if (file.kind !== 'bytes') return { place: path, by: 'Veridesk', found: file }
  // The bytes that were examined, not the path: the file may have been replaced.
  const converted = await runTool(plutil, ['-convert', 'json', '-o', '-', '-'], { input: file.bytes })
  if (converted.code === null)
    return { place: path, by: 'plutil', found: { kind: 'unusable', fault: { reason: 'tool', tool: 'plutil' } } }
  return {
    place: path,
    by: 'plutil',
    found:
      converted.code === 0 ? policiesInProfile(converted.out) : { kind: 'unusable', fault: { reason: 'not-plist' } }
  }
}

/** @param user Name of the user, whose own profile comes second. */
export function profileReader(user: string): PolicyReader {
  const names = /^[\w.-]+$/.test(user) ? [`${folder}/${user}/${preferenceDomain}.plist`] : []
  return {
    read: () => Promise.all([`${folder}/${preferenceDomain}.plist`, ...names].map(placeAt)),
    watch: poll,
    confirmAfter: 3000
  }
}
