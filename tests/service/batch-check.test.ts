/** Checking a file and reading a batch, with a real history and the practice service. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { createExports } from '#core/exports/exports.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import {
  groundConnection,
  makeApplicantBatch,
  openGround,
  type Ground,
  type GroundOptions
} from '../../scripts/batch-ground.ts'

const masterKey = '0123456789abcdef'.repeat(4)
let folder: string
let practice: PracticeService
let ground: Ground

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-batch-check-'))
  practice = await startPracticeService()
  ground = await open()
})
afterEach(async () => {
  await ground.close()
  await practice.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (more: Partial<GroundOptions> = {}): Promise<Ground> =>
  openGround({ folder: join(folder, 'history'), masterKey, baseUrl: practice.baseUrl, ...more })
async function reopen(more: Partial<GroundOptions>): Promise<void> {
  await ground.close()
  ground = await open(more)
}
const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `APP-${index + 1}`)
async function run(id: string): Promise<void> {
  const started = await ground.batches.start(id)
  if (!started.ok) throw new Error(sentencesOf(started.failure).what)
  await ground.batches.ended(id)
}
async function shown(id: string) {
  const batch = await ground.batches.show(id)
  if (!batch.ok) throw new Error(sentencesOf(batch.failure).what)
  return batch.value
}
async function rowsOf(id: string) {
  const page = await ground.batches.rows({ id, offset: 0, limit: 500 })
  if (!page.ok) throw new Error(sentencesOf(page.failure).what)
  return page.value.rows
}

describe('a checked file', () => {
  const checked = async (text: string) => {
    const check = await ground.batches.checkText('rows.csv', text, { operations: ['get-applicant-details'] })
    if (!check.ok) throw new Error(sentencesOf(check.failure).what)
    return check.value
  }
  const recentDuplicates = (checkId: string, connectionId = groundConnection.id) =>
    ground.batches.recentDuplicates(checkId, connectionId)

  it('reports how many of its rows were recently answered, and the batch skips as many', async () => {
    await run(await makeApplicantBatch(ground, ids(900)))
    const rows = [...ids(1000), 'APP-1', 'APP-2', '', 'APP-950']
    const check = await checked(['applicant_id', ...rows].join('\n'))
    expect(await recentDuplicates(check.checkId)).toEqual({ ok: true, value: { rows: 900, duplicates: 2 } })
    // The same input at another connection is a different verification.
    expect(await recentDuplicates(check.checkId, '00000000-0000-4000-8000-0000000000ff')).toEqual({
      ok: true,
      value: { rows: 0, duplicates: 0 }
    })
    expect((await shown(await makeApplicantBatch(ground, rows))).counts).toMatchObject({
      'recently-answered': 900,
      'waiting': 100,
      'duplicate': 3
    })
  })

  it('is counted once at a time, and not where the spend guard is off', async () => {
    const check = await checked(['applicant_id', ...ids(1500)].join('\n'))
    const [first, second] = await Promise.all([recentDuplicates(check.checkId), recentDuplicates(check.checkId)])
    expect([first, second]).toMatchObject([{ value: null }, { value: { rows: 0 } }])
    await reopen({ settings: { spendGuardMinutes: 0 } })
    const again = await checked('applicant_id\nA-1')
    expect(await recentDuplicates(again.checkId)).toEqual({ ok: true, value: null })
    expect(await recentDuplicates(check.checkId)).toMatchObject({ failure: { code: 'batch-check-gone' } })
  })

  it('saves its invalid rows in its own columns, each with all of its errors, and none if it has changed since', async () => {
    const path = join(folder, 'invalid.csv')
    const lines = [
      'applicant_id|document_url|note',
      'A-1|https://files.example.com/1|fine',
      '|not a link|=1+1',
      'A-3|https://files.example.com/3|x|y|z'
    ]
    writeFileSync(path, lines.join('\n'))
    const check = await ground.batches.checkFile(path, { operations: ['validate-applicant-id-document'] })
    if (!check.ok) throw new Error(sentencesOf(check.failure).what)
    expect(check.value).toMatchObject({ invalid: 2, faultCount: 3, moreFaults: false })
    const out = join(folder, 'fix.csv')
    expect(await ground.batches.saveInvalidTo(check.value.checkId, out)).toEqual({
      ok: true,
      value: { path: out, rows: 2, cut: 0 }
    })
    const [headings, first, second] = parse(readFileSync(out, 'utf8'), {
      bom: true,
      delimiter: '|',
      relax_column_count: true
    }) as string[][]
    expect(headings).toEqual(['applicant_id', 'document_url', 'note', 'line', 'faults', 'veridesk_escaped'])
    expect(first).toEqual([
      '',
      'not a link',
      "'=1+1",
      '3',
      expect.stringMatching(/^applicant_id: .+ document_url: .+/),
      'bar'
    ])
    // Cells without a heading are not lost.
    expect(second).toEqual([
      'A-3',
      'https://files.example.com/3',
      'x',
      '4',
      expect.stringContaining('5 cells'),
      '',
      'y',
      'z'
    ])
    writeFileSync(path, [...lines, '|again|'].join('\n'))
    const later = join(folder, 'later.csv')
    expect(await ground.batches.saveInvalidTo(check.value.checkId, later)).toMatchObject({
      failure: { code: 'batch-file-changed' }
    })
    expect(existsSync(later)).toBe(false)
  })
})

describe('cells that a person corrected', () => {
  it('are sent, and kept with what the file says: with the row, its record and its results', async () => {
    const path = join(folder, 'wrong.csv')
    writeFileSync(path, 'applicant_id,note\n APP-1,x\n1.5E+9,y\nAPP-3,z\n')
    const first = await ground.batches.checkFile(path, { operations: ['get-applicant-details'] })
    if (!first.ok) throw new Error(sentencesOf(first.failure).what)
    const check = await ground.batches.recheck(first.value.checkId, {
      ...first.value.reading,
      corrections: [
        { row: 2, column: 0, value: 'APP-1' },
        { row: 3, column: 0, value: '1.5E+9' }
      ]
    })
    expect(check).toMatchObject({ ok: true, value: { good: 3, sha256: first.value.sha256 } })
    const made = await ground.batches.create({
      checkId: first.value.checkId,
      connectionId: groundConnection.id,
      name: 'Corrected',
      atOnce: 1,
      pace: 0,
      skipDuplicates: true,
      skipRecent: false
    })
    if (!made.ok) throw new Error(sentencesOf(made.failure).what)
    await run(made.value.id)
    const [one, two, three] = await rowsOf(made.value.id)
    const correction = {
      column: 'applicant_id',
      said: ' APP-1',
      value: 'APP-1',
      by: 'ground',
      at: expect.any(Number) as number
    }
    expect(one).toMatchObject({ row: 2, cells: ['APP-1', 'x'], corrections: [correction] })
    expect(two?.corrections).toMatchObject([{ said: '1.5E+9', value: '1.5E+9' }])
    expect(three).not.toHaveProperty('corrections')
    expect(await ground.store.record(one?.recordId ?? '')).toMatchObject({
      value: { input: { applicant_id: 'APP-1' }, corrections: [correction] }
    })
    const out = join(folder, 'corrected.csv')
    await ground.batches.saveTo(made.value.id, 'results', out)
    const saved = parse<Record<string, string>>(readFileSync(out, 'utf8'), { bom: true, columns: true })
    expect(saved.map((row) => [row['applicant_id'], row['corrections']])).toEqual([
      ['APP-1', 'applicant_id: the file says “ APP-1”, corrected to “APP-1” (ground)'],
      ['1.5E+9', 'applicant_id: “1.5E+9”, kept as it is (ground)'],
      ['APP-3', '']
    ])
  })
})

describe('ids that begin like a formula', () => {
  const given = ['-5001', '@ada', "'-7", '=1;+2', "''@x", 'PRACTICE-404']
  const idsIn = async (path: string) => {
    const check = await ground.batches.checkFile(path, { operations: ['get-applicant-details'] })
    if (!check.ok) throw new Error(sentencesOf(check.failure).what)
    return {
      ...check.value,
      ids: check.value.sample.map(({ cells }) => cells[check.value.reading.mapping['applicant_id'] ?? -1])
    }
  }

  it('are restored from every file of a batch, and a batch of such a file sends them and writes the mark once', async () => {
    await reopen({ baseUrl: `${practice.baseUrl}/nowhere` })
    let id = await makeApplicantBatch(ground, given)
    for (const round of [1, 2]) {
      await run(id)
      for (const file of ['results', 'unsuccessful'] as const) {
        const path = join(folder, `${file}-${round}.csv`)
        expect(await ground.batches.saveTo(id, file, path)).toMatchObject({ value: { rows: given.length } })
        const headings = (parse(readFileSync(path, 'utf8'), { bom: true }) as string[][])[0] ?? []
        expect(headings.filter((heading) => heading.includes('escaped'))).toEqual(['veridesk_escaped'])
        expect(readFileSync(path, 'utf8')).toContain("'-5001,")
        const back = await idsIn(path)
        expect(back.ids).toEqual(given)
        expect(back.columns).not.toContain('veridesk_escaped')
        expect(back.apostrophes.restored).toBe(5)
      }
      const check = await idsIn(join(folder, `unsuccessful-${round}.csv`))
      const made = await ground.batches.create({
        checkId: check.checkId,
        connectionId: groundConnection.id,
        name: 'Again',
        atOnce: 1,
        pace: 0,
        skipDuplicates: true,
        skipRecent: false
      })
      if (!made.ok) throw new Error(sentencesOf(made.failure).what)
      id = made.value.id
      expect((await rowsOf(id)).map(({ cells }) => cells[0])).toEqual(given)
    }
  })

  it('are restored from an export of the history', async () => {
    await run(await makeApplicantBatch(ground, given))
    const path = join(folder, 'history.csv')
    const exports = createExports({
      clock: systemClock,
      consoleVersion: '0',
      store: async () => ({ ok: true, value: ground.store }),
      chooseSavePath: async () => path,
      files: createChosenFiles(mkdtempSync(join(folder, 'own-'))),
      auditTrail: { note: async () => undefined },
      progress: () => undefined
    })
    expect(
      await exports.history({ exportId: '00000000-0000-4000-8000-0000000000ee', filter: {}, format: 'csv' })
    ).toMatchObject({ ok: true })
    expect((await idsIn(path)).ids.filter(Boolean).toSorted()).toEqual(given.toSorted())
  })

  it('in a file that has lost the mark are reported, kept, and restored by choice', async () => {
    const path = join(folder, 'earlier.csv')
    writeFileSync(path, "applicant_id,row,faults\r\n'-5001,1,\r\n'@ada,2,\r\nA-3,3,\r\n")
    const check = await idsIn(path)
    expect(check).toMatchObject({
      good: 3,
      ids: ["'-5001", "'@ada", 'A-3'],
      apostrophes: {
        restored: 0,
        rows: 2,
        places: [
          { row: 2, column: 'applicant_id' },
          { row: 3, column: 'applicant_id' }
        ]
      }
    })
    const again = await ground.batches.recheck(check.checkId, { ...check.reading, apostrophes: 'remove' })
    expect(again).toMatchObject({
      ok: true,
      value: {
        sample: [
          { row: 2, cells: ['-5001', '1', ''] },
          { row: 3, cells: ['@ada', '2', ''] },
          { row: 4, cells: ['A-3', '3', ''] }
        ]
      }
    })
    const made = await ground.batches.create({
      checkId: check.checkId,
      connectionId: groundConnection.id,
      name: 'Fixed',
      atOnce: 1,
      pace: 0,
      skipDuplicates: true,
      skipRecent: false
    })
    expect(made.ok && (await rowsOf(made.value.id)).map(({ cells }) => cells[0])).toEqual(['-5001', '@ada', 'A-3'])
  })
})

describe('a batch that is viewed', () => {
  it('shows its columns and how many rows can be sent again, matching its file', async () => {
    const id = await makeApplicantBatch(ground, ['PRACTICE-404', 'PRACTICE-html', 'PRACTICE-cut', 'A-1', ''])
    expect(await ground.batches.columns(id)).toEqual({
      ok: true,
      value: { columns: ['applicant_id'], mapping: { applicant_id: 0 }, applicantColumn: -1 }
    })
    const none = {
      'invalid-response': 0,
      'not-sent': 0,
      'status-3xx': 0,
      'status-4xx': 0,
      'status-5xx': 0,
      'unknown': 0
    }
    expect(await ground.batches.againCounts(id)).toEqual({ ok: true, value: none })
    await run(id)
    expect(await ground.batches.againCounts(id)).toEqual({
      ok: true,
      value: { ...none, 'invalid-response': 1, 'status-4xx': 1 }
    })
    expect(await ground.batches.saveTo(id, 'unsuccessful', join(folder, 'unsuccessful.csv'))).toMatchObject({
      value: { rows: 2 }
    })
    expect(await ground.batches.again(id)).toMatchObject({ value: { rows: 2 } })
    expect(await ground.batches.again(id, 'status-4xx')).toMatchObject({ value: { rows: 1 } })
    expect(await ground.batches.again(id, 'not-sent')).toMatchObject({ failure: { code: 'batch-nothing-again' } })
    expect(await ground.batches.againCounts(groundConnection.id)).toMatchObject({ failure: { code: 'batch-missing' } })
  })

  it('shows links without their signatures; its files give them back as they came', async () => {
    const secret = 'c0ffee'.repeat(8)
    const link = `https://bucket.s3.amazonaws.com/id.jpg?X-Amz-Date=20261121T000000Z&X-Amz-Expires=900&X-Amz-Signature=${secret}`
    const check = await ground.batches.checkText('links.csv', `id_url,copy\n${link},see ${link}\n`, {
      operations: ['validate-passport']
    })
    if (!check.ok) throw new Error(sentencesOf(check.failure).what)
    const made = await ground.batches.create({
      checkId: check.value.checkId,
      connectionId: groundConnection.id,
      name: 'Links',
      atOnce: 1,
      pace: 0,
      skipDuplicates: true,
      skipRecent: true
    })
    if (!made.ok) throw new Error(sentencesOf(made.failure).what)
    await run(made.value.id)
    const [row] = await rowsOf(made.value.id)
    expect(row?.cells).toHaveLength(2)
    expect(row?.cells[0]).toContain('X-Amz-Signature=REMOVED')
    expect(JSON.stringify(row)).not.toContain(secret)
    const out = join(folder, 'links.csv')
    await ground.batches.saveTo(made.value.id, 'results', out)
    expect((parse(readFileSync(out, 'utf8'), { bom: true }) as string[][])[1]?.slice(0, 2)).toEqual([
      link,
      `see ${link}`
    ])
  })
})
