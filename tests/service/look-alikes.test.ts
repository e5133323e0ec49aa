/** Applicants whose IDs look alike: pointed out on the page, when a file is checked and before an erasure, by an index. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseApplicant } from '../../electron/hosts/cli/erasure.ts'
import type { Context } from '../../electron/hosts/cli/context.ts'
import { checkText } from '../../electron/hosts/cli/print-batch.ts'
import { add, opened } from './history-fixtures.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

const composed = 'JOS\u00c9-7'
const decomposed = 'JOSE\u0301-7'
const [small, wide, dash] = ['jos\u00e9-7', '\uff2aOS\u00c9-7', 'JOS\u00c9\u20117']
const operation = 'get-applicant-details'
let workspace: TestConsole
let connectionId: string
beforeAll(async () => {
  workspace = await startTestConsole()
  connectionId = (await workspace.get('practice.start')).id
  for (const applicant_id of [composed, decomposed, small, wide, dash, 'JOSE-8'])
    await workspace.get('verification.run', {
      runId: crypto.randomUUID(),
      connectionId,
      operation,
      input: { applicant_id }
    })
})
afterAll(() => workspace.dispose())

const alikeOn = async (applicantId: string): Promise<readonly string[]> =>
  (await workspace.get('applicants.show', { applicantId })).lookAlikes
const checked = (text: string) =>
  workspace.get('batches.checkText', { name: 'rows', text, reading: { operations: [operation], encoding: 'utf-8' } })

test('an applicant’s page names the others, and itself never', async () => {
  expect(await alikeOn(composed)).toEqual([decomposed, small, wide, dash])
  expect(await alikeOn(wide)).toEqual([composed, decomposed, small, dash])
  expect(await alikeOn('JOSE-8')).toEqual([])
})

test('a checked file names rows that look like another row or like an applicant of the history', async () => {
  const check = await checked(`applicant_id\nnew-1\nNEW-1\nnew-1\n${composed}\njose-8\nJOSE-7`)
  expect(check.lookAlikes).toEqual({
    rows: 4,
    places: [
      { row: 3, id: 'NEW-1', otherRow: 2 },
      { row: 5, id: composed, other: decomposed },
      { row: 6, id: 'jose-8', other: 'JOSE-8' },
      { row: 7, id: 'JOSE-7', otherRow: 5 }
    ]
  })
  const lines = checkText(check).split('\n')
  expect(lines).toContain('  line 3: "NEW-1" looks like the ID in line 2')
  expect(lines).toContain('  line 5: "JOS\\u{00c9}-7" looks like "JOSE\\u{0301}-7" in the history')
  expect((await checked('applicant_id\nA-1\nA-2\nA-1\n')).lookAlikes).toEqual({ rows: 0, places: [] })
})

test('the preview of an erasure names the others, which stay; an erased one is not named any more', async () => {
  const context = {
    operands: [decomposed],
    options: {},
    ask: (name: never, input: never) => workspace.ask(name, input)
  } as unknown as Context
  const ending = await eraseApplicant(context)
  expect(ending.out).toContain('Applicants with IDs that look like "JOSE\\u{0301}-7" would remain.')
  expect(ending.out).toContain('"JOS\\u{00c9}-7"')
  expect((await workspace.get('erasure.preview', { applicantId: decomposed })).lookAlikes).toEqual([
    composed,
    small,
    wide,
    dash
  ])
  await workspace.get('erasure.run', { applicantId: decomposed, confirmation: decomposed, reason: 'asked for' })
  for (const one of [composed, small, wide, dash]) expect(await alikeOn(one)).not.toContain(decomposed)
  expect(await alikeOn(composed)).toEqual([small, wide, dash])
  const again = await checked(`applicant_id\n${dash}`)
  expect(again.lookAlikes.places).toEqual([{ row: 2, id: dash, other: composed }])
})

test('they are found by an index, and the row of an erased one is gone with its likeness', () => {
  const engine = opened()
  const plan = JSON.stringify(
    engine.dbs.subjects.prepare('EXPLAIN QUERY PLAN SELECT ref FROM subject WHERE likeness = ?').all('x')
  )
  expect(plan).toContain('subject_likeness')
  for (const applicant of [composed, decomposed]) add(engine, { applicant })
  const kept = engine.dbs.subjects.prepare('SELECT applicant FROM subject WHERE likeness IS NOT NULL').pluck()
  expect(kept.all()).toEqual([composed, decomposed])
  const scope = engine.erasure.scope(composed)
  if (!scope.ok) throw new Error(scope.failure.code)
  const { subjects } = scope.value
  engine.erasure.erase({ subjects, operator: 'tester', at: 1, reason: 'asked', cause: 'request' })
  expect(kept.all()).toEqual([decomposed])
  engine.close()
})
