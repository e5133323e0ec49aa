/** Generated policy files on disk, each read by a console that starts: what they lock, or that they are refused as a whole. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { policyNames, policyOf, type PolicyValues } from '#contract/settings/policies.ts'
import { openPolicies, type Policies } from '#core/policies/policies.ts'
import { settingsOf } from '#core/policies/rules.ts'
import { openSettings } from '#core/settings/settings.ts'
import { fileReader } from '../../electron/hosts/node/policies/linux.ts'
import type { Measured, SectionRun } from '../figures/section.ts'
import { inProofFolder } from '../../tests/service/support/proof-folder.ts'
import { bent, seeded, type Random } from '../../tests/service/support/random.ts'

const clock = { now: () => Date.UTC(2026, 0, 1) }
/** Whose example is a valid value as it stands; that of the time-stamp authority has a shortened certificate. */
const names = policyNames.filter((name) => name !== 'TimestampAuthority')

const some = (random: Random): PolicyValues =>
  Object.fromEntries(names.filter(() => random(3) === 0).map((name) => [name, policyOf(name).example]))
const fileOf = (policies: object, version = 1): Buffer =>
  Buffer.from(JSON.stringify({ format: 'veridesk-policies', version, policies }))

/** Writes a file of one kind; returns the policies that must apply, or undefined if all must be refused. */
type Writer = (path: string, random: Random) => PolicyValues | undefined
const wholeFile =
  (mode: number): Writer =>
  (path, random) => {
    const chosen = { OrganisationName: 'Example Bank', ...some(random) }
    writeFileSync(path, fileOf(chosen))
    chmodSync(path, mode)
    return mode === 0o644 ? chosen : undefined
  }
const refused =
  (make: (random: Random) => Uint8Array): Writer =>
  (path, random) => {
    writeFileSync(path, make(random))
    return undefined
  }
const writers: readonly (readonly [string, Writer])[] = [
  ['valid', wholeFile(0o644)],
  [
    'valid, naming policies of a later version as well',
    (path, random) => {
      const chosen = { OrganisationName: 'Example Bank', ...some(random) }
      writeFileSync(path, fileOf({ ...chosen, [`Later${random(100)}`]: true }))
      return chosen
    }
  ],
  [
    'cut',
    refused((random) => {
      const whole = fileOf(some(random))
      return whole.subarray(0, random(whole.length))
    })
  ],
  [
    'one value of another type',
    refused((random) => fileOf({ ...some(random), [names[random(names.length)] ?? 'ProxyMode']: { wrong: true } }))
  ],
  ['of a newer version', refused((random) => fileOf(some(random), 2 + random(9)))],
  ['no JSON at all', refused((random) => bent(Buffer.alloc(20 + random(200), 0x7b), random))],
  ['writable by everyone', wholeFile(0o666)],
  ['writable by a group', wholeFile(0o664)],
  [
    'a symbolic link to a valid file',
    (path, random) => {
      writeFileSync(`${path}.target`, fileOf(some(random)))
      symlinkSync(`${path}.target`, path)
      return undefined
    }
  ]
]

/** What is wrong with the policies in force after a file was read, if anything. */
async function faultOf(
  policies: Policies,
  folder: string,
  wanted: PolicyValues | undefined
): Promise<string | undefined> {
  const settings = await openSettings({ folder, clock, policies })
  if (!wanted) {
    if (!policies.sendingRefusal()) return 'was not refused'
    return Object.keys(policies.settings()).length === 0 ? undefined : 'was applied in part'
  }
  if (policies.sendingRefusal()) return 'was refused'
  const expected = settingsOf(wanted)
  if (!isDeepStrictEqual(policies.settings(), expected)) return 'does not apply as it is written'
  for (const [name, value] of Object.entries(expected)) {
    if (!isDeepStrictEqual(settings.current()[name as keyof typeof expected], value)) return `does not set ${name}`
    const changed = await settings.change({ [name]: typeof value === 'number' ? value + 1 : null })
    if (changed.ok || changed.failure.code !== 'setting-managed') return `lets ${name} be changed`
  }
  return undefined
}

/** Reads each file as a start does. Errors: files that apply in part, that are ignored, or whose settings can be changed. */
export function provePolicies({ sized, progress }: SectionRun): Promise<Measured> {
  return inProofFolder(async (folder) => {
    const random = seeded(11)
    const times = Math.ceil(sized(10_000, 90) / writers.length)
    const faults: string[] = []
    const rows: (string | number)[][] = []
    for (const [kind, write] of writers) {
      let [applied, refusals] = [0, 0]
      for (let time = 0; time < times; time += 1) {
        const place = join(folder, 'place')
        const [etc, data] = [join(place, 'etc'), join(place, 'data')]
        for (const each of [etc, data]) mkdirSync(each, { recursive: true, mode: 0o755 })
        const path = join(etc, 'policies.json')
        const wanted = write(path, random)
        const policies = await openPolicies({
          reader: fileReader(path, [process.getuid?.() ?? 0]),
          folder: data,
          clock
        })
        const fault = await faultOf(policies, data, wanted)
        if (fault) faults.push(`a file that is ${kind} ${fault}`)
        else if (wanted) applied += 1
        else refusals += 1
        await policies.close()
        rmSync(place, { recursive: true })
      }
      rows.push([kind, times, applied, refusals, times - applied - refusals])
      progress(kind)
    }
    return {
      table: { columns: ['policy file', 'read', 'applied and locked', 'refused as a whole', 'wrong'], rows },
      faults
    }
  })
}
