import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkFacts, linkIdentity, linkSecrets, removedMark, scrubLink } from '#contract/links/links.ts'

const now = Date.UTC(2026, 0, 31, 12, 0, 0)
const secret = 'c2lnbmF0dXJlLWNhbmFyeQ'

const samples = [
  {
    name: 'S3 SigV4',
    url: `https://b.s3.eu-west-1.amazonaws.com/a/photo.jpg?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${secret}%2F20260131&X-Amz-Date=20260131T115000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Security-Token=${secret}&X-Amz-Signature=${secret}`,
    provider: 's3',
    expiresAt: Date.UTC(2026, 0, 31, 12, 5, 0),
    keeps: ['/a/photo.jpg', 'X-Amz-Date=20260131T115000Z', 'X-Amz-Expires=900']
  },
  {
    name: 'S3 V2',
    url: `https://b.s3.amazonaws.com/p.jpg?AWSAccessKeyId=${secret}&Expires=1769860000&Signature=${secret}%3D`,
    provider: 's3',
    expiresAt: 1_769_860_000_000,
    keeps: ['Expires=1769860000']
  },
  {
    name: 'GCS V4',
    url: `https://storage.googleapis.com/b/p.jpg?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=${secret}&X-Goog-Date=20260131T000000Z&X-Goog-Expires=3600&X-Goog-SignedHeaders=host&X-Goog-Signature=${secret}`,
    provider: 'gcs',
    expiresAt: Date.UTC(2026, 0, 31, 1, 0, 0),
    keeps: ['X-Goog-Date=20260131T000000Z']
  },
  {
    name: 'GCS V2',
    url: `https://storage.googleapis.com/b/p.jpg?GoogleAccessId=${secret}&Expires=1769860000&Signature=${secret}`,
    provider: 'gcs',
    expiresAt: 1_769_860_000_000,
    keeps: ['/b/p.jpg']
  },
  {
    name: 'Azure SAS',
    url: `https://acc.blob.core.windows.net/c/p.jpg?sv=2024-11-04&se=2026-01-31T13%3A00%3A00Z&sr=b&sp=r&sig=${secret}%3D`,
    provider: 'azure',
    expiresAt: Date.UTC(2026, 0, 31, 13, 0, 0),
    keeps: ['sv=2024-11-04', 'se=2026-01-31T13%3A00%3A00Z']
  },
  {
    name: 'CloudFront with a policy',
    url: `https://d1.cloudfront.net/p.jpg?Policy=${btoa('{"Statement":[{"Condition":{"DateLessThan":{"AWS:EpochTime":1769860000}}}]}').replaceAll('=', '_').replaceAll('+', '-').replaceAll('/', '~')}&Signature=${secret}&Key-Pair-Id=${secret}`,
    provider: 'cloudfront',
    expiresAt: 1_769_860_000_000,
    keeps: ['/p.jpg']
  }
] as const

describe('signed links', () => {
  it.each(samples)('$name: provider and end are read', ({ url, provider, expiresAt }) => {
    expect(linkFacts(url, now)).toMatchObject({
      provider,
      expiresAt,
      signed: true,
      expired: expiresAt <= now,
      damaged: false
    })
  })

  it.each(samples)(
    '$name: the signature goes, the object stays, and nothing is signed any more by value',
    ({ url, keeps }) => {
      const { url: clean, scrubbed } = scrubLink(url)
      expect(scrubbed).toBe(true)
      expect(clean).not.toContain(secret)
      expect(clean).toContain(removedMark)
      for (const part of keeps) expect(clean).toContain(part)
      expect(scrubLink(clean)).toEqual({ url: clean, scrubbed: false })
    }
  )

  it.each(['token', 'signature', 'sig', 'access_token', 'TOKEN', 'Access%5FToken'])(
    'the generic parameter %s goes',
    (name) => {
      const link = `https://f.example/p.jpg?a=1&${name}=${secret}&b=%20x`
      expect(scrubLink(link)).toEqual({
        url: `https://f.example/p.jpg?a=1&${name}=${removedMark}&b=%20x`,
        scrubbed: true
      })
      expect(linkFacts(link, now)).toEqual({ signed: true, expired: false })
    }
  )

  it('finds secrets in fragments, user names, links within links and JSON Web Tokens', () => {
    const inner = encodeURIComponent(`https://b.example/p.jpg?sig=${secret}`)
    const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${secret}`
    for (const link of [
      `https://f.example/p.jpg#access_token=${secret}`,
      `https://user:${secret}@f.example/p.jpg`,
      `https://f.example/fetch?url=${inner}`,
      `https://f.example/p.jpg?t=${jwt}`,
      `https://f.example/p.jpg?key=${secret}`,
      `not a url?token=${secret}`
    ]) {
      expect(scrubLink(link).url, link).not.toContain(secret)
      expect(scrubLink(link).scrubbed).toBe(true)
    }
  })

  it.each([
    'https://files.example.com/photo.jpg',
    'https://files.example.com/photo.jpg?v=2&key=people/photo.jpg&x=%E0%A4%A#top',
    'https://f.example/p.jpg?token=&sig',
    'https://f.example/p.jpg?next=https%3A%2F%2Fg.example%2Fq.jpg%3Fa%3D1',
    '',
    'applicant 7'
  ])('leaves %s to the letter', (link) => {
    expect(scrubLink(link)).toEqual({ url: link, scrubbed: false })
    expect(linkFacts(link, now)).toEqual({ signed: false, expired: false })
  })

  it('never throws, whatever the text, lone surrogates too', () => {
    const odd = fc
      .array(
        fc.constantFrom(
          'https://h/p',
          '?',
          '&',
          'sig=',
          'url=',
          '#',
          '\ud800',
          '%',
          '%F0',
          'https%3A%2F%2Fh%3Fsig%3D',
          'x'.repeat(9),
          '@'
        )
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(odd, (text) => {
        const { url } = scrubLink(text)
        expect(scrubLink(url)).toEqual({ url, scrubbed: false })
        expect(Array.isArray(linkSecrets(text))).toBe(true)
        expect(linkFacts(text, now).signed).toBeTypeOf('boolean')
      }),
      { numRuns: 500 }
    )
  })

  it('keeps the mark out of an end that cannot be read', () => {
    expect(
      linkFacts(`https://b.s3.amazonaws.com/p?X-Amz-Signature=${secret}&X-Amz-Date=x&X-Amz-Expires=900`, now)
    ).toEqual({
      provider: 's3',
      signed: true,
      expired: false,
      damaged: true
    })
  })
})

describe('linkIdentity', () => {
  const s3 = (date: string, signature: string): string =>
    `https://bucket.s3.amazonaws.com/p.jpg?versionId=7&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AK%2F${date}&X-Amz-Date=${date}T000000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=${signature}`

  it('is the same for two signatures of one object, and for the scrubbed form', () => {
    const one = s3('20261120', 'aaaa')
    expect(linkIdentity(one)).toBe('https://bucket.s3.amazonaws.com/p.jpg?versionId=7')
    expect(linkIdentity(s3('20261121', 'bbbb'))).toBe(linkIdentity(one))
    expect(linkIdentity(scrubLink(one).url)).toBe(linkIdentity(one))
    const azure = 'https://a.blob.core.windows.net/c/p.jpg?sv=2022-11-02&se=2026-01-01T00%3A00Z&sr=b&sp=r&sig=abc'
    expect(linkIdentity(azure)).toBe('https://a.blob.core.windows.net/c/p.jpg')
    expect(linkIdentity(scrubLink(azure).url)).toBe(linkIdentity(azure))
  })

  it('leaves other links and other texts as they are', () => {
    for (const text of ['https://x.example/p.jpg?se=1&expires=2', 'APP-1', '', 'https://x.example/p?id=1#part'])
      expect(linkIdentity(text)).toBe(text)
  })

  it('tells versions and paths apart', () => {
    expect(linkIdentity(s3('20261120', 'a').replace('p.jpg', 'q.jpg'))).not.toBe(linkIdentity(s3('20261120', 'a')))
    expect(linkIdentity(s3('20261120', 'a').replace('versionId=7', 'versionId=8'))).not.toBe(
      linkIdentity(s3('20261120', 'a'))
    )
  })
})
