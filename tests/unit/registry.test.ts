/** The real registry, on Windows only: the module and `reg.exe` find the same, in a key of this test's own. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  loadNativeRegistry,
  valuesOf,
  type NativeRegistry
} from '../../electron/hosts/node/policies/native-registry.ts'
import { registryReader } from '../../electron/hosts/node/policies/windows.ts'

const user = 0x80000001
const key = `SOFTWARE\\VerideskTest-${randomUUID()}`
const reg = (...args: string[]): void => void execFileSync('reg.exe', args)

it.skipIf(process.platform === 'win32')('is not there on other systems', () => {
  expect(loadNativeRegistry()).toBeUndefined()
})

describe.skipIf(process.platform !== 'win32')('the registry of Windows', () => {
  let native: NativeRegistry
  beforeAll(() => {
    native = loadNativeRegistry()!
    const at = `HKCU\\${key}`
    reg('add', at, '/v', 'ProxyMode', '/t', 'REG_SZ', '/d', 'manual', '/f')
    reg('add', at, '/v', 'ConnectTimeout', '/t', 'REG_DWORD', '/d', '10', '/f')
    reg('add', at, '/v', 'AllowedBaseUrls', '/t', 'REG_MULTI_SZ', '/d', 'https://a.example\\0https://b.example', '/f')
  })
  afterAll(() => reg('delete', `HKCU\\${key}`, '/f'))

  it('has the values with their types and bytes', () => {
    const found = valuesOf(native, user, key)?.map(({ name, type, bytes }) => [name, type, Buffer.from(bytes)])
    expect(found).toEqual([
      ['ProxyMode', 1, Buffer.from('manual\0', 'utf16le')],
      ['ConnectTimeout', 4, Buffer.from([10, 0, 0, 0])],
      ['AllowedBaseUrls', 7, Buffer.from('https://a.example\0https://b.example\0\0', 'utf16le')]
    ])
  })

  it('has no key that is not there', () => {
    expect(valuesOf(native, user, `${key}-not`)).toBeUndefined()
  })

  it('gives the policies of this computer by the module as by the tool', async () => {
    const [module, tool] = await Promise.all([registryReader({ native }).read(), registryReader({}).read()])
    expect(module.map(({ by }) => by)).toEqual(['native-reg', 'native-reg'])
    expect(tool.map(({ place, found }) => ({ place, found }))).toEqual(
      module.map(({ place, found }) => ({ place, found }))
    )
  })
})
