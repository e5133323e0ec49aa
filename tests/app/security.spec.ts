/** A hostile page, response or user cannot make the window do anything. Same specs in both hosts. */
import { randomInt } from 'node:crypto'
import { chromium, type Page } from '@playwright/test'
import fc from 'fast-check'
import { channelNames } from '#contract/ipc/channel-names.ts'
import { channels, type ChannelName } from '#contract/ipc/ipc.ts'
import { findBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { counted, times } from './fixtures/counts.ts'
import { hostileAddresses, permissionNames } from './fixtures/hostile.ts'
import { tryMechanisms } from './fixtures/mechanisms.ts'
import { expect, test as base } from './fixtures/test.ts'
import { startTrap, type Trap } from './fixtures/trap.ts'

/** The bridge as a hostile page would use it: any name, any payload. */
interface Bridged {
  readonly veridesk: Readonly<Record<string, (input?: unknown) => Promise<{ ok: boolean; failure?: { code: string } }>>>
}

const test = base.extend<{ trap: Trap }>({
  trap: async ({}, use) => {
    const trap = await startTrap()
    await use(trap)
    trap.end()
  }
})

// The host itself must enforce this.
test.use({ ownHost: true })

const answersStill = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await (window as unknown as Bridged).veridesk['app.state']?.())?.ok ?? false)

test(
  'the window has one named method per channel, and nothing of Node, Electron or the host',
  { tag: '@electron-instead' },
  async ({ consolePage }) => {
    const seen = await consolePage.evaluate(() => {
      const page = window as unknown as Record<string, unknown>
      return {
        methods: Object.keys(page['veridesk'] as object).sort(),
        frozen: Object.isFrozen(page['veridesk']),
        foreign: [
          'require',
          'process',
          'module',
          'global',
          'Buffer',
          'electron',
          'ipcRenderer',
          '__dirname',
          'chrome.runtime'
        ].filter((name) => name in page),
        bindings: Object.getOwnPropertyNames(window).filter((name) =>
          /^veridesk_.*_out$|playwright__binding/i.test(name)
        )
      }
    })
    expect(seen.methods).toEqual([...channelNames, 'onEvent'].sort())
    expect(seen).toMatchObject({ frozen: true, foreign: [], bindings: [] })
  }
)

test('every reply to the window carries the policy', { tag: '@electron-instead' }, async ({ consolePage }) => {
  const replies: Record<string, string>[] = []
  consolePage.on('response', (response) => replies.push(response.headers()))
  await consolePage.reload()
  expect(replies.length).toBeGreaterThan(2)
  for (const headers of replies) {
    const policy = headers['content-security-policy'] ?? ''
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'none'",
      "form-action 'none'",
      "base-uri 'none'"
    ])
      expect(policy).toContain(rule)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
  }
})

test('no web mechanism leads out of the window', { tag: '@electron-instead' }, async ({ consolePage, trap }) => {
  const got = await consolePage.evaluate(tryMechanisms, trap.address)
  expect(got).toEqual({ reached: [], executed: false })
  expect(trap.visits).toEqual([])
  expect(await answersStill(consolePage)).toBe(true)
})

test('in a browser as it is, these mechanisms and addresses reach the service, and texts run', async ({
  trap,
  host
}) => {
  test.skip(host !== 'preview', 'needs the browser alone')
  const executablePath = findBrowser()
  expect(executablePath).toBeDefined()
  const home = await startTrap()
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    const page = await browser.newPage()
    await page.goto(home.address)
    const { reached, executed } = await page.evaluate(tryMechanisms, trap.address)
    expect(reached).toEqual(expect.arrayContaining(['fetch', 'xhr', 'eval', 'function', 'inline', 'worker']))
    expect(executed).toBe(true)
    for (const path of [
      'fetch',
      'beacon',
      'xhr',
      'events',
      'img',
      'css',
      'prefetch',
      'frame',
      'object',
      'embed',
      'video',
      'script',
      'module.js'
    ])
      await expect
        .poll(() => trap.visits, path)
        .toContainEqual(expect.stringMatching(new RegExp(`^(?:GET|POST) /${path}$`)))
    const before = trap.visits.length
    await page.goto(home.address)
    for (const address of hostileAddresses(trap.address))
      await page
        .evaluate((to) => {
          try {
            location.href = to
          } catch {
            /* not an address */
          }
        }, address)
        .catch(() => undefined)
    await expect.poll(() => trap.visits.slice(before)).toContain('GET /visit')
  } finally {
    await browser.close()
    home.end()
  }
})

const addressesAtOnce = 10

test(
  '200 addresses: the window neither goes there nor opens them',
  { tag: '@electron-instead' },
  async ({ consolePage, trap, electronApp }) => {
    test.setTimeout(120_000)
    const addresses = hostileAddresses(trap.address)
    expect(addresses).toHaveLength(200)
    await electronApp?.evaluate(({ shell }) => {
      const opened: string[] = []
      Object.assign(globalThis, { opened })
      shell.openExternal = async (url) => void opened.push(url)
      shell.openPath = async (path) => (opened.push(path), '')
    })
    const home =
      new URL(consolePage.url()).origin === 'null' ? 'app://console/' : `${new URL(consolePage.url()).origin}/`
    let popups = 0
    consolePage.on('popup', () => (popups += 1))
    // In groups, each of which is gone before the next: a browser that opens 600 windows at once is slow, which is not the
    // question here.
    for (let start = 0; start < addresses.length; start += addressesAtOnce) {
      await consolePage.evaluate(
        (group) => {
          for (const address of group) {
            try {
              window.open(address)
            } catch {
              // Not an address.
            }
            for (const target of ['_blank', 'elsewhere']) {
              const link = document.createElement('a')
              Object.assign(link, { href: address, target })
              link.dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: target === '_blank' }))
            }
          }
        },
        addresses.slice(start, start + addressesAtOnce)
      )
      await expect.poll(() => consolePage.context().pages().length).toBe(1)
    }
    for (const address of addresses) {
      await consolePage
        .evaluate((to) => {
          try {
            location.href = to
          } catch {
            /* not an address */
          }
        }, address)
        .catch(() => undefined)
    }
    await expect.poll(() => consolePage.url()).toMatch(new RegExp(`^${home}`))
    await expect.poll(() => answersStill(consolePage).catch(() => false)).toBe(true)
    expect(trap.visits).toEqual([])
    await expect.poll(() => consolePage.context().pages().length).toBe(1)
    if (electronApp) {
      expect(popups).toBe(0)
      expect(await electronApp.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([])
      expect(await electronApp.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1)
    }
  }
)

test('a page that empties itself is loaded again', { tag: '@electron-instead' }, async ({ consolePage }) => {
  for (const address of ['about:blank', 'about://elsewhere/']) {
    await consolePage.evaluate((to) => (location.href = to), address).catch(() => undefined)
    await expect(consolePage.getByRole('heading', { level: 1 }).first()).toBeVisible()
    expect(await consolePage.evaluate(() => location.protocol)).not.toBe('about:')
  }
})

test('no permission is granted, whatever its name', { tag: '@electron-instead' }, async ({ consolePage }) => {
  const granted = await consolePage.evaluate(async (names) => {
    const states = await Promise.all(
      names.map(async (name) => {
        try {
          return [name, (await navigator.permissions.query({ name: name as PermissionName })).state]
        } catch {
          return [name, 'unknown']
        }
      })
    )
    return states.filter(([, state]) => state === 'granted').map(([name]) => name)
  }, permissionNames)
  expect(granted).toEqual([])
  const used = await consolePage.evaluate(async () => {
    const got: string[] = []
    const attempt = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      try {
        const value = await Promise.race([work(), new Promise((done) => setTimeout(() => done('denied'), 1500))])
        if (value !== 'denied' && value !== 'default') got.push(name)
      } catch {
        // Refused, as required.
      }
    }
    const n = navigator as unknown as Record<
      string,
      { requestDevice?: (o: object) => Promise<unknown>; requestPort?: () => Promise<unknown> }
    >
    await attempt('notifications', () => Notification.requestPermission())
    await attempt(
      'geolocation',
      () => new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject))
    )
    await attempt('camera', () => navigator.mediaDevices.getUserMedia({ video: true, audio: true }))
    await attempt('screen', () => navigator.mediaDevices.getDisplayMedia())
    await attempt('clipboard', () => navigator.clipboard.readText())
    await attempt('midi', () => navigator.requestMIDIAccess({ sysex: true }))
    await attempt('usb', () => n['usb']?.requestDevice?.({ filters: [] }) ?? Promise.reject(new Error('absent')))
    await attempt('hid', () => n['hid']?.requestDevice?.({ filters: [] }) ?? Promise.reject(new Error('absent')))
    await attempt(
      'bluetooth',
      () => n['bluetooth']?.requestDevice?.({ acceptAllDevices: true }) ?? Promise.reject(new Error('absent'))
    )
    await attempt('serial', () => n['serial']?.requestPort?.() ?? Promise.reject(new Error('absent')))
    await attempt('fullscreen', () => document.documentElement.requestFullscreen())
    await attempt('pointer lock', () => document.documentElement.requestPointerLock() as unknown as Promise<unknown>)
    return got
  })
  expect(used.filter((name) => name !== 'pointer lock')).toEqual([])
})

const anything = fc.anything({
  maxDepth: 3,
  withNullPrototype: false,
  withBigInt: false,
  withDate: false,
  withMap: false,
  withSet: false
})

/** A payload as it arrives: what copies it from the page to core leaves out fields named “__proto__”. */
function arriving(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload.map(arriving)
  if (typeof payload !== 'object' || payload === null) return payload
  return Object.fromEntries(
    Object.entries(payload)
      .filter(([name]) => name !== '__proto__')
      .map(([name, value]) => [name, arriving(value)])
  )
}

/** Payloads, as text, that a channel's schema refuses: any values, objects with its own fields, names of prototypes. */
function refusedPayloads(name: ChannelName, count: number, seed: number): string[] {
  const { shape = {} } = channels[name].input as unknown as { readonly shape?: Readonly<Record<string, unknown>> }
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'id', ...Object.keys(shape)]
  const values = ['', 'x'.repeat(10_000), -1, 1e308, '../../etc/passwd', '\u0000', null]
  const field = fc.tuple(
    fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 12 })),
    fc.oneof(anything, fc.constantFrom(...values))
  )
  // As text, so that “__proto__” is a field of its own, as an attacker would write it, also on its way to the page.
  const written = (value: unknown): string => JSON.stringify(value) ?? 'null'
  const objects = fc
    .array(field, { maxLength: 6 })
    .map((pairs) => `{${pairs.map(([key, value]) => `${written(key)}:${written(value)}`).join(',')}}`)
  const one = fc.oneof(objects, fc.oneof(fc.jsonValue({ maxDepth: 4 }), anything).map(written))
  const isRefused = (text: string): boolean => {
    const payload = JSON.parse(text) as unknown
    // What the schema accepts would be carried out.
    return [payload, arriving(payload)].every((each) => !channels[name].input.safeParse(each).success)
  }
  const found: string[] = []
  for (let round = 0; found.length < count; round += 1) {
    if (round > 20) throw new Error(`the channel ${name} accepts too much`)
    found.push(...fc.sample(one, { numRuns: count + 10, seed: seed + round }).filter(isRefused))
  }
  return found.slice(0, count)
}

test(
  'the router refuses requests with an invalid shape',
  { tag: '@electron-instead' },
  async ({ consolePage, session }) => {
    test.setTimeout(90_000 * times)
    const seed = randomInt(2 ** 30)
    let sent = 0
    for (const name of channelNames)
      for (let round = 0; round < times; round += 1) {
        const texts = refusedPayloads(name, 60, seed + round)
        const codes = await consolePage.evaluate(
          async ({ name, texts }) => {
            const method = (window as unknown as Bridged).veridesk[name]
            const answers = await Promise.all(texts.map(async (text) => method?.(JSON.parse(text))))
            return [...new Set(answers.map((answer) => (answer?.ok ? 'accepted' : answer?.failure?.code)))]
          },
          { name, texts }
        )
        expect(codes, `${name}, seed ${seed + round}`).toEqual(['request-refused'])
        sent += texts.length
      }
    counted({ sent, refused: sent })
    // A frame that the console's own page makes shares its page's world, and has no bridge of its own.
    const hasOwnBridge = await consolePage.evaluate(() => {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      const has = frame.contentWindow !== null && 'veridesk' in frame.contentWindow
      frame.remove()
      return has
    })
    expect(hasOwnBridge).toBe(false)
    expect(await answersStill(consolePage)).toBe(true)
    expect(session().output()).not.toMatch(/uncaught|unhandled/)
  }
)

test('the router survives values that are not data', { tag: '@electron-instead' }, async ({ consolePage, session }) => {
  test.setTimeout(45_000 * Math.min(times, 20))
  // In Chromium's JSON a cycle costs 70 ms, and leaves no page of the preview, whatever the channel. Electron copies it.
  const few: Record<string, readonly string[]> = {}
  if (times === 1) few['50 MB'] = ['verification.run']
  if (times === 1 && !session().electron) few['cycle'] = channelNames.slice(0, 20)
  const results = await consolePage.evaluate(
    async ({ names, few }) => {
      const cycle: Record<string, unknown> = {}
      cycle['self'] = cycle
      const poisons: Record<string, unknown> = {
        cycle,
        'bigint': 10n,
        '50 MB': 'x'.repeat(50 * 1024 * 1024),
        'prototype': JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as unknown,
        'getter': {
          nonsense: 1,
          get id() {
            throw new Error('no')
          }
        },
        'proxy': new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('no')
            }
          }
        ),
        'deep': JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown,
        'window': window
      }
      const accepted: string[] = []
      let sent = 0
      for (const name of names) {
        for (const [kind, poison] of Object.entries(poisons)) {
          if (few[kind]?.includes(name) === false) continue
          sent += 1
          try {
            const answer = await (window as unknown as Bridged).veridesk[name]?.(poison)
            if (answer?.ok || answer?.failure?.code !== 'request-refused')
              accepted.push(`${name} ${kind} ${answer?.failure?.code ?? 'accepted'}`)
          } catch {
            // Refused before it left the page.
          }
        }
      }
      return { sent, accepted, polluted: 'polluted' in {} }
    },
    { names: [...channelNames], few }
  )
  counted({ sent: results.sent, refused: results.sent - results.accepted.length })
  expect(results.accepted).toEqual([])
  expect(results.polluted).toBe(false)
  expect(await answersStill(consolePage)).toBe(true)
  expect(session().output()).not.toContain('uncaught')
})
