/** The administrative template by a schema, with a real validator: a file that breaks it cannot be deployed by group policy. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { admx, adml } from '../../scripts/policy-templates.ts'

const schema = join(import.meta.dirname, '../fixtures/policies/templates.xsd')
const folder = mkdtempSync(join(tmpdir(), 'veridesk-templates-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the validator says; empty if the file is valid. */
function faults(text: string): string {
  const path = join(folder, 'template.xml')
  writeFileSync(path, text)
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, path], {
    encoding: 'utf8'
  })
  return status === 0 ? '' : stderr.replaceAll(path, 'template')
}

describe.skipIf(spawnSync('xmllint', ['--version']).error !== undefined)('the administrative template', () => {
  it('is valid by the schema', () => {
    expect(faults(admx())).toBe('')
  })

  it('has texts that are valid by the schema', () => {
    expect(faults(adml())).toBe('')
  })

  it.each([
    [
      'a name with a space',
      (text: string) => text.replaceAll('Screen_sharing', 'Screen sharing'),
      "'Screen sharing' is not accepted by the pattern"
    ],
    [
      'a category that is not there',
      (text: string) => text.replace('<parentCategory ref="Network" />', '<parentCategory ref="Networks" />'),
      'No match found for key-sequence'
    ],
    [
      'an order that the editor refuses',
      (text: string) => text.replace(/(<parentCategory ref="Organisation" \/>)\s*(<supportedOn [^>]*>)/, '$2$1'),
      'This element is not expected'
    ],
    [
      'a number out of range',
      (text: string) => text.replace('minValue="1"', 'minValue="-1"'),
      "'-1' is not a valid value of the atomic type 'xs:unsignedInt'"
    ]
  ])('would not be with %s', (_what, change, said) => {
    const changed = change(admx())
    expect(changed).not.toBe(admx())
    expect(faults(changed)).toContain(said)
  })
})
