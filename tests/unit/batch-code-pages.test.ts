/** Encodings older than Unicode: read to the letter where a person chooses one, proposed and never taken unasked. */
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { batchEncodings, type BatchCheck, type BatchEncoding, type BatchReading } from '#contract/batches/batches.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { checkSource } from '#core/batches/reading/check.ts'
import { codePageText, isWide } from '#core/batches/reading/code-pages.ts'
import { bytesSource } from '#core/batches/reading/source.ts'
import { createHeldChecks } from '#core/batches/held-checks.ts'

const details: BatchReading = { operations: ['get-applicant-details'] }
const ask = (bytes: Uint8Array, more: Partial<BatchReading> = {}) =>
  checkSource(bytesSource('rows.csv', bytes), { ...details, ...more }, '00000000-0000-4000-8000-000000000001')
async function check(bytes: Uint8Array, more: Partial<BatchReading> = {}): Promise<BatchCheck> {
  const checked = await ask(bytes, more)
  if (!checked.ok) throw new Error(sentencesOf(checked.failure).what)
  return checked.value
}

/** Names as they are written where an encoding is used; several for each kind. */
const names: readonly (readonly [BatchEncoding, string, string])[] = [
  ['windows-1252', 'windows-1252', 'Zoë Ångström,François Müller,Núñez'],
  ['windows-1250', 'windows-1250', 'Łukasz Wójcik,Żaneta Gęś,Dvořák Přemysl,Čapek'],
  ['windows-1251', 'windows-1251', 'Иванов Пётр,Щербакова Анна,Смирнов'],
  ['windows-1253', 'windows-1253', 'Παπαδόπουλος Γιώργος,Ελένη'],
  ['windows-1254', 'windows-1254', 'İŞL-0001,Ayşe Yılmaz,Gökçe Ağaoğlu'],
  ['windows-1255', 'windows-1255', 'כהן משה,לוי שרה'],
  ['windows-1256', 'windows-1256', 'محمد عبد الله,فاطمة'],
  ['windows-1257', 'windows-1257', 'Jānis Bērziņš,Žydrūnas'],
  ['windows-1258', 'windows-1258', 'Đ\u0103\u0323ng H\u00f4\u0300ng'],
  ['windows-874', 'windows-874', 'สมชาย ใจดี'],
  ['iso-8859-2', 'iso-8859-2', 'Šárka Ľubomír'],
  ['iso-8859-5', 'iso-8859-5', 'Иванов Пётр'],
  ['iso-8859-15', 'iso-8859-15', 'Šœur €'],
  ['iso-8859-16', 'iso-8859-16', 'Ștefan Țiriac'],
  ['koi8-r', 'koi8-r', 'Иванов Пётр,Смирнов Олег,Анна'],
  ['koi8-u', 'koi8-u', 'Ігор Їжак Євген'],
  ['macintosh', 'macintosh', 'Zoë Ångström,François Müller'],
  ['x-mac-cyrillic', 'maccyrillic', 'Иванов Петр'],
  ['ibm866', 'cp866', 'Иванов Пётр,Смирнов Олег'],
  ['gbk', 'gbk', '张伟,王秀英,李娜,刘洋'],
  ['gb18030', 'gb18030', '张伟,𠀀𠮷,王秀英'],
  ['big5', 'big5hkscs', '陳大文,黃小明,林志玲'],
  ['shift_jis', 'shift_jis', '山田太郎,さくら,タナカ'],
  ['euc-jp', 'eucjp', '山田太郎,さくら,タナカ'],
  ['euc-kr', 'cp949', '김철수,이영희,똠방각하']
]
function encode(encoding: BatchEncoding, codec: string, text: string): Buffer {
  if (isWide(encoding)) return iconv.encode(text, codec)
  // The platform decodes; its table turned round encodes, so that the two cannot be wrong together.
  const table = new Map<string, number>()
  const decoder = new TextDecoder(encoding)
  for (let byte = 255; byte >= 0; byte -= 1) table.set(decoder.decode(Uint8Array.of(byte), { stream: true }), byte)
  return Buffer.from([...text].map((character) => table.get(character) ?? 0x3f))
}
const fileOf = (encoding: BatchEncoding, codec: string, text: string): Buffer =>
  Buffer.concat([
    Buffer.from('applicant_id;name\r\nA-0;plain\r\n'),
    ...text.split(',').map((name, index) => encode(encoding, codec, `A-${index + 1};${name}\r\n`))
  ])

describe.each(names)('%s', (encoding, codec, text) => {
  const bytes = fileOf(encoding, codec, text)
  const expected = text.split(',')

  test('is read to the letter, and proposed with its lines', async () => {
    const chosen = await check(bytes, { encoding })
    expect(chosen.encodings).toEqual([])
    expect(chosen.sample.slice(1).map(({ cells }) => cells[1])).toEqual(expected)

    const { encodings, reading } = await check(bytes)
    expect(encodings.length).toBeGreaterThan(0)
    expect(reading.encoding).toBe(encodings[0]?.encoding)
    // Where another encoding gives the same text, one of the two is enough.
    const right = encodings.find(({ rows }) => rows[0]?.cells[1] === expected[0])
    expect(right?.rows[0]).toEqual({ row: 3, cells: ['A-1', expected[0]] })
  })
})

test('what is likely comes first for names of several letters', async () => {
  const first: string[] = []
  for (const [encoding, codec, text] of names.filter(([, , all]) => all.includes(','))) {
    const { encodings } = await check(fileOf(encoding, codec, text))
    if (encodings[0]?.rows.every(({ cells }, index) => cells[1] === text.split(',')[index])) first.push(encoding)
  }
  expect(first.length).toBeGreaterThanOrEqual(14)
})

test.each([
  ['pure ASCII', Buffer.from('applicant_id\nA-1\n'), 'utf-8'],
  ['UTF-8', Buffer.from('applicant_id\nİŞL-1\n'), 'utf-8'],
  [
    'UTF-16 of Cyrillic letters without a mark',
    Buffer.from('applicant_id,name\nA-1,Иванов Пётр\nA-2,Смирнов\n', 'utf16le'),
    'utf-16le'
  ],
  [
    'UTF-16 of Chinese letters without a mark',
    Buffer.from('编号,姓名\n一,张伟\n二,王秀英\n', 'utf16le').swap16(),
    'utf-16be'
  ]
] as const)('%s is certain', async (_name, bytes, encoding) => {
  expect(await check(bytes)).toMatchObject({ encodings: [], reading: { encoding } })
})

test.each([
  ['a control character', 'windows-1252', [0x81]],
  ['a byte without a character', 'windows-1253', [0xff]],
  ['private use', 'macintosh', [0xf0]],
  ['an undefined pair', 'gbk', [0xff, 0x41]],
  ['a lone first byte', 'shift_jis', [0x95, 0x0a]],
  ['an undefined pair', 'euc-kr', [0xc9, 0xa1]]
] as const)('%s is not %s', async (_name, encoding, bad) => {
  const bytes = Buffer.concat([Buffer.from('applicant_id\nA-1\n\nA-'), Buffer.from(bad), Buffer.from('\nB-2\n')])
  expect(await ask(bytes, { encoding })).toMatchObject({
    failure: { code: 'batch-file-encoding', details: { line: 4, value: expect.stringMatching(/^0x/) as string } }
  })
  const found = await ask(bytes)
  if (found.ok) expect(found.value.encodings.map((each) => each.encoding)).not.toContain(encoding)
})

test('pieces of any length give the same text', async () => {
  for (const [encoding, codec, text] of names.filter(([each]) => isWide(each))) {
    const bytes = Buffer.concat(Array.from({ length: 6000 }, () => fileOf(encoding, codec, text).subarray(20)))
    const whole = codePageText(bytes, encoding)
    const { strictDecoding } = await import('#core/batches/reading/decoding.ts')
    const decoding = strictDecoding(encoding)
    let read = ''
    for (let at = 0; at < bytes.length; at += 65_537) {
      const piece = decoding.push(bytes.subarray(at, at + 65_537))
      if (piece.ok) read += piece.value
    }
    const rest = decoding.end()
    expect('text' in whole && whole.text === read + (rest.ok ? rest.value : '')).toBe(true)
  }
})

test('a person chooses before anything can be created, and the choice counts', async () => {
  const held = createHeldChecks(() => {
    throw new Error('no workbook is read here')
  })
  const [, codec, text] = names[4]!
  const bytes = fileOf('windows-1254', codec, text)
  const first = await held.dropped('rows.csv', bytes.toString('base64'), details)
  if (!first.ok) throw new Error('not read')
  const { checkId } = first.value
  expect(held.decided(checkId)).toMatchObject({
    failure: {
      code: 'batch-encoding-unchosen',
      details: { encodings: expect.stringContaining('windows-1254') as string }
    }
  })
  await held.again(checkId, { ...details, encoding: 'windows-1254' })
  expect(held.decided(checkId)).toMatchObject({ ok: true, value: { check: { reading: { encoding: 'windows-1254' } } } })
})

test('every encoding of the list is known', () => {
  for (const encoding of batchEncodings.filter((each) => !each.startsWith('utf-')))
    expect(codePageText(Buffer.from('A-1\n'), encoding)).toEqual({ text: 'A-1\n' })
})
