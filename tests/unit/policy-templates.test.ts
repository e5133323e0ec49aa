/** The files for administrators: complete, consistent with each other, and their examples are valid for the readers. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { policyNames, policyOf } from '#contract/settings/policies.ts'
import { policiesInFile } from '#core/policies/json-file.ts'
import { understand } from '#core/policies/understand.ts'
import { policyPage } from '../../scripts/policy-page.ts'
import { admx, adml, jsonExample, jsonSchema, mobileconfig, profileManifest } from '../../scripts/policy-templates.ts'

const found = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), (match) => match[1] ?? '')

describe('the administrative template', () => {
  it('declares every policy, with a text for each reference and a control for each value', () => {
    const [template, texts] = [admx(), adml()]
    expect(found(template, /<policy name="([^"]*)"/g)).toEqual(policyNames)
    const strings = found(texts, /<string id="([^"]*)">/g)
    expect(found(template, /\$\(string\.([^)]*)\)/g).filter((name) => !strings.includes(name))).toEqual([])
    expect(new Set(strings).size).toBe(strings.length)
    expect(found(texts, /<presentation id="([^"]*)">/g)).toEqual(found(template, /\$\(presentation\.([^)]*)\)/g))
    // Each element has a control that fills it, and a flag has none.
    expect(found(texts, /refId="([^"]*)"/g)).toEqual(found(template, /<(?:text|decimal|enum|multiText) id="([^"]*)"/g))
    expect(found(template, /<policy name="([^"]*)"[^>]* valueName/g)).toEqual(
      policyNames.filter((name) => policyOf(name).kind === 'flag')
    )
  })

  it('limits a number as its schema does', () => {
    expect(admx()).toContain(
      '<decimal id="ConnectTimeout" valueName="ConnectTimeout" required="true" minValue="1" maxValue="60" />'
    )
  })
})

describe('the examples', () => {
  it('of the JSON file are accepted by the reader and by the schema, which refuses what the reader refuses', () => {
    const example = JSON.parse(jsonExample()) as { policies: object }
    expect(understand([{ place: 'file', found: policiesInFile(Buffer.from(jsonExample())) }])).toMatchObject({
      ok: true,
      value: { unknown: [] }
    })
    const valid = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(jsonSchema()) as object)
    expect(valid(example)).toBe(true)
    for (const wrong of [
      { ConnectTimeout: 0 },
      { ProxyMode: 'sideways' },
      { ExportsAllowed: 'no' },
      { Connections: [{ name: 'A', baseUrl: 'https://a.example', mode: 'live', apiKey: 'x' }] }
    ])
      expect([wrong, valid({ ...example, policies: wrong })]).toEqual([wrong, false])
  })

  it('of the page are a whole file, and what belongs into it', () => {
    const [whole = '', ...parts] = found(policyPage(), /```json\n([^`]*)\n```/g)
    const readsAs = (text: string) => understand([{ place: 'file', found: policiesInFile(Buffer.from(text)) }])
    expect(readsAs(whole)).toMatchObject({
      ok: true,
      value: { unknown: [], values: { OrganisationName: 'Example Bank' } }
    })
    const file = JSON.parse(whole) as object
    // A certificate that anybody could copy would be a real one.
    const refused = parts.filter((policies) => !readsAs(JSON.stringify({ ...file, policies: JSON.parse(policies) })).ok)
    expect([parts.length, refused.map((text) => Object.keys(JSON.parse(text) as object))]).toEqual([
      policyNames.length,
      [['TimestampAuthority']]
    ])
  })

  it('of the profile and its manifest name every policy once', () => {
    expect(found(profileManifest(), /<key>pfm_name<\/key>\n\s*<string>([A-Z]\w+)<\/string>/g)).toEqual(policyNames)
    // A list within a policy is a list in the form, too.
    expect(profileManifest()).toMatch(
      /<string>publicKeys<\/string>\n\s*<key>pfm_type<\/key>\n\s*<string>array<\/string>/
    )
    for (const name of policyNames.filter((each) => each !== 'TimestampAuthority'))
      expect(mobileconfig().split(`<key>${name}</key>`).length).toBe(2)
  })
})
