/**
 * Evidence packs of both versions of the format: accepted unchanged, refused after any change but those that the format
 * names.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { evidenceFindingText } from '#contract/failures/sentences.ts'
import { checkPack } from '#core/evidence/check.ts'
import type { Measured, SectionRun } from '../figures/section.ts'
import { loadVerifier, verifier } from '../../tests/service/evidence-workspace.ts'
import { forgeries } from '../../tests/service/evidence-1-forgeries.ts'
import { fixtureNames, fixturePath, fixtureText, honestPacks } from '../../tests/service/evidence-1-packs.ts'
import { mutants, refuseMutants } from '../../tests/service/evidence-mutants.ts'
import { fileText } from '../../tests/service/evidence-2-builder.ts'
import { acceptedLies } from '../../tests/service/evidence-2-claims.ts'
import { forgeries2 } from '../../tests/service/evidence-2-forgeries.ts'
import { genuinePacks } from '../../tests/service/evidence-2-genuine.ts'
import { levels, mutants2 } from '../../tests/service/evidence-2-mutants.ts'
import { inProofFolder } from './proof-folder.ts'

/** Changed packs that are also passed to `node verify.mjs` as files. */
const asFiles = 200

/** The exit status of the verifier for an unchanged pack whose key is not compared. */
const intact = 3

/** The exit status of the verifier as an auditor runs it, independent of this application. */
const statusOf = (path: string): number | null => spawnSync(process.execPath, [verifier, path], { env: {} }).status

const row = (name: string, tried: number, refused: number): (string | number)[] => [
  name,
  tried,
  tried - refused,
  refused
]

type Rows = readonly (readonly (string | number)[])[]
interface Proved {
  readonly rows: Rows
  readonly faults: readonly string[]
}
type Verify = (text: string) => Promise<{ readonly status?: string; readonly verified: boolean; readonly why?: string }>

/** Packs of version 1: none that was changed is accepted. */
async function proveFormat1(
  folder: string,
  times: number,
  verifyPack: Verify,
  progress: SectionRun['progress']
): Promise<Proved> {
  const names = fixtureNames()
  const packs = names.map(fixtureText)
  const faults: string[] = []
  const refusedFiles: string[] = []
  for (const [index, name] of names.entries()) {
    const text = packs[index] ?? ''
    if (!checkPack(text).verified) faults.push(`version 1, untouched, ${name}: refused by the console`)
    if (!(await verifyPack(text)).verified) faults.push(`version 1, untouched, ${name}: refused by the verifier`)
    if (statusOf(fixturePath(name)) !== intact)
      refusedFiles.push(`untouched, ${name}: verify.mjs did not end with ${intact}`)
  }
  const { tried, accepted } = await refuseMutants(
    packs,
    times,
    verifyPack,
    (done) => void (done % 1000 === 0 && progress(`version 1: ${done} packs`))
  )
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
    rows: [
      row('version 1, untouched', packs.length, faults.length),
      row('version 1, untouched, as files', packs.length, refusedFiles.length),
      row('version 1, changed', tried, tried - accepted.length),
      row('version 1, changed, as files', kept, kept - passed.length),
      row('version 1, forged, as files', forged.length, forged.length - believed.length)
    ],
    faults: [...faults, ...refusedFiles, ...[...accepted, ...passed, ...believed].map((each) => `accepted: ${each}`)]
  }
}

/** Packs of version 2: what is accepted after a change is what the format names. */
async function proveFormat2(
  folder: string,
  times: number,
  verifyPack: Verify,
  progress: SectionRun['progress']
): Promise<Proved> {
  const faults: string[] = []
  /** Whether a pack is accepted, by both verifiers. */
  const isBelieved = async (text: string, name: string): Promise<boolean> => {
    const [byConsole, alone] = [checkPack(text).intact, (await verifyPack(text)).status !== 'refused']
    if (byConsole !== alone) faults.push(`version 2, ${name}: the two verifiers differ`)
    return byConsole || alone
  }
  const statusOfText = (text: string): number | null => {
    const path = join(folder, 'pack.json')
    writeFileSync(path, text)
    return statusOf(path)
  }
  const genuine = Object.entries(genuinePacks).map(([name, { file }]) => ({ name, text: fileText(file) }))
  let refused = 0
  let refusedFiles = 0
  for (const { name, text } of genuine) {
    if (!(await isBelieved(text, name))) refused += faults.push(`version 2, untouched, ${name}: refused`) && 1
    if (statusOfText(text) !== intact)
      refusedFiles += faults.push(`version 2, untouched, ${name}: verify.mjs did not end with ${intact}`) && 1
  }
  const counts = levels.map((level) => ({ level, tried: 0, believed: 0 }))
  let done = 0
  for (const { text, level, place, claim } of mutants2(times, 1)) {
    const count = counts.find((each) => each.level === level)
    const believed = await isBelieved(text, `${level}, ${place}`)
    if (believed && claim === undefined) faults.push(`accepted: version 2, ${level}, ${place}`)
    if (count) Object.assign(count, { tried: count.tried + 1, believed: count.believed + Number(believed) })
    if ((done += 1) % 1000 === 0) progress(`version 2: ${done} packs`)
  }
  const [forged, lies] = [forgeries2(), acceptedLies()]
  let [believedForgeries, refusedLies] = [0, 0]
  for (const { name, text, why } of forged) {
    const said = await verifyPack(text)
    if (statusOfText(text) !== 1 || !why.test(said.why ?? '') || (await isBelieved(text, name)))
      believedForgeries += faults.push(`accepted: version 2, forged: ${name}`) && 1
  }
  for (const { name, text } of lies)
    if (statusOfText(text) !== intact || !(await isBelieved(text, name)))
      refusedLies += faults.push(`version 2, refused, though the format names it: ${name}`) && 1
  return {
    rows: [
      row('version 2, untouched', genuine.length, refused),
      row('version 2, untouched, as files', genuine.length, refusedFiles),
      ...counts.map(({ level, tried, believed }) => row(`version 2, changed: ${level}`, tried, tried - believed)),
      row('version 2, forged, as files', forged.length, forged.length - believedForgeries),
      row('version 2, signer’s claims, as files', lies.length, refusedLies)
    ],
    faults
  }
}

/** What a verifier says of all test vectors that was written from the documents and vectors alone, in Python. */
function proveSecondVerifier(): Pick<Measured, 'notes' | 'notRun'> & { readonly faults: readonly string[] } {
  if (spawnSync('python3', ['--version']).status !== 0)
    return { notRun: [{ name: 'the second verifier', why: 'Python 3 is not installed' }], faults: [] }
  const { stdout, stderr } = spawnSync(
    'python3',
    ['-B', resolve(verifier, '..', '..', '..', 'tests', 'second-verifier', 'run_vectors.py')],
    { encoding: 'utf8' }
  )
  const [, agreed] = /^agreed (\d+), disagreed 0, skipped 0$/m.exec(stdout) ?? []
  if (agreed === undefined)
    return { faults: [`the second verifier: ${(stdout + stderr).trim().split('\n').slice(-5).join(' ')}`] }
  return {
    notes: [
      `A second verifier, in Python, written from the documents and vectors alone (but for approvals in a team), agrees on all ${agreed} test vectors.`
    ],
    faults: []
  }
}

/**
 * Changes packs of version 1 10,000 times and those of version 2 20,000 times. Errors: unchanged packs that are refused,
 * and changed or forged ones that are accepted.
 */
export const provePacks = ({ sized, progress }: SectionRun): Promise<Measured> =>
  inProofFolder(async (folder) => {
    const { verifyPack } = await loadVerifier()
    const { faults: ofSecond, ...second } = proveSecondVerifier()
    const parts = [
      await proveFormat1(folder, sized(10_000), verifyPack, progress),
      await proveFormat2(folder, sized(20_000), verifyPack, progress)
    ]
    return {
      ...second,
      table: {
        columns: ['packs', 'tried', 'accepted', 'refused'],
        rows: parts.flatMap(({ rows }) => rows.map((each) => [...each]))
      },
      faults: [...ofSecond, ...parts.flatMap(({ faults }) => faults)]
    }
  })
