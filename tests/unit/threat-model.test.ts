/** docs/threat-model.md: each promise names proofs and tests that exist, and attackers that the page lists. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { proofSections } from '../../scripts/prove/sections.ts'

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs', 'threat-model.md'), 'utf8')

/** The cells of each row of the table below a heading. */
function rowsBelow(text: string, heading: string): string[][] {
  const part = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? ''
  const lines = part.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
  )
}

/** What is wrong with the page, as sentences. */
function faultsOf(text: string): string[] {
  const attackers = new Set(rowsBelow(text, 'Attackers').map(([id]) => id))
  const sections = new Set(proofSections.map(({ name }) => name))
  const promises = rowsBelow(text, 'Promises')
  const promised = promises.flatMap(([number, , against = '', shown = '']) => {
    const evidence = shown.split(/;\s*/)
    return [
      ...against
        .split(' ')
        .filter((id) => !attackers.has(id))
        .map((id) => `promise ${number} is against ${id}, who is not listed`),
      ...evidence.flatMap((each) => {
        const proof = /^proof `([^`]+)`$/.exec(each)?.[1]
        if (proof !== undefined)
          return sections.has(proof) ? [] : [`promise ${number} names the proof ${proof}, which does not exist`]
        const [, file, title] = /^test `([^`]+)`(?: “([^”]+)”)?$/.exec(each) ?? []
        if (file === undefined) return [`promise ${number} names neither a proof nor a test: ${each}`]
        const path = join(root, file)
        if (!existsSync(path)) return [`promise ${number} names ${file}, which does not exist`]
        return title === undefined || readFileSync(path, 'utf8').includes(title)
          ? []
          : [`promise ${number} names “${title}”, which ${file} does not contain`]
      })
    ]
  })
  const numbers = promises.map(([number]) => Number(number))
  const unnamed = rowsBelow(text, 'Not promised')
    .filter(([, why = '']) => why === '')
    .map(([what]) => `“${what}” is not promised, without a reason`)
  return [
    ...(numbers.every((number, at) => number === at + 1) && numbers.length > 0
      ? []
      : ['the promises are not numbered from 1']),
    ...promised,
    ...unnamed
  ]
}

describe('the threat model', () => {
  it('names proofs, tests and attackers that exist', () => {
    expect(faultsOf(page)).toEqual([])
  })

  it('has a promise or a reason for each attacker', () => {
    const named = [
      ...rowsBelow(page, 'Promises').map(([, , against]) => against),
      ...rowsBelow(page, 'Not promised').map(([what]) => what)
    ].join(' ')
    expect(
      rowsBelow(page, 'Attackers')
        .map(([id]) => id)
        .filter((id) => !new RegExp(`\\b${id}\\b`).test(named))
    ).toEqual([])
  })

  it('is linked from where people look for it', () => {
    for (const file of ['README.md', 'SECURITY.md', 'docs/architecture.md'])
      expect(readFileSync(join(root, file), 'utf8'), file).toContain('threat-model.md')
  })

  it.each([
    ['proof `redirects`', 'proof `redirections`', /names the proof redirections/],
    ['`tests/service/client-tls.test.ts`', '`tests/service/client-tsl.test.ts`', /does not exist/],
    ['“pin reviewed packages only”', '“pin any packages”', /does not contain/],
    ['| A9 | proof', '| A12 | proof', /is not listed/],
    ['proof `starts`; ', 'as everybody knows; ', /neither a proof nor a test/]
  ])('would fail if %s were %s', (was, is, words) => {
    expect(page).toContain(was)
    expect(faultsOf(page.replace(was, is)).join('\n')).toMatch(words)
  })
})
