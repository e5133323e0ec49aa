/**
 * Binds credentials to the address and mode that they were given for. `connections.json` is plain text: editing or
 * replacing it must not send credentials elsewhere, nor without the confirmation that a live connection requires. The
 * binding is therefore stored with the credentials in the keychain.
 */
import { normaliseBaseUrl, type Connection, type ConnectionMode } from '#contract/connections/connection.ts'
import {
  credentialFault,
  credentialIds,
  type CredentialId,
  type CredentialValues
} from '#contract/connections/credentials.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { noneSet, type Credentials, type Kept, type KnownCredentials } from './credentials.ts'
import { within } from '#kit/async/within.ts'

/** Where a connection points to according to its file now. */
export type Destination = Pick<Connection, 'id' | 'baseUrl' | 'mode' | 'practice'>

/** What credentials were given for. */
export interface GivenFor {
  /** Scheme, host and port. */
  readonly origin: string
  readonly mode: ConnectionMode
}

export interface BoundCredentials extends Pick<
  Credentials,
  'held' | 'clear' | 'clearAll' | 'disown' | 'tidy' | 'fingerprint'
> {
  /**
   * Like `Credentials.presence`; none counts as set if they were given for another destination, which `givenFor`
   * names.
   */
  presence(
    to: Destination
  ): Promise<KnownCredentials & { readonly givenFor?: string; readonly refused?: true; readonly byCommand?: true }>
  /**
   * Like `Credentials.values`, for requests to this destination only. Additional failure: `credentials-for-another`.
   */
  values(to: Destination): Promise<Result<CredentialValues, Failure>>
  /** Like `Credentials.set`. First clears values that were given for another destination. */
  set(to: Destination, credential: CredentialId, value: string): Promise<Result<{ readonly kept: Kept }, Failure>>
  /**
   * Moves the binding after a user or the practice service has changed the connection in Veridesk. If the keychain
   * cannot store it, the credentials have to be entered again.
   */
  moved(before: Destination, after: Destination): Promise<void>
  /** A number that another one follows whenever the credentials of a connection change, even if they are the same afterwards. */
  revision(connectionId: string): number
  /** Notes what the service said of credentials of this revision; returns whether that is news. */
  answered(connectionId: string, revision: number, refused: boolean): boolean
}

export interface BindingParts {
  readonly credentials: Credentials
  readonly keychain: SecretStore
  readonly session: SecretStore
}

/** Milliseconds that a list waits for the keychain. */
const presenceLimitMs = 1000

const accountOf = (connectionId: string): string => `connection/${connectionId}/given-for`
const valueAccount = (connectionId: string, credential: CredentialId): string =>
  `connection/${connectionId}/${credential}`

const givenNow = ({ baseUrl, mode }: Destination): GivenFor => ({ origin: normaliseBaseUrl(baseUrl), mode })
const same = (one: GivenFor, other: GivenFor): boolean => one.origin === other.origin && one.mode === other.mode
const words = ({ origin, mode }: GivenFor): string => `${origin} (${mode})`

/** Stands for an unreadable binding; equal to no destination. */
const unreadable: GivenFor = { origin: 'another address', mode: 'live' }

function parse(text: string): GivenFor {
  const [mode, origin, ...more] = text.split(' ')
  return origin !== undefined && more.length === 0 && (mode === 'live' || mode === 'sandbox')
    ? { origin, mode }
    : unreadable
}

/** Changes of credentials, one after another for each connection, and numbered. */
function createChanges() {
  const turns = new Map<string, Promise<unknown>>()
  /** Serialises changes to a connection's credentials, so that three set at once do not clear each other. */
  const inTurn = <T>(connectionId: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(connectionId) ?? Promise.resolve()).then(work)
    turns.set(
      connectionId,
      turn.catch(() => undefined)
    )
    return turn
  }

  const revisions = new Map<string, number>()
  const revise = (connectionId: string): void =>
    void revisions.set(connectionId, (revisions.get(connectionId) ?? 0) + 1)
  /** A change: what is read before it or during it does not stand afterwards. */
  const changing = async <T>(connectionId: string, work: () => Promise<T>): Promise<T> => {
    revise(connectionId)
    return work().finally(() => revise(connectionId))
  }

  const revision = (connectionId: string): number => revisions.get(connectionId) ?? 0
  /** The revision that the service has refused, by connection: others are not refused. */
  const refusals = new Map<string, number>()
  const isRefused = (connectionId: string): boolean => refusals.get(connectionId) === revision(connectionId)
  const answered: BoundCredentials['answered'] = (connectionId, at, refused) => {
    const before = isRefused(connectionId)
    if (refused) refusals.set(connectionId, at)
    else refusals.delete(connectionId)
    return isRefused(connectionId) !== before
  }
  return { inTurn, revise, changing, revision, isRefused, answered }
}

/** Where values were given for, beside them in their store. */
function createBindings(keychain: SecretStore, session: SecretStore) {
  /** Bindings as last read from the keychain, so that lists are quick. Values are never returned on this basis. */
  const known = new Map<string, GivenFor | undefined>()

  const read = async (store: SecretStore, connectionId: string): Promise<Result<GivenFor | undefined, Failure>> => {
    const found = await store.get(accountOf(connectionId))
    if (!found.ok) return found
    const given = found.value === undefined ? undefined : parse(found.value)
    if (store === keychain) known.set(connectionId, given)
    return ok(given)
  }

  const write = async (store: SecretStore, connectionId: string, given: GivenFor): Promise<Result<null, Failure>> => {
    const written = await store.set(accountOf(connectionId), `${given.mode} ${given.origin}`)
    if (store === keychain) {
      if (written.ok) known.set(connectionId, given)
      else known.delete(connectionId)
    }
    return written
  }

  const heldIn = async (store: SecretStore, connectionId: string): Promise<CredentialId[]> => {
    const held: CredentialId[] = []
    for (const credential of credentialIds) {
      const value = await store.get(valueAccount(connectionId, credential))
      if (value.ok && value.value !== undefined) held.push(credential)
    }
    return held
  }

  const givenFor = async (to: Destination): Promise<GivenFor | undefined> => {
    const here = await read(session, to.id)
    if (here.ok && here.value && !same(here.value, givenNow(to)) && (await heldIn(session, to.id)).length > 0)
      return here.value
    if (keychain.state() !== 'ready') return undefined
    const there = known.has(to.id)
      ? known.get(to.id)
      : await read(keychain, to.id).then((found) => (found.ok ? found.value : undefined))
    return there && !same(there, givenNow(to)) ? there : undefined
  }

  return { known, read, write, heldIn, givenFor }
}

/** Binds credentials. Values are read for each request and not cached. */
export function bindCredentials({ credentials, keychain, session }: BindingParts): BoundCredentials {
  const { inTurn, revise, changing, revision, isRefused, answered } = createChanges()
  const { known, read, write, heldIn, givenFor } = createBindings(keychain, session)

  const refuse = (given: GivenFor, to: Destination): Result<never, Failure> =>
    failed('credentials-for-another', { given: words(given), now: words(givenNow(to)) })

  /** Before storing a value, clears values in the same store that were given for another destination. */
  const replaceOthers = async (
    store: SecretStore,
    to: Destination,
    credential: CredentialId
  ): Promise<Result<null, Failure>> => {
    const given = await read(store, to.id)
    if (!given.ok) return given
    const now = givenNow(to)
    if (given.value && same(given.value, now)) return ok(null)
    for (const each of await heldIn(store, to.id)) {
      if (each === credential) continue
      const gone =
        store === keychain ? await credentials.clear(to.id, each) : await store.remove(valueAccount(to.id, each))
      if (!gone.ok) return gone
    }
    return write(store, to.id, now)
  }

  return {
    held: credentials.held,
    tidy: credentials.tidy,
    fingerprint: credentials.fingerprint,
    revision,
    answered,

    disown(connectionId, cleared) {
      revise(connectionId)
      credentials.disown(connectionId, cleared)
    },

    clear: (connectionId, credential) =>
      changing(connectionId, async () => {
        const given = await read(keychain, connectionId)
        const gone = await credentials.clear(connectionId, credential)
        if (!gone.ok || !gone.value) return gone
        const { restore } = gone.value
        return ok({
          restore: () =>
            changing(connectionId, async () => {
              const back = await restore()
              // The keychain became unavailable meanwhile: the binding moves to the session together with the value.
              const here = back.kept === 'session' ? await read(session, connectionId) : undefined
              if (here?.ok && !here.value && given.ok && given.value) await write(session, connectionId, given.value)
              return back
            })
        })
      }),

    clearAll: (connectionId) =>
      changing(connectionId, async () => {
        await session.remove(accountOf(connectionId))
        const cleared = await credentials.clearAll(connectionId)
        // The binding alone reveals nothing about anybody, and setting the next value rewrites it.
        if (cleared.ok && (await keychain.remove(accountOf(connectionId))).ok) known.set(connectionId, undefined)
        return cleared
      }),

    async presence(to) {
      const found = await credentials.presence(to.id)
      if (!credentialIds.some((id) => found.credentials[id])) return found
      const other = await within(presenceLimitMs, givenFor(to))
      if (other) return { ...found, credentials: noneSet, givenFor: words(other) }
      return isRefused(to.id) ? { ...found, refused: true } : found
    },

    async values(to) {
      const values = await credentials.values(to.id)
      if (!values.ok) return values
      const inSession = await heldIn(session, to.id)
      if (inSession.length > 0) {
        const given = await read(session, to.id)
        if (!given.ok) return given
        if (!given.value || !same(given.value, givenNow(to))) return refuse(given.value ?? unreadable, to)
      }
      if (inSession.length === credentialIds.length) return values
      const kept = await read(keychain, to.id)
      if (!kept.ok) return kept
      return kept.value && same(kept.value, givenNow(to)) ? values : refuse(kept.value ?? unreadable, to)
    },

    set: (to, credential, value) =>
      inTurn(to.id, () =>
        changing(to.id, async () => {
          // A value that is refused must not clear others.
          if (credentialFault(value)) return credentials.set(to.id, credential, value)
          const cleared = await replaceOthers(keychain, to, credential)
          const set = await credentials.set(to.id, credential, value, cleared.ok ? undefined : 'session')
          if (!set.ok || set.value.kept === 'keychain') return set
          const here = await replaceOthers(session, to, credential)
          return here.ok ? set : here
        })
      ),

    moved: (before, after) =>
      inTurn(after.id, async () => {
        if (same(givenNow(before), givenNow(after))) return
        revise(after.id)
        for (const store of [session, keychain]) {
          const given = await read(store, after.id)
          if (given.ok && given.value && same(given.value, givenNow(before)))
            await write(store, after.id, givenNow(after))
        }
      })
  }
}
