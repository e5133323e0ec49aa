/** Settings in a form that names no person, host, file or text that somebody wrote. */
import type { Settings } from '#contract/settings/settings.ts'
import type { ShownSetting } from '#contract/app/support.ts'

/** Settings whose text is one of a few words of the program. Every other text is only reported as set or not. */
const words: readonly string[] = [
  'theme',
  'density',
  'dateFormat',
  'timeZone',
  'proxyMode',
  'logLevel',
  'lastOperation'
] satisfies readonly (keyof Settings | 'logLevel')[]
/** What such a word looks like; anything else would be a damaged file. */
const word = /^[a-z][a-z-]{0,40}$/

function shown(name: string, value: unknown): ShownSetting {
  if (typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value === 'string')
    return words.includes(name) && word.test(value) ? value : value === '' ? 'not set' : 'set'
  if (Array.isArray(value)) return `${value.length} entries`
  if (value !== null && typeof value === 'object') return `${Object.keys(value).length} entries`
  return 'not set'
}

/** All settings, each by what may be shown of it. */
export const shownSettings = (settings: Settings): Record<string, ShownSetting> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, shown(name, value)]))
