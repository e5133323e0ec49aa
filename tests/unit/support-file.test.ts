/** The support file holds nothing that a person wrote or that names one: canaries in every text that it is made from. */
import { describe, expect, it } from 'vitest'
import { defaultSettings, settingsSchema, type Settings } from '#contract/settings/settings.ts'
import { codesOf, logLines } from '#core/support/log-lines.ts'
import { shownSettings } from '#core/support/bundle.ts'

const canary = 'CANARY'

/** The value with every text in it replaced, and a text in every empty list. */
function planted(value: unknown): unknown {
  if (typeof value === 'string' || value === null) return canary
  if (Array.isArray(value)) return [canary, ...value.map(planted)]
  if (typeof value === 'object')
    return Object.fromEntries([
      [canary, canary],
      ...Object.entries(value as object).map(([name, inner]) => [name, planted(inner)])
    ])
  return value
}

describe('settings in the support file', () => {
  it('show no text of a setting, even of one that has only a few words', () => {
    const settings = Object.fromEntries(
      Object.entries(defaultSettings).map(([name, value]) => [name, planted(value)])
    ) as unknown as Settings
    const text = JSON.stringify(shownSettings(settings))
    expect(JSON.stringify(settings).split(canary).length).toBeGreaterThan(10)
    expect(text).not.toContain(canary)
    expect(Object.keys(shownSettings(settings))).toEqual(Object.keys(settingsSchema.shape))
  })

  it('still say what helps', () => {
    const settings: Settings = {
      ...defaultSettings,
      proxyMode: 'manual',
      proxyUrl: 'http://proxy.example:3128',
      extraCaFile: '',
      totalTimeout: 45
    }
    expect(shownSettings(settings)).toMatchObject({
      proxyMode: 'manual',
      proxyUrl: 'set',
      extraCaFile: 'not set',
      totalTimeout: 45,
      checkLinks: false
    })
  })
})

describe('the log in the support file', () => {
  const at = '2026-01-31T00:00:00.000Z'
  it('keeps lines and fields of the known forms only, and counts the codes', () => {
    const lines = logLines(
      [
        JSON.stringify({ at, event: 'start', version: '1.0.0', state: 'electron' }),
        JSON.stringify({ at, event: 'bug', operation: 'audit.note', code: 'disk-full', host: canary, extra: canary }),
        JSON.stringify({
          at,
          event: 'bug',
          code: `a ${canary} b`,
          operation: `${canary} @`,
          status: canary,
          state: 'x y'
        }),
        JSON.stringify({ at, event: `${canary} with spaces` }),
        JSON.stringify({ at: canary, event: 'start' }),
        JSON.stringify([canary]),
        canary,
        '',
        '{"__proto__":{"at":1}}',
        JSON.stringify({ at, event: 'bug', code: 'disk-full' })
      ].join('\n')
    )
    expect(lines).toEqual([
      { at, event: 'start', version: '1.0.0', state: 'electron' },
      { at, event: 'bug', operation: 'audit.note', code: 'disk-full' },
      { at, event: 'bug' },
      { at, event: 'bug', code: 'disk-full' }
    ])
    expect(codesOf(lines)).toEqual({ 'disk-full': 2 })
  })

  it('has at most the newest 2,000 lines', () => {
    const lines = logLines(
      Array.from({ length: 2500 }, (_, count) => JSON.stringify({ at, event: 'start', count })).join('\n')
    )
    expect([lines.length, lines[0]?.count]).toEqual([2000, 500])
  })
})
