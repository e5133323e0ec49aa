/** The administrative template by a schema, with a real validator: a file that breaks it cannot be deployed by group policy. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { preferenceDomain } from '#contract/settings/policies.ts'
import { understand } from '#core/policies/understand.ts'
import { policiesInProfile } from '../../electron/hosts/node/policies/macos.ts'
import { admx, adml, jsonExample, mobileconfig, profileManifest } from '../../scripts/policy-templates.ts'

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

/** What a reader of property lists, of Python's own library, finds in a text, as JSON; undefined if it refuses it. */
function read(text: string): unknown {
  const program =
    'import json, plistlib, sys; json.dump(plistlib.load(sys.stdin.buffer, fmt=plistlib.FMT_XML), sys.stdout)'
  const { status, stdout } = spawnSync('python3', ['-c', program], { input: text, encoding: 'utf8' })
  return status === 0 ? JSON.parse(stdout) : undefined
}

describe.skipIf(spawnSync('python3', ['--version']).status !== 0)('the configuration profile', () => {
  it('is a property list whose payload has the values of the other templates, and is valid here', () => {
    const profile = read(mobileconfig()) as { PayloadType: string; PayloadContent: Record<string, unknown>[] }
    expect([profile.PayloadType, profile.PayloadContent.map(({ PayloadType }) => PayloadType)]).toEqual([
      'Configuration',
      [preferenceDomain]
    ])
    const values = Object.fromEntries(
      Object.entries(profile.PayloadContent[0] ?? {}).filter(([name]) => !name.startsWith('Payload'))
    )
    expect(values).toEqual((JSON.parse(jsonExample()) as { policies: object }).policies)
    const found = policiesInProfile(JSON.stringify(values))
    expect(understand([{ place: 'profile', found }])).toMatchObject({ ok: true, value: { unknown: [] } })
  })

  it('has a manifest that is a property list', () => {
    expect(read(profileManifest())).toMatchObject({ pfm_domain: preferenceDomain, pfm_unique: true })
  })

  it.each([
    ['a tag that is not closed', (text: string) => text.replace('</dict>', '')],
    [
      'a type that is none',
      (text: string) => text.replaceAll('<integer>', '<number>').replaceAll('</integer>', '</number>')
    ],
    ['a text with a mark of its own', (text: string) => text.replace('Example Bank', 'Example & Bank')]
  ])('would be refused with %s', (_what, change) => {
    const changed = change(mobileconfig())
    expect(changed).not.toBe(mobileconfig())
    expect(read(changed)).toBeUndefined()
  })
})
