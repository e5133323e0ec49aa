/** Text from others: nothing in it hides, reorders or controls anything, wherever it is shown. */
import { describe, expect, it } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import { curlCommand } from '#contract/verification/curl.ts'
import { fieldFault } from '#contract/verification/verification.ts'
import { escaped } from '#core/evidence/page.ts'
import { safeFileName } from '#core/files/names.ts'
import { print as printLines } from '../../electron/hosts/cli/print-text.ts'
import { failureText } from '../../electron/hosts/cli/print.ts'
import { visible } from '#contract/text/hidden-text.ts'

const named = (code: number): readonly [string, string] => [
  `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
  String.fromCodePoint(code)
]
// Controls, a soft hyphen, marks of direction, widths and joiners, a line separator, a filler, a byte order mark, a
// tag.
const hidden = [
  0x00, 0x07, 0x1b, 0x7f, 0x9b, 0xad, 0x061c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a,
  0x202e, 0x2060, 0x2066, 0x2069, 0x206f, 0x3164, 0xfeff, 0xfff9, 0xe0041
].map(named)

describe.each(hidden)('%s', (name, character) => {
  const text = `a${character}b`

  it('is not printed to a terminal', () => {
    expect(printLines(undefined, null, [text])).not.toContain(character)
    expect(failureText(failure('applicant-missing'), text)).not.toContain(character)
  })

  it('is shown, the same everywhere', () => {
    const shown = visible(text)
    expect(shown).not.toContain(character)
    expect(shown).toMatch(name < 'U+0080' ? /^a[␀-␡]b$/ : `a⟨${name}⟩b`)
    expect(printLines(undefined, null, [text])).toBe(shown)
    expect(escaped(text)).toBe(shown)
  })

  it('is refused in a field and taken out of the name of a file', () => {
    expect(fieldFault('applicant-id', text)).toEqual({ code: 'invisible' })
    expect(fieldFault('url', `https://files.example.com/${text}`)).toEqual({ code: 'spaces-within' })
    expect(safeFileName(text)).toBe('ab')
  })

  it('is escaped in a command', () => {
    expect(
      curlCommand({ origin: 'https://k.example', operation: 'get-applicant-details', input: { applicant_id: text } })
    ).not.toContain(character)
  })
})

it('leaves other scripts, line breaks and what makes an emoji as they are', () => {
  for (const text of ['Żółć', 'محمد', '李小龍', 'नमस्ते', '❤️', '葛\u{e0100}', 'one\n\ttwo']) {
    expect(visible(text)).toBe(text)
    expect(printLines(undefined, null, [text])).toBe(text)
  }
})
