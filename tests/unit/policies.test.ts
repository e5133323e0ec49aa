/** Policies: what each source contains, how sources combine, and that a file applies as a whole or not at all. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { channelNames } from '#contract/ipc/channel-names.ts'
import { policyNames, policyOf, type PolicyName } from '#contract/settings/policies.ts'
import { settingsDefaults } from '#contract/settings/defaults.ts'
import { settingsSchema } from '#contract/settings/settings.ts'
import type { Channel } from '#contract/ipc/channel.ts'
import { channels } from '#contract/ipc/ipc.ts'
import { policiesInFile } from '#core/policies/json-file.ts'
import { policiesInProfile } from '../../electron/hosts/node/policies/macos.ts'
import { namesKey, policiesInRegistry, policiesInValues } from '#core/policies/registry.ts'
import {
  addressRefusal,
  channelRefusal,
  connectionsOf,
  exportChannels,
  limited,
  policyChanges,
  settingsOf,
  teamRefusal,
  valueText
} from '#core/policies/rules.ts'
import { understand } from '#core/policies/understand.ts'
import { expandedFolder } from '../../electron/hosts/node/policies/at-start.ts'
import type { ValueType } from 'native-reg'
import type { NativeRegistry } from '../../electron/hosts/node/policies/native-registry.ts'
import { policyReader } from '../../electron/hosts/node/policies/reader.ts'
import { registryReader, type RunReg } from '../../electron/hosts/node/policies/windows.ts'
import type { PolicyFound } from '#core/ports/policies.ts'

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../fixtures/policies', name))
const bytes = (json: unknown): Uint8Array => Buffer.from(JSON.stringify(json))
const file = (policies: object, version = 1): PolicyFound =>
  policiesInFile(bytes({ format: 'veridesk-policies', version, policies }))
const ownVersion = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { readonly version: string }
).version
const numbersOf = (version: string): number[] => version.split('.').map(Number)
const machineKey = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Veridesk'
const userKey = 'HKEY_CURRENT_USER\\SOFTWARE\\Policies\\Veridesk'
const values = (policies: object) => {
  const set = understand([{ place: 'file', found: file(policies) }])
  if (!set.ok) throw new Error(JSON.stringify(set.failure))
  return set.value.values
}
/** A certificate is the only example that cannot be read as it stands. */
const examples = Object.fromEntries(
  policyNames.filter((name) => name !== 'TimestampAuthority').map((name) => [name, policyOf(name).example])
)

/** A registry in memory, behind the module's interface; `tests/unit/registry.test.ts` covers the real one on Windows. */
const stored = (
  keys: Readonly<Record<number, Readonly<Record<string, readonly [type: number, bytes: Buffer]>>>>,
  open: () => void = () => undefined
): NativeRegistry => ({
  openKey(hive, key) {
    open()
    return key === 'SOFTWARE\\Policies\\Veridesk' && keys[hive] ? { hive } : null
  },
  enumValueNames: (key) => Object.keys(keys[(key as { hive: number }).hive] ?? {}),
  queryValue(key, name) {
    const value = keys[(key as { hive: number }).hive]?.[name]
    return value ? Object.assign(Buffer.from(value[1]), { type: value[0] as ValueType }) : null
  },
  closeKey: () => undefined
})
const sz = (text: string): readonly [number, Buffer] => [1, Buffer.from(`${text}\0`, 'utf16le')]
const dword = (number: number): readonly [number, Buffer] => [4, Buffer.from(Uint32Array.of(number).buffer)]
/** What `machine.reg` has. */
const machine = {
  0x80000002: {
    '': sz('ignored'),
    'OrganisationName': sz('Müller & Söhne "Bank" AG'),
    'AllowedBaseUrls': [7, Buffer.from('https://kyc.example.com\0https://sandbox.kyc.example.com:8443\0\0', 'utf16le')],
    'Connections': sz('[{"name":"Example KYC","baseUrl":"https://kyc.example.com","mode":"live"}]'),
    'ProxyMode': sz('manual'),
    'ProxyUrl': sz('http://proxy.example.com:8080'),
    'ExtraCaFile': [2, Buffer.from('C:\\ProgramData\\Example\\ca.pem\0', 'utf16le')],
    'ConnectTimeout': dword(10),
    'ExportsAllowed': dword(0),
    'ClipboardAllowed': dword(1)
  }
} as const

describe('the table', () => {
  it('has an example of each policy that is valid, and sets what its setting accepts', () => {
    expect(Object.keys(values(examples))).toEqual(Object.keys(examples))
    expect(settingsSchema.safeParse({ ...settingsDefaults, ...settingsOf(values(examples)) }).success).toBe(true)
  })

  it('says each value in a text of its own, whatever its parts are', () => {
    for (const name of policyNames) expect(valueText(name, values(examples)) ?? '', name).not.toContain('[object')
    const low = { code: 'low', label: 'Low', months: 36, enhanced: false }
    const changed = policyChanges({ RiskClasses: [low] }, { RiskClasses: [{ ...low, months: 12 }] })
    expect(Object.keys(changed)).toEqual(['RiskClasses'])
  })

  it('names no version that is not released yet', () => {
    const [major = 0, minor = 0] = numbersOf(ownVersion)
    const later = (since: string): boolean => {
      const [first = 0, second = 0] = numbersOf(since)
      return first > major || (first === major && second > minor)
    }
    expect(policyNames.filter((name) => !/^\d+\.\d+$/.test(policyOf(name).since))).toEqual([])
    expect(policyNames.filter((name) => later(policyOf(name).since))).toEqual([])
  })

  it('covers every request that writes a file with personal data, or says why not', () => {
    const kept: Readonly<Record<string, string>> = {
      'backups.create': 'encrypted, and stays in the data folder',
      'backups.documents': 'encrypted, and without their keys',
      'evidence.timestamp': 'adds a time-stamp to a pack that exists',
      'erasure.saveReceipt': 'contains no personal data',
      'team.saveProof': 'contains hashes, kinds and times of events'
    }
    const writing = channelNames.filter((name) => {
      const { leaves }: Channel = channels[name]
      return !('none' in leaves) && leaves.includes('export.made')
    })
    expect(writing.filter((name) => !exportChannels.includes(name)).sort()).toEqual(Object.keys(kept).sort())
    for (const name of exportChannels) expect(channelRefusal({ ExportsAllowed: false }, name)?.code).toBe('exports-off')
    expect(channelRefusal({ ExportsAllowed: true }, 'exports.history')).toBeUndefined()
  })
})

describe('the Windows registry', () => {
  it('is read from an exported key, in the forms that templates write', () => {
    expect(policiesInRegistry(fixture('machine.reg'), machineKey)).toEqual({
      kind: 'values',
      values: {
        OrganisationName: 'Müller & Söhne "Bank" AG',
        AllowedBaseUrls: ['https://kyc.example.com', 'https://sandbox.kyc.example.com:8443'],
        Connections: [{ name: 'Example KYC', baseUrl: 'https://kyc.example.com', mode: 'live' }],
        ProxyMode: 'manual',
        ProxyUrl: 'http://proxy.example.com:8080',
        ExtraCaFile: 'C:\\ProgramData\\Example\\ca.pem',
        ConnectTimeout: 10,
        ExportsAllowed: false,
        ClipboardAllowed: true
      }
    })
  })

  it('has a key only if the list of its parent names it', () => {
    const listed = fixture('query-parent.txt').toString()
    expect(
      [machineKey, machineKey.toLowerCase(), `${machineKey}2`, userKey].map((key) => namesKey(listed, key))
    ).toEqual([true, true, false, false])
  })

  it('is read from values as they are stored, with the same result as from an exported key', async () => {
    const found = await registryReader({ native: stored(machine) }).read()
    expect(found).toEqual([
      { place: machineKey, by: 'native-reg', found: policiesInRegistry(fixture('machine.reg'), machineKey) },
      { place: userKey, by: 'native-reg', found: { kind: 'none' } }
    ])
    for (const [type, bytes] of [
      [3, Buffer.from([1])],
      [4, Buffer.from([1, 0])],
      [1, Buffer.from([65])],
      [11, Buffer.alloc(8)]
    ] as const)
      expect(policiesInValues([{ name: 'ConnectTimeout', type, bytes }])).toMatchObject({
        kind: 'unusable',
        fault: { reason: 'policy', policy: 'ConnectTimeout' }
      })
    expect(policiesInValues([{ name: '', type: 1, bytes: Buffer.alloc(0) }])).toEqual({ kind: 'values', values: {} })
  })

  it('is asked of reg.exe where the module cannot read it, and unusable where neither can', async () => {
    const denied = stored(machine, () => {
      throw new Error('RegOpenKeyExW: 5')
    })
    const asked: string[] = []
    const absent: RunReg = async (...args) => {
      asked.push(args.join(' '))
      return { code: 0, out: '' }
    }
    for (const native of [undefined, denied])
      expect(await registryReader({ native, reg: absent }).read()).toEqual(
        [machineKey, userKey].map((place) => ({ place, by: 'reg.exe', found: { kind: 'none' } }))
      )
    expect(asked).toHaveLength(4)
    for (const code of [null, 1]) {
      const places = await registryReader({ native: denied, reg: async () => ({ code, out: '' }) }).read()
      expect(places.map(({ found }) => found)).toEqual(
        Array(2).fill({ kind: 'unusable', fault: { reason: 'unreadable' } })
      )
      expect(understand(places)).toMatchObject({ ok: false, failure: { place: machineKey } })
    }
  })

  it('gives the machine precedence over the user, each policy by itself', () => {
    const set = understand([
      { place: machineKey, found: policiesInRegistry(fixture('machine.reg'), machineKey) },
      { place: userKey, found: policiesInRegistry(fixture('user.reg'), userKey) }
    ])
    expect(set).toMatchObject({
      ok: true,
      value: {
        values: { ProxyMode: 'manual', LogLevel: 'errors' },
        places: { ProxyMode: machineKey, LogLevel: userKey }
      }
    })
  })

  it('is refused where a value has another type, another form, or a newer version', () => {
    const key = (...lines: string[]): PolicyFound =>
      policiesInRegistry(
        Buffer.from(
          `\ufeffWindows Registry Editor Version 5.00\r\n\r\n[${machineKey}]\r\n${lines.join('\r\n')}\r\n`,
          'utf16le'
        ),
        machineKey
      )
    expect(key('"ProxyMode"="none"')).toMatchObject({ kind: 'values' })
    expect(key('"ProxyMode"=hex:00,01')).toMatchObject({
      kind: 'unusable',
      fault: { reason: 'policy', policy: 'ProxyMode' }
    })
    expect(key('"PolicyVersion"=dword:00000002')).toMatchObject({ kind: 'unusable', fault: { reason: 'newer' } })
    expect(key('ProxyMode    REG_SZ    none')).toMatchObject({ kind: 'unusable', fault: { reason: 'not-registry' } })
    expect(policiesInRegistry(fixture('machine.reg'), userKey)).toMatchObject({
      kind: 'unusable',
      fault: { reason: 'not-registry' }
    })
    // A flag is 0 or 1, and a number is no text.
    for (const line of [
      '"ExportsAllowed"=dword:00000002',
      '"ExportsAllowed"="false"',
      '"ConnectTimeout"="10"',
      '"Connections"="[{]"'
    ])
      expect([line, understand([{ place: machineKey, found: key(line) }]).ok]).toEqual([line, false])
  })
})

describe('the managed preferences of macOS', () => {
  it('are read from the JSON of a property list', () => {
    expect(policiesInProfile(fixture('profile.json').toString())).toEqual({
      kind: 'values',
      values: {
        AllowedBaseUrls: ['https://kyc.example.com'],
        ClipboardAllowed: false,
        Connections: [{ baseUrl: 'https://kyc.example.com', mode: 'live', name: 'Example KYC' }],
        OrganisationName: 'Example Bank',
        SpendGuardMinutes: 60
      }
    })
    for (const text of ['', '[]', '"x"', '{', '<plist/>'])
      expect(policiesInProfile(text)).toMatchObject({ kind: 'unusable', fault: { reason: 'not-plist' } })
    expect(policiesInProfile('{"PolicyVersion":2,"ProxyMode":"none"}')).toMatchObject({ fault: { reason: 'newer' } })
  })
})

describe('a policy file', () => {
  it('is what the administration page shows, with each of its examples', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/administration.md'), 'utf8')
    const frame = /`(\{ "format": "veridesk-policies"[^`]*)`/.exec(page)?.[1] ?? ''
    const shown = Array.from(page.matchAll(/```json\n([^`]+)```/g), ([, example = '']) => example)
    expect(shown.length).toBeGreaterThan(2)
    const { publicKeys } = policyOf('UpdateFeed').example as { readonly publicKeys: readonly string[] }
    for (const example of shown) {
      // The page shortens a key.
      const whole = frame.replace('{ … }', example.replace('RWQ...', publicKeys[0] ?? ''))
      expect(understand([{ place: 'page', found: policiesInFile(Buffer.from(whole)) }]), whole).toMatchObject({
        ok: true
      })
    }
  })

  it.each<[string, Uint8Array, string]>([
    ['empty', Buffer.from(' \n'), 'empty'],
    ['cut off', Buffer.from('{"format":"veridesk-policies","version":1,"policies":{"ProxyMo'), 'not-json'],
    ['of bytes that are no text', Buffer.from([0xff, 0xfe, 0x00]), 'not-text'],
    ['of a newer version, in another form', bytes({ format: 'veridesk-policies', version: 2, rules: [] }), 'newer'],
    ['of another format', bytes({ format: 'veridesk-settings', version: 1, policies: {} }), 'other-format'],
    ['without an envelope', bytes({ ProxyMode: 'none' }), 'other-format'],
    ['too large', Buffer.alloc(2 * 1024 * 1024, 0x20), 'too-large']
  ])('that is %s is refused', (_name, content, reason) => {
    expect(policiesInFile(content)).toMatchObject({ kind: 'unusable', fault: { reason } })
  })

  it('is refused as a whole if one value of one source is invalid, even one that another source overrides', () => {
    const good = { place: 'first', found: file({ ProxyMode: 'none' }) }
    expect(understand([good, { place: 'second', found: file({ ProxyMode: 'sideways' }) }])).toEqual({
      ok: false,
      failure: { place: 'second', fault: { reason: 'policy', policy: 'ProxyMode' } }
    })
    for (const policies of [
      { ProxyUrl: 'http://user:secret@proxy.example.com' },
      { AllowedBaseUrls: ['http://kyc.example.com'] },
      { TimestampAuthority: policyOf('TimestampAuthority').example },
      { Connections: [{ name: 'A', baseUrl: 'https://a.example', mode: 'live', apiKey: 'secret' }] },
      {
        Connections: [
          { name: 'A', baseUrl: 'https://a.example', mode: 'live' },
          { name: 'a', baseUrl: 'https://b.example', mode: 'live' }
        ]
      }
    ])
      expect([policies, understand([{ place: 'file', found: file(policies) }]).ok]).toEqual([policies, false])
  })

  it('may name policies of a later version: they are reported and have no effect', () => {
    expect(
      understand([{ place: 'file', found: file({ ProxyMode: 'none', AllowedUrls: [], Zebra: 1 }) }])
    ).toMatchObject({ ok: true, value: { values: { ProxyMode: 'none' }, unknown: ['AllowedUrls', 'Zebra'] } })
  })

  it('never crashes and never half-applies, whatever it contains', () => {
    const name = fc.oneof(
      fc.constantFrom<string>(...policyNames),
      fc.string(),
      fc.constantFrom('__proto__', 'constructor', 'toString')
    )
    const value = fc.oneof(
      ...policyNames.map((each) => fc.constant(policyOf(each).example as unknown)),
      fc.jsonValue({ maxDepth: 1 })
    )
    const envelope = fc.record({
      format: fc.oneof(
        { weight: 9, arbitrary: fc.constant<unknown>('veridesk-policies') },
        { weight: 1, arbitrary: fc.string() }
      ),
      version: fc.oneof({ weight: 9, arbitrary: fc.constant<unknown>(1) }, { weight: 1, arbitrary: fc.jsonValue() }),
      policies: fc.dictionary(name, value, { maxKeys: 4 })
    })
    const text = fc.oneof(
      { weight: 8, arbitrary: envelope.map((each) => Buffer.from(JSON.stringify(each))) },
      {
        weight: 1,
        arbitrary: fc.tuple(envelope, fc.nat()).map(([each, at]) => Buffer.from(JSON.stringify(each).slice(0, at)))
      },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((each) => Buffer.from(each)) }
    )
    let [applied, refused] = [0, 0]
    fc.assert(
      fc.property(text, (content) => {
        const set = understand([{ place: 'file', found: policiesInFile(content) }])
        if (!set.ok) {
          refused += 1
          return
        }
        applied += 1
        const written = (JSON.parse(content.toString()) as { policies: object }).policies
        const known = Object.keys(written).filter((each) => (policyNames as string[]).includes(each))
        // All that the file names and this version knows, and nothing else.
        expect(Object.keys(set.value.values).sort()).toEqual(known.sort())
        for (const each of Object.keys(set.value.values) as PolicyName[])
          expect(policyOf(each).schema.safeParse((written as Record<string, unknown>)[each]).success).toBe(true)
      }),
      { numRuns: 10_000 }
    )
    // Neither side of the property is empty.
    expect(Math.min(applied, refused)).toBeGreaterThan(500)
  }, 60_000)
})

describe('the rules', () => {
  it('allow an address exactly, those of ready-made connections, and the practice service', () => {
    const set = values({
      AllowedBaseUrls: ['https://kyc.example.com'],
      Connections: [{ name: 'Other', baseUrl: 'https://other.example.com:8443', mode: 'live' }]
    })
    const allowed = (baseUrl: string, practice = false): boolean =>
      addressRefusal(set, { baseUrl, practice }) === undefined
    expect(
      [
        'https://kyc.example.com',
        'https://kyc.example.com/',
        'https://KYC.example.com:443',
        'https://other.example.com:8443'
      ].every((each) => allowed(each))
    ).toBe(true)
    for (const other of [
      'https://kyc.example.com.evil.example',
      'https://a.kyc.example.com',
      'https://kyc.example.com:444',
      'http://kyc.example.com',
      'https://other.example.com',
      'not an address',
      ''
    ])
      expect([other, allowed(other)]).toEqual([other, false])
    expect(allowed('http://127.0.0.1:4000')).toBe(false)
    expect(allowed('http://127.0.0.1:4000', true)).toBe(true)
    expect(addressRefusal(values({}), { baseUrl: 'https://anything.example' })).toBeUndefined()
    expect(addressRefusal(values({ AllowedBaseUrls: [] }), { baseUrl: 'https://anything.example' })?.code).toBe(
      'address-not-allowed'
    )
  })

  it('allow a team on a server or on one of its ports, and none where the list is empty', () => {
    const set = values({ TeamDatabases: ['DB.example.com', '10.0.0.7:5433', '[fd00::7]:5432'] })
    const code = (host: string, port: number): string | undefined => teamRefusal(set, { host, port })?.code
    expect([
      code('db.example.com', 1),
      code('10.0.0.7', 5433),
      code('fd00::7', 5432),
      code('DB.EXAMPLE.COM', 9)
    ]).toEqual(Array(4).fill(undefined))
    for (const [host, port] of [
      ['a.db.example.com', 5432],
      ['10.0.0.7', 5432],
      ['fd00::7', 5433],
      ['db.example.com.evil.example', 5432]
    ] as const)
      expect([host, code(host, port)]).toEqual([host, 'team-server-not-allowed'])
    expect(teamRefusal(values({ TeamDatabases: [] }), { host: 'db.example.com', port: 5432 })?.code).toBe('team-off')
    expect(teamRefusal(values({}), { host: 'db.example.com', port: 5432 })).toBeUndefined()
  })

  it('replace the variables of a data folder, and take no path that depends on where Veridesk is started', () => {
    expect(expandedFolder('${user_home}/V/${user_name}', 'mira')).toBe(join(homedir(), 'V', 'mira'))
    expect(expandedFolder('/srv/veridesk/${user_name}', '../root')).toBe('/srv/veridesk/.._root')
    expect(expandedFolder('/srv/veridesk/${user_name}', '..')).toBe('/srv/veridesk/_')
    const valid = (path: string): boolean => policyOf('DataFolder').schema.safeParse(path).success
    expect(['/srv/v', 'D:\\V\\${user_name}', '${local_app_data}\\V'].map(valid)).toEqual([true, true, true])
    for (const path of ['', 'V', './V', '//server/share', '\\\\server\\share', '%APPDATA%\\V', '/srv/${other}'])
      expect([path, valid(path)]).toEqual([path, false])
  })

  it('limit a batch, whatever it asks for', () => {
    const set = values({ BatchConcurrencyMax: 4, BatchRateLimitMax: 600 })
    expect(
      [
        [16, 0],
        [2, 60],
        [4, 601]
      ].map(([atOnce = 0, pace = 0]) => limited(set, { atOnce, pace }))
    ).toEqual([
      { atOnce: 4, pace: 600 },
      { atOnce: 2, pace: 60 },
      { atOnce: 4, pace: 600 }
    ])
    expect(limited(values({}), { atOnce: 16, pace: 0 })).toEqual({ atOnce: 16, pace: 0 })
  })

  it('give a ready-made connection the same ID as long as its name is the same', () => {
    const of = (name: string, baseUrl: string): string | undefined =>
      connectionsOf(values({ Connections: [{ name, baseUrl, mode: 'live' }] }))[0]?.id
    expect(of('Example KYC', 'https://a.example')).toBe(of('example kyc', 'https://b.example'))
    expect(of('Example KYC', 'https://a.example')).not.toBe(of('Another', 'https://a.example'))
    expect(of('Example KYC', 'https://a.example')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/
    )
  })
})

describe('the source', () => {
  it('is named by the environment only where the program is not installed', async () => {
    const environment = { VERIDESK_TEST_POLICIES: '/nonexistent/policies.json' }
    const placesFrom = async (url: string) =>
      (await policyReader('tester', environment, url).read()).map(({ place }) => place)
    expect(await placesFrom('file:///src/electron/hosts/node/policies/reader.ts')).toEqual([
      '/nonexistent/policies.json'
    ])
    for (const url of [
      'file:///opt/Veridesk/resources/app.asar/out/main/index.js',
      'file:///opt/Veridesk/resources/app.asar.unpacked/cli.js',
      'file:///C:/Program%20Files/Veridesk/resources/app.asar/out/main/index.js'
    ])
      if (process.platform === 'linux') expect(await placesFrom(url)).toEqual(['/etc/veridesk/policies.json'])
  })
})
