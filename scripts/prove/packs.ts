/** Evidence packs: accepted unchanged, refused after any change but those that the format names. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkPack } from '#core/evidence/pack/check.ts'
import type { Measured, SectionRun } from '../figures/section.ts'
import { loadVerifier, verifier } from '../../tests/service/evidence-workspace.ts'
import { fileText } from '../../tests/service/evidence-builder.ts'
import { acceptedLies } from '../../tests/service/evidence-claims.ts'
import { forgeries } from '../../tests/service/evidence-forgeries.ts'
import { genuinePacks } from '../../tests/service/evidence-genuine.ts'
import { levels, mutants } from '../../tests/service/evidence-mutants.ts'
import { inProofFolder } from '../../tests/service/support/proof-folder.ts'

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

/** What is accepted after a change is what the format names. */
async function provePacksChanged(
  folder: string,
  times: number,
  verifyPack: Verify,
  progress: SectionRun['progress']
): Promise<Proved> {
  const faults: string[] = []
  /** Whether a pack is accepted, by both verifiers. */
  const isBelieved = async (text: string, name: string): Promise<boolean> => {
    const [byConsole, alone] = [checkPack(text).intact, (await verifyPack(text)).status !== 'refused']
    if (byConsole !== alone) faults.push(`${name}: the two verifiers differ`)
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
    if (!(await isBelieved(text, name))) refused += faults.push(`untouched, ${name}: refused`) && 1
    if (statusOfText(text) !== intact)
      refusedFiles += faults.push(`untouched, ${name}: verify.mjs did not end with ${intact}`) && 1
  }
  const counts = levels.map((level) => ({ level, tried: 0, believed: 0 }))
  let done = 0
  for (const { text, level, place, claim } of mutants(times, 1)) {
    const count = counts.find((each) => each.level === level)
    const believed = await isBelieved(text, `${level}, ${place}`)
    if (believed && claim === undefined) faults.push(`accepted: ${level}, ${place}`)
    if (count) Object.assign(count, { tried: count.tried + 1, believed: count.believed + Number(believed) })
    if ((done += 1) % 1000 === 0) progress(`${done} packs`)
  }
  const [forged, lies] = [forgeries(), acceptedLies()]
  let [believedForgeries, refusedLies] = [0, 0]
  for (const { name, text, why } of forged) {
    const said = await verifyPack(text)
    if (statusOfText(text) !== 1 || !why.test(said.why ?? '') || (await isBelieved(text, name)))
      believedForgeries += faults.push(`accepted: forged: ${name}`) && 1
  }
  for (const { name, text } of lies)
    if (statusOfText(text) !== intact || !(await isBelieved(text, name)))
      refusedLies += faults.push(`refused, though the format names it: ${name}`) && 1
  return {
    rows: [
      row('untouched', genuine.length, refused),
      row('untouched, as files', genuine.length, refusedFiles),
      ...counts.map(({ level, tried, believed }) => row(`changed: ${level}`, tried, tried - believed)),
      row('forged, as files', forged.length, forged.length - believedForgeries),
      row('signer’s claims, as files', lies.length, refusedLies)
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

/** Changes packs 20,000 times. Errors: unchanged packs that are refused, and changed or forged ones that are accepted. */
export const provePacks = ({ sized, progress }: SectionRun): Promise<Measured> =>
  inProofFolder(async (folder) => {
    const { verifyPack } = await loadVerifier()
    const { faults: ofSecond, ...second } = proveSecondVerifier()
    const { rows, faults } = await provePacksChanged(folder, sized(20_000), verifyPack, progress)
    return {
      ...second,
      table: {
        columns: ['packs', 'tried', 'accepted', 'refused'],
        rows: rows.map((each) => [...each])
      },
      faults: [...ofSecond, ...faults]
    }
  })
