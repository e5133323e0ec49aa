/** Which requests are searched for credentials, and what looks like one. */
import { describe, expect, it } from 'vitest'
import { channelNames } from '#contract/ipc/channel-names.ts'
import type { Channel } from '#contract/ipc/channel.ts'
import { channels, type ChannelName } from '#contract/ipc/ipc.ts'
import { looksLikeCredential } from '#contract/text/unsafe-text.ts'
import { draftsWithout, keptTextsRefusal } from '#core/ipc/kept-texts.ts'
import { ownSecrets } from '#core/masking/own-secrets.ts'

const key = 'ak_7Hq2mZx9Rt4Wn8Lb3Vc6'
const own = () =>
  ownSecrets({
    connections: () => ['one', 'two'],
    held: async (id) =>
      id === 'two'
        ? [
            ['api-key', key],
            ['authorization', `Basic ${Buffer.from('workspace:Vq8Zr2Lw5Xn1').toString('base64')}`]
          ]
        : []
  })
const refusal = keptTextsRefusal(own)

describe('a request whose texts are kept', () => {
  const kindsOf = (name: ChannelName) => {
    const { leaves }: Channel = channels[name]
    return 'none' in leaves ? [] : leaves
  }
  const leaving = channelNames.filter((name) => kindsOf(name).length > 0)
  it('is refused with a credential, unless it is named here', async () => {
    const passed: string[] = []
    for (const name of leaving) if ((await refusal(name, { note: `it is ${key}` })) === undefined) passed.push(name)
    const others = (passed as ChannelName[]).filter(
      (name) => !/^(view\.opened|export\.made|evidence\.verified)$/.test(kindsOf(name).join(' '))
    )
    expect(others).toEqual(
      [
        'lock.now',
        'lock.unlock',
        'lock.recover',
        'passphrase.change',
        'app.copy',
        'app.copied',
        'proxySignIns.set',
        'credentials.set',
        'documents.open',
        'documents.compare',
        'documents.note',
        'documents.keep',
        'documents.addFile',
        'documents.check',
        'verification.run',
        'batches.checkLinks',
        'recovery.confirm',
        'recovery.open',
        'retention.run',
        'holds.lift',
        'erasure.run',
        'screenShare.reveal'
      ].sort((a, b) => leaving.indexOf(a as never) - leaving.indexOf(b as never))
    )
  })

  it('names the field and what is in it, in lists and objects', async () => {
    expect(
      await refusal('connections.save', { input: { applicant_id: key, photo_url: 'https://files.example.com/p.jpg' } })
    ).toEqual({
      code: 'text-holds-credential',
      details: { reason: 'text' },
      fields: { applicant_id: { code: 'holds-credential' } }
    })
    expect(
      await refusal('applicants.tag', { applicantId: 'APP-7', tags: ['fine', `is ${key.toUpperCase()}`] })
    ).toMatchObject({ fields: { tags: { code: 'holds-credential' } } })
    expect(
      await refusal('applicants.link', {
        recordId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
        applicantId: 'curl https://kyc.example.com'
      })
    ).toMatchObject({ fields: { applicantId: { code: 'looks-like-request' } } })
    expect(await refusal('applicants.note', { text: 'see x-api-secret: Zt9kQ4wX7p' })).toMatchObject({
      fields: { text: { code: 'looks-like-credential' } }
    })
    expect(
      await refusal('connections.save', { input: { photo_url: `https://files.example.com/p.jpg?k=${key}` } })
    ).toMatchObject({ fields: { photo_url: { code: 'holds-credential' } } })
    for (const text of [
      'Vq8Zr2Lw5Xn1',
      'workspace:Vq8Zr2Lw5Xn1',
      key.replace(/.{4}/g, '$& '),
      `\\u0061${key.slice(1)}`
    ])
      expect(await refusal('applicants.note', { text }), text).toBeDefined()
  })

  it('passes otherwise, also where it begins like a credential', async () => {
    for (const text of [
      '',
      'APP-000123',
      'ak_7Hq2mZx-000123',
      'a note about 7Hq2mZx9Rt4W',
      'https://files.example.com/p.jpg?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'
    ])
      expect(await refusal('applicants.note', { text }), text).toBeUndefined()
  })

  it('is not read from the keychain without a text', async () => {
    const never = keptTextsRefusal(() => {
      throw new Error('asked')
    })
    expect(
      await never('batches.start', { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', afterRestore: true })
    ).toBeUndefined()
    expect(await never('history.page', { filter: { search: key } })).toBeUndefined()
  })
})

it('drafts lose credentials and stay JSON', async () => {
  const drafts = {
    forms: [{ id: 'x', values: { applicant_id: `it is ${key}`, other: 'x-api-key: SECRET-KEY-1', fine: 'APP-7' } }]
  }
  expect(JSON.parse(draftsWithout(await own(), JSON.stringify(drafts)))).toEqual({
    forms: [{ id: 'x', values: { applicant_id: 'it is <API_KEY>', other: '', fine: 'APP-7' } }]
  })
  expect(draftsWithout(await own(), '')).toBe('')
})

describe('what looks like a credential', () => {
  it.each([
    'x-api-key: SECRET-KEY-1',
    'X-Api-Secret=abcdefghijklmnopqrst',
    '"authorization": "Bearer abc123def456"',
    `-H 'Authorization: Basic ZGVzazpWcThacjJMdzVYbjE='`,
    'Bearer 5f1c9e77ab03d2e84c6b9a1f',
    'Basic ZGVzazpWcThacjJMdzVYbjE=',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
    '-----BEGIN RSA PRIVATE KEY-----',
    'cookie: session=4711abc'
  ])('%s', (text) => expect(looksLikeCredential(text)).toBe(true))

  it.each([
    'x-api-key: is missing',
    'the x-api-key is wrong',
    `curl -H 'x-api-key: <API_KEY>' -H 'authorization: <AUTHORIZATION_VALUE>'`,
    'Bearer of the passport, born 1984',
    'Basic checks were done 2026-11-26',
    'authorization: pending',
    'x-api-key: ••••••••••••••••1',
    'https://files.example.com/p.jpg?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
    'APP-000123',
    ''
  ])('and what does not: %s', (text) => expect(looksLikeCredential(text)).toBe(false))
})
