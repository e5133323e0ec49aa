/** A file is decoded strictly, to its last byte: what does not match is reported, and nothing is replaced. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { BatchEncoding, BatchReading } from '#contract/batches/batches.ts'
import { checkSource } from '#core/batches/reading/check.ts'
import { bytesSource, fileSource, textSource, type Source } from '#core/batches/reading/source.ts'

const folder = mkdtempSync(join(tmpdir(), 'veridesk-encoding-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const details: BatchReading = { operations: ['get-applicant-details'] }
const checkId = '00000000-0000-4000-8000-000000000001'
let files = 0
function checkBytes(bytes: Uint8Array, more: Partial<BatchReading> = {}) {
  const path = join(folder, `${(files += 1)}.csv`)
  writeFileSync(path, bytes)
  return checkSource(fileSource(path), { ...details, ...more }, checkId)
}
/** The same bytes in chunks of any length. */
function inChunks(bytes: Uint8Array, length: number): Source {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
  }
  return {
    name: 'chunks.csv',
    open: async () => ({
      ok: true,
      value: { bytes: chunks(), digest: () => ({ bytes: bytes.length, sha256: '' }), unchanged: async () => true }
    })
  }
}
/** Rows of plain letters that are longer than the part of a file that is examined first. */
const far = Array.from({ length: 6000 }, (_, n) => `A-${n},plain text\n`).join('')
const farLines = 6001
const encoded = (text: string, encoding: BatchEncoding): Buffer => {
  const utf16 = Buffer.from(text, 'utf16le')
  return encoding === 'utf-8'
    ? Buffer.from(text)
    : encoding === 'windows-1252'
      ? Buffer.from(text, 'latin1')
      : encoding === 'utf-16be'
        ? utf16.swap16()
        : utf16
}
const refused = (line: number, value?: string, encoding?: string) => ({
  ok: false,
  failure: {
    code: 'batch-file-encoding',
    details: {
      line,
      ...(value !== undefined && { value }),
      ...(encoding !== undefined && { encoding: expect.stringContaining(encoding) as string })
    }
  }
})

describe('a byte that does not fit, behind the first 64 KiB', () => {
  test('is pointed out with its line where the rest is UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`applicant_id,name\nA,Zoë\n${far}`),
      Buffer.from([0x42, 0x2c, 0xe9, 0x0a])
    ])
    expect(bytes.length).toBeGreaterThan(70_000)
    expect(await checkBytes(bytes)).toMatchObject(refused(farLines + 2, '0xE9', 'UTF-8'))
    expect(await checkBytes(bytes, { encoding: 'utf-8' })).toMatchObject(refused(farLines + 2, '0xE9', 'UTF-8'))
  })

  test('leaves the encoding to a person where all other bytes are plain', async () => {
    const check = await checkBytes(
      Buffer.concat([Buffer.from(`applicant_id,name\n${far}`), Buffer.from([0x42, 0xe9, 0x80, 0x2c, 0x92, 0x0a])])
    )
    expect(check).toMatchObject({ ok: true, value: { good: 6001 } })
    expect(check.ok && check.value.encodings.map(({ encoding }) => encoding)).toContain('windows-1252')
    const alone = await checkBytes(
      Buffer.from([...Buffer.from('applicant_id,name\n'), 0x42, 0xe9, 0x80, 0x2c, 0x92, 0x0a]),
      { encoding: 'windows-1252' }
    )
    expect(alone).toMatchObject({ ok: true, value: { encodings: [], sample: [{ row: 2, cells: ['Bé€', '’'] }] } })
  })

  test('is no ground to read a file of UTF-8 as Windows-1252, though it comes first', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`applicant_id,name\n${far}A,`),
      Buffer.from([0xe9]),
      Buffer.from(`\nB,Zoë\nC,Jörg\nD,Ünal\n`)
    ])
    expect(await checkBytes(bytes)).toMatchObject(refused(farLines + 1, '0xE9', 'UTF-8'))
    // The beginning does not decide either if the rest is far from it.
    const apart = Buffer.concat([
      Buffer.from('applicant_id,name\nA,'),
      Buffer.from([0xe9]),
      Buffer.from(`\n${far}${'B,Zoë Ünal\n'.repeat(9)}`)
    ])
    expect(await checkBytes(apart)).toMatchObject(refused(2, '0xE9', 'UTF-8'))
  })

  test.each([
    ['utf-16le', [0x00, 0xdc, 0x0a, 0x00], '0xDC00'],
    ['utf-16le', [0x00, 0xd8, 0x0a, 0x00], '0xD800'],
    ['utf-16be', [0xdc, 0x00, 0x00, 0x0a], '0xDC00'],
    ['utf-16be', [0xd8, 0x00, 0x00, 0x0a], '0xD800'],
    ['utf-16le', [0x41], '0x41']
  ] as const)('is pointed out in %s: %j', async (encoding, bytes, named) => {
    const file = Buffer.concat([encoded(`\ufeffapplicant_id,name\n${far}B,`, encoding), Buffer.from(bytes)])
    for (const more of [{}, { encoding }])
      expect(await checkBytes(file, more)).toMatchObject(refused(farLines + 1, named, 'UTF-16'))
  })

  test.each([0x81, 0x8d, 0x8f, 0x90, 0x9d])(
    'is pointed out where Windows-1252 has no character for it: %i',
    async (byte) => {
      const file = Buffer.concat([Buffer.from(`applicant_id,name\n${far}B,`), Buffer.from([0xe9, byte])])
      expect(await checkBytes(file, { encoding: 'windows-1252' })).toMatchObject(
        refused(farLines + 1, `0x${byte.toString(16).toUpperCase()}`, 'Windows-1252')
      )
      // It is not proposed either.
      const found = await checkBytes(file)
      expect(found.ok && found.value.encodings.map(({ encoding }) => encoding)).not.toContain('windows-1252')
    }
  )

  test('is pointed out where a character is cut off at the end', async () => {
    const file = Buffer.concat([Buffer.from(`applicant_id,name\nA,Zoë\n${far}B,`), Buffer.from([0xe6, 0xbc])])
    expect(await checkBytes(file)).toMatchObject(refused(farLines + 2, '0xE6', 'UTF-8'))
  })
})

describe('whatever the length of the chunks', () => {
  const text = fc
    .array(fc.constantFrom('a', 'é', '漢', '🙂', '\n', '\r\n', '\r', ';', 'Ω'), { minLength: 1, maxLength: 40 })
    .map((parts) => `applicant_id;x\r\nA;b${parts.join('')}`)
  test('characters that are cut in two are kept', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (given, encoding, length, mark) => {
          const bytes = encoded(mark ? `\ufeff${given}` : given, encoding)
          const whole = await checkSource(textSource('x', given), { ...details, encoding: 'utf-8' }, checkId)
          const cut = await checkSource(inChunks(bytes, length), { ...details, encoding }, checkId)
          if (!whole.ok || !cut.ok) throw new Error('a text was refused')
          expect(cut.value.sample).toEqual(whole.value.sample)
          expect(cut.value.columns).toEqual(whole.value.columns)
        }
      ),
      { numRuns: 150 }
    )
  })

  test('the line of the byte is the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'),
        fc.integer({ min: 1, max: 7 }),
        async (given, encoding, length) => {
          const bad = encoding === 'utf-8' ? [0xff] : encoding === 'utf-16le' ? [0x00, 0xdc] : [0xdc, 0x00]
          const bytes = Buffer.concat([encoded(given, encoding), Buffer.from(bad), encoded('é\nmore', encoding)])
          const line = given.split(/\r\n|\r|\n/).length
          expect(await checkSource(inChunks(bytes, length), { ...details, encoding }, checkId)).toMatchObject(
            refused(line)
          )
        }
      ),
      { numRuns: 150 }
    )
  })
})

test('a dropped file is decoded as strictly as a chosen one', async () => {
  const bytes = Buffer.concat([Buffer.from(`applicant_id,name\nA,Zoë\n${far}B,`), Buffer.from([0xe9, 0x0a])])
  expect(await checkSource(bytesSource('x', bytes), details, checkId)).toMatchObject(
    refused(farLines + 2, '0xE9', 'UTF-8')
  )
})

test('half of a pair of surrogates in a pasted text is pointed out, not replaced', async () => {
  expect(
    await checkSource(
      textSource('x', 'applicant_id,name\nA,b\nB,\ud800x\n'),
      { ...details, encoding: 'utf-8' },
      checkId
    )
  ).toMatchObject(refused(3))
})

test('a replacement character that stands in the file itself is a fault where it would be sent or would name an applicant', async () => {
  const check = await checkSource(
    textSource('x', 'id_url,applicant_id\nhttps://files.example.com/1,A\ufffd\nhttps://files.example.com/2\ufffd,B\n'),
    { operations: ['validate-passport'] },
    checkId
  )
  expect(check).toMatchObject({
    ok: true,
    value: {
      good: 0,
      faults: [
        { row: 2, column: 'applicant_id' },
        { row: 3, column: 'id_url' }
      ]
    }
  })
})
