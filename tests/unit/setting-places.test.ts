/** The settings page shows each setting of core that has a row in the table, and no other. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingsDefaults } from '#contract/settings/defaults.ts'
import { settingsSchema } from '#contract/settings/settings.ts'
import { settingTable } from '../../renderer/features/settings/setting-places.ts'

const features = join(import.meta.dirname, '..', '..', 'renderer', 'features')
/** The settings that the components of a folder change. */
function changedIn(folder: string): string[] {
  return readdirSync(join(features, folder))
    .filter((name) => name.endsWith('.vue'))
    .flatMap((name) => {
      const text = readFileSync(join(features, folder, name), 'utf8')
      return [
        ...text.matchAll(/<(?:Switch|Choice|Number|Duration|Text)Setting\s+name="(\w+)"/g),
        ...text.matchAll(/useSetting\('(\w+)'\)/g)
      ].flatMap(([, name = '']) => name)
    })
}

describe('the settings', () => {
  it('have a row on the page, or a place of their own, each of them', () => {
    expect(Object.keys(settingTable).sort()).toEqual(Object.keys(settingsSchema.shape).sort())
    expect(Object.keys(settingTable).sort()).toEqual(Object.keys(settingsDefaults).sort())
    const onPage = new Set([...changedIn('settings'), ...changedIn('reasons'), ...changedIn('applicants')])
    const rows = Object.entries(settingTable).filter(([, place]) => typeof place !== 'string')
    expect(rows.map(([name]) => name).filter((name) => !onPage.has(name))).toEqual([])
  })
  it('are changed in one place each', () => {
    const all = [...changedIn('settings'), ...changedIn('data-management'), ...changedIn('evidence')]
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
    expect(changedIn('data-management').filter((name) => settingTable[name as 'theme'] !== 'data-management')).toEqual(
      []
    )
  })
})
