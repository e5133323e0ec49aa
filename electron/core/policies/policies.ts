/** The policies in force: read at start and when their sources change, applied as a whole or not at all. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ChannelName } from '#contract/ipc/ipc.ts'
import type { Connection } from '#contract/connections/connection.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { ManagedState } from '#contract/settings/managed.ts'
import type { PolicyValues } from '#contract/settings/policies.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { NoteDraft } from '#core/audit/audit-trail.ts'
import type { Clock } from '#kit/clock.ts'
import type { PolicyReader } from '#core/ports/policies.ts'
import { openLastValid, type LastValid } from './last-valid.ts'
import {
  addressRefusal,
  channelRefusal,
  clipboardRefusal,
  connectionsOf,
  exportRefusal,
  limited,
  managedState,
  organisationOf,
  policyChanges,
  settingsOf,
  titleOfSetting
} from './rules.ts'
import { noPolicies, understand, unknownNotice, type PolicySet, type Unusable } from './understand.ts'

export interface Policies {
  values(): PolicyValues
  /** Settings that policies set; they take precedence over the user's. */
  settings(): Partial<Settings>
  /** Why these settings must not be changed: `setting-managed`. Undefined if none of them is locked. */
  settingRefusal(names: readonly string[]): Failure | undefined
  /** Ready-made connections. */
  connections(): readonly Connection[]
  /** Why a ready-made connection must not be changed. */
  connectionRefusal(connection: Pick<Connection, 'name'>): Failure
  /** Why nothing may be sent: `policies-block-sending`. */
  sendingRefusal(): Failure | undefined
  /** Why nothing may be sent to this address: `address-not-allowed`. */
  addressRefusal(connection: Pick<Connection, 'baseUrl' | 'practice'>): Failure | undefined
  exportRefusal(): Failure | undefined
  clipboardRefusal(): Failure | undefined
  /** Why a request of a window is refused, whatever it contains. */
  channelRefusal(channel: ChannelName): Failure | undefined
  /** The order of a batch within its maxima. */
  limited<T extends { readonly atOnce: number; readonly pace: number }>(order: T): T
  state(): ManagedState | undefined
  notices(): readonly Failure[]
  /**
   * Watches the sources and calls the listener after each change, with the event that records it, if there is one. What
   * was found at the start comes first.
   */
  watch(onChange: (note: NoteDraft | undefined) => void): void
  close(): Promise<void>
}

export interface PolicyOptions {
  /** Absent if the host has no policies. */
  readonly reader: PolicyReader | undefined
  readonly folder: string
  readonly clock: Pick<Clock, 'now'>
}

/** If policies are unusable and there are no earlier ones, what they may have turned off is off. */
const restricted: PolicyValues = { ExportsAllowed: false, ClipboardAllowed: false }

interface InForce {
  readonly set: PolicySet
  readonly unusable?: Unusable
  /** The sources are unusable, and there is no earlier set. */
  readonly blocked: boolean
}

const digestOf = ({ values }: PolicySet): string => createHash('sha256').update(JSON.stringify(values)).digest('hex')

function noteOf(before: InForce, after: InForce): NoteDraft | undefined {
  if (after.unusable && !isDeepStrictEqual(before.unusable, after.unusable)) {
    const { reason, errno } = after.unusable.fault as { readonly reason?: string; readonly errno?: string }
    return {
      kind: 'policies.refused',
      plain: { place: after.unusable.place, reason: reason ?? errno ?? '', inForce: digestOf(after.set) }
    }
  }
  const changes = policyChanges(before.set.values, after.set.values)
  if (Object.keys(changes).length === 0) return undefined
  return {
    kind: 'policies.changed',
    plain: { changes, places: [...new Set(Object.values(after.set.places))], inForce: digestOf(after.set) }
  }
}

/** The set in force after a reading. */
function decide(reading: Result<PolicySet, Unusable>, last: PolicySet): InForce {
  if (reading.ok) return { set: reading.value, blocked: false }
  const unusable = reading.failure
  if (Object.keys(last.values).length > 0) return { set: last, unusable, blocked: false }
  return { set: noPolicies, unusable, blocked: !unusable.undetermined }
}

/** Reads the policies once, so that nothing starts without them. */
export async function openPolicies({ reader, folder, clock }: PolicyOptions): Promise<Policies> {
  const none: LastValid = { get: () => noPolicies, set: async () => undefined }
  const last = reader ? await openLastValid(folder, clock) : none
  const read = async (): Promise<Result<PolicySet, Unusable>> =>
    reader ? understand(await reader.read()) : ok(noPolicies)

  const start: InForce = { set: last.get(), blocked: false }
  let current = decide(await read(), start.set)
  const pending = noteOf(start, current)
  await last.set(current.set)

  let listener: Parameters<Policies['watch']>[0] = () => undefined
  let stopWatching = (): void => undefined
  let looking: Promise<void> | undefined
  let again = false
  const closing = new AbortController()

  /** Reads until two readings in succession are equal. */
  async function look(): Promise<void> {
    let seen = await read()
    while (reader && !isDeepStrictEqual(decide(seen, current.set), current)) {
      const rested = await delay(reader.confirmAfter, true, { signal: closing.signal, ref: false }).catch(() => false)
      if (!rested) return
      const confirmed = await read()
      if (!isDeepStrictEqual(confirmed, seen)) {
        seen = confirmed
        continue
      }
      const next = decide(confirmed, current.set)
      const note = noteOf(current, next)
      current = next
      await last.set(next.set)
      listener(note)
    }
  }
  const lookInTurn = (): void => {
    if (closing.signal.aborted) return
    if (looking) {
      again = true
      return
    }
    looking = look().finally(() => {
      looking = undefined
      if (!again) return
      again = false
      lookInTurn()
    })
  }

  const values = (): PolicyValues => (current.blocked ? restricted : current.set.values)
  const problem = (): Failure | undefined => {
    const { unusable, blocked } = current
    if (!unusable) return undefined
    const details = { place: unusable.place, ...unusable.fault }
    if (blocked) return failure('policies-block-sending', details)
    return unusable.undetermined && Object.keys(current.set.values).length === 0
      ? failure('policies-not-read', details)
      : failure('policies-unusable', details)
  }
  const blocked = (): Failure | undefined => (current.blocked ? problem() : undefined)
  /** A refusal with its true reason: the rule, or that the rules cannot be read. */
  const because = (refusal: Failure | undefined): Failure | undefined => refusal && (blocked() ?? refusal)
  return {
    values,
    settings: () => settingsOf(values()),
    settingRefusal(names) {
      const { locked = {}, organisation = '' } = managedState(current.set) ?? {}
      const refused = names.filter((name): name is keyof Settings => Object.hasOwn(locked, name))
      const place = [...new Set(refused.map((name) => locked[name]))].join(', ')
      return refused.length === 0
        ? undefined
        : failure('setting-managed', { names: refused.map(titleOfSetting).join(', '), organisation, place })
    },
    connections: () => connectionsOf(values()),
    connectionRefusal: ({ name }) => failure('connection-managed', { name, organisation: organisationOf(values()) }),
    sendingRefusal: blocked,
    addressRefusal: (connection) => addressRefusal(values(), connection),
    exportRefusal: () => because(exportRefusal(values())),
    clipboardRefusal: () => because(clipboardRefusal(values())),
    channelRefusal: (channel) => because(channelRefusal(values(), channel)),
    limited: (order) => limited(values(), order),
    state: () =>
      managedState(
        current.blocked ? { ...noPolicies, values: restricted, places: placesOf(current.unusable) } : current.set
      ),
    notices: () => [problem(), unknownNotice(current.set)].filter((notice) => notice !== undefined),
    watch(onChange) {
      if (!reader) return
      listener = onChange
      if (pending) listener(pending)
      stopWatching = reader.watch(lookInTurn)
      // What was read at the start may be the middle of a change.
      lookInTurn()
    },
    async close() {
      closing.abort()
      stopWatching()
      await looking
    }
  }
}

const placesOf = (unusable: Unusable | undefined): PolicySet['places'] =>
  unusable ? { ExportsAllowed: unusable.place, ClipboardAllowed: unusable.place } : {}
