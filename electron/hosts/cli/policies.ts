/** `policies`, and what they refuse before a command begins. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { failureEnding, textOption, type Context, type Ending } from './context.ts'
import { print } from './print-text.ts'

/** Why the policies cannot be used. A name that this version does not know is none of these: one file serves several versions. */
const unusable: readonly Failure['code'][] = ['policies-unusable', 'policies-block-sending', 'policies-not-read']

/** Lists the policies in force. Fails if those that were set cannot be used; standard error says why. */
export async function listPolicies(context: Context): Promise<Ending> {
  const state = await context.ask('app.state')
  if (!state.ok) return failureEnding(state.failure)
  const { policies = [], organisation } = state.value.managed ?? {}
  const lines =
    policies.length === 0
      ? ['No policy is in force.']
      : policies.map(({ name, value, place }) => `${name}  ${value}  (${place})`)
  const fails = state.value.notices.some(({ code }) => unusable.includes(code))
  return { exit: fails ? 'failed' : 'done', out: print(context.options['json'], { organisation, policies }, lines) }
}

/** Why the results of a batch cannot be written, so that nothing is sent for a file that may not exist. */
export async function refusedResults(context: Context): Promise<Failure | undefined> {
  if (textOption(context, 'out') === undefined) return undefined
  const state = await context.ask('app.state')
  const managed = state.ok ? state.value.managed : undefined
  return managed?.exports === false ? failure('exports-off', { organisation: managed.organisation }) : undefined
}
