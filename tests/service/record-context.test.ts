/**
 * The circumstances of a verification, wherever records are: each value of the declared list is recorded for a verification and
 * for a row of a batch, and read by the record page, the comparison, the command line, exports and evidence packs.
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordContextValues, staffContext, type RecordContext } from '#contract/history/record-context.ts'
import { factColumns, factsOf, recordFacts } from '#contract/history/record-facts.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { recordText } from '../../electron/hosts/cli/print.ts'
import { comparedFacts } from '../../renderer/features/record/compared-records.ts'
import { batchThatRan, checked } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
const names = Object.keys(recordContextValues) as (keyof RecordContext)[]

let console: TestConsole
let records: readonly RecordDetail[]
beforeAll(async () => {
  console = await startTestConsole()
})
afterAll(() => console.dispose())

const plain = { time: String, duration: String, bytes: String }

async function exported(format: 'csv' | 'jsonl'): Promise<string> {
  console.save = console.fileAt(`history.${format}`)
  await console.get('exports.history', { exportId: randomUUID(), filter: {}, format })
  return readFile(console.save, 'utf8')
}

test('is recorded for a verification and for a row of a batch alike', async () => {
  const alone = await checked(console, 'APP-1')
  const batch = await batchThatRan(console, ['APP-2'])
  const { records: all } = await console.get('history.page', { filter: {}, limit: 10 })
  const ids = [alone, all.find(({ batchId }) => batchId === batch)!.id]
  records = await Promise.all(ids.map((id) => console.get('history.record', { id })))
  expect(records.map(({ batchId }) => batchId === undefined)).toEqual([true, false])
  for (const record of records) {
    for (const name of names) expect(record[name], name).toBeDefined()
    expect(record.timeZone).toBe(zone)
    expect(record.operator).toBe('tester')
  }
})

test('is shown by the record page, the comparison and the command line', () => {
  for (const record of records) {
    for (const reader of ['page', 'comparison', 'command-line'] as const)
      expect(Object.fromEntries(factsOf(record, reader, plain))).toMatchObject({
        'Time zone': zone,
        'Operator': 'tester'
      })
    expect(recordText(record)).toMatch(new RegExp(`^Time zone +${zone}$`, 'm'))
  }
  const [one, other] = [records[0]!, { ...records[1]!, timeZone: 'Pacific/Chatham' }]
  expect(comparedFacts(one, other).find(({ label }) => label === 'Time zone')).toEqual({
    label: 'Time zone',
    older: zone,
    newer: 'Pacific/Chatham',
    differs: true
  })
})

test('is in exports, one column a fact', async () => {
  const keys = factColumns.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  const [heading, first] = (await exported('csv')).replace('\ufeff', '').split('\r\n')
  const columns = heading!.split(',').map((cell) => cell.replaceAll('"', ''))
  expect(columns.slice(0, keys.length)).toEqual(keys)
  expect(first).toContain(zone)
  const lines = (await exported('jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Partial<RecordDetail>)
  expect(lines.filter(({ timeZone }) => timeZone === zone)).toHaveLength(2)
})

test('is in a full pack; what says something of staff is withheld from others', async () => {
  for (const profile of ['full', 'no-personal-data'] as const)
    for (const { id } of records) {
      console.save = console.fileAt(`${profile}-${id}.json`)
      await console.get('evidence.create', { about: { kind: 'record', id }, profile, pdf: false })
      const { view } = checkPack(await readFile(console.save, 'utf8'))
      const begun = view!.events.find(({ kind }) => kind === 'record.begun')!
      const shown = new Map(begun.entries.map(({ label, value }) => [label, value]))
      expect(names.filter((name) => !shown.has(name))).toEqual(
        profile === 'full' ? [] : names.filter((name) => staffContext.includes(name))
      )
      expect(shown.get('timeZone')).toBe(profile === 'full' ? zone : undefined)
    }
})

test('has one fact for each value that people read, and no reader that leaves it out', () => {
  const everywhere = recordFacts.filter(({ notIn }) => notIn === undefined).map(({ key }) => key)
  expect(everywhere).toEqual(
    expect.arrayContaining(['credential_fingerprint', 'operator', 'time_zone', 'console_version'])
  )
})

test('a name in decisions stands beside the account in every record, row, note, decision and event', async () => {
  await console.get('settings.change', { displayName: 'Mira Rahn' })
  expect((await console.get('app.state')).operator?.account).toBe('tester')
  const alone = await checked(console, 'APP-9')
  const batch = await batchThatRan(console, ['APP-8'])
  const { records: all } = await console.get('history.page', { filter: {}, limit: 2 })
  expect(all.map(({ batchId }) => batchId)).toEqual([batch, undefined])
  for (const id of [alone, all[0]!.id])
    expect((await console.get('history.record', { id })).operator).toBe('Mira Rahn (tester)')
  await console.get('applicants.note', { applicantId: 'APP-9', text: 'Seen.' })
  const { evidence } = await console.get('applicants.show', { applicantId: 'APP-9' })
  const code = (await console.get('app.state')).settings.decisionReasons[0]?.code ?? ''
  await console.get('decisions.make', {
    applicantId: 'APP-9',
    evidence,
    decision: 'approve',
    reasons: [code],
    note: 'x'
  })
  const { entries } = await console.get('applicants.timeline', { applicantId: 'APP-9', limit: 2 })
  expect(
    entries.map((entry) =>
      entry.kind === 'decision' ? entry.decision.operator : entry.kind === 'note' && entry.operator
    )
  ).toEqual(['Mira Rahn (tester)', 'Mira Rahn (tester)'])
  const { events } = await console.get('audit.page', { limit: 200 })
  const signed = events.filter(({ operator }) => operator === 'Mira Rahn (tester)').map(({ kind }) => kind)
  for (const kind of ['record.begun', 'batch.made', 'batch.changed', 'note.made', 'decision.made', 'view.opened'])
    expect(signed, kind).toContain(kind)
})
