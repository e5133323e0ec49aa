/**
 * User names and passwords for proxies, by the address of the proxy: one keychain entry for all of them, since a keychain cannot
 * list its entries; without a keychain, held in memory for this session. Never in a file.
 */
import { failed, invalidField, type Failure, type FieldFault } from '#contract/failures/failures.ts'
import type { ProxySignInStatus } from '#contract/connections/channels.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { createTurns } from '#kit/async/in-turn.ts'

/** Secret. */
export interface ProxySignIn {
  readonly user: string
  readonly password: string
}

export interface ProxySignIns {
  list(): Promise<Result<readonly ProxySignInStatus[], Failure>>
  /** What is stored for a proxy; undefined if nothing is. Failures: `keychain-*`, unless there is no keychain. */
  of(proxy: string): Promise<Result<ProxySignIn | undefined, Failure>>
  /**
   * Stores values for a proxy, in place of earlier ones; for this session only if the keychain is unavailable.
   *
   * @param proxy Scheme, host and port, in the form of `proxyAddress`.
   */
  set(proxy: string, signIn: ProxySignIn): Promise<Result<null, Failure>>
  /** Whether something was stored, which is then gone. Failures: `keychain-*`; it may then still be in the keychain. */
  clear(proxy: string): Promise<Result<boolean, Failure>>
}

const account = 'proxy-sign-ins'
/** All of them together fit into one entry of every system's keychain. */
const most = 4
const longest = { user: 128, password: 256 }

type Stored = Readonly<Record<string, ProxySignIn>>

function parse(text: string | undefined): Stored {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return Object.fromEntries(
      Object.entries(value as Record<string, Partial<ProxySignIn> | null>).flatMap(([proxy, given]) =>
        typeof given?.user === 'string' && typeof given.password === 'string'
          ? [[proxy, { user: given.user, password: given.password }]]
          : []
      )
    )
  } catch {
    // An entry that is not ours to read has nothing for any proxy.
    return {}
  }
}

const hasControl = (text: string): boolean => /\p{Cc}/u.test(text)
const tooLong = (text: string, limit: number): FieldFault | undefined =>
  text.length > limit ? invalidField('too-long', { limit, length: text.length }) : undefined

function userFault(user: string): FieldFault | undefined {
  if (user === '') return invalidField('proxy-user-missing')
  if (user.includes(':')) return invalidField('proxy-user-colon')
  return hasControl(user) ? invalidField('proxy-sign-in-control') : tooLong(user, longest.user)
}

function passwordFault(password: string): FieldFault | undefined {
  if (password === '') return invalidField('proxy-password-missing')
  return hasControl(password) ? invalidField('proxy-sign-in-control') : tooLong(password, longest.password)
}

/** What is wrong with a user name and a password, by field; undefined if nothing is (RFC 7617, section 2). */
export function signInFaults({ user, password }: ProxySignIn): Readonly<Record<string, FieldFault>> | undefined {
  const [ofUser, ofPassword] = [userFault(user), passwordFault(password)]
  return ofUser || ofPassword
    ? { ...(ofUser && { user: ofUser }), ...(ofPassword && { password: ofPassword }) }
    : undefined
}

export function createProxySignIns({
  keychain,
  session
}: {
  readonly keychain: SecretStore
  readonly session: SecretStore
}): ProxySignIns {
  const inTurn = createTurns()
  const read = async (store: SecretStore): Promise<Result<Stored, Failure>> => {
    const found = await store.get(account)
    if (found.ok) return ok(parse(found.value))
    return found.failure.code === 'keychain-absent' ? ok({}) : found
  }
  const write = (store: SecretStore, stored: Stored): Promise<Result<null, Failure>> =>
    Object.keys(stored).length === 0 ? store.remove(account) : store.set(account, JSON.stringify(stored))
  const without = (stored: Stored, proxy: string): Stored =>
    Object.fromEntries(Object.entries(stored).filter(([each]) => each !== proxy))

  return {
    async list() {
      const [here, there] = [await read(session), await read(keychain)]
      if (!here.ok) return here
      if (!there.ok) return there
      const proxies = [...new Set([...Object.keys(there.value), ...Object.keys(here.value)])].sort()
      return ok(proxies.map((proxy) => ({ proxy, kept: proxy in here.value ? 'session' : 'keychain' })))
    },
    async of(proxy) {
      const here = await read(session)
      if (here.ok && here.value[proxy]) return ok(here.value[proxy])
      const there = await read(keychain)
      return there.ok ? ok(there.value[proxy]) : there
    },
    set: (proxy, signIn) =>
      inTurn(async () => {
        const faults = signInFaults(signIn)
        if (faults) return failed('proxy-sign-in-invalid', {}, faults)
        const there = await read(keychain)
        const here = await read(session)
        if (!here.ok) return here
        const others = { ...here.value, ...(there.ok && there.value) }
        if (!(proxy in others) && Object.keys(others).length >= most)
          return failed('proxy-sign-ins-full', { maximum: most })
        const kept = there.ok ? await write(keychain, { ...there.value, [proxy]: signIn }) : there
        // A value of this session would be used in place of the one in the keychain.
        return kept.ok ? write(session, without(here.value, proxy)) : write(session, { ...here.value, [proxy]: signIn })
      }),
    clear: (proxy) =>
      inTurn(async () => {
        const [here, there] = [await read(session), await read(keychain)]
        if (!here.ok) return here
        if (!there.ok) return there
        const inKeychain = proxy in there.value
        const gone = inKeychain ? await write(keychain, without(there.value, proxy)) : ok(null)
        if (!gone.ok) return gone
        const left = await write(session, without(here.value, proxy))
        return left.ok ? ok(inKeychain || proxy in here.value) : left
      })
  }
}
