/**
 * Decides the route of a request: directly, or through a proxy by CONNECT or SOCKS5.
 *
 * A PAC result may name several hops in order. Trying the next one is safe: the client writes no byte of a request
 * before a connection is open (see `dial.ts`).
 */
import { BlockList, isIP } from 'node:net'
import { isLoopbackHost } from '#contract/connections/connection.ts'
import { failed, invalidField, type Failure, type FieldFault } from '#contract/failures/failures.ts'
import { proxyAddressFault } from '#contract/connections/proxy-address.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'

/** A proxy that tunnels; `secure` if the connection to the proxy itself uses TLS. */
export interface ProxyHop {
  readonly kind: 'proxy'
  readonly secure: boolean
  /** If it speaks SOCKS5 instead of HTTP. */
  readonly socks?: true
  readonly host: string
  readonly port: number
  /** The Proxy-Authorization value, if the environment names a user. Secret: never shown, logged or stored. */
  readonly authorization?: string
}
export type Hop = { readonly kind: 'direct' } | ProxyHop

/** The hops to try, in order; at least one. */
export interface Route {
  readonly hops: readonly [Hop, ...Hop[]]
}

/** A proxy as its settings would name it: scheme, host and port. What is stored for signing in is stored under it. */
export const proxyAddress = ({ secure, socks, host, port }: ProxyHop): string =>
  `${socks ? 'socks5' : secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`

/** The address of a proxy that a person entered, in the same form; undefined if it is none. */
export function proxyAddressIn(text: string): string | undefined {
  const given = text.trim()
  if (proxyUrlFault(given)) return undefined
  const hop = enteredHop(given)
  return hop && proxyAddress(hop)
}

export const directRoute: Route = { hops: [{ kind: 'direct' }] }

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').toLowerCase()

/** How a proxy is spoken to, with the port if none is named. */
const schemes = { http: 80, https: 443, socks5: 1080 } as const
type ProxyScheme = keyof typeof schemes

/** A hop from `host:port`; undefined if it is none. */
function proxyHop(authority: string, scheme: ProxyScheme): ProxyHop | undefined {
  let url: URL
  try {
    url = new URL(`${scheme}://${authority}`)
  } catch {
    return undefined
  }
  if (!url.hostname) return undefined
  const hop: ProxyHop = {
    kind: 'proxy',
    secure: scheme === 'https',
    ...(scheme === 'socks5' && { socks: true }),
    host: bare(url.hostname),
    port: url.port ? Number(url.port) : schemes[scheme]
  }
  if (!url.username) return hop
  let user: string
  try {
    user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  } catch {
    user = `${url.username}:${url.password}`
  }
  return { ...hop, authorization: `Basic ${Buffer.from(user).toString('base64')}` }
}

/** A hop from the address that a person entered. */
function enteredHop(text: string): ProxyHop | undefined {
  const [named = '', scheme = 'http'] = /^(https?|socks5):\/\//i.exec(text) ?? []
  return proxyHop(text.slice(named.length), scheme.toLowerCase() as ProxyScheme)
}

/** The words of a PAC result. `SOCKS` alone means version 4 (Chromium), which resolves no names. */
const pacWords: Readonly<Record<string, ProxyScheme>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5'
}

/**
 * Parses a PAC result such as `PROXY a:1; HTTPS b:2; SOCKS5 c:3; DIRECT`. An empty text means DIRECT, as in browsers. Fails with
 * `proxy-failed` if no part of it is usable (SOCKS of version 4 only, for example).
 */
export function routeOfPac(text: string): Result<Route, Failure> {
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length === 0) return ok(directRoute)
  const hops: Hop[] = []
  for (const part of parts) {
    const [word = '', authority = ''] = part.split(/\s+/)
    const kind = word.toUpperCase()
    if (kind === 'DIRECT') hops.push({ kind: 'direct' })
    const scheme = pacWords[kind]
    const hop = scheme && proxyHop(authority, scheme)
    if (hop) hops.push(hop)
  }
  const [first, ...rest] = hops
  if (first) return ok({ hops: [first, ...rest] })
  const socks = parts.some((part) => /^socks4?\s/i.test(part))
  return failed('system-proxy-unusable', { reason: socks ? 'socks' : 'address' })
}

/** Why the address of a proxy is invalid; undefined if it is valid. Without a scheme, as environments name it, it is http://. */
export function proxyUrlFault(text: string): FieldFault | undefined {
  const trimmed = text.trim()
  return proxyAddressFault(trimmed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`)
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true
  if (entry === '<local>') return !host.includes('.') && isIP(host) === 0
  const range = /^([0-9a-f.:]+)\/(\d{1,3})$/.exec(entry)
  if (range) return inRange(host, range[1] ?? '', Number(range[2]))
  // A port is parsed only if the entry is not an IPv6 address.
  const named = isIP(bare(entry)) ? undefined : /^(.*):(\d{1,5})$/.exec(entry)
  if (named && Number(named[2]) !== port) return false
  const name = bare(named?.[1] ?? entry).replace(/^\*?\./, '')
  if (name === '') return false
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`))
}

function inRange(host: string, net: string, prefix: number): boolean {
  const family = isIP(net)
  if (family === 0 || isIP(host) !== family || prefix > (family === 4 ? 32 : 128)) return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(net, prefix, kind)
  return list.check(host, kind)
}

/**
 * The entry of a bypass list that contains this address; undefined if none does. Entries are separated by commas, semicolons or spaces: `example.com`
 * and `.example.com` (including subdomains), `*.example.com`, `host:port`, IP addresses, ranges such as `10.0.0.0/8`,
 * `<local>` for names without a dot, and `*`.
 */
export function bypassEntry(url: string, list: string): string | undefined {
  const target = new URL(url)
  const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
  return list
    .split(/[\s,;]+/)
    .filter((entry) => entry !== '')
    .find((entry) => matches(entry.toLowerCase(), bare(target.hostname), port))
}

/** What decides the route: three settings and the system proxy that the host reports. */
export interface RouteChoice {
  readonly origin: string
  readonly settings: Pick<Settings, 'proxyMode' | 'proxyUrl' | 'proxyBypass'>
  resolveSystemProxy(url: string): Promise<string>
}

/** What decided a route. A verdict is word for word what the system said, and may contain a user name and a password. */
export type RouteReason =
  | { readonly by: 'setting' | 'loopback' | 'manual' }
  | { readonly by: 'bypass'; readonly entry: string }
  | { readonly by: 'system'; readonly verdict?: string }

export interface RouteDecision {
  readonly reason: RouteReason
  readonly route: Result<Route, Failure>
}

/**
 * The route to an origin, and why. A loopback address is never reached through a proxy, whatever the settings. Fails with
 * `proxy-setting-unusable` or `system-proxy-unusable`; then nothing may be sent, because bypassing a proxy is not the
 * application's decision.
 */
export async function decideRoute(choice: RouteChoice): Promise<RouteDecision> {
  const { origin, settings } = choice
  if (isLoopbackHost(new URL(origin).hostname)) return { reason: { by: 'loopback' }, route: ok(directRoute) }
  if (settings.proxyMode === 'none') return { reason: { by: 'setting' }, route: ok(directRoute) }
  if (settings.proxyMode === 'manual') return decideManually(origin, settings)
  let verdict: string
  try {
    verdict = await choice.resolveSystemProxy(`${origin}/`)
  } catch {
    return { reason: { by: 'system' }, route: failed('system-proxy-unusable', { reason: 'unknown' }) }
  }
  return { reason: { by: 'system', verdict }, route: routeOfPac(verdict) }
}

function decideManually(origin: string, { proxyUrl, proxyBypass }: RouteChoice['settings']): RouteDecision {
  const reason = { by: 'manual' } as const
  const fault = proxyUrlFault(proxyUrl)
  if (fault) return { reason, route: failed('proxy-setting-unusable', {}, { proxyUrl: fault }) }
  const entry = bypassEntry(origin, proxyBypass)
  if (entry !== undefined) return { reason: { by: 'bypass', entry }, route: ok(directRoute) }
  const hop = enteredHop(proxyUrl.trim())
  return {
    reason,
    route: hop
      ? ok({ hops: [hop] })
      : failed('proxy-setting-unusable', {}, { proxyUrl: invalidField('proxy-incomplete') })
  }
}

/** The route alone. */
export const resolveRoute = async (choice: RouteChoice): Promise<Result<Route, Failure>> =>
  (await decideRoute(choice)).route

/**
 * The proxy that environment variables name for an address, as a PAC result; for hosts that run in plain Node.
 * `NO_PROXY` comes first, then the variable for the address's scheme, then `ALL_PROXY`; lower case takes precedence
 * over upper case, as in curl. May contain a user name and password.
 */
export function environmentProxy(url: string, env: Readonly<Record<string, string | undefined>>): string {
  const read = (name: string): string => (env[name.toLowerCase()] || env[name] || '').trim()
  if (bypassEntry(url, read('NO_PROXY')) !== undefined) return 'DIRECT'
  const value = read(new URL(url).protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || read('ALL_PROXY')
  if (value === '') return 'DIRECT'
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value)
  const [, named = '', rest = ''] = /^([^/?#]*)(.*)$/s.exec(value.slice(scheme?.[0].length ?? 0)) ?? []
  // An “@” behind the authority, or a space in it, means that a password was not percent-encoded: what looks like the host would be a
  // piece of it. Such an authority has no host, and the route is unusable.
  const authority = rest.includes('@') || /\s/.test(named) ? '' : named.replaceAll(';', '%3B')
  const protocol = scheme?.[1]?.toLowerCase() ?? 'http'
  if (protocol === 'https') return `HTTPS ${authority}`
  // Names are always resolved by the proxy, which curl calls socks5h.
  if (protocol === 'socks5' || protocol === 'socks5h') return `SOCKS5 ${authority}`
  if (protocol.startsWith('socks')) return `SOCKS ${authority}`
  return `PROXY ${authority}`
}
