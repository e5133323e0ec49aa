/** Restores whole files from earlier moments: the evidence, the keys, both, or everything. */
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { openEngine } from '#store/engine/opening.ts'
import { fileNames } from '#wire/sqlite/files.ts'
import type { KnownHead } from '#wire/history/audit-walk.ts'
import { add, answer, opened, testKey } from '../history-fixtures.ts'

const choices: Readonly<Record<string, readonly string[]>> = {
  'history.db': [fileNames.history],
  'subjects.db': [fileNames.subjects],
  'history.db and subjects.db': [fileNames.history, fileNames.subjects],
  'all three files': Object.values(fileNames)
}
const now = 1_760_000_000_000

/** Creates `moments`, each with an applicant, one of whom is erased, and keeps the files of each moment. */
function livedThrough(at: string, moments: number): { readonly present: string; readonly anchor: KnownHead } {
  const life = join(at, 'life')
  let anchor: KnownHead = { seq: 0, hash: '' }
  for (let moment = 0; moment <= moments; moment += 1) {
    const engine = opened(life)
    add(engine, { applicant: `APP-${moment}` }, answer(`Reply ${moment}`))
    if (moment === Math.floor(moments / 2)) {
      const subjects = engine.erasure.scope('APP-0')
      if (!subjects.ok) throw new Error(sentencesOf(subjects.failure).what)
      const order = {
        at: now,
        operator: 'tester',
        reason: 'asked',
        cause: 'request',
        subjects: subjects.value.people
      } as const
      const erased = engine.erasure.erase(order)
      if (!erased.ok) throw new Error(sentencesOf(erased.failure).what)
    }
    engine.indexer.drain()
    anchor = engine.last
    engine.close()
    cpSync(life, join(at, `moment-${moment}`), { recursive: true })
  }
  return { present: life, anchor }
}

/** Restores files of every earlier moment in every combination; opening must refuse and leave the files unchanged. */
export function proveRollbacks(
  at: string,
  moments: number
): { readonly tried: number; readonly missed: readonly string[] } {
  const { present, anchor } = livedThrough(at, moments)
  const trial = join(at, 'trial')
  const missed: string[] = []
  let tried = 0
  for (let moment = 0; moment < moments; moment += 1) {
    for (const [what, names] of Object.entries(choices)) {
      rmSync(trial, { recursive: true, force: true })
      cpSync(present, trial, { recursive: true })
      for (const name of names) cpSync(join(at, `moment-${moment}`, name), join(trial, name))
      tried += 1
      const result = openEngine({ folder: trial, masterKey: testKey, now, anchor })
      if (result.ok) result.value.engine.close()
      if (result.ok || result.failure.code !== 'history-damaged')
        missed.push(`${what} of moment ${moment}: ${result.ok ? 'open' : result.failure.code}`)
      if (Object.values(fileNames).some((name) => !readdirSync(trial).includes(name)))
        missed.push(`${what} of moment ${moment}: a file is gone`)
    }
  }
  return { tried, missed }
}
