/** Evidence packs of format 1, as consoles of version 0.1 made them: accepted unchanged, refused after any change. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { evidenceFindingText } from '#contract/failures/sentences.ts'
import { checkPack } from '#core/evidence/check.ts'
import type { Measured, SectionRun } from '../figures/section.ts'
import { loadVerifier, verifier } from '../../tests/service/evidence-workspace.ts'
import { forgeries } from '../../tests/service/evidence-1-forgeries.ts'
import { fixtureNames, fixturePath, fixtureText, honestPacks } from '../../tests/service/evidence-1-packs.ts'
import { mutants, refuseMutants } from '../../tests/service/evidence-mutants.ts'
import { inProofFolder } from './proof-folder.ts'

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
    const names = fixtureNames()
    const packs = names.map(fixtureText)
    const faults: string[] = []
    const refusedFiles: string[] = []
    for (const [index, name] of names.entries()) {
      const text = packs[index] ?? ''
      if (!checkPack(text).verified) faults.push(`untouched, ${name}: refused by the console`)
      if (!(await verifyPack(text)).verified) faults.push(`untouched, ${name}: refused by the verifier`)
      if (statusOf(fixturePath(name)) !== intact) refusedFiles.push(`untouched, ${name}: verify.mjs did not end with ${intact}`)
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
    const forged = forgeries(honestPacks())
    const believed: string[] = []
    for (const { name, text, why } of forged) {
      const path = join(folder, 'forged.json')
      writeFileSync(path, text)
      const { status, stderr } = spawnSync(process.execPath, [verifier, path], { env: {}, encoding: 'utf8' })
      const said = checkPack(text)
      const reasons = [stderr.replace(/^REFUSED\. /, ''), said.findings.slice(-1).map(evidenceFindingText).join('')]
      if (status !== 1 || said.verified || !reasons.every((reason) => why.test(reason))) believed.push(`forged: ${name}`)
    }
    return {
      table: {
        columns: ['packs', 'tried', 'accepted', 'refused'],
        rows: [
          row('untouched', packs.length, faults.length),
          row('untouched, as files', packs.length, refusedFiles.length),
          row('changed', tried, tried - accepted.length),
          row('changed, as files', kept, kept - passed.length),
          row('forged, as files', forged.length, forged.length - believed.length)
        ]
      },
      faults: [...faults, ...refusedFiles, ...[...accepted, ...passed, ...believed].map((each) => `accepted: ${each}`)]
    }
  })
