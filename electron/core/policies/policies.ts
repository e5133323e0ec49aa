/** The policies in force: read at start and when their sources change, applied as a whole or not at all. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ChannelName } from '#contract/ipc/ipc.ts'
import type { Connection, DocumentRules } from '#contract/connections/connection.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { ManagedState, PolicySource } from '#contract/settings/managed.ts'
import { policyNames, policyOf, type PolicyName, type PolicyValues } from '#contract/settings/policies.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { NoteDraft } from '#core/audit/audit-trail.ts'
import type { Clock } from '#kit/clock.ts'
import type { PolicyReader } from '#core/ports/policies.ts'
import { openLastValid, type LastValid } from './last-valid.ts'
import {
  addressRefusal,
  channelRefusal,
  closedBy,
  closedRules,
  connectionsOf,
  credentialsCommand,
  exportRefusal,
  limited,
  managedState,
  organisationOf,
  policyChanges,
  requirements,
  settingsOf,
  teamRefusal,
  titleOfSetting,
  type Protection
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
  /** The command that prints the credentials of a ready-made connection; undefined if it has none. */
  credentialsCommand(connectionId: string): readonly string[] | undefined
  /** Who manages this installation, in sentences. */
  organisation(): string
  /** Why a ready-made connection must not be changed. */
  connectionRefusal(connection: Pick<Connection, 'name'>): Failure
  /** Why nobody knows the rules: `policies-block-sending`, if policies cannot be used and there are no earlier ones. */
  unreadable(): Failure | undefined
  /** Rules of documents that policies close: with their value in `from`; off if absent. */
  closedRules(from?: DocumentRules): Partial<DocumentRules>
  /** Why nothing may be sent: `policies-block-sending`, `passphrase-required`, `recovery-key-required`, `recovery-key-not-sealed`. */
  sendingRefusal(): Failure | undefined
  /** Why nothing may be sent to this address: `address-not-allowed`, `own-connections-off`, `practice-off`. */
  addressRefusal(connection: Pick<Connection, 'baseUrl' | 'practice' | 'managed'>): Failure | undefined
  /** Why a team must not use this database: `team-off`, `team-server-not-allowed`. */
  teamRefusal(database: { readonly host: string; readonly port: number }): Failure | undefined
  /** Why the passphrase must not be removed. */
  passphraseRefusal(): Failure | undefined
  exportRefusal(): Failure | undefined
  clipboardRefusal(): Failure | undefined
  /** Why a request of a window is refused, whatever it contains. */
  channelRefusal(channel: ChannelName): Failure | undefined
  /** The order of a batch within its maxima. */
  limited<T extends { readonly atOnce: number; readonly pace: number }>(order: T): T
  state(): ManagedState | undefined
  /** As they were read last; undefined if the host has none. */
  sources(): readonly PolicySource[] | undefined
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
  /** Absent where nothing of a person is kept. */
  readonly protection?: Protection
}

/** What policies can turn off or require. */
const closable = policyNames.filter((name) => policyOf(name).closed !== undefined)
/** If policies are unusable and there are no earlier ones, what they may have turned off is off. */
const restricted = Object.fromEntries(closable.map((name) => [name, policyOf(name).closed])) as PolicyValues
const unprotected: Protection = { hasPassphrase: () => true, recoveryKey: () => undefined }

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
  return { set: noPolicies, unusable, blocked: true }
}

/** Why the sources are not used. */
function problemOf({ unusable, blocked }: InForce): Failure | undefined {
  if (!unusable) return undefined
  const details = { place: unusable.place, ...unusable.fault }
  return failure(blocked ? 'policies-block-sending' : 'policies-unusable', details)
}

/** Reads the sources, and keeps how they were read last. */
function createReading(reader: PolicyReader | undefined) {
  let sources: readonly PolicySource[] | undefined
  return {
    sources: () => sources,
    async read(): Promise<Result<PolicySet, Unusable>> {
      if (!reader) return ok(noPolicies)
      const places = await reader.read()
      sources = places.map(({ place, by = '', found }) => ({ place, by, found: found.kind }))
      return understand(places)
    }
  }
}

/** Reads the policies once, so that nothing starts without them. */
export async function openPolicies({
  reader,
  folder,
  clock,
  protection = unprotected
}: PolicyOptions): Promise<Policies> {
  const none: LastValid = { get: () => noPolicies, set: async () => undefined }
  const last = reader ? await openLastValid(folder, clock) : none
  const { read, sources } = createReading(reader)

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
    if (looking) return void (again = true)
    looking = look().finally(() => {
      looking = undefined
      if (!again) return
      again = false
      lookInTurn()
    })
  }

  const values = (): PolicyValues => (current.blocked ? restricted : current.set.values)
  const blocked = (): Failure | undefined => (current.blocked ? problemOf(current) : undefined)
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
    credentialsCommand: (id) => credentialsCommand(values(), id),
    organisation: () => organisationOf(values()),
    connectionRefusal: ({ name }) => failure('connection-managed', { name, organisation: organisationOf(values()) }),
    closedRules: (from) => closedRules(values(), from),
    unreadable: blocked,
    sendingRefusal: () => blocked() ?? requirements(values(), protection)[0],
    addressRefusal: (connection) => because(addressRefusal(values(), connection)),
    teamRefusal: (database) => because(teamRefusal(values(), database)),
    passphraseRefusal: () => because(closedBy(values(), 'PassphraseRequired')),
    exportRefusal: () => because(exportRefusal(values())),
    clipboardRefusal: () => because(closedBy(values(), 'ClipboardAllowed')),
    channelRefusal: (channel) => because(channelRefusal(values(), channel)),
    limited: (order) => limited(values(), order),
    state: () =>
      managedState(
        current.blocked ? { ...noPolicies, values: restricted, places: placesOf(current.unusable) } : current.set
      ),
    sources,
    notices: () =>
      [
        problemOf(current),
        unknownNotice(current.set),
        ...(current.blocked ? [] : requirements(values(), protection))
      ].filter((notice) => notice !== undefined),
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
  Object.fromEntries(closable.map((name: PolicyName) => [name, unusable?.place ?? '']))
