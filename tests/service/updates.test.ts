/** Updates by notice with a feed on loopback: what is asked and when, what is refused, and that nothing is contacted without one. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { FailureCode } from '#contract/failures/failures.ts'
import { maxReleaseBytes } from '#contract/updates/releases.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'
import type { UpdateFeed } from '#contract/updates/updates.ts'
import { createNetwork } from '#core/client/network.ts'
import type { ProxySignIn } from '#core/secrets/proxy-sign-ins.ts'
import { createUpdates, type Updates, type UpdatesParts } from '#core/updates/updates.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import { fileReader } from '../../electron/hosts/node/policies/linux.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { fileOf, newSigner, noticeAt } from './support/release-notices.ts'
import { listen, proxyTo, requiring } from './support/way-servers.ts'
import { serveFeed, type FeedAnswer, type FeedServer } from './support/update-feed.ts'
import { createTestAuthority } from './support/tls.ts'

const hour = 3_600_000
const signer = newSigner()
const good = (changes: Parameters<typeof noticeAt>[1] = {}): Buffer => fileOf(noticeAt(Date.now(), changes), signer)

let folder: string
let server: FeedServer
const open: Updates[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-updates-'))
  server = await serveFeed(good())
})
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
const feed = (changes: Partial<UpdateFeed> = {}): UpdateFeed => ({
  url: server.url,
  channel: 'stable',
  publicKeys: [signer.publicLine],
  ...changes
})

interface Given extends Partial<UpdatesParts> {
  readonly feed?: UpdateFeed | null
  readonly more?: Partial<Settings>
  /** Milliseconds by which its clock is ahead. */
  readonly ahead?: () => number
}
function updates({ feed: named = feed(), more = {}, ahead = () => 0, ...parts }: Given = {}): Updates {
  const settings = () => ({ ...defaultSettings, updateFeed: named, ...more })
  const clock = { ...systemClock, now: () => systemClock.now() + ahead() }
  const made = createUpdates({
    settings,
    sendingRefusal: () => undefined,
    clock,
    folder,
    version: '1.0.0',
    isSample: false,
    managed: () => undefined,
    isScheduled: true,
    isLocked: () => false,
    changed: () => undefined,
    seconds: 2,
    network: createNetwork({ clock, resolveSystemProxy: async () => 'DIRECT' }, settings),
    ...parts
  })
  open.push(made)
  return made
}
const checked = async (given?: Given) => {
  const answer = await updates(given).check()
  if (!answer.ok) throw new Error(answer.failure.code)
  return answer.value
}

describe('a feed', () => {
  it('is asked with one GET that is the same for everybody, and its notice is shown', async () => {
    const state = await checked()
    expect(state).toMatchObject({
      mode: 'on',
      checking: false,
      notice: { newer: true, release: { release: '9.1.0', files: [{ sha256: 'ab'.repeat(32) }] } }
    })
    expect(state.failure).toBeUndefined()
    expect(server.asked).toEqual([
      {
        method: 'GET',
        url: '/veridesk-stable.update',
        headers: {
          'host': new URL(server.url).host,
          'accept': '*/*',
          'accept-encoding': 'identity',
          'user-agent': 'Veridesk',
          'connection': 'close'
        }
      }
    ])
  })
  it('that names the installed version says that it is current', async () => {
    expect(await checked({ version: '9.1.0' })).toMatchObject({ notice: { newer: false } })
  })
  it('is asked over TLS, with the certificates of the settings only', async () => {
    const authority = createTestAuthority()
    writeFileSync(join(folder, 'ca.pem'), authority.cert)
    const secure = await serveFeed(good(), authority.issue({ names: ['127.0.0.1'] }))
    try {
      expect(await checked({ feed: feed({ url: secure.url }) })).toMatchObject({
        failure: { code: 'update-not-fetched', cause: { code: 'tls-failed' } }
      })
      expect(secure.asked).toEqual([])
      expect(
        await checked({ feed: feed({ url: secure.url }), more: { extraCaFile: join(folder, 'ca.pem') } })
      ).toMatchObject({ notice: { newer: true } })
    } finally {
      await secure.close()
    }
  })
  it('may redirect at the same address', async () => {
    server.answer(
      (request, response) =>
        void (request.url === '/moved' ? response.end(good()) : response.writeHead(302, { location: '/moved' }).end())
    )
    expect(await checked()).toMatchObject({ notice: { newer: true } })
  })
})

describe('behind a proxy, a feed', () => {
  const authority = createTestAuthority()
  const caFile = join(mkdtempSync(join(tmpdir(), 'veridesk-updates-ca-')), 'company.pem')
  let secure: FeedServer
  beforeEach(async () => {
    writeFileSync(caFile, authority.cert)
    secure = await serveFeed(good(), authority.issue({ names: ['updates.company.test'] }))
  })
  afterEach(() => secure.close())
  afterAll(() => rmSync(dirname(caFile), { recursive: true }))
  /** Only a proxy knows the name of this feed. */
  const through = (port: number, stored?: ProxySignIn): Given => {
    const named = feed({ url: secure.url.replace('127.0.0.1', 'updates.company.test') })
    const more = { proxyMode: 'manual', proxyUrl: `http://127.0.0.1:${port}`, extraCaFile: caFile } as const
    const network = createNetwork(
      { clock: systemClock, resolveSystemProxy: async () => 'DIRECT' },
      () => ({ ...defaultSettings, ...more }),
      async () => ({ ok: true, value: stored })
    )
    return { feed: named, more, network }
  }
  const sentences = async (given: Given): Promise<string> => {
    const { failure, notice } = await checked(given)
    expect(notice).toBeUndefined()
    if (!failure) throw new Error('no failure')
    const { what, impact, nextStep } = sentencesOf(failure)
    expect([impact, nextStep]).toEqual([
      'It is not known whether there is a newer release.',
      'Veridesk tries again after a day. “Network diagnosis” shows why an address cannot be reached.'
    ])
    return what
  }

  it('is asked through it, with the sign-in that is stored for it if it requires one', async () => {
    const open = await proxyTo()
    expect(await checked(through(open.port))).toMatchObject({ notice: { newer: true } })
    expect([open.given, secure.asked.length]).toEqual([[''], 1])
    rmSync(join(folder, 'updates.json'))
    const value = `Basic ${Buffer.from('anna:secret').toString('base64')}`
    const closed = await proxyTo(requiring(value, 'Company'))
    expect(await checked(through(closed.port, { user: 'anna', password: 'secret' }))).toMatchObject({
      notice: { newer: true }
    })
    expect(closed.given.at(-1)).toBe(value)
    expect(JSON.stringify(secure.asked)).not.toMatch(/proxy-auth|c2VjcmV0/i)
  })
  it('is not asked if the proxy refuses, cannot be reached or does not answer, and the sentence names the proxy', async () => {
    const refusing = await proxyTo(requiring('Basic nobody', 'Company'))
    const silent = await listen(createServer())
    const gone = createServer()
    const unreachable = await listen(gone)
    await new Promise((resolve) => gone.close(resolve))
    expect(await sentences(through(refusing.port))).toContain(
      `The proxy 127.0.0.1:${refusing.port} could not be used: it requires authentication.`
    )
    expect(await sentences(through(unreachable))).toContain(
      `The proxy 127.0.0.1:${unreachable} could not be used: it refused the connection or could not be reached (ECONNREFUSED).`
    )
    expect(await sentences(through(silent))).toContain(`Connecting to 127.0.0.1:${silent} took longer than 2 s.`)
    expect(secure.connections()).toBe(0)
  })
})

describe('nothing is used if the feed', () => {
  const rows: readonly (readonly [string, FailureCode, FeedAnswer])[] = [
    [
      'redirects to another host',
      'update-redirected',
      (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/moved' }).end()
    ],
    [
      'redirects to a file',
      'update-redirected',
      (_request, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    ],
    [
      'redirects without an end',
      'update-redirected',
      (_request, response) => void response.writeHead(302, { location: '/veridesk-stable.update' }).end()
    ],
    ['answers with another status', 'update-not-fetched', (_request, response) => void response.writeHead(404).end()],
    [
      'compresses',
      'update-not-fetched',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(good())
    ],
    [
      'serves too much',
      'update-too-large',
      (_request, response) => void response.end(Buffer.alloc(maxReleaseBytes + 1, 'x'))
    ],
    [
      'never ends',
      'update-not-fetched',
      (_request, response) => void response.writeHead(200).write('untrusted comment: ')
    ],
    ['never answers', 'update-not-fetched', () => undefined],
    [
      'closes in the middle',
      'update-not-fetched',
      (request, response) =>
        void response
          .writeHead(200, { 'content-length': '1000' })
          .write('untrusted comment: ', () => request.socket.destroy())
    ],
    ['serves a page', 'update-not-signed', (_request, response) => void response.end('<!doctype html><p>Sign in</p>')],
    [
      'serves a notice of another key',
      'update-key-unknown',
      (_request, response) => void response.end(fileOf(noticeAt(Date.now()), newSigner()))
    ],
    [
      'serves one that has expired',
      'update-expired',
      (_request, response) =>
        void response.end(good({ expiresAt: '2026-01-02T00:00:00Z', releasedAt: '2026-01-01T00:00:00Z' }))
    ],
    [
      'offers an older version',
      'update-downgrade',
      (_request, response) => void response.end(good({ release: '0.9.9' }))
    ]
  ]
  it.each(rows)('%s: %s', async (_name, code, answer) => {
    server.answer(answer)
    const state = await checked()
    expect([state.failure?.code, state.notice, state.checking]).toEqual([code, undefined, false])
    expect(state.checkedAt).toBeGreaterThan(0)
  })
  it('cannot be reached: a notice that is known stays', async () => {
    await checked()
    await server.close()
    expect(await checked()).toMatchObject({
      failure: { code: 'update-not-fetched', cause: { code: 'connection-refused' } },
      notice: { newer: true }
    })
    server = await serveFeed(good())
  })
})

describe('what was seen', () => {
  it('is remembered after a restart, so that an old notice is refused and the known one stays', async () => {
    server.answer(good({ sequence: 8, release: '9.2.0' }))
    await checked()
    server.answer(good({ sequence: 7 }))
    const state = await checked()
    expect(state).toMatchObject({
      failure: { code: 'update-replayed', details: { sequence: '7', earlier: '8' } },
      notice: { release: { release: '9.2.0' } }
    })
    server.answer(good({ sequence: 9 }))
    expect(await checked()).toMatchObject({ failure: { code: 'update-version-back' } })
    // The refusal itself is shown after a restart as well.
    const restarted = updates()
    await restarted.start()
    expect(restarted.state()).toMatchObject({
      failure: { code: 'update-version-back' },
      notice: { release: { release: '9.2.0' } }
    })
  })
  it('counts for a key that follows another, but not for a feed with a key of its own', async () => {
    const next = newSigner()
    server.answer(good({ sequence: 8 }))
    await checked()
    server.answer(fileOf(noticeAt(Date.now(), { sequence: 3 }), next))
    expect(await checked({ feed: feed({ publicKeys: [signer.publicLine, next.publicLine] }) })).toMatchObject({
      failure: { code: 'update-replayed' }
    })
    const own = await checked({ feed: feed({ publicKeys: [next.publicLine] }) })
    expect([own.failure, own.notice?.release.sequence]).toEqual([undefined, 3])
  })
  it('is verified again when it is read: a file that somebody changed shows nothing', async () => {
    await checked()
    const path = join(folder, 'updates.json')
    const stored = JSON.parse(readFileSync(path, 'utf8')) as { data: { notice: string } }
    stored.data.notice = fileOf(noticeAt(Date.now(), { release: '66.6.0' }), newSigner()).toString('base64')
    writeFileSync(path, JSON.stringify(stored))
    const restarted = updates()
    await restarted.start()
    expect(restarted.state().notice).toBeUndefined()
    expect(restarted.state().checkedAt).toBeGreaterThan(0)
  })
  it('is no notice any more once it has expired', async () => {
    let ahead = 0
    const aged = updates({ ahead: () => ahead })
    await aged.check()
    ahead = 31 * 24 * hour
    expect(aged.state()).toMatchObject({ failure: { code: 'update-expired' } })
    expect(aged.state().notice).toBeUndefined()
  })
})

describe('by itself', () => {
  const rhythm = { first: 1, every: 1 }
  it('a feed is asked at most once a day, also after a restart, and again if another is set', async () => {
    let ahead = 0
    const first = updates({ rhythm, ahead: () => ahead })
    await first.start()
    await expect.poll(() => first.state().notice?.newer).toBe(true)
    ahead = 23 * hour
    const second = updates({ rhythm, ahead: () => ahead })
    await second.start()
    await second.close()
    expect(server.asked).toHaveLength(1)
    ahead = 24 * hour + 1
    await expect.poll(() => server.asked.length).toBe(2)
    await first.close()
    const third = updates({ rhythm, feed: feed({ url: `${server.url}.other` }), ahead: () => ahead })
    await third.start()
    await expect.poll(() => server.asked.at(-1)?.url).toBe('/veridesk-stable.update.other')
  })
  it.each<readonly [string, Given]>([
    ['without a feed', { feed: null }],
    ['while it is locked', { isLocked: () => true }],
    ['by a command', { isScheduled: false }],
    ['with sample data', { isSample: true }],
    ['while settings are not in effect', { sendingRefusal: () => ({ code: 'settings-block-sending' }) }]
  ])('%s nothing is connected to', async (_name, given) => {
    const quiet = updates({ rhythm, ...given })
    await quiet.start()
    quiet.look()
    // Another one that may ask has asked by then, which proves that the time was enough.
    mkdirSync(join(folder, 'other'))
    const other = updates({ rhythm, folder: join(folder, 'other') })
    await other.start()
    await expect.poll(() => other.state().notice?.newer).toBe(true)
    expect(server.connections()).toBe(1)
    if ('feed' in given || given.isSample) expect((await quiet.check()).ok).toBe(false)
    expect(server.connections()).toBe(1)
  })
})

describe('a console', () => {
  let console: TestConsole | undefined
  afterEach(async () => {
    await console?.dispose()
    console = undefined
  })
  const checkAt = async (of: TestConsole): Promise<string> => {
    const answer = await of.ask('updates.check')
    return answer.ok ? (answer.value.failure?.code ?? 'used') : answer.failure.code
  }

  it('checks on demand only after a feed was set, which is an event; while it is locked nothing is asked, and what is due then is asked afterwards', async () => {
    const own = (console = await startTestConsole())
    expect(await checkAt(own)).toBe('updates-off')
    expect((await own.get('app.state')).updates).toEqual({ mode: 'off', checking: false })
    for (const wrong of [
      { url: 'http://updates.example.com/x' },
      { url: `${server.url}?user=jane` },
      { publicKeys: [] },
      { publicKeys: ['RWQ'] }
    ])
      expect(await own.ask('settings.change', { updateFeed: feed(wrong) }), JSON.stringify(wrong)).toMatchObject({
        ok: false
      })
    await own.get('settings.change', { updateFeed: feed() })
    const { events } = await own.get('audit.page', { limit: 20 })
    expect(
      events
        .filter(({ kind }) => kind === 'setting.changed')
        .map(({ words }) => words)
        .join()
    ).toContain(`${server.url} (stable; ${signer.publicLine})`)

    const locking = own.veridesk.lock('person')
    await own.get('lock.ready')
    await locking
    await expect.poll(async () => (await own.get('app.state')).lock?.working, { timeout: 10_000 }).toBeUndefined()
    expect(await checkAt(own)).toBe('locked')
    expect((await own.get('app.state')).updates).toEqual({ mode: 'off', checking: false })
    expect(server.connections()).toBe(0)
    await own.get('lock.unlock', {})
    await expect
      .poll(async () => (await own.get('app.state')).updates)
      .toMatchObject({ checking: false, notice: { newer: true } })
    expect(server.connections()).toBe(1)
    expect(await checkAt(own)).toBe('used')
    expect(server.connections()).toBe(2)
  })

  it('follows a policy that names a feed or turns it off, and refuses to change it', async () => {
    mkdirSync(join(folder, 'etc'), { mode: 0o755 })
    const file = join(folder, 'etc', 'policies.json')
    const write = (policies: object): void => {
      writeFileSync(`${file}.new`, JSON.stringify({ format: 'veridesk-policies', version: 1, policies }), {
        mode: 0o644
      })
      renameSync(`${file}.new`, file)
    }
    write({ OrganisationName: 'Example Bank', UpdateFeed: feed() })
    console = await startTestConsole(undefined, 'tester', {
      policies: { ...fileReader(file, [process.getuid?.() ?? 0]), confirmAfter: 1 }
    })
    const refused = await console.ask('settings.change', { updateFeed: null })
    expect(refused).toMatchObject({
      ok: false,
      failure: { code: 'setting-managed', details: { names: 'Update feed', organisation: 'Example Bank' } }
    })
    expect(await checkAt(console)).toBe('used')
    write({ OrganisationName: 'Example Bank', UpdateFeed: { off: true } })
    const changed = console
    await expect.poll(async () => (await changed.get('app.state')).updates.mode).toBe('off')
    const asked = server.connections()
    expect(await checkAt(console)).toBe('updates-turned-off')
    expect(await console.ask('settings.change', { updateFeed: feed() })).toMatchObject({
      ok: false,
      failure: { code: 'setting-managed' }
    })
    expect((await console.get('app.state')).managed?.policies).toContainEqual(
      expect.objectContaining({ name: 'UpdateFeed', value: 'off' })
    )
    expect(server.connections()).toBe(asked)
  })
})
