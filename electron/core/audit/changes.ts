/** What a change of settings or of a connection is, as the audit trail notes it: names, before and after, no secret. */
import type { Connection } from '#contract/connection.ts'
import type { Settings } from '#contract/settings.ts'

/** What the window remembers for itself; nothing that anybody decided. */
const remembered: readonly (keyof Settings)[] = ['lastConnection', 'lastOperation', 'firstRunDone']

/** An address without a user name and a password, which nothing keeps a person from writing into one. */
function withoutPassword(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\/\/[^/@]*@/, '//…@') : value
}

/** Settings that differ. */
export function settingChanges(before: Settings, after: Settings): { readonly name: string; readonly from: unknown; readonly to: unknown }[] {
  return (Object.keys(after) as (keyof Settings)[])
    .filter((name) => !remembered.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name, from: withoutPassword(before[name]), to: withoutPassword(after[name]) }))
}

const noted = ['name', 'baseUrl', 'mode', 'colour', 'mark'] as const

/** Properties of a connection that differ. */
export function connectionChanges(before: Connection, after: Connection): Record<string, readonly [unknown, unknown]> {
  return Object.fromEntries(noted.filter((name) => before[name] !== after[name]).map((name) => [name, [before[name], after[name]] as const]))
}
