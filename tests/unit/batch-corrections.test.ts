/** Cells that a person corrects before a batch is created, and column profiles. */
import { describe, expect, test } from 'vitest'
import type { BatchCheck, BatchReading } from '#contract/batches/batches.ts'
import { columnProfilesSchema, type ColumnProfile } from '#contract/batches/profiles.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { fittingProfile, profileColumns, textReading } from '#core/batches/profiles.ts'
import { checkSource } from '#core/batches/reading/check.ts'
import { textSource } from '#core/batches/reading/source.ts'

const details: BatchReading = { operations: ['get-applicant-details'] }
async function check(text: string, reading: BatchReading = details): Promise<BatchCheck> {
  const checked = await checkSource(textSource('rows.csv', text), reading, '00000000-0000-4000-8000-000000000001')
  if (!checked.ok) throw new Error(sentencesOf(checked.failure).what)
  return checked.value
}

describe('corrections', () => {
  const text = 'applicant_id;note\n A-1;x\n1.5E+9;y\nA-3;z\n'

  test('are read instead of the cell, counted, and validated as a cell of the file', async () => {
    const before = await check(text)
    expect(before).toMatchObject({ good: 1, invalid: 2, lostCorrections: 0 })
    expect(before.faults.map(({ row, cell }) => [row, cell])).toEqual([
      [2, ' A-1'],
      [3, '1.5E+9']
    ])
    const corrections = [
      { row: 2, column: 0, value: 'A-1' },
      { row: 3, column: 0, value: '1.6E+9' }
    ]
    const after = await check(text, { ...details, corrections })
    expect(after).toMatchObject({ good: 2, invalid: 1, sha256: before.sha256, lostCorrections: 0 })
    expect(after.sample[0]).toEqual({ row: 2, cells: ['A-1', 'x'] })
    expect(after.faults).toMatchObject([{ row: 3, fault: { code: 'cell-scientific' }, value: '1.6E+9' }])
    // What the file says is filled in, so that another text of the same cell is not taken for it.
    expect(after.reading.corrections).toEqual([
      { row: 2, column: 0, said: ' A-1', value: 'A-1' },
      { row: 3, column: 0, said: '1.5E+9', value: '1.6E+9' }
    ])
  })

  test('of the same text keep a cell that would stop its row', async () => {
    const kept = await check(text, { ...details, corrections: [{ row: 3, column: 0, value: '1.5E+9' }] })
    expect(kept).toMatchObject({ good: 2, invalid: 1, noteCount: 1 })
  })

  test('fill an empty cell, which is named as one', async () => {
    const before = await check('applicant_id;note\n;x\n')
    expect(before.faults).toMatchObject([{ row: 2, column: 'applicant_id', cell: '' }])
    const filled = await check('applicant_id;note\n;x\n', {
      ...details,
      corrections: [{ row: 2, column: 0, value: 'A-1' }]
    })
    expect(filled).toMatchObject({ good: 1, invalid: 0 })
  })

  test('can make a duplicate', async () => {
    const twice = await check(text, { ...details, corrections: [{ row: 2, column: 0, value: 'A-3' }] })
    expect(twice).toMatchObject({ good: 2, duplicates: 1 })
  })

  test('are left out and counted where the cell says something else or is not there', async () => {
    const corrections = [
      { row: 2, column: 0, said: 'A-9', value: 'A-1' },
      { row: 2, column: 7, value: 'x' },
      { row: 99, column: 0, value: 'x' }
    ]
    const found = await check(text, { ...details, corrections })
    expect(found).toMatchObject({ lostCorrections: 3, good: 1, reading: { corrections: [] } })
  })
})

describe('a column profile', () => {
  const profile: ColumnProfile = {
    name: 'Monthly',
    operations: ['validate-passport'],
    headings: ['Kunde', 'Scan', 'Notiz'],
    mapping: { id_url: 'Scan' },
    applicant: 'Kunde',
    delimiter: ';',
    headingRow: 2
  }
  const text = 'Liste\nNotiz;scan;KUNDE\nx;https://files.example.com/1.jpg;A-1\n'

  test('fits the same headings in any order, of its operation alone', async () => {
    const found = await check(text, { operations: ['validate-passport'], headingRow: 2 })
    expect(fittingProfile([profile], found)?.name).toBe('Monthly')
    expect(fittingProfile([{ ...profile, operations: ['validate-kyc-id'] }], found)).toBeUndefined()
    expect(fittingProfile([{ ...profile, headings: ['Kunde', 'Scan'] }], found)).toBeUndefined()
  })

  test('reads a file by the names of its columns', async () => {
    const first = await check(text, textReading(profile))
    const reading = { ...first.reading, ...profileColumns(profile, first.columns) }
    expect(await check(text, reading)).toMatchObject({
      good: 1,
      reading: { mapping: { id_url: 1 }, applicantColumn: 2, headingRow: 2, delimiter: ';' }
    })
    expect(profileColumns(profile, ['Kunde', 'x'])).toEqual({ mapping: { id_url: -1 }, applicantColumn: 0 })
  })

  test('has a name that no other has', () => {
    expect(columnProfilesSchema.safeParse([profile, { ...profile, name: 'Other' }]).success).toBe(true)
    expect(columnProfilesSchema.safeParse([profile, profile]).success).toBe(false)
    expect(columnProfilesSchema.safeParse([{ ...profile, name: ' ' }]).success).toBe(false)
  })
})
