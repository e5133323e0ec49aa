/** `updates`, `updates check|set|off`. */
import type { AppState } from '#contract/app/app-state.ts'
import { fieldFaultSentence } from '#contract/failures/sentences.ts'
import { releaseChannels, type ReleaseFile } from '#contract/updates/releases.ts'
import { feedText, feedUrlFault } from '#contract/updates/updates.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { failureText } from './print.ts'
import { oneOf, print, time } from './print-text.ts'
import { keysIn } from './update-keys.ts'

const fileLines = ({ name, size, sha256, url }: ReleaseFile): string[] => [
  `  ${name}  ${size.toLocaleString('en')} bytes`,
  `    SHA-256 ${sha256}`,
  `    ${url}`
]

/** The state in lines, without its failure. */
function linesOf({ updates: { mode, checkedAt, notice }, managed, settings, version }: AppState): string[] {
  const feed = settings.updateFeed
  const place = managed?.locked.updateFeed
  if (mode === 'off')
    return [
      place === undefined
        ? 'Off: no update feed is set, and nothing is fetched. “updates set” names one.'
        : `Off: turned off by ${managed?.organisation}, in ${place}. Nothing is fetched.`
    ]
  const about = [`Feed  ${feedText(feed)}`, `Last checked  ${checkedAt === undefined ? 'never' : time(checkedAt)}`]
  if (!notice) return about
  if (!notice.newer) return [`Veridesk ${version} is up to date.`, ...about]
  const { release, releasedAt, expiresAt, notes, files, minimumSystem } = notice.release
  return [
    `Veridesk ${release} is available. Installed version: ${version}. Nothing was downloaded.`,
    ...about,
    `Released  ${releasedAt}`,
    `Notice valid until  ${expiresAt}`,
    `Notes  ${notes}`,
    ...(Object.keys(minimumSystem).length === 0
      ? []
      : [`Runs on  ${Object.values(minimumSystem).join(', ')}, or newer`]),
    'Files',
    ...files.flatMap(fileLines)
  ]
}

/** What is known, with its feed. Asks nobody. */
export async function showUpdates(context: Context): Promise<Ending> {
  if (context.operands.length > 0)
    return usage(
      'Type: updates, updates check, updates set URL --key KEY, updates off, or updates verify FILE --notice FILE --key KEY'
    )
  const state = await context.ask('app.state')
  if (!state.ok) return failureEnding(state.failure)
  const { updates, settings, version } = state.value
  const out = print(context.options['json'], { version, feed: settings.updateFeed, ...updates }, linesOf(state.value))
  return { exit: 'done', out, ...(updates.failure && { error: failureText(updates.failure) }) }
}

/** A failure to reach the feed; all others are about its notice. */
const unreachable: readonly string[] = ['update-not-fetched', 'update-redirected']

/** Asks the feed. */
export async function checkUpdates(context: Context): Promise<Ending> {
  const checked = await context.ask('updates.check')
  if (!checked.ok) return failureEnding(checked.failure)
  const shown = await showUpdates(context)
  const { failure, notice } = checked.value
  if (failure)
    return {
      ...shown,
      exit: failure.code.startsWith('update-') && !unreachable.includes(failure.code) ? 'updateRefused' : 'failed'
    }
  return { ...shown, exit: notice?.newer ? 'updateAvailable' : 'done' }
}

/** Names the feed. It is not asked: `updates check` does that. */
export async function setUpdates(context: Context): Promise<Ending> {
  const [url] = context.operands
  const channel = oneOf(releaseChannels, textOption(context, 'channel') ?? 'stable')
  const keys = await keysIn(context.options)
  if (url === undefined || context.operands.length > 1)
    return usage('Name the address and a public key: updates set URL --key KEY')
  if (!channel) return usage(`--channel takes one of ${releaseChannels.join(', ')}.`)
  const fault = feedUrlFault(url)
  if (fault) return usage(fieldFaultSentence(fault))
  if (!keys.ok) return keys.failure
  const changed = await context.ask('settings.change', { updateFeed: { url, channel, publicKeys: keys.value } })
  if (!changed.ok) return failureEnding(changed.failure)
  return {
    exit: 'done',
    out: `Feed  ${feedText(changed.value.settings.updateFeed)}\n“updates check” asks it now. A window asks it once a day.`
  }
}

export async function stopUpdates(context: Context): Promise<Ending> {
  const changed = await context.ask('settings.change', { updateFeed: null })
  return changed.ok
    ? { exit: 'done', out: 'No update feed is set. Nothing is fetched.' }
    : failureEnding(changed.failure)
}
