/** The times in signed links, as each provider writes them. */
import { describe, expect, it } from 'vitest'
import { linkState, soonMs, type LinkState } from '#contract/links/terms.ts'
import { linkFacts } from '#contract/links/links.ts'

const now = Date.UTC(2026, 0, 31, 12, 0, 0)
const seconds = (at: number): number => Math.floor(at / 1000)
const basic = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d+/, '')
const minute = 60_000
const day = 24 * 60 * minute

const policyOf = (conditions: object): string =>
  btoa(JSON.stringify({ Statement: [{ Resource: 'https://d1.cloudfront.net/p.jpg', Condition: conditions }] }))
    .replaceAll('+', '-')
    .replaceAll('=', '_')
    .replaceAll('/', '~')

/** A link of each scheme that is valid from one time to another; those without a start ignore it. */
const schemes: Readonly<Record<string, (from: number, until: number) => string>> = {
  's3 V4': (from, until) =>
    `https://b.s3.amazonaws.com/p.jpg?X-Amz-Date=${basic(from)}&X-Amz-Expires=${seconds(until - from)}&X-Amz-Signature=ab`,
  's3 V2': (_, until) => `https://b.s3.amazonaws.com/p.jpg?AWSAccessKeyId=AK&Expires=${seconds(until)}&Signature=ab`,
  'gcs V4': (from, until) =>
    `https://storage.googleapis.com/b/p.jpg?X-Goog-Date=${basic(from)}&X-Goog-Expires=${seconds(until - from)}&X-Goog-Signature=ab`,
  'gcs V2': (_, until) =>
    `https://storage.googleapis.com/b/p.jpg?GoogleAccessId=a%40b&Expires=${seconds(until)}&Signature=ab`,
  'azure': (from, until) =>
    `https://a.blob.core.windows.net/c/p.jpg?sv=2024-11-04&st=${encodeURIComponent(iso(from))}&se=${encodeURIComponent(iso(until))}&sig=ab`,
  'cloudfront': (_, until) => `https://d1.cloudfront.net/p.jpg?Expires=${seconds(until)}&Signature=ab&Key-Pair-Id=K1`,
  // The start comes first: the end is not simply the first time of the policy.
  'cloudfront policy': (from, until) =>
    `https://d1.cloudfront.net/p.jpg?Policy=${policyOf({ DateGreaterThan: { 'AWS:EpochTime': seconds(from) }, DateLessThan: { 'AWS:EpochTime': seconds(until) } })}&Signature=ab&Key-Pair-Id=K1`
}
const withStart = ['s3 V4', 'gcs V4', 'azure', 'cloudfront policy']
const stateOf = (url: string, needed?: number): LinkState => linkState(linkFacts(url, now), now, needed)

describe.each(Object.entries(schemes))('%s', (name, link) => {
  it('says its end, and its start if the scheme has one', () => {
    const facts = linkFacts(link(now - minute, now + day), now)
    expect(facts).toMatchObject({ expiresAt: now + day, damaged: false, expired: false, signed: true })
    expect(facts.startsAt).toBe(withStart.includes(name) ? now - minute : undefined)
  })

  it.each([
    ['valid', -minute, day],
    ['valid', -minute, soonMs],
    ['soon', -minute, soonMs - 1000],
    ['expired', -2 * day, 0],
    ['expired', -2 * day, -day]
  ] as const)('is %s from %d until %d', (state, from, until) =>
    expect(stateOf(link(now + from, now + until))).toBe(state)
  )

  it('expires soon if it is needed for longer', () => {
    expect(stateOf(link(now - minute, now + day), day)).toBe('valid')
    expect(stateOf(link(now - minute, now + day), day + 1000)).toBe('soon')
  })

  it('is not valid yet before its start, except for a minute between two clocks', () => {
    expect(stateOf(link(now + minute, now + day))).toBe('valid')
    expect(stateOf(link(now + 2 * minute, now + day))).toBe(withStart.includes(name) ? 'not-yet' : 'valid')
  })
})

describe('a damaged link', () => {
  it.each([
    ['no date', 'https://h/p?X-Amz-Expires=900&X-Amz-Signature=ab'],
    ['a date that does not exist', 'https://h/p?X-Amz-Date=20260231T000000Z&X-Amz-Expires=900&X-Amz-Signature=ab'],
    ['no end', 'https://h/p?X-Goog-Date=20260131T000000Z&X-Goog-Signature=ab'],
    ['longer than seven days', 'https://h/p?X-Amz-Date=20260131T000000Z&X-Amz-Expires=604801&X-Amz-Signature=ab'],
    ['of no length', 'https://h/p?X-Amz-Date=20260131T000000Z&X-Amz-Expires=0&X-Amz-Signature=ab'],
    ['an end that is no number', 'https://h/p?AWSAccessKeyId=AK&Expires=tomorrow&Signature=ab'],
    ['an end with a day too many', 'https://h/p?sv=1&se=2026-02-30&sig=ab'],
    ['a start that is no time', 'https://h/p?sv=1&st=now&se=2027-01-01&sig=ab'],
    ['a policy that is not base64', 'https://h/p?Policy=*&Signature=ab&Key-Pair-Id=K1'],
    [
      'a policy without an end',
      `https://h/p?Policy=${policyOf({ DateGreaterThan: { 'AWS:EpochTime': 1 } })}&Signature=ab&Key-Pair-Id=K1`
    ]
  ])('has %s', (_, url) => expect(stateOf(url)).toBe('damaged'))
})

describe('other forms', () => {
  it.each([
    ['a date', '2026-02-02', Date.UTC(2026, 1, 2)],
    ['minutes', '2026-02-02T10:30Z', Date.UTC(2026, 1, 2, 10, 30)],
    ['no zone, which is UTC', '2026-02-02T10:30:15', Date.UTC(2026, 1, 2, 10, 30, 15)],
    ['fractions', '2026-02-02T10:30:15.1234567Z', Date.UTC(2026, 1, 2, 10, 30, 15)],
    ['another zone', '2026-02-02T10:30:15-01:30', Date.UTC(2026, 1, 2, 12, 0, 15)],
    ['another zone with a plus', '2026-02-02T10:30:15+01:30', Date.UTC(2026, 1, 2, 9, 0, 15)]
  ])('of Azure with %s', (_, end, at) => {
    for (const written of [end, encodeURIComponent(end)])
      expect(linkFacts(`https://h/p?sv=1&se=${written}&sig=ab`, now).expiresAt).toBe(at)
  })

  it('have no times if they are those of a stored access policy, another provider or nobody', () => {
    for (const url of ['https://h/p?sv=1&si=policy&sig=ab', 'https://h/p?token=abcdefgh', 'https://h/p.jpg', 'no link'])
      expect(stateOf(url)).toBe('unlimited')
  })
})
