/** A missing part that `VERIDESK_REQUIRE` names fails a run, and is skipped otherwise. */
import { expect, test } from 'vitest'

interface Row {
  readonly failed: number
  readonly skipped: number
  readonly note: string
  readonly failures: readonly { readonly name: string; readonly reason: string }[]
}
interface Required {
  readonly requiredParts: (environment: Readonly<Record<string, string>>) => ReadonlySet<string>
  readonly withoutPart: (name: string, part: string, reason: string, required: ReadonlySet<string>) => Row
}
const { requiredParts, withoutPart } = (await import(
  /* @vite-ignore */ new URL('../../scripts/setup/required.mjs', import.meta.url).href
)) as Required

test.each([
  [undefined, []],
  ['', []],
  ['keyring', ['keyring']],
  ['keyring,electron', ['keyring', 'electron']],
  [' electron , ', ['electron']]
])('%j asks for %j', (text, names) => {
  expect([...requiredParts(text === undefined ? {} : { VERIDESK_REQUIRE: text })]).toEqual(names)
})

test('a misspelt name is an error', () => {
  expect(() => requiredParts({ VERIDESK_REQUIRE: 'keyring,elektron' })).toThrow('elektron')
})

test('a missing required part is a failure with its reason', () => {
  const row = withoutPart('app, electron', 'electron', 'its download took too long', new Set(['electron']))
  expect(row).toMatchObject({ failed: 1, skipped: 0 })
  expect(row.failures).toEqual([
    {
      name: 'app, electron',
      reason: 'VERIDESK_REQUIRE asks for electron, which is missing: its download took too long.'
    }
  ])
})

test('a missing optional part is skipped and reported', () => {
  const row = withoutPart('app, electron', 'electron', 'its download took too long', new Set(['keyring']))
  expect(row).toMatchObject({ failed: 0, skipped: 1, failures: [] })
  expect(row.note).toContain('its download took too long')
})
