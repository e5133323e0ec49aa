/** What whoever deploys Veridesk asks for: policies, versions, and a file for support. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { failureEnding, textOption, type Context, type Ending, usage } from './context.ts'
import { print } from './print-text.ts'
import { packageVersion } from '../node/source-ports.ts'
import type { OptionValues } from './parse.ts'

/** Why the policies cannot be used. A name that this version does not know is none of these: one file serves several versions. */
const unusable: readonly Failure['code'][] = ['policies-unusable', 'policies-block-sending']

const sourceWords = { none: 'nothing is set', values: 'policies are set', unusable: 'cannot be used' } as const

/** Lists the policies in force. Fails if those that were set cannot be used; standard error says why. */
export async function listPolicies(context: Context): Promise<Ending> {
  const state = await context.ask('app.state')
  if (!state.ok) return failureEnding(state.failure)
  const { policies = [], organisation } = state.value.managed ?? {}
  const lines =
    policies.length === 0
      ? ['No policy is in force.']
      : policies.map(({ name, value, place }) => `${name}  ${value}  (${place})`)
  const sources = state.value.policySources ?? []
  lines.push(...sources.map(({ place, by, found }) => `Source: ${place}, read by ${by}: ${sourceWords[found]}`))
  const fails = state.value.notices.some(({ code }) => unusable.includes(code))
  return {
    exit: fails ? 'failed' : 'done',
    out: print(context.options['json'], { organisation, policies, sources }, lines)
  }
}

/** Why the results of a batch cannot be written, so that nothing is sent for a file that may not exist. */
export async function refusedResults(context: Context): Promise<Failure | undefined> {
  if (textOption(context, 'out') === undefined) return undefined
  const state = await context.ask('app.state')
  const managed = state.ok ? state.value.managed : undefined
  return managed?.closed.ExportsAllowed === undefined
    ? undefined
    : failure('exports-off', { organisation: managed.organisation })
}

export async function supportBundle(context: Context): Promise<Ending> {
  if (!textOption(context, 'to')) return usage('Name the file: support-bundle --to FILE')
  const saved = await context.ask('support.save')
  if (!saved.ok) return failureEnding(saved.failure)
  return {
    exit: 'done',
    out: `${saved.value?.path ?? ''}\nIt has no personal data and no secret. Read it before you pass it on.`
  }
}

/** Veridesk, and the runtime that this program brings; from source that is the machine's Node alone. */
const versionsOf = (versions: NodeJS.ProcessVersions, veridesk: string): Readonly<Record<string, string>> => ({
  veridesk,
  ...(versions['electron'] && { electron: versions['electron'] }),
  ...(versions['chrome'] && { chromium: versions['chrome'] }),
  node: versions.node,
  v8: versions.v8,
  openssl: versions['openssl'] ?? 'unknown'
})

/** Prints the versions. Cannot fail. */
export function printVersions(options: OptionValues): Ending {
  const found = versionsOf(process.versions, packageVersion())
  const lines = Object.entries(found).map(([name, version]) => `${name.padEnd(10)}${version}`)
  return { exit: 'done', out: options['json'] === true ? JSON.stringify(found) : lines.join('\n') }
}
