/** What a change of settings or of a connection is, as the audit trail notes it: names, before and after, no secret. */
import type { Connection } from '#contract/connection.ts'
import type { Settings } from '#contract/settings.ts'

/** What the window remembers for itself, nothing that anybody decided; and what the change of the reasons says already. */
const remembered: readonly (keyof Settings)[] = ['lastConnection', 'lastOperation', 'firstRunDone', 'removedReasons']

/** An address without a user name and a password, which nothing keeps a person from writing into one. */
function withoutPassword(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\/\/[^/@]*@/, '//…@') : value
}

/** The list of reasons is read by people: “Documents in order (documents-in-order: approve)”, in its order. */
function noted(name: keyof Settings, settings: Settings): unknown {
  if (name !== 'decisionReasons') return withoutPassword(settings[name])
  return settings.decisionReasons.map(({ code, label, decisions }) => `${label} (${code}: ${decisions.join(', ')})`).join('; ')
}

/** Settings that differ. */
export function settingChanges(before: Settings, after: Settings): { readonly name: string; readonly from: unknown; readonly to: unknown }[] {
  return (Object.keys(after) as (keyof Settings)[])
    .filter((name) => !remembered.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name, from: noted(name, before), to: noted(name, after) }))
}

const properties = ['name', 'baseUrl', 'mode', 'colour', 'mark'] as const

/** Properties of a connection that differ. */
export function connectionChanges(before: Connection, after: Connection): Record<string, readonly [unknown, unknown]> {
  return Object.fromEntries(properties.filter((name) => before[name] !== after[name]).map((name) => [name, [before[name], after[name]] as const]))
}
