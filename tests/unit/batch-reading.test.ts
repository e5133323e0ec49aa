import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { stringify } from 'csv-stringify/sync'
import { afterAll, describe, expect, test } from 'vitest'
import type { BatchCheck, BatchReading } from '#contract/batches/batches.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { operations, type FieldDeclaration } from '#contract/verification/operations.ts'
import { ok } from '#contract/failures/result.ts'
import { checkSource } from '#core/batches/reading/check.ts'
import { columnNames, matchHeadings } from '#core/csv/headings.ts'
import { fileSource, textSource, type Source } from '#core/batches/reading/source.ts'
import { templateText } from '#core/batches/results.ts'

const folder = mkdtempSync(join(tmpdir(), 'veridesk-reading-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const details: BatchReading = { operations: ['get-applicant-details'] }
const checkId = '00000000-0000-4000-8000-000000000001'
const checkText = (text: string, reading: BatchReading = details) =>
  checkSource(textSource('rows.csv', text), reading, checkId)
function checkBytes(name: string, bytes: Uint8Array, reading: BatchReading = details) {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return checkSource(fileSource(path), reading, checkId)
}
/** A file that grows once its first chunk has been read: neither before the reading nor after it. */
function changedAfterFirstChunk(path: string): Source {
  const source = fileSource(path)
  async function* grown(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let first = true
    for await (const chunk of bytes) {
      if (first) await appendFile(path, 'A-more\n')
      first = false
      yield chunk
    }
  }
  return {
    name: source.name,
    async open() {
      const opened = await source.open()
      return opened.ok ? ok({ ...opened.value, bytes: grown(opened.value.bytes) }) : opened
    }
  }
}
const cellsOf = (check: BatchCheck) => check.sample.map(({ cells }) => cells)
async function good(answer: ReturnType<typeof checkText>) {
  const check = await answer
  if (!check.ok) throw new Error(sentencesOf(check.failure).what)
  return check.value
}

describe('encodings and delimiters', () => {
  const text = 'applicant_id;name\r\n007;Jörg – “Ä”\r\n0012345678901234567890;x\r\n'
  const utf16 = (bigEndian: boolean): Buffer => {
    const bytes = Buffer.from(text, 'utf16le')
    return bigEndian ? bytes.swap16() : bytes
  }
  test.each([
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(false)])],
    ['utf-16be', Buffer.concat([Buffer.from([0xfe, 0xff]), utf16(true)])],
    ['utf-16le', utf16(false)],
    ['utf-16be', utf16(true)]
  ] as const)('reads %s to the letter', async (encoding, bytes) => {
    const check = await good(checkBytes(`${encoding}-${bytes.length}-${bytes[0]}.csv`, bytes))
    expect(check.reading).toMatchObject({ encoding, delimiter: ';', mapping: { applicant_id: 0 } })
    expect(check.columns).toEqual(['applicant_id', 'name'])
    expect(check.sample).toEqual([
      { row: 2, cells: ['007', 'Jörg – “Ä”'] },
      { row: 3, cells: ['0012345678901234567890', 'x'] }
    ])
    expect(check).toMatchObject({ rows: 2, good: 2, invalid: 0 })
  })

  test.each([',', ';', '\t', '|'] as const)(
    'tells the delimiter %j, quoted ones and line breaks apart',
    async (delimiter) => {
      const rows = [
        ['applicant_id', 'note', 'more'],
        ['A-1', `a${delimiter}b;c,d`, 'x\ny'],
        ['A-2', 'plain', '']
      ]
      const check = await good(checkText(stringify(rows, { delimiter })))
      expect(check.reading.delimiter).toBe(delimiter)
      expect(cellsOf(check)).toEqual(rows.slice(1))
    }
  )

  test('takes what a person chooses over what it finds', async () => {
    const check = await good(checkText('applicant_id,a;b\n1,2;3\n', { ...details, delimiter: ';' }))
    expect(check.columns).toEqual(['applicant_id,a', 'b'])
  })

  test('keeps every cell as it was, whatever is in it', async () => {
    const cell = fc
      .string({ maxLength: 30, unit: 'grapheme' })
      .filter((text) => !/[\0\ufffd\ufeff]/.test(text) && text.isWellFormed())
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 15 }), async (rows) => {
        const kept = rows.filter((row) => row.some((each) => each.trim() !== ''))
        fc.pre(kept.length > 0)
        const check = await good(
          checkText(stringify([['applicant_id', 'b'], ...rows], { quoted: true }), { ...details, delimiter: ',' })
        )
        expect(cellsOf(check)).toEqual(kept)
      }),
      { numRuns: 60 }
    )
  })
})

describe('headings', () => {
  test.each(operations.map((operation) => operation))('$id: its template is read without a hand', async (operation) => {
    const fields: readonly FieldDeclaration[] = operation.fields
    const check = await good(checkText(templateText(fields), { operations: [operation.id] }))
    expect(check).toMatchObject({ rows: 1, good: 1 })
    expect(check.reading.mapping).toEqual(Object.fromEntries(fields.map(({ name }, index) => [name, index])))
  })

  test('are matched by name before alias, folded, and never twice', () => {
    const match = matchHeadings({ operations: ['validate-applicant-documents'] }, [
      'Document',
      'PHOTO URL',
      'Applicant  Id',
      'id_document_url'
    ])
    expect(match).toMatchObject({
      ok: true,
      value: { mapping: { applicant_id: 2, photo_document_url: 1, id_document_url: 3 }, applicantColumn: -1 }
    })
  })

  test('name the applicant of a check that the service is told none of', async () => {
    const check = await good(
      checkText('passport,Applicant ID\nhttps://a.example/1.jpg,APP-1\nhttps://a.example/2.jpg,\n', {
        operations: ['validate-passport']
      })
    )
    expect(check.reading).toMatchObject({ mapping: { id_url: 0 }, applicantColumn: 1 })
    expect(check.good).toBe(2)
  })

  test('can be chosen by hand, within reason', () => {
    const columns = ['a', 'b']
    expect(matchHeadings({ ...details, mapping: { applicant_id: 1 } }, columns)).toMatchObject({
      ok: true,
      value: { mapping: { applicant_id: 1 } }
    })
    for (const mapping of [{ applicant_id: 2 }, { nothing: 0 }] as Record<string, number>[])
      expect(matchHeadings({ ...details, mapping }, columns)).toMatchObject({
        failure: { code: 'batch-mapping-invalid' }
      })
    const twice: BatchReading = {
      operations: ['validate-applicant-id-document'],
      mapping: { applicant_id: 0, document_url: 0 }
    }
    expect(matchHeadings(twice, columns)).toMatchObject({ failure: { code: 'batch-mapping-invalid' } })
  })

  test('without a name are called by their place', () => {
    expect(columnNames(['a', '', ' '])).toMatchObject({ ok: true, value: ['a', 'Column 2', 'Column 3'] })
  })
})

describe('bad input has a sentence of its own', () => {
  test.each([
    ['an empty file', '', 'batch-file-empty'],
    ['only line breaks', '\n\r\n\n', 'batch-file-empty'],
    ['headings only', 'applicant_id,b\n', 'batch-file-headings-only'],
    ['the heading of a field twice', 'applicant_id,Note,Applicant_id\n1,2,3\n', 'batch-heading-twice'],
    ['a quote that is never closed', 'applicant_id,b\n1,"open\n2\n3,y\n', 'batch-quote-open'],
    ['a row of 9 MiB', `applicant_id\n${'x'.repeat(9 * 1024 * 1024)}\n`, 'batch-row-too-large'],
    ['1,001 columns', `${Array.from({ length: 1001 }, (_, n) => `c${n}`).join(',')}\n1\n`, 'batch-too-many-columns'],
    ['a workbook', 'PK\u0003\u0004rest', 'batch-file-not-text']
  ])('%s', async (_name, text, code) => {
    expect(await checkText(text)).toMatchObject({ ok: false, failure: { code } })
  })

  test('the line of a quote that is never closed is told', async () => {
    expect(await checkText('applicant_id,b\n1,x\n2,"open\nthe rest, of a text, with commas\n')).toMatchObject({
      failure: { code: 'batch-quote-open', details: { line: 3 } }
    })
  })

  test('a quote that is never closed among whole rows is kept in its cell, which is pointed out', async () => {
    const check = await good(checkText('applicant_id,b\n1,x\n"2,y\n3,z\n'))
    expect(check).toMatchObject({ rows: 3, good: 3 })
    expect(check.notes).toMatchObject([{ row: 3, column: 'applicant_id', fault: { code: 'cell-quotes' }, value: '"2' }])
  })

  test('ragged rows, cells of 1 MB, NUL bytes and invalid values are faults of their rows, each at its place', async () => {
    const check = await good(checkText(`ID;x\n1;a;b\n2 \n3;${'y'.repeat(1_048_576)}\n4\0;a\n;e\n6;ok\n6;again\n`))
    expect(check).toMatchObject({ rows: 7, good: 2, invalid: 5, duplicates: 1, moreFaults: false })
    expect(check.faults.map(({ row, column }) => [row, column])).toEqual([
      [2, ''],
      [3, 'ID'],
      [4, 'x'],
      [5, 'ID'],
      [6, 'ID']
    ])
    expect(check.faults[2]?.fault).toMatchObject({ code: 'cell-too-long', details: { length: 1_048_576 } })
  })

  test('a file that is missing, a folder, and one that changes while it is read', async () => {
    expect(await checkSource(fileSource(join(folder, 'nowhere.csv')), details, checkId)).toMatchObject({
      failure: { code: 'batch-file-unreadable' }
    })
    expect(await checkSource(fileSource(folder), details, checkId)).toMatchObject({
      failure: { code: 'batch-file-unreadable' }
    })
    const path = join(folder, 'changing.csv')
    writeFileSync(path, `applicant_id\n${Array.from({ length: 30_000 }, (_, n) => `A-${n}`).join('\n')}\n`)
    expect(await checkSource(changedAfterFirstChunk(path), details, checkId)).toMatchObject({
      failure: { code: 'batch-file-changed' }
    })
  })
})
