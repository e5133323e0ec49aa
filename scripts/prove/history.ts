/** The history's files under damage: bit flips, cut ends, missing files, wrong keys, versions to come. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cut, evidenceFiles, furnishedFiles, indexFiles, stateFor, tryFault, tryFutureVersion, tryWrongKey, type Outcome } from './history-faults.ts'
import { bent, seeded } from './random.ts'
import { inProofFolder, type Proof, type Section } from './section.ts'

type Try = (n: number) => Outcome
interface Kind {
  readonly name: string
  readonly times: number
  readonly one: Try
}

/** Does every kind of damage; `flips` to each of the six files, a tenth of it of every other kind. */
export async function damageFiles(flips: number, told: (done: number) => void = () => undefined, seed = 1): Promise<Proof> {
  return inProofFolder((at) => {
    const histories = furnishedFiles(at)
    const trial = join(at, 'trial')
    const random = seeded(seed)
    const few = Math.ceil(flips / 10)
    const files = [...evidenceFiles, ...indexFiles]
    const bytes = new Map(files.map((name) => [name, readFileSync(join(stateFor(name, histories).folder, name))]))
    const onFile = (name: (typeof files)[number], damage: (whole: Buffer) => Buffer | undefined) => tryFault(stateFor(name, histories), trial, name, damage(bytes.get(name) ?? Buffer.alloc(0)))
    const kinds: Kind[] = [
      ...files.map((name) => ({ name: `a bit of ${name} turned`, times: flips, one: () => onFile(name, (whole) => bent(whole, random)) })),
      ...files.map((name) => ({ name: `${name} cut`, times: few, one: () => onFile(name, (whole) => cut(whole, random)) })),
      ...(['history.db', 'subjects.db', 'search.db'] as const).map((name) => ({ name: `${name} missing`, times: 1, one: () => onFile(name, () => undefined) })),
      { name: 'a wrong key', times: few, one: (n) => tryWrongKey(n % 2 ? histories.closed : histories.crashed, trial, randomBytes(32).toString('hex')) },
      ...(['history', 'subjects', 'search'] as const).map((name) => ({ name: `a newer ${name}.db`, times: few, one: (n: number) => tryFutureVersion(histories.closed, trial, name, 100 + n) }))
    ]
    const faults: string[] = []
    let done = 0
    const rows = kinds.map(({ name, times, one }) => {
      let [refused, mended, wrong] = [0, 0, 0]
      for (let n = 0; n < times; n += 1) {
        const { due, fault } = one(n)
        if (fault !== undefined) {
          wrong += 1
          faults.push(fault)
        } else if (due === 'refused') refused += 1
        else mended += 1
        told((done += 1))
      }
      return [name, times, refused, mended, wrong]
    })
    return {
      title: 'The history’s files under damage',
      words: 'Each time one fault is done to one file of a history of 45 records, which is then opened with the head that the keychain holds: the files as they are once closed, the write-ahead logs (`-wal`) as a crash leaves them. Evidence and keys must be refused with the right sentence, the damaged bytes must still be there, and once the fault is put right every record must be back: then nothing of all the rest was thrown away. The index (`search.db`) is derived and must be mended: every record found again.',
      columns: ['fault', 'times', 'refused, kept and whole again', 'mended', 'opened as if whole, or lost'],
      rows,
      faults
    }
  })
}

export const historySection: Section = { name: 'history', times: 1000, run: damageFiles }
