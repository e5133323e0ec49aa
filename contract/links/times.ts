/**
 * How signed links write their times: a function for each notation. `link-providers.ts` says which provider uses which. Pure.
 */

/** When a link is valid. All times are Unix milliseconds. */
export interface LinkTimes {
  /** Valid from this time; absent if the link does not limit it. */
  readonly startsAt?: number
  readonly expiresAt?: number
  /** Its times are missing, cannot be read, or are longer apart than the provider accepts: the provider will refuse it. */
  readonly damaged: boolean
}

/** A parameter of the query by its name in lower case, decoded; undefined if it is absent. */
type Get = (name: string) => string | undefined

/** A calendar date and time in UTC; undefined if there is no such date. */
function utc(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number
): number | undefined {
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(time)
  return back.getUTCMonth() === month - 1 &&
    back.getUTCDate() === day &&
    back.getUTCHours() === hour &&
    back.getUTCMinutes() === minute
    ? time
    : undefined
}

/** `20260131T235959Z`, the basic form of ISO 8601. */
export function basicTime(text: string | undefined): number | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '')
  return found ? utc(...(found.slice(1).map(Number) as [number, number, number, number, number, number])) : undefined
}

/** Unix seconds. */
export const secondsOf = (text: string | undefined): number | undefined =>
  /^\d{1,12}$/.test(text ?? '') ? Number(text) * 1000 : undefined

/** A time in the basic form and a number of seconds. `longest`: what the provider accepts. */
export function since(date: string | undefined, lasting: string | undefined, longest: number): LinkTimes {
  const [startsAt, duration] = [basicTime(date), secondsOf(lasting)]
  if (startsAt === undefined || duration === undefined || duration === 0 || duration > longest * 1000)
    return { damaged: true }
  return { startsAt, expiresAt: startsAt + duration, damaged: false }
}

/** The end in Unix seconds, which such a link must have. */
export function until(expires: string | undefined): LinkTimes {
  const expiresAt = secondsOf(expires)
  return { ...(expiresAt !== undefined && { expiresAt }), damaged: expiresAt === undefined }
}

/** 2001-09-09: a smaller number is no time, but a size or a version. */
const earliest = 1e12

/** The end in Unix seconds, where other links have a parameter of this name, too: what is no time is ignored. */
export function ifTime(expires: string | undefined): LinkTimes {
  const expiresAt = secondsOf(expires)
  return { ...(expiresAt !== undefined && expiresAt >= earliest && { expiresAt }), damaged: false }
}

/** Start and end in Unix seconds, as hexadecimal digits. */
export function ofHex(start: string | undefined, end: string | undefined): LinkTimes {
  const time = (text: string | undefined): number | undefined =>
    /^[\da-f]{8}$/i.test(text ?? '') ? parseInt(text ?? '', 16) * 1000 : undefined
  const [startsAt, expiresAt] = [time(start), time(end)]
  return { ...(startsAt !== undefined && { startsAt }), ...(expiresAt !== undefined && { expiresAt }), damaged: false }
}

/** `1795690000;1795690900`. */
export function between(text = ''): LinkTimes {
  const [startsAt, expiresAt] = text.split(';').map(secondsOf)
  return startsAt === undefined || expiresAt === undefined || expiresAt <= startsAt
    ? { damaged: true }
    : { startsAt, expiresAt, damaged: false }
}

/** `st=1~exp=2~acl=/*~hmac=ab`. */
export function ofTildes(token = ''): LinkTimes {
  const time = (name: string): number | undefined =>
    secondsOf(new RegExp(`(?:^|~)${name}=(\\d{1,12})(?:~|$)`).exec(token)?.[1])
  const [startsAt, expiresAt] = [time('st'), time('exp')]
  return { ...(startsAt !== undefined && { startsAt }), ...(expiresAt !== undefined && { expiresAt }), damaged: false }
}

/** A number of seconds, or a time by ISO 8601. */
export function ofNumberOrIso(text: string | undefined): LinkTimes {
  const expiresAt = basicTime(text?.replaceAll(/[-:]/g, ''))
  return expiresAt === undefined ? until(text) : { expiresAt, damaged: false }
}

/** A JSON Web Token (RFC 7519): its claim `exp`, if it has one that can be read. */
export function ofJwt(token = ''): LinkTimes {
  try {
    const base64 = (token.split('.').at(-2) ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return ifTime(/"exp"\s*:\s*"?(\d{1,12})/.exec(atob(base64))?.[1])
  } catch {
    return { damaged: false }
  }
}

/** A custom policy of CloudFront: base64 of JSON, with `-_~` for `+=/`. Its conditions name both times. */
export function ofPolicy(policy: string): LinkTimes {
  const base64 = policy.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/')
  let text: string
  try {
    text = atob(base64)
  } catch {
    return { damaged: true }
  }
  const time = (condition: string): string | undefined =>
    new RegExp(`"${condition}"\\s*:\\s*\\{\\s*"AWS:EpochTime"\\s*:\\s*"?(\\d{1,12})"?`).exec(text)?.[1]
  const startsAt = secondsOf(time('DateGreaterThan'))
  return { ...until(time('DateLessThan')), ...(startsAt !== undefined && { startsAt }) }
}

/** A date, or a time to the minute or more precise; without a zone it is UTC. */
function azureTime(text: string): number | undefined {
  // A plus sign in a query stands for a space.
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,7})?)?(?:Z|([+ -])(\d\d):(\d\d))?)?$/.exec(
    text
  )
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const time = utc(year, month, day, hour, minute, second)
  const offset = (Number(found[8] ?? 0) * 60 + Number(found[9] ?? 0)) * 60_000
  return time === undefined ? undefined : time + (found[7] === '-' ? offset : -offset)
}

/** A shared access signature of Azure (service version 2012-02-12 and later). */
export function ofAzure(get: Get): LinkTimes {
  const [start, end] = [get('st'), get('se')]
  const [startsAt, expiresAt] = [
    start === undefined ? undefined : azureTime(start),
    end === undefined ? undefined : azureTime(end)
  ]
  // A stored access policy (`si`) has the times that the link does not have.
  const missing = end === undefined && get('si') === undefined
  const damaged =
    missing || (start !== undefined && startsAt === undefined) || (end !== undefined && expiresAt === undefined)
  return { ...(startsAt !== undefined && { startsAt }), ...(expiresAt !== undefined && { expiresAt }), damaged }
}
