/**
 * Updates by notice: asks the feed of the settings at most once a day and on demand, and says what its notice means. It
 * downloads and installs nothing. Without a feed nothing is contacted.
 */
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import type { ManagedState } from '#contract/settings/managed.ts'
import type { Release } from '#contract/updates/releases.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { feedText, type UpdateFeed, type UpdatesState } from '#contract/updates/updates.ts'
import type { OutgoingParts } from '#core/client/network.ts'
import { createSchedule, type Rhythm } from '#kit/async/schedule.ts'
import { kept, openMemory, withSeen, type Memory, type Remembered } from './memory.ts'
import { minisignKey, type MinisignKey } from './minisign.ts'
import { compareRelease, readRelease, type SeenRelease, type SignedRelease } from './notice.ts'

export interface Updates {
  state(): UpdatesState
  /** Asks the feed now. Failures: why it was not asked; what it answered is in the state. */
  check(): Promise<Result<UpdatesState, Failure>>
  /** Reads what is remembered, and begins to look whether a check is due unless the host ends soon. */
  start(): Promise<void>
  /** Looks at once whether a check is due: the console is unlocked. */
  look(): void
  /** Resolves when no check is in progress. */
  quiet(): Promise<void>
  close(): Promise<void>
}

export interface UpdatesParts extends OutgoingParts {
  readonly isSample: boolean
  /** The policies in force: one of them may turn notices off. */
  managed(): Pick<ManagedState, 'organisation' | 'locked'> | undefined
  /** Whether checks are made by themselves; not by a command. */
  readonly isScheduled: boolean
  /** Nothing is fetched meanwhile: a proxy's sign-in is in the keychain, which rests. */
  isLocked(): boolean
  changed(): void
  /** Seconds that the feed has; 15 by default. */
  readonly seconds?: number
  readonly rhythm?: Rhythm
}

const oneDay = 86_400_000
/** A minute after the start, so that nothing waits for it; then every hour, because a computer may sleep for days. */
const usualRhythm: Rhythm = { first: 60_000, every: 3_600_000 }

// The HTTP client is not needed before a feed is asked.
const client = () => import('./fetch.ts')

const keysOf = ({ publicKeys }: UpdateFeed): MinisignKey[] => publicKeys.flatMap((line) => minisignKey(line) ?? [])

/** What a notice means now, verified with the keys of now. */
function createReading({ clock, version }: Pick<UpdatesParts, 'clock' | 'version'>) {
  /** The notice that is remembered, verified with the keys of now; the last result is reused while both are the same. */
  let verified: { readonly of: string; readonly result: Result<SignedRelease, Failure> } | undefined
  function remembered(feed: UpdateFeed, notice: string): Result<SignedRelease, Failure> {
    const of = `${notice} ${feedText(feed)}`
    if (verified?.of !== of) verified = { of, result: readRelease(Buffer.from(notice, 'base64'), keysOf(feed)) }
    return verified.result
  }
  function compared(
    release: Release,
    feed: UpdateFeed,
    seen: readonly SeenRelease[]
  ): ReturnType<typeof compareRelease> {
    const ids = keysOf(feed).map(({ id }) => id)
    return compareRelease(release, {
      channel: feed.channel,
      now: clock.now(),
      installed: version,
      seen: seen.filter(({ keyId }) => ids.includes(keyId))
    })
  }

  function shown(feed: UpdateFeed, held: Remembered): Pick<UpdatesState, 'checkedAt' | 'failure' | 'notice'> {
    const asked = held.feed === feedText(feed)
    const times = asked && held.checkedAt !== undefined ? { checkedAt: held.checkedAt } : {}
    const failure = asked && held.failure ? { failure: held.failure as Failure } : {}
    const read = held.notice === undefined ? undefined : remembered(feed, held.notice)
    if (!read?.ok) return { ...times, ...failure }
    const { release } = read.value
    const result = compared(release, feed, held.seen)
    // One that has expired since, or names a version older than the one that was installed meanwhile, is no notice any more.
    if (!result.ok)
      return { ...times, ...(result.failure.code === 'update-expired' ? { failure: result.failure } : {}), ...failure }
    return { ...times, ...failure, notice: { release, newer: result.value.newer, acceptedAt: held.acceptedAt ?? 0 } }
  }

  return { compared, shown }
}

export function createUpdates({
  settings,
  sendingRefusal,
  network,
  clock,
  folder,
  version,
  isSample,
  managed,
  isScheduled,
  isLocked,
  changed,
  seconds = 15,
  rhythm = usualRhythm
}: UpdatesParts): Updates {
  let memory: Memory | undefined
  let opening: Promise<Memory> | undefined
  let checking: Promise<void> | undefined
  const ending = new AbortController()
  const { compared, shown } = createReading({ clock, version })
  const open = async (): Promise<Memory> => (memory = await (opening ??= openMemory(folder, clock)))
  const feedNow = (): UpdateFeed | undefined => (isSample ? undefined : (settings().updateFeed ?? undefined))

  function state(): UpdatesState {
    const feed = feedNow()
    if (!feed) return { mode: isSample ? 'sample' : 'off', checking: false }
    return { mode: 'on', checking: checking !== undefined, ...(memory && shown(feed, memory.get())) }
  }

  function whyOff(): Failure {
    const { organisation = '', locked = {} } = managed() ?? {}
    const place = locked.updateFeed
    return place === undefined ? failure('updates-off') : failure('updates-turned-off', { organisation, place })
  }

  async function ask(feed: UpdateFeed): Promise<void> {
    const { get, set } = await open()
    // Before anything is sent, so that a crash does not make the next start ask again.
    await set({ ...get(), feed: feedText(feed), checkedAt: clock.now() })
    const { fetchNotice } = await client()
    const fetched = await fetchNotice({ url: feed.url, network, seconds, stop: ending.signal })
    const read = fetched.ok ? readRelease(fetched.value, keysOf(feed)) : fetched
    const result = read.ok ? compared(read.value.release, feed, get().seen) : read
    const { failure: _before, ...rest } = get()
    if (!fetched.ok || !read.ok || !result.ok) {
      await set({ ...rest, failure: kept((result as { readonly failure: Failure }).failure) })
      return
    }
    const { release, keyId } = read.value
    const seen = withSeen(rest.seen, {
      keyId,
      channel: release.channel,
      sequence: release.sequence,
      release: release.release
    })
    await set({ ...rest, seen, notice: Buffer.from(fetched.value).toString('base64'), acceptedAt: clock.now() })
  }
  function askInTurn(feed: UpdateFeed): Promise<void> {
    if (checking) return checking
    checking = ask(feed).finally(() => {
      checking = undefined
      changed()
    })
    changed()
    return checking
  }

  async function askWhenDue(): Promise<void> {
    const feed = feedNow()
    if (!feed || sendingRefusal()) return
    const { feed: asked, checkedAt = 0 } = (await open()).get()
    if (isLocked()) return
    // A clock that was set back must not end the checks.
    const isDue = asked !== feedText(feed) || Math.abs(clock.now() - checkedAt) >= oneDay
    if (isDue) await askInTurn(feed)
  }
  const schedule = createSchedule(askWhenDue, rhythm)

  return {
    state,
    async check() {
      const refusal = sendingRefusal()
      if (refusal) return fail(refusal)
      if (isSample) return failed('updates-in-sample')
      const feed = feedNow()
      if (!feed) return fail(whyOff())
      await askInTurn(feed)
      return ok(state())
    },
    async start() {
      if (isSample) return
      await open()
      changed()
      if (isScheduled) schedule.start()
    },
    look: schedule.look,
    quiet: async () => checking,
    async close() {
      ending.abort('cancelled')
      await schedule.close()
      await checking
    }
  }
}
