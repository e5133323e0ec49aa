/** The history's files under damage: bit flips, truncation, missing files, wrong keys, future versions. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
export function damageFiles(flips: number): Promise<{ readonly tried: number; readonly faults: readonly string[] }> {
  return inProofFolder((at) => {
    const histories = furnishedFiles(at)
    const trial = join(at, 'trial')
    const random = seeded(1)
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
    const outcomes = kinds.flatMap(({ name, times, one }) =>
      Array.from({ length: times }, (_, n) => ({ name, ...one(n) }))
    )
    return {
      tried: outcomes.length,
      faults: outcomes.flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`]))
    }
  })
}
