import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { curlCommand } from '#contract/verification/curl.ts'
import { operations } from '#contract/verification/operations.ts'

/** The arguments that a real shell passes, printed by a replacement for curl. */
function argumentsBySh(command: string): string[] {
  const script = `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }\n${command}\n`
  return execFileSync('sh', [], { input: script, encoding: 'utf8' }).split('\0').slice(0, -1)
}

describe('copy as curl', () => {
  it.each(operations)('$id: path, placeholders and body reach curl as they are', ({ id, path, fields }) => {
    const input = Object.fromEntries(fields.map(({ name, example }) => [name, example]))
    const argv = argumentsBySh(curlCommand({ origin: 'https://kyc.example.com', operation: id, input }))
    expect(argv.slice(0, 3)).toEqual(['--request', 'POST', `https://kyc.example.com${path}`])
    for (const { header, placeholder } of credentials) expect(argv).toContain(`${header}: ${placeholder}`)
    expect(JSON.parse(argv.at(-1) ?? '')).toEqual(input)
  })

  it('survives whatever an input holds, in a real shell', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        "'; rm -rf ~ #",
        '$(id)',
        '`id`',
        '\\',
        '"',
        '!!',
        '@file',
        'a\nb',
        '\u202e\u009b31m',
        "'\\''",
        '%s'
      )
    )
    fc.assert(
      fc.property(
        nasty.filter((text) => !text.includes('\0')),
        (text) => {
          const command = curlCommand({
            origin: 'https://kyc.example.com',
            operation: 'get-applicant-details',
            input: { applicant_id: text }
          })
          expect(JSON.parse(argumentsBySh(command).at(-1) ?? '')).toEqual({ applicant_id: text })
        }
      ),
      { numRuns: 25 }
    )
  })

  it('shows no character that a terminal obeys or that hides text', () => {
    const command = curlCommand({
      origin: 'https://k.example',
      operation: 'get-applicant-details',
      input: { applicant_id: '\u009b31m\u202e\ufeff\u001b[2J' }
    })
    // oxlint-disable-next-line no-control-regex
    expect(command).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\ufeff]/)
  })

  it('carries the declared fields only', () => {
    const command = curlCommand({
      origin: 'https://k.example',
      operation: 'get-applicant-details',
      input: { applicant_id: '7', other: 'x' }
    })
    expect(command).not.toContain('other')
  })
})
