/** `timestamps set|show|test|off`. */
import { resolve } from 'node:path'
import { oneLine } from '#contract/text/hidden-text.ts'
import { fieldFaultSentence } from '#contract/failures/sentences.ts'
import { authorityUrlFault } from '#contract/evidence/timestamps.ts'
import { readAuthorityFile } from '#core/timestamps/timestamps.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { print, time } from './print-text.ts'

/** Sets the authority. It is not asked for anything: `timestamps test` does that. */
export async function setTimestamps(context: Context): Promise<Ending> {
  const [url] = context.operands
  const file = textOption(context, 'ca')
  if (!url || !file || context.operands.length > 1)
    return usage('Name the address and the file: timestamps set URL --ca FILE')
  const fault = authorityUrlFault(url)
  if (fault) return usage(fieldFaultSentence(fault))
  const chosen = await readAuthorityFile(resolve(file))
  if (!chosen.ok) return failureEnding(chosen.failure)
  const name = textOption(context, 'name') ?? new URL(url).host
  const changed = await context.ask('settings.change', {
    timestampAuthority: { name, url, certificates: chosen.value.certificates }
  })
  if (!changed.ok) return failureEnding(changed.failure)
  return {
    exit: 'done',
    out: `Time-stamps are requested from ${oneLine(name)}, ${oneLine(url)}. “timestamps test” requests one.`
  }
}

/** Shows the authority; with `--json`, its certificates as well. */
export async function showTimestamps(context: Context): Promise<Ending> {
  const state = await context.ask('app.state')
  if (!state.ok) return failureEnding(state.failure)
  const authority = state.value.settings.timestampAuthority
  const lines = authority
    ? [`${oneLine(authority.name)}  ${oneLine(authority.url)}`]
    : ['No time-stamp authority is set. “timestamps set” sets one.']
  return { exit: 'done', out: print(context.options['json'], authority, lines) }
}

/** Requests a time-stamp of random bytes and verifies it. */
export async function testTimestamps(context: Context): Promise<Ending> {
  const tested = await context.ask('timestamps.test')
  if (!tested.ok) return failureEnding(tested.failure)
  const { authority, time: at, took } = tested.value
  return {
    exit: 'done',
    out: print(context.options['json'], tested.value, [
      'The time-stamp is valid.',
      `Signed by ${oneLine(authority)}`,
      `Time ${time(at)}`,
      `Duration ${Math.round(took)} ms`
    ])
  }
}

export async function stopTimestamps(context: Context): Promise<Ending> {
  const changed = await context.ask('settings.change', { timestampAuthority: null })
  return changed.ok ? { exit: 'done', out: 'No time-stamps are requested.' } : failureEnding(changed.failure)
}
