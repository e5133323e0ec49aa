import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'
import { openSettings } from '#core/settings/settings.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-settings-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const checked: string[] = []
const open = () =>
  openSettings({
    folder,
    clock: { now: Date.now },
    checkCaFile: async (path) => {
      checked.push(path)
      return path.endsWith('.pem') ? ok(null) : failed('ca-file-invalid', { reason: 'no-certificate' })
    }
  })
const onDisk = async () => JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8')) as unknown

it('starts with the defaults, writes nothing, and keeps changes across sessions', async () => {
  const settings = await open()
  expect(settings.current()).toEqual(defaultSettings)
  expect([settings.fault(), settings.sendingRefusal()]).toEqual([undefined, undefined])
  expect(await readdir(folder)).toEqual([])
  expect(await settings.change({ theme: 'dark', totalTimeout: 60 })).toEqual({
    ok: true,
    value: { ...defaultSettings, theme: 'dark', totalTimeout: 60 }
  })
  expect(await onDisk()).toEqual({
    format: 'veridesk-settings',
    version: 1,
    data: { theme: 'dark', totalTimeout: 60 }
  })
  expect((await open()).current()).toEqual({ ...defaultSettings, theme: 'dark', totalTimeout: 60 })
})

it('loses none of many changes at once', async () => {
  const settings = await open()
  const patches: Partial<Settings>[] = [
    { theme: 'light' },
    { density: 'compact' },
    { lastOperation: 'x' },
    { firstRunDone: true }
  ]
  await Promise.all(patches.map((patch) => settings.change(patch)))
  expect((await open()).current()).toEqual(Object.assign({}, defaultSettings, ...patches))
})

it.each([
  [{ totalTimeout: 0 }, 'totalTimeout'],
  [{ maxReplyBytes: 1e12 }, 'maxReplyBytes'],
  [{ theme: 'pink' as 'dark' }, 'theme'],
  [{ proxyMode: 'manual' as const }, 'proxyUrl'],
  [{ proxyMode: 'manual' as const, proxyUrl: 'proxy:8080' }, 'proxyUrl'],
  [{ proxyMode: 'manual' as const, proxyUrl: 'socks4://proxy:1' }, 'proxyUrl'],
  [{ proxyMode: 'manual' as const, proxyUrl: 'http://user:secret@proxy:8080' }, 'proxyUrl'],
  [{ proxyMode: 'manual' as const, proxyUrl: 'http://proxy:8080/path' }, 'proxyUrl']
])('refuses %j at its field', async (patch, field) => {
  const settings = await open()
  const refused = await settings.change(patch)
  expect(refused).toMatchObject({ ok: false, failure: { code: 'setting-invalid' } })
  expect(Object.keys((!refused.ok && refused.failure.fields) || {})).toEqual([field])
  expect(settings.current()).toEqual(defaultSettings)
  expect(await readdir(folder)).toEqual([])
})

it('accepts any proxy address in an unused mode, and only a valid one in a mode that uses it', async () => {
  const settings = await open()
  expect(await settings.change({ proxyUrl: 'half typed' })).toMatchObject({ ok: true })
  expect(await settings.change({ proxyMode: 'manual' })).toMatchObject({ ok: false })
  expect(await settings.change({ proxyMode: 'manual', proxyUrl: 'http://proxy.example.com:8080' })).toMatchObject({
    ok: true
  })
})

it('checks a certificate file when it is chosen, not at each other change', async () => {
  const settings = await open()
  checked.length = 0
  expect(await settings.change({ extraCaFile: '/etc/passwd' })).toMatchObject({
    ok: false,
    failure: { code: 'ca-file-invalid', fields: { extraCaFile: { code: 'certificate-file' } } }
  })
  expect(await settings.change({ extraCaFile: '/company.pem' })).toMatchObject({ ok: true })
  await settings.change({ theme: 'dark' })
  expect(await settings.change({ extraCaFile: '' })).toMatchObject({ ok: true })
  expect(checked).toEqual(['/etc/passwd', '/company.pem'])
})

it('leaves a damaged file where it is, start after start, until it is reset', async () => {
  await writeFile(join(folder, 'settings.json'), '{"format":"veridesk-settings","version":1,"data":{"theme":"pink"}}')
  const settings = await open()
  for (const each of [settings, await open()]) {
    expect(each.fault()).toMatchObject({ code: 'settings-damaged' })
    expect(each.sendingRefusal()).toMatchObject({
      code: 'settings-block-sending',
      cause: { details: { reason: 'field', field: 'theme' } }
    })
    expect(each.current()).toEqual(defaultSettings)
    expect(await each.change({ theme: 'dark' })).toMatchObject({ ok: false, failure: { code: 'settings-damaged' } })
    expect(await readdir(folder)).toEqual(['settings.json'])
  }
  expect(await settings.reset()).toMatchObject({
    ok: true,
    value: { kept: expect.stringMatching(/^settings\.damaged-/) as string }
  })
  expect([settings.fault(), settings.sendingRefusal()]).toEqual([undefined, undefined])
  expect(await settings.reset()).toMatchObject({ ok: false, failure: { code: 'data-file-readable' } })
  expect(await settings.change({ theme: 'dark' })).toMatchObject({ ok: true })
  expect((await readdir(folder)).sort()).toEqual([expect.stringMatching(/^settings\.damaged-/), 'settings.json'])
})

it('saves nothing over a newer file', async () => {
  const text = '{"format":"veridesk-settings","version":3,"data":{"theme":{"of":"tomorrow"}}}'
  await writeFile(join(folder, 'settings.json'), text)
  const settings = await open()
  expect(settings.fault()).toMatchObject({ code: 'settings-newer' })
  expect(settings.sendingRefusal()).toMatchObject({ code: 'settings-block-sending', cause: { code: 'settings-newer' } })
  expect(await settings.change({ theme: 'dark' })).toMatchObject({ ok: false, failure: { code: 'settings-newer' } })
  expect(settings.current()).toEqual(defaultSettings)
  expect(await readFile(join(folder, 'settings.json'), 'utf8')).toBe(text)
})

it('says that a file cannot be written, and keeps the settings as they were', async () => {
  const settings = await open()
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file in the folder’s place')
  const refused = await settings.change({ theme: 'dark' })
  expect(refused).toMatchObject({ ok: false, failure: { code: 'settings-locked' } })
  expect(settings.current()).toEqual(defaultSettings)
})
