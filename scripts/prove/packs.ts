/** Evidence packs from the console: accepted unchanged, refused after any change. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EvidenceAbout } from '#contract/evidence.ts'
import { checkPack } from '#core/evidence/check.ts'
import type { Measured, SectionRun } from '../figures/section.ts'
import { answer } from '../../tests/service/history-fixtures.ts'
import { check, countersignedPack, evidenceWorkspace, furnish, loadVerifier, person, savedPack, verifier } from '../../tests/service/evidence-workspace.ts'
import { forgeries } from '../../tests/service/evidence-forgeries.ts'
import { honestPacks } from '../../tests/service/evidence-honest.ts'
import { mutants, refuseMutants } from '../../tests/service/evidence-mutants.ts'
import { inProofFolder } from './proof-folder.ts'

const profiles = ['full', 'no-personal-data', 'for-applicant'] as const
/** Verifications whose unchanged packs must all be accepted. */
const checks = 100
/** Changed packs that are also passed to `node verify.mjs` as files. */
const asFiles = 200

/** The exit status of the verifier for an unchanged pack whose key is not compared. */
const intact = 3

/** The exit status of the verifier as an auditor runs it, independent of this application. */
const statusOf = (path: string): number | null => spawnSync(process.execPath, [verifier, path], { env: {} }).status

const row = (name: string, tried: number, refused: number): (string | number)[] => [name, tried, tried - refused, refused]

/**
 * Changes packs 10,000 times. Errors: unchanged packs that are refused, and changed or forged ones that are accepted.
 */
export const provePacks = ({ sized, progress }: SectionRun): Promise<Measured> =>
  inProofFolder(async (folder) => {
    const times = sized(10_000)
    const { verifyPack } = await loadVerifier()
    const [first, second] = [await evidenceWorkspace(folder, 'first.person'), await evidenceWorkspace(folder, 'second.person')]
    const faults: string[] = []
    const refusedFiles: string[] = []
    const untouched: string[] = []
    const make = async (about: EvidenceAbout, profile: (typeof profiles)[number]): Promise<string> => {
      const { path, text } = await savedPack(first, folder, about, profile)
      untouched.push(text)
      if (!checkPack(text).verified) faults.push(`untouched, ${about.kind}, ${profile}: refused by the console`)
      if (!(await verifyPack(text)).verified) faults.push(`untouched, ${about.kind}, ${profile}: refused by the verifier`)
      return path
    }
    try {
      const recordId = await furnish(first)
      let files = 0
      for (const about of [{ kind: 'record', id: recordId }, { kind: 'applicant', id: person }] as const) {
        for (const profile of profiles) {
          const path = await make(about, profile)
          files += 1
          if (statusOf(path) !== intact) refusedFiles.push(`untouched, ${about.kind}, ${profile}: verify.mjs did not end with ${intact}`)
        }
      }
      const countersigned = await countersignedPack(second, folder, await make({ kind: 'applicant', id: person }, 'full'))
      untouched.push(readFileSync(countersigned, 'utf8'))
      files += 1
      if (statusOf(countersigned) !== intact) refusedFiles.push(`untouched, countersigned: verify.mjs did not end with ${intact}`)
      const packs = [...untouched]
      for (let n = 0; n < checks; n += 1) {
        const id = await check(first, answer(`Reply ${n}`), `APP-UNTOUCHED-${n}`)
        await make({ kind: 'record', id }, profiles[n % 3] ?? 'full')
      }
      const { tried, accepted } = await refuseMutants(packs, times, verifyPack, (done) => void (done % 1000 === 0 && progress(`${done} packs`)))
      const passed: string[] = []
      let kept = 0
      for (const text of mutants(packs, Math.min(asFiles, times), 2)) {
        const path = join(folder, 'changed.json')
        writeFileSync(path, text)
        kept += 1
        if (statusOf(path) !== 1) passed.push(`changed file ${kept}, by verify.mjs`)
      }
      const [third, fourth] = [await evidenceWorkspace(folder, 'third.person'), await evidenceWorkspace(folder, 'fourth.person')]
      const forged = forgeries(await honestPacks(folder, third, fourth))
      for (const { store } of [third, fourth]) await store.close()
      const believed: string[] = []
      for (const { name, text, why } of forged) {
        const path = join(folder, 'forged.json')
        writeFileSync(path, text)
        const { status, stderr } = spawnSync(process.execPath, [verifier, path], { env: {}, encoding: 'utf8' })
        const said = checkPack(text)
        const reasons = [stderr.replace(/^REFUSED\. /, ''), said.findings.at(-1)?.detail ?? '']
        if (status !== 1 || said.verified || !reasons.every((reason) => why.test(reason))) believed.push(`forged: ${name}`)
      }
      return {
        table: {
          columns: ['packs', 'tried', 'accepted', 'refused'],
          rows: [
            row('untouched', untouched.length, faults.length),
            row('untouched, as files', files, refusedFiles.length),
            row('changed', tried, tried - accepted.length),
            row('changed, as files', kept, kept - passed.length),
            row('forged, as files', forged.length, forged.length - believed.length)
          ]
        },
        faults: [...faults, ...refusedFiles, ...[...accepted, ...passed, ...believed].map((each) => `accepted: ${each}`)]
      }
    } finally {
      for (const { store } of [first, second]) await store.close()
    }
  })
