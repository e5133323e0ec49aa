/** The history's files under damage: bit flips, truncation, missing files, wrong keys, future versions. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Measured, SectionRun } from '../figures/section.ts'
import {
  cut,
  evidenceFiles,
  furnishedFiles,
  indexFiles,
  stateFor,
  tryFault,
  tryFutureVersion,
  tryWrongKey,
  type Outcome
} from './history-faults.ts'
import { bent, seeded } from './random.ts'
import { inProofFolder } from './proof-folder.ts'

type Try = (n: number) => Outcome
interface Kind {
  readonly name: string
  readonly times: number
  readonly one: Try
}

/** Applies every kind of damage: `flips` to each of the six files, and a tenth of that number of every other kind. */
export async function damageFiles(
  flips: number,
  onProgress: (done: number) => void = () => undefined,
  seed = 1
): Promise<Required<Pick<Measured, 'table' | 'faults'>>> {
  return inProofFolder((at) => {
    const histories = furnishedFiles(at)
    const trial = join(at, 'trial')
    const random = seeded(seed)
    const few = Math.ceil(flips / 10)
    const files = [...evidenceFiles, ...indexFiles]
    const bytes = new Map(files.map((name) => [name, readFileSync(join(stateFor(name, histories).folder, name))]))
    const onFile = (name: (typeof files)[number], damage: (whole: Buffer) => Buffer | undefined) =>
      tryFault(stateFor(name, histories), trial, name, damage(bytes.get(name) ?? Buffer.alloc(0)))
    const kinds: Kind[] = [
      ...files.map((name) => ({
        name: `a bit of ${name} turned`,
        times: flips,
        one: () => onFile(name, (whole) => bent(whole, random))
      })),
      ...files.map((name) => ({
        name: `${name} cut`,
        times: few,
        one: () => onFile(name, (whole) => cut(whole, random))
      })),
      ...(['history.db', 'subjects.db', 'search.db'] as const).map((name) => ({
        name: `${name} missing`,
        times: 1,
        one: () => onFile(name, () => undefined)
      })),
      {
        name: 'a wrong key',
        times: few,
        one: (n) => tryWrongKey(n % 2 ? histories.closed : histories.crashed, trial, randomBytes(32).toString('hex'))
      },
      ...(['history', 'subjects', 'search'] as const).map((name) => ({
        name: `a newer ${name}.db`,
        times: few,
        one: (n: number) => tryFutureVersion(histories.closed, trial, name, 100 + n)
      }))
    ]
    const faults: string[] = []
    let done = 0
    const rows = kinds.map(({ name, times, one }) => {
      let [refused, fixed, wrong] = [0, 0, 0]
      for (let n = 0; n < times; n += 1) {
        const { due, fault } = one(n)
        if (fault !== undefined) {
          wrong += 1
          faults.push(fault)
        } else if (due === 'refused') refused += 1
        else fixed += 1
        onProgress((done += 1))
      }
      return [name, times, refused, fixed, wrong]
    })
    return {
      table: {
        columns: ['fault', 'times', 'refused, kept and recovered', 'rebuilt', 'wrongly opened, or data lost'],
        rows
      },
      faults
    }
  })
}

export const proveHistory = ({ sized, progress }: SectionRun): Promise<Measured> =>
  damageFiles(sized(1000), (done) => void (done % 500 === 0 && progress(`${done} faults`)))
