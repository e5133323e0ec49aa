/** Links as each provider signs them: what is removed, what stays, and when they end. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRandomToken } from '#contract/links/secrets.ts'
import { linkFacts, linkIdentity, linkSecrets, removedMark, scrubLink } from '#contract/links/links.ts'

const now = Date.UTC(2026, 10, 26, 21, 0, 0)
const start = Date.UTC(2026, 10, 26, 20, 0, 0)
const quarter = start + 900_000
/** Unix seconds of the times above. */
const [from, to] = [start / 1000, quarter / 1000]
const mac = '0f3c9a71b2d84e65a0c7f1e29b8d4356'
const base64 = 'hR3vQx0Zk9TtLw2PbN5sYd8UmJgE7aCi'
const jwt = (claims: object): string =>
  `eyJhbGciOiJIUzI1NiJ9.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.${base64}`

interface Sample {
  readonly link: string
  /** What must be gone. */
  readonly secrets: readonly string[]
  /** What must stay. */
  readonly keeps: readonly string[]
  /** When it ends, if the provider states it. */
  readonly ends?: number
}

const samples: Readonly<Record<string, Sample>> = {
  'Alibaba OSS V1': {
    link: `https://b.oss-cn-hangzhou.aliyuncs.com/kyc/p.jpg?OSSAccessKeyId=LTAI5tQ7&Expires=${to}&Signature=${base64}%3D&security-token=CAISsts%2Btoken&x-oss-process=image%2Fresize%2Cw_100`,
    secrets: ['LTAI5tQ7', base64, 'CAISsts'],
    keeps: ['/kyc/p.jpg', `Expires=${to}`, 'x-oss-process=image%2Fresize%2Cw_100'],
    ends: quarter
  },
  'Alibaba OSS V4': {
    link: `https://b.oss-cn-hangzhou.aliyuncs.com/p.jpg?x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-date=20261126T200000Z&x-oss-expires=900&x-oss-additional-headers=host&x-oss-credential=LTAI5tQ7%2F20261126%2Fcn-hangzhou%2Foss%2Faliyun_v4_request&x-oss-security-token=CAISsts&x-oss-signature=${mac}`,
    secrets: ['LTAI5tQ7', 'CAISsts', mac],
    keeps: [
      'x-oss-signature-version=OSS4-HMAC-SHA256',
      'x-oss-date=20261126T200000Z',
      'x-oss-expires=900',
      'x-oss-additional-headers=host'
    ],
    ends: quarter
  },
  'Alibaba OSS V2': {
    link: `https://b.oss-cn-hangzhou.aliyuncs.com/p.jpg?x-oss-signature-version=OSS2&x-oss-access-key-id=44CF9590&x-oss-expires=${to}&x-oss-signature=${base64}`,
    secrets: ['44CF9590', base64],
    keeps: [`x-oss-expires=${to}`],
    ends: quarter
  },
  'Alibaba CDN': { link: `https://cdn.example.com/p.jpg?auth_key=${to}-0-0-${mac}`, secrets: [mac], keeps: ['/p.jpg'] },
  'Tencent COS': {
    link: `https://b-125.cos.ap-guangzhou.myqcloud.com/p.jpg?q-sign-algorithm=sha1&q-ak=AKID7xyz&q-sign-time=${from};${to}&q-key-time=${from};${to}&q-header-list=host&q-url-param-list=&q-signature=${mac}&x-cos-security-token=STSvalue`,
    secrets: ['AKID7xyz', mac, 'STSvalue'],
    keeps: ['q-sign-algorithm=sha1', `q-sign-time=${from};${to}`],
    ends: quarter
  },
  'Huawei OBS': {
    link: `https://b.obs.tr-west-1.myhuaweicloud.com/p.jpg?AccessKeyId=UDSIA7&Expires=${to}&Signature=${base64}%3D&x-obs-security-token=STSvalue`,
    secrets: ['UDSIA7', base64, 'STSvalue'],
    keeps: [`Expires=${to}`],
    ends: quarter
  },
  'Volcengine TOS': {
    link: `https://b.tos-cn-beijing.volces.com/p.jpg?X-Tos-Algorithm=TOS4-HMAC-SHA256&X-Tos-Credential=AKLT7%2F20261126%2Fcn-beijing%2Ftos%2Frequest&X-Tos-Date=20261126T200000Z&X-Tos-Expires=900&X-Tos-SignedHeaders=host&X-Tos-Signature=${mac}&X-Tos-Security-Token=STSvalue`,
    secrets: ['AKLT7', mac, 'STSvalue'],
    keeps: ['X-Tos-Algorithm=TOS4-HMAC-SHA256', 'X-Tos-Expires=900', 'X-Tos-SignedHeaders=host'],
    ends: quarter
  },
  'Qiniu': {
    link: `https://cdn.example.com/p.jpg?e=${to}&token=AKqiniu:${base64}`,
    secrets: ['AKqiniu', base64],
    keeps: [`e=${to}`],
    ends: quarter
  },
  'Upyun': {
    link: `https://cdn.example.com/p.jpg?_upt=7f3a9c21${to}`,
    secrets: ['7f3a9c21'],
    keeps: ['/p.jpg'],
    ends: quarter
  },
  'Swift': {
    link: `https://swift.example.com/v1/AUTH_a/c/p.jpg?temp_url_sig=${mac}&temp_url_expires=${to}`,
    secrets: [mac],
    keeps: [`temp_url_expires=${to}`],
    ends: quarter
  },
  'Swift, ISO 8601': {
    link: `https://swift.example.com/v1/AUTH_a/c/p.jpg?temp_url_sig=${mac}&temp_url_expires=2026-11-26T20:15:00Z`,
    secrets: [mac],
    keeps: ['/c/p.jpg'],
    ends: quarter
  },
  'Oracle, a pre-authenticated request': {
    link: 'https://objectstorage.eu-frankfurt-1.oraclecloud.com/p/Xq7RkP2mWvT/n/ns/b/bk/o/kyc/p.jpg',
    secrets: ['Xq7RkP2mWvT'],
    keeps: ['/n/ns/b/bk/o/kyc/p.jpg']
  },
  'Backblaze B2': {
    link: `https://f003.backblazeb2.com/file/kyc/p.jpg?Authorization=3_20261126_${base64}`,
    secrets: [base64],
    keeps: ['/file/kyc/p.jpg']
  },
  'OneDrive': {
    link: 'https://onedrive.live.com/download?cid=1A&resid=1%21107&authkey=AKq7Rk',
    secrets: ['AKq7Rk'],
    keeps: ['cid=1A', 'resid=1%21107']
  },
  'SharePoint': {
    link: `https://co.sharepoint.com/_layouts/15/download.aspx?UniqueId=9f1&Translate=false&tempauth=v1.${jwt({ exp: to })}`,
    secrets: [base64],
    keeps: ['UniqueId=9f1'],
    ends: quarter
  },
  'SharePoint, without a signature': {
    link: `https://co.sharepoint.com/_layouts/15/download.aspx?UniqueId=1&tempauth=v1.eyJzaXRlaWQiOiIxIn0.SECRETpart`,
    secrets: ['SECRETpart'],
    keeps: ['UniqueId=1']
  },
  'Dropbox': {
    link: 'https://www.dropbox.com/scl/fi/k3j9abc/p.jpg?rlkey=x1y2z3abcdefghi&st=q8w7e6r5&dl=1',
    secrets: ['x1y2z3', 'q8w7e6r5'],
    keeps: ['/scl/fi/k3j9abc/p.jpg', 'dl=1']
  },
  'Google Drive': {
    link: 'https://drive.google.com/uc?export=download&id=1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvW&resourcekey=0-Zk9TtLw2',
    secrets: ['Zk9TtLw2'],
    keeps: ['id=1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvW']
  },
  'Firebase': {
    link: 'https://firebasestorage.googleapis.com/v0/b/x/o/p.jpg?alt=media&token=11111111-2222-4333-8444-555555555555',
    secrets: ['4333'],
    keeps: ['alt=media']
  },
  'Slack': {
    link: 'https://files.slack.com/files-pri/T1-F1/p.jpg?t=xoxe-1234567890-987',
    secrets: ['xoxe'],
    keeps: ['/files-pri/T1-F1/p.jpg']
  },
  'Sumsub': {
    link: `https://api.sumsub.com/resources/inspections/1/resources/2?X-App-Access-Ts=${from}&X-App-Access-Sig=${mac}&X-App-Token=sbx%3Aq7Rk`,
    secrets: [mac, 'q7Rk'],
    keeps: ['/inspections/1/resources/2', `X-App-Access-Ts=${from}`]
  },
  'nginx secure_link': {
    link: `https://files.example.com/p.jpg?md5=Zk9TtLw2Pb&expires=${to}`,
    secrets: ['Zk9TtLw2Pb'],
    keeps: [`expires=${to}`],
    ends: quarter
  },
  'Cloudflare Images': {
    link: `https://imagedelivery.net/h/i/public?exp=${to}&sig=${mac}`,
    secrets: [mac],
    keeps: [`exp=${to}`],
    ends: quarter
  },
  'Cloudflare, a rule': {
    link: `https://files.example.com/p.jpg?verify=${from}-${base64}%3D`,
    secrets: [base64],
    keeps: ['/p.jpg']
  },
  'Cloudflare Stream': {
    link: `https://videodelivery.net/${jwt({ exp: to })}/thumbnail.jpg`,
    secrets: [base64],
    keeps: ['/thumbnail.jpg']
  },
  'Bunny': {
    link: `https://z.b-cdn.net/p.jpg?token=HS256-${base64}&token_path=%2Fkyc%2F&expires=${to}`,
    secrets: [base64],
    keeps: ['token_path=%2Fkyc%2F', `expires=${to}`],
    ends: quarter
  },
  'Bunny, in the path': {
    link: `https://z.b-cdn.net/bcdn_token=${base64}&expires=${to}&token_path=%2Fkyc%2F/kyc/p.jpg`,
    secrets: [base64],
    keeps: ['/kyc/p.jpg', `expires=${to}`],
    ends: quarter
  },
  'imgix': {
    link: `https://co.imgix.net/p.jpg?w=800&expires=${to}&s=${mac}`,
    secrets: [mac],
    keeps: ['w=800', `expires=${to}`],
    ends: quarter
  },
  'Akamai': {
    link: `https://cdn.example.com/p.jpg?hdntl=st=${from}~exp=${to}~acl=/*~hmac=${mac}`,
    secrets: [mac],
    keeps: ['/p.jpg'],
    ends: quarter
  },
  'Akamai, __token__': {
    link: `https://cdn.example.com/p.jpg?__token__=exp=${to}~acl=/*~hmac=${mac}`,
    secrets: [mac],
    keeps: ['/p.jpg'],
    ends: quarter
  },
  'Akamai, in the path': {
    link: `https://cdn.example.com/exp=${to}~acl=%2f*~hmac=${mac}/p.jpg`,
    secrets: [mac],
    keeps: ['/p.jpg']
  },
  'CDN77': {
    link: `https://cdn.example.com/Zk9TtLw2PbN5sYd8UmJgE7,${to}/kyc/p.jpg`,
    secrets: ['Zk9TtLw2PbN5'],
    keeps: [`,${to}/kyc/p.jpg`],
    ends: quarter
  },
  'Cloudinary': {
    link: 'https://res.cloudinary.com/co/image/authenticated/s--Ab3dE6gH--/v1/p.jpg',
    secrets: ['Ab3dE6gH'],
    keeps: ['/v1/p.jpg']
  },
  'Discord': {
    link: `https://cdn.discordapp.com/attachments/1/2/p.jpg?ex=${to.toString(16)}&is=${from.toString(16)}&hm=${mac}${mac}`,
    secrets: [mac],
    keeps: ['/attachments/1/2/p.jpg'],
    ends: quarter
  },
  'Meta': {
    link: `https://scontent.xx.fbcdn.net/v/p.jpg?oh=00_AYD7q&oe=${to.toString(16).toUpperCase()}`,
    secrets: ['AYD7q'],
    keeps: ['/v/p.jpg'],
    ends: quarter
  },
  'Telegram': {
    link: 'https://api.telegram.org/file/bot123456:AAEq7RkP2mWvT9ZtLw2PbN5sYd8UmJgE7aC/photos/p.jpg',
    secrets: ['AAEq7RkP2mWvT9'],
    keeps: ['/photos/p.jpg']
  },
  'Twilio': {
    link: `https://api.twilio.com/x/Media/ME1?X-Twilio-Signature=${base64}`,
    secrets: [base64],
    keeps: ['/Media/ME1']
  },
  'Supabase': {
    link: `https://x.supabase.co/storage/v1/object/sign/kyc/p.jpg?token=${jwt({ url: 'kyc/p.jpg', exp: to })}`,
    secrets: [base64],
    keeps: ['/object/sign/kyc/p.jpg']
  },
  'Azure Functions': {
    link: `https://f.azurewebsites.net/api/doc?name=p.jpg&code=${base64}aQ%3D%3D`,
    secrets: [base64],
    keeps: ['name=p.jpg']
  },
  'a session in the path': {
    link: 'https://dms.example.com/doc;jsessionid=7F3A9C21/p.jpg',
    secrets: ['7F3A9C21'],
    keeps: ['/doc;', '/p.jpg']
  },
  'a key in the fragment': { link: `https://share.example.com/f/77#${base64}`, secrets: [base64], keeps: ['/f/77'] },
  'a subscription key': {
    link: `https://api.example.com/doc?id=7&subscription-key=${mac}`,
    secrets: [mac],
    keeps: ['id=7']
  },
  'a random token under a name that says nothing': {
    link: `https://files.example.com/get?d=${base64}`,
    secrets: [base64],
    keeps: ['/get?d=']
  },
  'a digest that is none': {
    link: 'https://files.example.com/p.jpg?hash=0123456789abcdef0123456789abcdefSECRET',
    secrets: ['abcdefSECRET'],
    keeps: ['/p.jpg']
  }
}

describe.each(Object.entries(samples))('%s', (_, { link, secrets, keeps, ends }) => {
  it('leaves no secret, keeps the object, and is scrubbed once and for all', () => {
    const { url, scrubbed } = scrubLink(link)
    expect(scrubbed).toBe(true)
    for (const secret of secrets) expect(url).not.toContain(secret)
    for (const part of keeps) expect(url).toContain(part)
    expect(url).toContain(removedMark)
    expect(scrubLink(url)).toEqual({ url, scrubbed: false })
    expect(linkSecrets(url)).toEqual([])
  })

  it('states its end if it has one', () => {
    const facts = linkFacts(link, now)
    expect(facts).toMatchObject({ signed: true, expired: ends !== undefined })
    expect(facts.expiresAt).toBe(ends)
    expect(facts.damaged ?? false).toBe(false)
  })

  it('is the same object with and without its signature', () => {
    if (linkFacts(link, now).provider !== undefined) expect(linkIdentity(scrubLink(link).url)).toBe(linkIdentity(link))
  })
})

describe('what names a document', () => {
  it.each([
    'https://files.example.com/photo.jpg?page=2&size=large&lang=pt-BR',
    'https://files.example.com/doc?id=3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    'https://files.example.com/doc?d=3f2504e0-4f89-41d3-9a0c-0305e82c3301&x=3F2504E04F8941D39A0C0305E82C3301',
    'https://files.example.com/3f2504e0-4f89-41d3-9a0c-0305e82c3301/01ARZ3NDEKTSV4RRFFQ69G5FAV.jpg',
    'https://files.example.com/doc?applicant=01ARZ3NDEKTSV4RRFFQ69G5FAV',
    `https://files.example.com/doc?hash=${mac}`,
    `https://files.example.com/doc?sha256=${mac}${mac}&v=${mac}`,
    'https://files.example.com/doc?number=12345678901234567890123456789012',
    'https://files.example.com/doc?at=2026-11-26T20:00:00.000Z&until=1795690900',
    'https://drive.google.com/uc?id=1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvW',
    'https://b.s3.amazonaws.com/p.jpg?versionId=L4kqtJlcpXroDTDmpUMLUo3J0cZJqKxW',
    'https://files.example.com/get?fileName=Zk9TtLw2PbN5sYd8UmJgE7aCiHR3vQx0&documentId=Zk9TtLw2PbN5sYd8UmJgE7aCiHR3vQx0',
    'https://files.example.com/get?p=Kunden/2026/Antrag-Mueller-Passfoto-Vorderseite',
    'https://files.example.com/get?f=Zk9TtLw2PbN5sYd8UmJgE7aCiHR3vQx0.jpeg',
    'https://files.example.com/get?campaign=AutumnNewCustomersIdentification2026',
    'https://files.example.com/get?token_type=jpg&sign_in=1&signature_version=2&authuser=0',
    'https://files.example.com/p.jpg?w=800&s=300&t=12&h=600&st=3&e=1',
    'https://files.example.com/design/assign/tokens.jpg?design=1&assign=2&monkey=3&keys=4'
  ])('stays: %s', (link) => expect(scrubLink(link)).toEqual({ url: link, scrubbed: false }))

  it('stays told apart where only a random token names it', () => {
    const link = (token: string): string => `https://files.example.com/get?d=${token}`
    const other = [...base64].reverse().join('')
    expect(scrubLink(link(base64)).url).not.toBe(scrubLink(link(other)).url)
    expect(scrubLink(link(base64)).url).toMatch(/\?d=REMOVED-[\da-z]{11}$/)
  })

  const uuid = fc.uuid()
  const ulid = fc.ulid()
  const digits = fc.stringMatching(/^\d{1,40}$/)
  const digest = fc.stringMatching(/^[\da-f]{32,64}$/)
  it('stays in query and path, whatever UUID, ULID, number or digest it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('id', 'd', 'doc', 'x', 'ref', 'page'),
        fc.oneof(uuid, ulid, digits, digest),
        (name, value) => {
          const link = `https://files.example.com/a/${value}/p.jpg?${name}=${value}`
          expect(scrubLink(link).url).toBe(link)
        }
      )
    )
  })

  it('goes under a name that says secret, whatever it is, and in any spelling', () => {
    const names = [
      'token',
      'X-Token',
      'access_token',
      'downloadToken',
      'sig',
      'x-sig',
      'Signature',
      'apiKey',
      'api-key',
      'client_secret',
      'Password',
      'hdnea',
      'authKey'
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.oneof(uuid, ulid, digits, digest, fc.stringMatching(/^[\w-]{1,30}$/)),
        (name, value) => {
          fc.pre(value !== removedMark)
          const { url } = scrubLink(`https://files.example.com/p.jpg?a=1&${name}=${value}&b=2`)
          expect(url).toBe(`https://files.example.com/p.jpg?a=1&${name}=${removedMark}&b=2`)
        }
      )
    )
  })

  it.each([
    [16, 0.99],
    [24, 0.995],
    [32, 0.999]
  ])('is taken for a secret if it is %d random bytes under any other name, in %d of all cases', (length, share) => {
    const total = 4000
    const values = Array.from({ length: total }, (_, index) =>
      createHash('sha256').update(`${length} ${index}`).digest().subarray(0, length).toString('base64url')
    )
    expect(values.filter(isRandomToken).length).toBeGreaterThan(share * total)
  })

  it('is removed and kept alike, whatever the rest of the link', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'a=1',
        'id=7',
        'x',
        '=',
        'sig=abcdefgh',
        `d=${base64}`,
        'u=https%3A%2F%2Fh%2Fp%3Ftoken%3Dq',
        'e=1795690900',
        'p/',
        ';jsessionid=7F3A'
      ),
      fc.string({ maxLength: 12 })
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.array(part, { maxLength: 4 }), (query, path) => {
        const link = `https://files.example.com/${path.join('/')}?${query.join('&')}`
        fc.pre(!/[?#]/.test(path.join('')))
        const { url } = scrubLink(link)
        expect(scrubLink(url)).toEqual({ url, scrubbed: false })
        for (const secret of linkSecrets(link))
          if (secret.length > 15) expect(url.split(/[?#]/)[1] ?? '').not.toContain(secret)
      })
    )
  })
})
