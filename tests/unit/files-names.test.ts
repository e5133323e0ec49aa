import fc from 'fast-check'
import { expect, it } from 'vitest'
import { safeFileName } from '#core/files/names.ts'

it.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..', 'unnamed'],
  ['', 'unnamed'],
  ['CON', '_CON'],
  ['con.txt', '_con.txt'],
  ['com1 .txt', '_com1 .txt'],
  ['COM¹', '_COM¹'],
  ['console.txt', 'console.txt'],
  ['C:\\temp\\x', 'C__temp_x'],
  ['trailing. . .', 'trailing'],
  ['.hidden', 'hidden'],
  ['a\u202egpj.exe', 'agpj.exe'],
  ['line\r\nbreak\0', 'linebreak'],
  ['héllo ✓', 'héllo ✓']
])('makes %j a file name', (text, name) => {
  expect(safeFileName(text)).toBe(name)
})

it('cuts between characters and keeps the extension', () => {
  const name = safeFileName(`${'é'.repeat(300)}.json`)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
  expect(name).toMatch(/^é+\.json$/)
})

it('orders the marks of a character even if a hidden one stood between them', () => {
  expect(safeFileName('e\u0301\u0000\u0316')).toBe('e\u0316\u0301'.normalize('NFC'))
  expect(safeFileName(safeFileName('\u08ca\u0000\u0316'))).toBe(safeFileName('\u08ca\u0000\u0316'))
})

it('gives a single safe name for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const name = safeFileName(text)
      expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cf}]|^[.\s]|[.\s]$/u)
      expect(name.length).toBeGreaterThan(0)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(201)
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
      expect(safeFileName(name)).toBe(name)
    }),
    { numRuns: 500 }
  )
})
