/**
 * Checks where a request goes, before its name is resolved and with the addresses that it resolved to.
 *
 * The socket connects to the very addresses that were checked: the name is resolved once, inside of the attempt to
 * connect, so an answer that changes between a check and its use (rebinding) does not exist.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackHost } from '#contract/connections/connection.ts'
import { refusedKind, type AddressKind, type AddressRules } from './addresses.ts'

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

export const systemResolve: Resolve = (name) =>
  new Promise((resolve, reject) => {
    systemLookup(name, { all: true, verbatim: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address))
    )
  })

export interface Guard {
  /** For the socket: the addresses of a name, or an error if any of them is refused. */
  readonly lookup: LookupFunction
  /** Why a name was refused after it had been resolved. */
  refused(): AddressKind | undefined
}

/**
 * Why a host of a URL is refused without resolving it. The URL parser has normalised numbers in every notation
 * (`0x7f.1`, `2130706433`, full-width digits) to an address by then. With a proxy this is the only check: the proxy
 * resolves names, and where it connects to cannot be seen from here.
 */
export function refusedHost(hostname: string, rules: AddressRules): AddressKind | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return refusedKind(host, rules)
  return isLoopbackHost(host.replace(/\.$/, '')) && !rules.loopback ? 'loopback' : undefined
}

/** A guard for one connection. */
export function createGuard(rules: AddressRules, resolve: Resolve): Guard {
  let kind: AddressKind | undefined
  const lookup: LookupFunction = (name, options, done) => {
    resolve(name).then(
      (found) => {
        // All of them: a public address beside a private one is how a check is evaded, and no honest host needs it.
        kind = found.map((address) => refusedKind(address, rules)).find((each) => each !== undefined)
        const addresses = found.map((address): LookupAddress => ({ address, family: isIP(address) }))
        const [first] = addresses
        if (kind !== undefined || !first)
          done(Object.assign(new Error('refused'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }), '', 4)
        else if (options.all) done(null, addresses)
        else done(null, first.address, first.family)
      },
      (error: unknown) => done(error as NodeJS.ErrnoException, '', 4)
    )
  }
  return { lookup, refused: () => kind }
}
