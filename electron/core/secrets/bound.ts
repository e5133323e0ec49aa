/**
 * Credentials are bound to the address and the mode that they were given for: `connections.json` is plain text, and
 * whoever edits it, or exchanges it, must not have them sent elsewhere, nor sent without the questions that a live
 * connection asks. What they were given for stands beside them in the keychain, out of that file's reach.
 */
import { isLoopbackHost, normaliseBaseUrl, type Connection, type ConnectionMode } from '#contract/connection.ts'
import { credentialFault, credentialIds, type CredentialId, type CredentialValues } from '#contract/credentials.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { noneSet, within, type Credentials, type Kept, type KnownCredentials } from './credentials.ts'

/** Where a connection points to, as its file says at this moment. */
export type Destination = Pick<Connection, 'id' | 'baseUrl' | 'mode' | 'practice'>

/** What credentials were given for. */
export interface GivenFor {
  /** Scheme, host and port. */
  readonly origin: string
  readonly mode: ConnectionMode
}

/** What the history knows of the last request of a connection. */
export interface LastUse extends GivenFor {
  readonly fingerprint: string
}

export interface BoundCredentials extends Pick<Credentials, 'clear' | 'clearAll' | 'disown' | 'tidy' | 'fingerprint'> {
  /** As `Credentials.presence`; none is set where they were given for something else, which `givenFor` then says. */
  presence(to: Destination): Promise<KnownCredentials & { readonly givenFor?: string }>
  /** As `Credentials.values`, for a request to this destination alone. Failure besides: `credentials-for-another`. */
  values(to: Destination): Promise<Result<CredentialValues, Failure>>
  /** As `Credentials.set`. What was given for something else is cleared first. */
  set(to: Destination, credential: CredentialId, value: string): Promise<Result<{ readonly kept: Kept }, Failure>>
  /**
   * A person, or the practice service, has changed the connection in Veridesk: what was given for it as it was before
   * is given for it as it is now. A keychain that cannot note it has the credentials asked for anew.
   */
  moved(before: Destination, after: Destination): Promise<void>
}

export interface BindingParts {
  readonly credentials: Credentials
  readonly keychain: SecretStore
  readonly session: SecretStore
  /** The last request of a connection, or undefined where none is known. */
  readonly lastUse: (connectionId: string) => Promise<LastUse | undefined>
}

/** Milliseconds that a list may wait for the keychain. */
const presenceLimitMs = 1000

const accountOf = (connectionId: string): string => `connection/${connectionId}/given-for`
const valueAccount = (connectionId: string, credential: CredentialId): string => `connection/${connectionId}/${credential}`

const givenNow = ({ baseUrl, mode }: Destination): GivenFor => ({ origin: normaliseBaseUrl(baseUrl), mode })
const same = (one: GivenFor, other: GivenFor): boolean => one.origin === other.origin && one.mode === other.mode
const words = ({ origin, mode }: GivenFor): string => `${origin} (${mode})`

/** An entry that cannot be read was given for nothing that is known: nothing is the same as it. */
const unreadable: GivenFor = { origin: 'another address', mode: 'live' }

function parse(text: string): GivenFor {
  const [mode, origin, ...more] = text.split(' ')
  return origin !== undefined && more.length === 0 && (mode === 'live' || mode === 'sandbox') ? { origin, mode } : unreadable
}

/** Binds credentials. Values are read for each request and kept nowhere between. */
export function bindCredentials({ credentials, keychain, session, lastUse }: BindingParts): BoundCredentials {
  const turns = new Map<string, Promise<unknown>>()
  /** What the keychain holds, as it was read last: a list must be quick. Values are never given by it. */
  const known = new Map<string, GivenFor | undefined>()

  /** One change of a connection's credentials at a time: three that are set at once must not clear each other. */
  const inTurn = <T>(connectionId: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(connectionId) ?? Promise.resolve()).then(work)
    turns.set(connectionId, turn.catch(() => undefined))
    return turn
  }

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

  const refuse = (given: GivenFor, to: Destination): Result<never, Failure> =>
    failed('credentials-for-another', { given: words(given), now: words(givenNow(to)) })

  /**
   * Version 0.1 kept no note of what credentials were given for. Where the same values made the last request of the
   * connection, that request says it; where none is known, they count as given for where the connection points to now.
   */
  const adopt = async (to: Destination, values: CredentialValues): Promise<Result<GivenFor, Failure>> => {
    const now = givenNow(to)
    const bundled = to.practice === true && isLoopbackHost(new URL(to.baseUrl).hostname)
    const last = bundled ? undefined : await lastUse(to.id)
    const sameValues = last !== undefined && last.fingerprint === (await credentials.fingerprint(values))
    const given = sameValues ? { origin: last.origin, mode: last.mode } : now
    const written = await write(keychain, to.id, given)
    return written.ok ? ok(given) : written
  }

  /** Before something new is kept in a store: what is there, and given for something else, goes. */
  const makeRoom = async (store: SecretStore, to: Destination, credential: CredentialId): Promise<Result<null, Failure>> => {
    const given = await read(store, to.id)
    if (!given.ok) return given
    const now = givenNow(to)
    if (given.value && same(given.value, now)) return ok(null)
    const last = given.value === undefined && store === keychain ? await lastUse(to.id) : undefined
    if (given.value !== undefined || (last && !same(last, now))) {
      for (const each of await heldIn(store, to.id)) {
        if (each === credential) continue
        const gone = store === keychain ? await credentials.clear(to.id, each) : await store.remove(valueAccount(to.id, each))
        if (!gone.ok) return gone
      }
    }
    return write(store, to.id, now)
  }

  const givenFor = async (to: Destination): Promise<GivenFor | undefined> => {
    const here = await read(session, to.id)
    if (here.ok && here.value && !same(here.value, givenNow(to)) && (await heldIn(session, to.id)).length > 0) return here.value
    if (keychain.state() !== 'ready') return undefined
    const there = known.has(to.id) ? known.get(to.id) : await read(keychain, to.id).then((found) => (found.ok ? found.value : undefined))
    return there && !same(there, givenNow(to)) ? there : undefined
  }

  return {
    disown: credentials.disown,
    tidy: credentials.tidy,
    fingerprint: credentials.fingerprint,

    async clear(connectionId, credential) {
      const given = await read(keychain, connectionId)
      const gone = await credentials.clear(connectionId, credential)
      if (!gone.ok || !gone.value) return gone
      const { restore } = gone.value
      return ok({
        async restore() {
          const back = await restore()
          // The keychain went away meanwhile: what the value was given for follows it into this session.
          const here = back.kept === 'session' ? await read(session, connectionId) : undefined
          if (here?.ok && !here.value && given.ok && given.value) await write(session, connectionId, given.value)
          return back
        }
      })
    },

    async clearAll(connectionId) {
      await session.remove(accountOf(connectionId))
      const cleared = await credentials.clearAll(connectionId)
      // Alone it says nothing about anybody, and the next value that is set writes it anew.
      if (cleared.ok && (await keychain.remove(accountOf(connectionId))).ok) known.set(connectionId, undefined)
      return cleared
    },

    async presence(to) {
      const found = await credentials.presence(to.id)
      if (!credentialIds.some((id) => found.credentials[id])) return found
      const other = await within(presenceLimitMs, givenFor(to))
      return other ? { ...found, credentials: noneSet, givenFor: words(other) } : found
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
      const given = kept.value === undefined ? await adopt(to, values.value) : ok(kept.value)
      if (!given.ok) return given
      return same(given.value, givenNow(to)) ? values : refuse(given.value, to)
    },

    set: (to, credential, value) =>
      inTurn(to.id, async () => {
        // What is refused must clear nothing.
        if (credentialFault(value)) return credentials.set(to.id, credential, value)
        const room = await makeRoom(keychain, to, credential)
        const set = await credentials.set(to.id, credential, value, room.ok ? undefined : 'session')
        if (!set.ok || set.value.kept === 'keychain') return set
        const here = await makeRoom(session, to, credential)
        return here.ok ? set : here
      }),

    moved: (before, after) =>
      inTurn(after.id, async () => {
        if (same(givenNow(before), givenNow(after))) return
        for (const store of [session, keychain]) {
          const given = await read(store, after.id)
          if (given.ok && given.value && same(given.value, givenNow(before))) await write(store, after.id, givenNow(after))
        }
      })
  }
}
