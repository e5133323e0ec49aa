/** What is left to copy for rows of batches: written with the record, gone with what became of it. In the history’s thread, without the files. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { BatchDraft, BatchStep } from '#wire/history/batches.ts'
import type { KeptSealed, WantedCopy } from '#wire/history/copies.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { answer, connectionNamed, inFolder, intentOf, opened, unsent } from '../service/history-fixtures.ts'

const operation = 'validate-applicant-id-document'
const field = 'document_url'
const by = { at: 2_000_000_000_000, operator: 'tester' }
const draft: BatchDraft = {
  name: 'Rows',
  fileName: 'rows.csv',
  sha256: '0'.repeat(64),
  operations: [operation],
  connection: connectionNamed('Sandbox'),
  atOnce: 2,
  pace: 0,
  createdAt: 1_760_000_000_000,
  operator: 'tester',
  consoleVersion: '1.0.0',
  layout: {
    columns: ['applicant_id', field],
    delimiter: ',',
    mapping: { applicant_id: 0, [field]: 1 },
    applicantColumn: -1
  }
}
const document: KeptSealed = { type: 'jpeg', bytes: 9, sha256: 'a'.repeat(64), name: 'b'.repeat(64) }

let engine: Engine
beforeEach(() => void (engine = opened()))
afterEach(() => engine.close())

function write<T>(job: (writer: Writer) => Result<T, Failure>): T {
  const [done] = engine.commit([job])
  if (!done?.ok) throw new Error(done?.failure.code)
  return done.value as T
}
const step = (id: string, of: BatchStep) => write((writer) => engine.batches.step(writer, id, of))

function batch(rows: readonly string[]): string {
  const { id } = write((writer) => engine.batches.create(writer, draft))
  const cells = rows.map((applicantId, at) => ({
    row: at + 1,
    state: 'waiting' as const,
    cells: [applicantId, `https://files.example.com/${at + 1}?signature=secret`],
    applicantId
  }))
  write((writer) => engine.batches.add(writer, id, cells))
  write((writer) => engine.batches.seal(writer, id))
  return id
}
function begin(id: string, row: number, applicant: string, expires?: number): string {
  const intent = intentOf({ operation, applicant, batchId: id })
  const wanted = [{ field, ...(expires !== undefined && { expires }) }]
  return step(id, { begin: { row, intent, wanted } }).begun?.id ?? ''
}
const finish = (id: string, row: number, recordId: string, again = false) =>
  step(id, { finish: { row, recordId, ending: again ? unsent : answer(), again } })
const all = (): readonly WantedCopy[] => engine.wantedCopies.wanted(10)
const keep = ({ recordId, keys: { under } }: WantedCopy) =>
  engine.commit([
    (writer) => engine.copies.keep(writer, { recordId, field, when: 'beside', under, ...document }, by)
  ])[0]
const kinds = () => engine.dbs.history.prepare('SELECT kind FROM event ORDER BY seq').pluck().all() as string[]

describe('a document that is wanted', () => {
  it('waits with its whole link in the order in which links expire, and goes with its copy', () => {
    const id = batch(['APP-1', 'APP-2', 'APP-3'])
    const records = [begin(id, 1, 'APP-1'), begin(id, 2, 'APP-2', 5000), begin(id, 3, 'APP-3', 4000)]
    expect(all().map(({ row, recordId, cells }) => [row, recordId, cells[1]])).toEqual([
      [3, records[2], 'https://files.example.com/3?signature=secret'],
      [2, records[1], 'https://files.example.com/2?signature=secret'],
      [1, records[0], 'https://files.example.com/1?signature=secret']
    ])
    const [first] = all()
    if (!first) throw new Error('nothing is wanted')
    expect(keep(first)).toMatchObject({ ok: true })
    expect(engine.copies.kept(records[2] ?? '')).toMatchObject({ [field]: [{ when: 'beside', bytes: 9 }] })
    expect(all()).toHaveLength(2)
    // A second answer to the same entry is refused, and writes nothing.
    const { seq } = engine.last
    expect(keep(first)).toMatchObject({ failure: { code: 'document-copied' } })
    expect(engine.last.seq).toBe(seq)
  })

  it('is not wanted any more once a person has kept a copy from its link', () => {
    const id = batch(['APP-1'])
    begin(id, 1, 'APP-1')
    const [entry] = all()
    if (!entry) throw new Error('nothing is wanted')
    const { recordId, keys } = entry
    write((writer) =>
      engine.copies.keep(writer, { recordId, field, when: 'later', under: keys.under, ...document }, by)
    )
    expect(all()).toEqual([])
    expect(keep(entry)).toMatchObject({ failure: { code: 'document-copied' } })
    expect(kinds().filter((kind) => kind === 'document.kept')).toHaveLength(1)
  })

  it('ends with the reason why there is no copy', () => {
    const id = batch(['APP-1'])
    const recordId = begin(id, 1, 'APP-1')
    const missed = () =>
      write((writer) => engine.copies.missed(writer, { recordId, field, reason: 'document-not-fetched' }, by.at))
    missed()
    missed()
    expect(all()).toEqual([])
    expect(kinds().filter((kind) => kind === 'document.missed')).toHaveLength(1)
  })

  it('takes the copy of an earlier attempt of the row, in the same batch and in one that sends it again', () => {
    const id = batch(['APP-1'])
    const first = begin(id, 1, 'APP-1')
    const [entry] = all()
    if (!entry) throw new Error('nothing is wanted')
    keep(entry)
    finish(id, 1, first, true)
    expect(engine.wantedCopies.ofRow(id, 1, operation)).toMatchObject({ value: { earlier: { [field]: document } } })
    const second = begin(id, 1, 'APP-1')
    expect(all()).toMatchObject([{ recordId: second, earlier: document }])
    step(id, { finish: { row: 1, recordId: second, ending: unsent, again: false } })
    const again = write((writer) => engine.batches.again(writer, id, undefined, by)).id
    const [other] = all()
    if (!other) throw new Error('nothing is wanted')
    keep(other)
    begin(again, 1, 'APP-1')
    expect(all()).toMatchObject([{ batchId: again, earlier: document }])
  })

  it('goes with an erasure, after which no copy for it is taken', () => {
    const id = batch(['APP-1', 'APP-2'])
    for (const [at, who] of ['APP-1', 'APP-2'].entries()) finish(id, at + 1, begin(id, at + 1, who))
    const [first] = all()
    if (!first) throw new Error('nothing is wanted')
    const scope = engine.erasure.scope('APP-1')
    if (!scope.ok) throw new Error(scope.failure.code)
    engine.erasure.erase({
      cause: 'request',
      reason: 'asked',
      operator: 'tester',
      at: by.at,
      subjects: scope.value.people
    })
    expect(all().map(({ row }) => row)).toEqual([2])
    expect(keep(first)).toMatchObject({ failure: { code: 'document-copy-failed', details: { reason: 'erased' } } })
    expect(engine.wantedCopies.ofRow(id, 1, operation)).toEqual({ ok: true, value: null })
  })

  it('is there after the next opening', () =>
    inFolder((folder) => {
      engine.close()
      engine = opened(folder)
      begin(batch(['APP-1']), 1, 'APP-1')
      engine.close()
      engine = opened(folder)
      expect(all()).toMatchObject([{ row: 1, field }])
    }))
})

describe('a row whose copies are taken first', () => {
  it('begins with them under the key that seals it, and under no other', () => {
    const id = batch(['APP-1'])
    const row = engine.wantedCopies.ofRow(id, 1, operation)
    if (!row.ok || !row.value) throw new Error('no keys')
    const intent = intentOf({ operation, applicant: 'APP-1', batchId: id })
    const kept = [{ field, ...document }]
    const { seq } = engine.last
    const other = engine.commit([
      (writer) =>
        engine.batches.step(writer, id, {
          begin: { row: 1, intent: { ...intent, copies: { under: '0', kept, missed: [] } } }
        })
    ])[0]
    expect(other).toMatchObject({ failure: { code: 'document-copy-failed' } })
    expect(engine.last.seq).toBe(seq)
    const copies = { under: row.value.keys.under, kept, missed: [] }
    const begun = step(id, { begin: { row: 1, intent: { ...intent, copies } } }).begun
    expect(engine.copies.kept(begun?.id ?? '')).toMatchObject({ [field]: [{ when: 'before' }] })
    expect(all()).toEqual([])
  })

  it('is recorded as not sent in one step, where one of them failed', () => {
    const id = batch(['APP-1'])
    const row = engine.wantedCopies.ofRow(id, 1, operation)
    if (!row.ok || !row.value) throw new Error('no keys')
    const missed = [{ field, reason: 'document-not-fetched' as const }]
    const copies = { under: row.value.keys.under, kept: [], missed }
    const intent = { ...intentOf({ operation, applicant: 'APP-1', batchId: id }), copies }
    const why = failure('document-copy-failed', { reason: 'session' })
    expect(step(id, { begin: { row: 1, intent, unsent: why } })).toEqual({ unsent: true })
    expect(kinds().slice(-3)).toEqual(['record.begun', 'document.missed', 'record.ended'])
    const shown = engine.batches.read.show(id)
    expect(shown).toMatchObject({ value: { counts: { 'not-sent': 1, 'waiting': 0 } } })
  })
})
