/** The states of an erasure: each transition of the table is possible, and no other. */
import Database from 'better-sqlite3-multiple-ciphers'
import { expect, it } from 'vitest'
import {
  ErasureIntents,
  intentTables,
  stages,
  transitions,
  type Destroyed,
  type Stage
} from '#store/erasure/intents.ts'

const id = '01890000-0000-7000-8000-000000000001'
const order = { cause: 'request', reason: 'asked for', at: 1, operator: 'tester', subjects: [1] } as const
const destroyed: Destroyed = {
  plain: { id, cause: 'request', subjects: [1], records: 1, batchRows: 0, operator: 'tester' },
  at: 1,
  reason: 'asked for',
  own: 2,
  files: [],
  digests: ['aa']
}

const fresh = (): ErasureIntents => {
  const db = new Database(':memory:')
  db.exec(intentTables)
  return new ErasureIntents(db)
}
/** The shortest way to each stage. */
const ways: Readonly<Record<Stage | 'none', (intents: ErasureIntents) => void>> = {
  none: () => undefined,
  intended: (intents) => intents.intend(id, order),
  destroyed: (intents) => intents.destroy(destroyed),
  uncleared(intents) {
    intents.destroy(destroyed)
    intents.recorded(destroyed)
  },
  refused(intents) {
    intents.intend(id, order)
    intents.refuse(id)
  }
}
const moves: Readonly<Record<Stage, (intents: ErasureIntents) => void>> = {
  intended: (intents) => intents.intend(id, order),
  destroyed: (intents) => intents.destroy(destroyed),
  uncleared: (intents) => intents.recorded(destroyed),
  refused: (intents) => intents.refuse(id)
}

for (const from of Object.keys(ways) as (Stage | 'none')[]) {
  for (const to of Object.keys(stages) as Stage[]) {
    const allowed = transitions[from].includes(to)
    it(`${from} ${allowed ? 'becomes' : 'cannot become'} ${to}`, () => {
      const intents = fresh()
      ways[from](intents)
      expect(intents.stage(id)).toBe(from)
      if (allowed) moves[to](intents)
      // Refusing what is not intended has no effect and is not an error: another start may have done it.
      else if (to === 'refused') intents.refuse(id)
      else expect(() => moves[to](intents)).toThrow(`cannot become ${to} while it is ${from}`)
      expect(intents.stage(id)).toBe(allowed ? to : from)
    })
  }
}

it('ends when its copies are cleared, once or twice, or when its refusal is done', () => {
  const cleared = fresh()
  ways.uncleared(cleared)
  cleared.clearing(id, ['backups/a/subjects.db'])
  expect(cleared.uncleared()).toEqual([{ id, digests: ['aa'], held: ['backups/a/subjects.db'], files: [] }])
  cleared.cleared(id)
  cleared.cleared(id)
  expect(cleared.stage(id)).toBe('none')
  const refused = fresh()
  ways.refused(refused)
  refused.abandon(id)
  expect(refused.stage(id)).toBe('none')
})

it.each(['intended', 'destroyed'] as const)('does not forget one that is %s', (stage) => {
  const intents = fresh()
  ways[stage](intents)
  expect(() => intents.abandon(id)).toThrow('cannot become none')
  expect(() => intents.cleared(id)).toThrow('cannot become none')
  expect(intents.stage(id)).toBe(stage)
})
