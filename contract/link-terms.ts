/**
 * When a signed link is valid, as it says itself. Sources: AWS signature versions 2 and 4 for queries, Google Cloud
 * Storage V2 and V4, Azure shared access signatures (service version 2012-02-12 and later), CloudFront with `Expires`
 * and with a custom policy. Pure; contacts nobody.
 */

export type LinkProvider = 's3' | 'gcs' | 'azure' | 'cloudfront'

/** The terms of a signed link. All times are Unix milliseconds. */
export interface LinkTerms {
  readonly provider: LinkProvider
  /** Valid from this time; absent if the link does not limit it. */
  readonly startsAt?: number
  readonly expiresAt?: number
  /** Its times are missing, cannot be read, or are longer apart than the provider accepts: the provider will refuse it. */
  readonly damaged: boolean
}

/** A parameter of the query by its name in lower case, decoded; undefined if it is absent. */
type Get = (name: string) => string | undefined

/** The longest validity that signature version 4 of AWS and Google accepts: seven days. */
const longestSeconds = 604_800

/** A calendar date and time in UTC; undefined if there is no such date. */
function utc(year: number, month: number, day: number, hour: number, minute: number, second: number): number | undefined {
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(time)
  return back.getUTCMonth() === month - 1 && back.getUTCDate() === day && back.getUTCHours() === hour && back.getUTCMinutes() === minute ? time : undefined
}

/** `20260131T235959Z`, the basic form of ISO 8601. */
function basicTime(text: string | undefined): number | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '')
  return found ? utc(...(found.slice(1).map(Number) as [number, number, number, number, number, number])) : undefined
}

const secondsOf = (text: string | undefined): number | undefined => (/^\d{1,12}$/.test(text ?? '') ? Number(text) * 1000 : undefined)

/** Version 4 of AWS and Google: a time and a number of seconds. */
function since(provider: LinkProvider, date: string | undefined, lasting: string | undefined): LinkTerms {
  const [startsAt, duration] = [basicTime(date), secondsOf(lasting)]
  if (startsAt === undefined || duration === undefined || duration === 0 || duration > longestSeconds * 1000) return { provider, damaged: true }
  return { provider, startsAt, expiresAt: startsAt + duration, damaged: false }
}

/** Version 2 of AWS and Google, and CloudFront: the end in Unix seconds. */
function until(provider: LinkProvider, expires: string | undefined): LinkTerms {
  const expiresAt = secondsOf(expires)
  return { provider, ...(expiresAt !== undefined && { expiresAt }), damaged: expiresAt === undefined }
}

/** A custom policy of CloudFront: base64 of JSON, with `-_~` for `+=/`. Its conditions name both times. */
function ofPolicy(policy: string): LinkTerms {
  const base64 = policy.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/')
  let text: string
  try {
    text = atob(base64)
  } catch {
    return { provider: 'cloudfront', damaged: true }
  }
  const time = (condition: string): string | undefined => new RegExp(`"${condition}"\\s*:\\s*\\{\\s*"AWS:EpochTime"\\s*:\\s*"?(\\d{1,12})"?`).exec(text)?.[1]
  const startsAt = secondsOf(time('DateGreaterThan'))
  return { ...until('cloudfront', time('DateLessThan')), ...(startsAt !== undefined && { startsAt }) }
}

/** A date, or a time to the minute or more precise; without a zone it is UTC. */
function azureTime(text: string): number | undefined {
  // A plus sign in a query stands for a space.
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,7})?)?(?:Z|([+ -])(\d\d):(\d\d))?)?$/.exec(text)
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map((part) => Number(part ?? 0))
  const time = utc(year, month, day, hour, minute, second)
  const offset = (Number(found[8] ?? 0) * 60 + Number(found[9] ?? 0)) * 60_000
  return time === undefined ? undefined : time + (found[7] === '-' ? offset : -offset)
}

function ofAzure(get: Get): LinkTerms {
  const [start, end] = [get('st'), get('se')]
  const [startsAt, expiresAt] = [start === undefined ? undefined : azureTime(start), end === undefined ? undefined : azureTime(end)]
  // A stored access policy (`si`) has the times that the link does not have.
  const missing = end === undefined && get('si') === undefined
  const damaged = missing || (start !== undefined && startsAt === undefined) || (end !== undefined && expiresAt === undefined)
  return { provider: 'azure', ...(startsAt !== undefined && { startsAt }), ...(expiresAt !== undefined && { expiresAt }), damaged }
}

/** The terms of a link of a known provider by the parameters of its query; undefined for any other link. */
export function linkTerms(get: Get): LinkTerms | undefined {
  if (get('x-amz-signature')) return since('s3', get('x-amz-date'), get('x-amz-expires'))
  if (get('x-goog-signature')) return since('gcs', get('x-goog-date'), get('x-goog-expires'))
  if (get('googleaccessid') && get('signature')) return until('gcs', get('expires'))
  if (get('awsaccesskeyid') && get('signature')) return until('s3', get('expires'))
  if (get('key-pair-id') && get('signature')) {
    const policy = get('policy')
    return policy === undefined ? until('cloudfront', get('expires')) : ofPolicy(policy)
  }
  return get('sig') && (get('sv') ?? get('se')) ? ofAzure(get) : undefined
}

/** Milliseconds by which the clock of the signer may be ahead of this computer’s. */
const clockTolerance = 60_000
/**
 * Milliseconds that a link must stay valid for one verification: the longest response time that the settings allow,
 * within which the service fetches the document.
 */
export const soonMs = 10 * 60_000

/** `unlimited`: it states no time. `soon`: it expires before it is no longer needed. */
export type LinkState = 'unlimited' | 'valid' | 'soon' | 'expired' | 'not-yet' | 'damaged'

/** The state of a link at a time. `needed`: how long it must stay valid, in milliseconds. */
export function linkState({ startsAt, expiresAt, damaged }: Partial<LinkTerms>, now: number, needed: number = soonMs): LinkState {
  if (damaged) return 'damaged'
  if (expiresAt !== undefined && expiresAt <= now) return 'expired'
  if (startsAt !== undefined && startsAt > now + clockTolerance) return 'not-yet'
  if (expiresAt === undefined) return 'unlimited'
  return expiresAt < now + needed ? 'soon' : 'valid'
}
