import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  browserArguments,
  browserCandidates,
  findBrowser,
  hasDisplay
} from '../../electron/hosts/node/chromium/browser.ts'
import { devToolsOver } from '../../electron/hosts/node/chromium/devtools.ts'
import { previewOptions } from '../../electron/hosts/preview/options.ts'
import { pageScript } from '../../electron/hosts/preview/page-script.ts'

const usual = { path: '/x', headless: true, width: 1280, height: 860, testPort: false }

describe('the preview’s browser', () => {
  it('speaks over a pipe, with no port unless tests ask for one', () => {
    expect(browserArguments(usual, '/p', false)).toContain('--remote-debugging-pipe')
    expect(browserArguments(usual, '/p', false).join(' ')).not.toContain('--remote-debugging-port')
    expect(browserArguments({ ...usual, testPort: true }, '/p', false)).toContain('--remote-debugging-port=0')
  })
  it('gives up its sandbox as root only', () => {
    expect(browserArguments(usual, '/p', false)).not.toContain('--no-sandbox')
    expect(browserArguments(usual, '/p', true)).toContain('--no-sandbox')
  })
  it('has a profile of its own and no way to a network', () => {
    const args = browserArguments(usual, '/p', false)
    expect(args).toContain('--user-data-dir=/p')
    expect(args).toContain('--host-resolver-rules=MAP * ~NOTFOUND')
    expect(args).toContain('--disable-background-networking')
  })
  it('is looked for where each system keeps it', () => {
    expect(browserCandidates('darwin', { HOME: '/Users/a' })[0]).toBe(
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
    )
    expect(browserCandidates('win32', { ProgramFiles: 'C:\\Program Files' })).toContain(
      'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe'
    )
    expect(browserCandidates('linux', { PATH: '/opt/bin' })[0]).toBe('/opt/bin/chromium')
    expect(findBrowser('linux', { VERIDESK_BROWSER: '/nowhere', PATH: process.env['PATH'] })).toBeUndefined()
    expect(findBrowser('linux', { VERIDESK_BROWSER: process.execPath })).toBe(process.execPath)
  })
  it('needs a display on Linux alone', () => {
    expect(hasDisplay('linux', {})).toBe(false)
    expect(hasDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(true)
    expect(hasDisplay('darwin', {})).toBe(true)
  })
})

describe('the preview’s options', () => {
  it('are read', () => {
    expect(previewOptions(['--data', '/d', '--headless', '--size', '900x600'])).toEqual({
      dataFolder: '/d',
      headless: true,
      sample: false,
      width: 900,
      height: 600,
      toOpen: []
    })
    expect(previewOptions([])).toEqual({ headless: false, sample: false, width: 1280, height: 860, toOpen: [] })
  })
  it('open sample data', () => {
    expect(previewOptions(['--sample'])).toMatchObject({ sample: true })
  })
  it.each([
    [['--size', '9x9']],
    [['--size', 'big']],
    [['--size', '99999x600']],
    [['--data', '']],
    [['--what']],
    [['extra']]
  ])('are refused in a sentence: %j', (args) => {
    expect(previewOptions(args)).toMatch(/\w+.*\./)
  })
})

describe('the DevTools pipe', () => {
  const pipe = () => {
    const toBrowser = new PassThrough()
    const fromBrowser = new PassThrough()
    return { toBrowser, fromBrowser, devTools: devToolsOver(toBrowser, fromBrowser) }
  }
  it('takes messages in any pieces, characters cut in the middle too', async () => {
    const { fromBrowser, devTools } = pipe()
    const heard: unknown[] = []
    devTools.on('Some.event', (params, session) => heard.push([params, session]))
    const bytes = Buffer.from(
      '{"method":"Some.event","params":{"a":"ä€"},"sessionId":"s"}\0{"method":"Some.event","params":{"a":2}}\0'
    )
    for (const byte of bytes) fromBrowser.write(Buffer.from([byte]))
    await new Promise((done) => setTimeout(done, 20))
    expect(heard).toEqual([
      [{ a: 'ä€' }, 's'],
      [{ a: 2 }, undefined]
    ])
  })
  it('answers each command, refusals too', async () => {
    const { toBrowser, fromBrowser, devTools } = pipe()
    const one = devTools.send('A')
    const two = devTools.send('B', { x: 1 }, 's')
    expect(toBrowser.read().toString()).toBe(
      '{"id":1,"method":"A","params":{}}\0{"id":2,"method":"B","params":{"x":1},"sessionId":"s"}\0'
    )
    fromBrowser.write('{"id":2,"error":{"message":"no"}}\0{"id":1,"result":{"y":2}}\0')
    expect(await one).toEqual({ y: 2 })
    await expect(two).rejects.toThrow('no')
  })
  it('leaves no command waiting when the browser ends', async () => {
    const { fromBrowser, devTools } = pipe()
    const waiting = devTools.send('A')
    fromBrowser.destroy()
    await expect(waiting).rejects.toThrow('ended')
    await expect(devTools.send('B')).rejects.toThrow('ended')
  })
})

describe('the page’s script', () => {
  it('is one expression that parses', () => {
    const source = pageScript(
      { binding: 'b', receiver: 'r' },
      { maxCharacters: 10, tooLarge: { text: '</script>\u2028' } },
      []
    )
    expect(() => new Function(source)).not.toThrow()
  })
})
